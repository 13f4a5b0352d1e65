"""Who sits where: people take open seats, whoever opened a table gives seats to bots and takes them back."""

from collections.abc import Sequence
from dataclasses import replace

from sparring.bots import free_name, installed, parse, stand_in, strengths
from sparring.engine.errors import BadBot, SparringError
from sparring.engine.game import Game
from sparring.web.identity import Person, read_name
from sparring.web.settings import Settings
from sparring.web.storage import Database
from sparring.web.storage.rating_limits import Entrant, RatingLimits

from .match_results import players_at
from .players import Player
from .table import NotYours, Table
from .table_settings import TableSettings
from .time_actions import TimeActions


def bot_names(game: Game) -> dict[str, str]:
    """The bots that can be asked to sit down, the weakest first, then those of packages; and what they are called."""
    return {words: parse(words).title for words in (*strengths(game), *installed())}


def check_bot(game: Game, bot: str) -> None:
    """BadBot unless it is one of those that can be asked to sit down."""
    known = bot_names(game)
    if bot not in known:
        raise BadBot(f"There is no bot called {bot}; there is {', '.join(known)}.")


class NotRated(SparringError):
    """A rated match that cannot be one."""


class TableSeating(TimeActions):
    """The tables of a server, and who sits there."""

    def __init__(self, settings: Settings, store: Database) -> None:
        super().__init__(settings, store)

    async def _check_rated(self, terms: TableSettings, sitters: Sequence[Player]) -> None:
        """Whether those who sit at a table may be rated; at a casual one anybody may sit."""
        if not terms.rated:
            return
        if terms.hints:
            raise NotRated("A rated match is played without hints.")
        people = [sitter.person for sitter in sitters if sitter.person]
        if len(set(people)) < len(people):
            raise NotRated("A rated match is not played by several people at one screen; play it casual.")
        if not people and not any(sitter.open for sitter in sitters):
            raise NotRated("In a rated match somebody plays; bots among themselves play casual.")
        seats = zip(players_at(sitters), sitters, strict=True)
        entrants = [Entrant(player, sitter.network) for player, sitter in seats if player]
        if why := await self.ratings.barred(entrants, RatingLimits.of(self.settings.limits)):
            raise NotRated(why)

    @staticmethod
    def _with(table: Table, seat: int, sitter: Player) -> list[Player]:
        """Who would sit at a table."""
        return [*table.sitters[: seat - 1], sitter, *table.sitters[seat:]]

    def sitter_changed(self, table: Table, seat: int) -> None:
        """Somebody else sits on a seat now."""

    async def sit(self, table: Table, seat: int, person: Person) -> None:
        """Give an open seat to a person."""
        async with self._held(table):
            if table.seats_of(person):
                raise NotYours("You sit at this table already.")
            self._check_open(table, seat)
            await self._check_rated(table.terms, self._with(table, seat, Player.of(person)))
            await self._seat(table, seat, Player.of(person))

    async def sit_beside(self, table: Table, seat: int, person: Person, name: str) -> None:
        """Give an open seat to somebody who shares the screen of a person who sits there."""
        name = read_name(name)
        async with self._held(table):
            if not table.seats_of(person):
                raise NotYours("Only who sits at this table can share the screen with somebody.")
            self._check_open(table, seat)
            await self._check_rated(table.terms, self._with(table, seat, Player(person.id)))
            check_names([table.sitters[each - 1].name for each in table.seats_of(person)] + [name])
            await self._seat(table, seat, Player(person.id, name), told=f"{name} sits down on seat {seat}.")

    async def seat_bot(self, table: Table, seat: int, person: Person, bot: str) -> None:
        """Whoever opened a table gives an open seat to a bot."""
        check_bot(table.match.game, bot)
        async with self._held(table):
            self._check_host(table, person)
            self._check_open(table, seat)
            name = free_name([sitter.name for sitter in table.sitters])
            told = f"{name}, a bot, sits down on seat {seat}."
            sitter = Player(name=name, bot=parse(bot).text)
            await self._check_rated(table.terms, self._with(table, seat, sitter))
            await self._seat(table, seat, sitter, told)

    async def open_seat(self, table: Table, seat: int, person: Person) -> None:
        """Whoever opened a table takes a seat back from a bot, for a friend."""
        async with self._held(table):
            self._check_host(table, person)
            sitter = self._sitter(table, seat)
            if not sitter.bot:
                raise NotYours(f"No bot sits on seat {seat}; only a bot's seat can be opened.")
            if table.terms.rated and table.match.history:
                raise NotYours("In a rated match that has begun everybody keeps their seat.")
            await self._seat(table, seat, Player(), f"{sitter.name}, a bot, has left seat {seat}, which is open now.")

    async def _seat_stand_in(self, table: Table) -> None:
        """The bot that is to choose has lost its clock: everybody sees who chooses for it until the match is over."""
        seat, sitter = table.shown.asked, table.sitters[table.shown.asked - 1]
        await self._seat(table, seat, replace(sitter, bot=stand_in(sitter.bot).text))

    async def show(self, table: Table, person: Person, seat: int) -> None:
        """The screen that several people share is given to one of them, or covered (0)."""
        looker = table.looker(person)
        if not looker.shares:
            raise NotYours("This screen is shared with nobody at this table.")
        if seat and seat not in (looker.seat, *looker.next(table.shown.asked)):
            raise NotYours("The screen can be given to somebody here whose turn it is, and to nobody else meanwhile.")
        table.screens.show(person.id, seat, table.shown.asked)
        table.wake()

    async def _seat(self, table: Table, seat: int, sitter: Player, told: str = "") -> None:
        """Store who sits on a seat now, and show it."""
        change, was_open = table.public(), table.sitters[seat - 1].open
        network = (sitter.network or None) if table.terms.rated else None
        stored = (sitter.person or None, sitter.name, sitter.bot or None, sitter.bot_of, network)
        with self._kept(table):
            await self.store.seat(table.id, table.edition, seat, stored, change.stored, was_open=was_open)
        table.seat_at(seat, sitter)
        table.publish(change)
        if sitter.bot or told:
            self.company(table.id).say(told=told)
        self.sitter_changed(table, seat)

    def _check_host(self, table: Table, person: Person) -> None:
        if not person.id or table.host != person.id:
            raise NotYours("Only who opened this table can give seats to bots and take them back.")
        if table.shown.over:
            raise NotYours("The match is over; seats change in the next one.")

    def _check_open(self, table: Table, seat: int) -> None:
        if not self._sitter(table, seat).open:
            raise NotYours(f"Seat {seat} is taken.")
        if table.shown.over:
            raise NotYours("This match is over; open a table of your own.")

    @staticmethod
    def _sitter(table: Table, seat: int) -> Player:
        if not 1 <= seat <= len(table.sitters):
            raise SparringError(f"There is no seat {seat} at this table; the seats are 1 to {len(table.sitters)}.")
        return table.sitters[seat - 1]


def check_names(names: list[str]) -> None:
    """Whether people who share a screen can tell their names apart."""
    known = {name.casefold() for name in names}
    if len(known) < len(names):
        raise SparringError("Two people at one screen need different names, to know when to tap.")
