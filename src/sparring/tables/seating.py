"""Seating: who sits at a new table, people who take open seats, and the host who gives seats to bots."""

from collections.abc import Mapping, Sequence
from dataclasses import replace

from msgspec import structs

from sparring.bots import free_name, installed, offered_bots, parse
from sparring.engine.errors import BadBot, BadOption, SparringError
from sparring.engine.game import STANDARD, Game, GameSetup
from sparring.engine.messages import say
from sparring.engine.options import Value
from sparring.people.identity import GUEST_NAME, BadName, read_name, with_id, with_name
from sparring.store.person import STRANGER, Person
from sparring.store.rating_model import Entrant, RatingLimits
from sparring.tables.play.bot_turns import BotTurns
from sparring.tables.play.commits import TableCommits
from sparring.tables.play.match_results import players_at
from sparring.tables.state.players import MINE, Player
from sparring.tables.state.table import NotAllowed, Table
from sparring.tables.state.table_settings import TableSettings

#: Values of a seat besides bots: the host, a friend on the host's device (`FRIEND:NAME`), and an open seat.
ME, FRIEND, OPEN = "me", "local_player", "open"
NO_BOTS: Mapping[str, Person] = {}


def bot_names(game: Game) -> dict[str, str]:
    """Return the bots that can take a seat, name to title: built-in ones from weak to strong, then installed ones."""
    return {name: parse(name).title for name in (*offered_bots(game), *installed())}


def check_bot(game: Game, bot: str) -> None:
    """Raise BadBot unless the bot can take a seat in this game."""
    known = bot_names(game)
    if bot not in known:
        raise BadBot(say("There is no bot called {bot}. Bots: {bots}.", bot=bot, bots=", ".join(known)))


def bot_player(bot: str, players: Sequence[Player]) -> Player:
    """Return a bot as a player, with a name that none of the players has."""
    return Player(name=free_name([player.name for player in players]), bot=parse(bot).text)


class NotRated(SparringError):
    """The match can't be rated."""


def check_hidden_content(setup: GameSetup, settings: TableSettings, players: Sequence[Player]) -> None:
    """Raise NotRated or NotAllowed if a table with two players' halves would tell more of them than the cards seen.

    Programs get all cards of a table as data, and a hint weighs cards that no one has seen.
    """
    if not setup.hides_content:
        return
    if settings.rated:
        raise NotRated(say("With players' own halves, a match can't be rated: what each has brought may decide it."))
    if settings.hints:
        raise NotAllowed(
            say("With players' own halves, there are no hints: they would tell of cards that no one has seen.")
        )
    if any(player.bot_of or player.bot in installed() for player in players):
        raise NotAllowed(say("With players' own halves, only people and the server's own bots can play."))


class TableSeating:
    """Change who plays at a table."""

    def __init__(self, commits: TableCommits, bots: BotTurns) -> None:
        self.commits = commits
        self.registry = commits.registry
        self.bots = bots

    async def check_rated(self, settings: TableSettings, players: Sequence[Player]) -> None:
        """Raise NotRated if the match is rated and these players can't be rated together."""
        if not settings.rated:
            return
        if settings.hints:
            raise NotRated(say("Rated matches don't allow hints."))
        people = [player.person for player in players if player.person]
        if len(set(people)) < len(people):
            raise NotRated(say("People who share a screen can't play a rated match. Play a casual match."))
        if not people and not any(player.open for player in players):
            raise NotRated(say("A rated match needs at least one person. Create a casual match for bots alone."))
        seats = zip(players_at(players), players, strict=True)
        entrants = [Entrant(entrant, player.network) for entrant, player in seats if entrant]
        limits = RatingLimits.of(self.registry.settings.limits)
        if why := await self.registry.loader.ratings.why_not_rated(entrants, limits):
            raise NotRated(why)

    async def sit(self, table: Table, seat: int, person: Person) -> None:
        """Give an open seat to a person."""
        async with self.commits.locked(table):
            if table.seats_of(person):
                raise NotAllowed(say("You already have a seat at this table."))
            _check_open(table, seat, person)
            player = Player.of(person if table.settings.rated else replace(person, network=""))
            await self.check_rated(table.settings, table.with_player(seat, player))
            await self._seat(table, seat, player)

    async def sit_on_shared_screen(self, table: Table, seat: int, person: Person, name: str) -> None:
        """Give an open seat to a friend who shares the screen of a player."""
        name = read_name(name)
        async with self.commits.locked(table):
            if not table.seats_of(person):
                raise NotAllowed(say("Only players at this table can share their screen."))
            _check_open(table, seat, person)
            await self.check_rated(table.settings, table.with_player(seat, Player(person.id)))
            names = [table.players[each - 1].name for each in table.seats_of(person)]
            check_names([*names, name])
            await self._seat(table, seat, Player(person.id, name))

    async def seat_bot(self, table: Table, seat: int, person: Person, bot: str) -> None:
        """Let the host give an open seat to a bot."""
        check_bot(table.match.game, bot)
        async with self.commits.locked(table):
            _check_host(table, person)
            _check_open(table, seat, person)
            player = bot_player(bot, table.players)
            await self.check_rated(table.settings, table.with_player(seat, player))
            await self._seat(table, seat, player)

    async def open_seat(self, table: Table, seat: int, person: Person) -> None:
        """Let the host take a seat back from a bot."""
        async with self.commits.locked(table):
            _check_host(table, person)
            player = _player(table, seat)
            if not player.bot:
                raise NotAllowed(say("Seat {seat} has no bot to remove.", seat=seat))
            if table.settings.rated and table.match.history:
                raise NotAllowed(say("Seats can't change once a rated match has begun."))
            await self._seat(table, seat, Player())

    async def hand_screen(self, table: Table, person: Person, seat: int) -> None:
        """Hand a shared screen to one of its players, or hide all hands (0)."""
        async with self.commits.locked(table):
            viewer = table.viewer_of(person)
            if not viewer.shares:
                raise NotAllowed(say("You aren't sharing this screen with another player at this table."))
            if seat and seat not in (viewer.seat, *viewer.can_hand_to(table.shown.turn_seat)):
                raise NotAllowed(say("You can only give the screen to the player whose turn it is."))
            if seat != viewer.seat:
                await self.commits.commit(table, structs.replace(table.unseen(), seats=viewer.seats, shown=seat))

    async def _seat(self, table: Table, seat: int, player: Player) -> None:
        check_hidden_content(table.match.setup, table.settings, [player])
        await self.commits.commit(table, table.new_player(seat), player)
        self.bots.player_changed(table, seat)


