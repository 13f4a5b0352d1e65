"""Seating: people take open seats, and the host gives seats to bots and takes them back."""

from collections.abc import Sequence
from dataclasses import replace

from msgspec import structs

from sparring.bots import free_name, installed, offered_bots, parse
from sparring.engine.errors import BadBot, SparringError
from sparring.engine.game import Box, Game
from sparring.people.identity import read_name
from sparring.scene.sentences import listed
from sparring.store.person import Person
from sparring.store.ratings.rating_limits import Entrant, RatingLimits
from sparring.tables.results.match_results import players_at
from sparring.tables.state.players import Player
from sparring.tables.state.table import NotAllowed, Table
from sparring.tables.state.table_settings import TableSettings

from .bot_turns import BotTurns
from .commits import TableCommits


def bot_names(game: Game) -> dict[str, str]:
    """Return the bots that can take a seat, name to title: built-in ones from weak to strong, then installed ones."""
    return {name: parse(name).title for name in (*offered_bots(game), *installed())}


def check_bot(game: Game, bot: str) -> None:
    """Raise BadBot unless the bot can take a seat in this game."""
    known = bot_names(game)
    if bot not in known:
        raise BadBot(f"There is no bot called {bot}. Bots: {', '.join(known)}.")


def bot_player(bot: str, players: Sequence[Player]) -> Player:
    """Return a bot as a player, with a name that none of the players has."""
    return Player(name=free_name([player.name for player in players]), bot=parse(bot).text)


class NotRated(SparringError):
    """The match can't be rated."""


def check_hidden_content(box: Box, settings: TableSettings, players: Sequence[Player]) -> None:
    """Raise NotRated or NotAllowed if a table with two players' halves would tell more of them than the cards seen.

    Programs get all cards of a table as data, and a hint weighs cards that no one has seen.
    """
    if not box.hides_content:
        return
    if settings.rated:
        raise NotRated("With players' own halves, a match can't be rated: what each has brought may decide it.")
    if settings.hints:
        raise NotAllowed("With players' own halves, there are no hints: they would tell of cards that no one has seen.")
    if any(player.bot_of or player.bot in installed() for player in players):
        raise NotAllowed("With players' own halves, only people and the server's own bots can play.")


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
            raise NotRated("Rated matches don't allow hints.")
        people = [player.person for player in players if player.person]
        if len(set(people)) < len(people):
            raise NotRated("People who share a screen can't play a rated match. Play a casual match.")
        if not people and not any(player.open for player in players):
            raise NotRated("A rated match needs at least one person. Create a casual match for bots alone.")
        seats = zip(players_at(players), players, strict=True)
        entrants = [Entrant(entrant, player.network) for entrant, player in seats if entrant]
        limits = RatingLimits.of(self.registry.settings.limits)
        if why := await self.registry.ratings.why_not_rated(entrants, limits):
            raise NotRated(why)

    async def sit(self, table: Table, seat: int, person: Person) -> None:
        """Give an open seat to a person."""
        async with self.commits.locked(table):
            if table.seats_of(person):
                raise NotAllowed("You already have a seat at this table.")
            _check_open(table, seat, person)
            player = Player.of(person if table.settings.rated else replace(person, network=""))
            await self.check_rated(table.settings, table.with_player(seat, player))
            await self._seat(table, seat, player)

    async def sit_on_shared_screen(self, table: Table, seat: int, person: Person, name: str) -> None:
        """Give an open seat to a friend who shares the screen of a player."""
        name = read_name(name)
        async with self.commits.locked(table):
            if not table.seats_of(person):
                raise NotAllowed("Only players at this table can share their screen.")
            _check_open(table, seat, person)
            await self.check_rated(table.settings, table.with_player(seat, Player(person.id)))
            names = [table.players[each - 1].name for each in table.seats_of(person)]
            check_names([*names, name])
            told = f"{name} took seat {seat}, on the same device as {listed(names)}."
            await self._seat(table, seat, Player(person.id, name), told)

    async def seat_bot(self, table: Table, seat: int, person: Person, bot: str) -> None:
        """Let the host give an open seat to a bot."""
        check_bot(table.match.game, bot)
        async with self.commits.locked(table):
            _check_host(table, person)
            _check_open(table, seat, person)
            player = bot_player(bot, table.players)
            sentence = f"{player.name}, a bot, took seat {seat}."
            await self.check_rated(table.settings, table.with_player(seat, player))
            await self._seat(table, seat, player, sentence)

    async def open_seat(self, table: Table, seat: int, person: Person) -> None:
        """Let the host take a seat back from a bot."""
        async with self.commits.locked(table):
            _check_host(table, person)
            player = _player(table, seat)
            if not player.bot:
                raise NotAllowed(f"Seat {seat} has no bot to remove.")
            if table.settings.rated and table.match.history:
                raise NotAllowed("Seats can't change once a rated match has begun.")
            await self._seat(table, seat, Player(), f"{player.name}, a bot, left seat {seat}, which is now open.")

    async def hand_screen(self, table: Table, person: Person, seat: int) -> None:
        """Hand a shared screen to one of its players, or hide all hands (0)."""
        async with self.commits.locked(table):
            viewer = table.viewer_of(person)
            if not viewer.shares:
                raise NotAllowed("You aren't sharing this screen with another player at this table.")
            if seat and seat not in (viewer.seat, *viewer.can_hand_to(table.shown.turn_seat)):
                raise NotAllowed("You can only give the screen to the player whose turn it is.")
            if seat != viewer.seat:
                await self.commits.commit(table, structs.replace(table.unseen(), seats=viewer.seats, shown=seat))

    async def _seat(self, table: Table, seat: int, player: Player, told: str = "") -> None:
        """Commit a new player; announce the sentence `told`."""
        check_hidden_content(table.match.box, table.settings, [player])
        await self.commits.commit(table, table.new_player(seat), player)
        if player.bot or told:
            self.registry.presence(table.id).announce(sentence=told)
        self.bots.player_changed(table, seat)


def is_makers_seat(player: Player, box: Box) -> bool:
    """Return whether a seat of a rematch is kept for the player who has brought its half."""
    return bool(player.offered) and box.hides_content


def _check_host(table: Table, person: Person) -> None:
    if not person.id or table.host != person.id:
        raise NotAllowed("Only the host can add and remove bots.")
    if table.shown.over:
        raise NotAllowed("The match is over. Change seats in the rematch.")


def _check_open(table: Table, seat: int, person: Person) -> None:
    viewer, player = table.viewer_of(person), _player(table, seat)
    belongs = is_makers_seat(player, table.match.box)  # to the maker of a half: not even the host gives it away
    kept = player.offered and seat not in viewer.offered and (belongs or not viewer.host)
    if not player.open or viewer.blocked or kept:
        raise NotAllowed(f"Seat {seat} is taken.")
    if table.shown.over:
        raise NotAllowed("This match is over. Create a new table.")


def _player(table: Table, seat: int) -> Player:
    if not 1 <= seat <= len(table.players):
        raise SparringError(f"seat must be 1 to {len(table.players)}, not {seat}.")
    return table.players[seat - 1]


def check_names(names: list[str]) -> None:
    """Raise an error unless people who share a screen have different names."""
    known = {name.casefold() for name in names}
    if len(known) < len(names):
        raise SparringError("Players who share a screen need different names.")