def is_makers_seat(player: Player, setup: GameSetup) -> bool:
    """Return whether a seat of a rematch is kept for the player who has brought its half."""
    return bool(player.offered) and setup.hides_content


def _check_host(table: Table, person: Person) -> None:
    if not person.id or table.host != person.id:
        raise NotAllowed(say("Only the host can add and remove bots."))
    if table.shown.over:
        raise NotAllowed(say("The match is over. Change seats in the rematch."))


def _check_open(table: Table, seat: int, person: Person) -> None:
    viewer, player = table.viewer_of(person), _player(table, seat)
    belongs = is_makers_seat(player, table.match.setup)  # to the maker of a half: not even the host gives it away
    kept = player.offered and seat not in viewer.offered and (belongs or not viewer.host)
    if not player.open or viewer.blocked or kept:
        raise NotAllowed(say("Seat {seat} is taken.", seat=seat))
    if table.shown.over:
        raise NotAllowed(say("This match is over. Create a new table."))


def _player(table: Table, seat: int) -> Player:
    if not 1 <= seat <= len(table.players):
        raise SparringError(say("seat must be 1 to {n}, not {seat}.", n=len(table.players), seat=seat))
    return table.players[seat - 1]


def check_names(names: list[str]) -> None:
    """Raise an error unless people who share a screen have different names."""
    known = {name.casefold() for name in names}
    if len(known) < len(names):
        raise SparringError(say("Players who share a screen need different names."))


def read_players(
    game: Game, seats: Sequence[str], person: Person, own: Mapping[str, Person] = NO_BOTS, *,
    name: str = "", public: bool = False,
) -> tuple[list[Player], Person]:  # fmt: skip
    """Return the players for the values of seats, and the host, with a name if they play.

    A value is `me`, `open`, `local_player:NAME`, `mine:NAME` or a bot. `own` has the person's own bots by name; `name`
    is the host's at this table. Raise a SparringError that names the wrong seat.
    """
    game.check_seats(len(seats))
    for seated in seats:
        if seated not in (ME, OPEN, *(MINE + bot for bot in own)) and not _is_friend(seated):
            check_bot(game, seated)
    if list(seats).count(ME) > 1:
        raise BadOption(say("You can only take one seat. Leave the others open, or give them to friends or bots."))
    friends = any(_is_friend(value) for value in seats)
    alone = ME in seats and OPEN not in seats and not friends and not public
    if name.strip() or ((ME in seats or friends) and not alone):
        person = with_name(person, name.strip())
    player = replace(with_id(person), name=person.name or GUEST_NAME) if alone else person  # alone with bots: no name
    players = players_for(seats, player, own)
    check_names([each.name for each, value in zip(players, seats, strict=True) if value == ME or _is_friend(value)])
    return players, replace(person, id=player.id)


def _is_friend(value: str) -> bool:
    return value.partition(":")[0] == FRIEND


def players_for(seats: Sequence[str], person: Person = STRANGER, own: Mapping[str, Person] = NO_BOTS) -> list[Player]:
    """Return the players for values of seats, which `read_players` describes. Bots get free names.

    Raise BadBot for an unknown bot and BadName for a friend without a name.
    """
    friends = {seat: _friend_name(seat, value) for seat, value in enumerate(seats, 1) if _is_friend(value)}
    players, names = list[Player](), [person.name, *friends.values()]
    for seat, value in enumerate(seats, 1):
        if value == ME and person.id:
            players.append(Player.of(person))
        elif seat in friends:
            players.append(Player(person=person.id, name=friends[seat]))
        elif value in (ME, OPEN):
            players.append(Player())
        elif value.startswith(MINE) and value.removeprefix(MINE) in own:
            players.append(Player.of(own[value.removeprefix(MINE)]))
        else:
            players.append(Player(name=free_name(names), bot=parse(value).text))
            names.append(players[-1].name)
    return players


def _friend_name(seat: int, value: str) -> str:
    name = value.partition(":")[2]
    if not name.strip():
        raise BadName(say("Please enter the name of the friend in seat {seat}.", seat=seat))
    return read_name(name)


def read_options(game: Game, preset: str, given: Mapping[str, Value]) -> dict[str, Value]:
    """Return the options of a preset, the standard one if it has no name, overridden by those given and not blank."""
    return {**game.preset(preset or STANDARD), **{name: value for name, value in given.items() if str(value).strip()}}
