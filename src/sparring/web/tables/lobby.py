"""Where people meet: somebody's own tables, those that anybody may find, and a match without looking for one.

Everything in a list stands in the row of a table, and is what those see who watch: no table is opened for it.
"""

import asyncio
import contextlib
import time
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import msgspec

from sparring.bots import STRENGTHS
from sparring.engine.game import Game
from sparring.scene.sentences import listed
from sparring.web.identity import Person
from sparring.web.security.rate_limits import Requester
from sparring.web.storage import StoreError
from sparring.web.storage.schema import TableRow

from .clocks.clock_panel import left_in_row
from .clocks.clock_state import ClockState
from .match_results import changed_options
from .players import Player
from .summary import TableSummary
from .table import NotYours, TooLate
from .table_settings import TableSettings
from .tables import Tables

#: How many tables a list shows: of one's own that go on, and that are over; that wait for people, and to watch.
MINE, DONE, FOUND = 50, 3, 20


@dataclass(frozen=True)
class ListedTable:
    """A table in somebody's list."""

    id: str
    game: str
    names: tuple[str, ...]
    over: bool
    #: Whether all agreed to rest; whether it waits for whoever reads the list, and for somebody who is to sit down.
    paused: bool
    your_turn: bool
    waiting: bool
    #: Whose turn it is, as far as those see it who watch; and how the match stands.
    turn: str
    line: str
    #: The clock that was agreed, and what is left to who is asked, in words.
    pace: str = ""
    left: str = ""
    #: Whether the match moves ratings.
    rated: bool = False

    @classmethod
    def of(cls, row: TableRow, now: int, person: str = "") -> "ListedTable":
        """A row of the database as somebody reads it now (milliseconds since 1970)."""
        standing, terms = TableSummary.read(row.standing), TableSettings.read(row.terms)
        names = [seat.name or "open seat" for seat in row.seats]
        timing = ClockState.read(row.clocks, row.since, row.due)
        asked = next((seat for seat in row.seats if seat.seat == row.asked), None)
        return cls(
            id=row.id, game=row.game, over=row.over,
            names=tuple(names),
            paused=timing.paused and not row.over,
            your_turn=bool(person and asked and asked.person == person and not timing.paused),
            waiting=not row.over and any(not seat.person and not seat.bot for seat in row.seats),
            turn=names[standing.turn - 1] if standing.turn else "", line=standing.line(names),
            pace=terms.pace, left=left_in_row(row, timing, now), rated=terms.rated,
        )  # fmt: skip

    @property
    def people(self) -> str:
        """Who sits there."""
        return listed(self.names)


@dataclass(frozen=True)
class TableLists:
    """What somebody finds when they come: their own tables, those they may join, those they may watch."""

    mine: Sequence[ListedTable] = ()
    done: Sequence[ListedTable] = ()
    open: Sequence[ListedTable] = ()
    watch: Sequence[ListedTable] = ()

    @property
    def turns(self) -> int:
        """At how many tables it is their turn."""
        return sum(table.your_turn for table in self.mine)


class Lobby:
    """The lists of a server, and quick matches."""

    def __init__(self, tables: Tables) -> None:
        self.tables, self.store = tables, tables.lists

    async def lists(self, person: Person) -> TableLists:
        """What somebody finds: their turn first, then what goes on, then what waits for others."""
        mine = await self.going_on(person)
        mine_too = {table.id for table in mine}

        async def found(*, waiting: bool) -> list[ListedTable]:
            rows = await self.store.public(self._since(), FOUND, waiting=waiting)
            return [ListedTable.of(row, self.tables.now()) for row in rows if row.id not in mine_too]

        return TableLists(mine, await self.done(person, DONE), await found(waiting=True), await found(waiting=False))

    async def going_on(self, person: Person, skip: int = 0) -> list[ListedTable]:
        """The tables of a person that are not over."""
        found = [
            ListedTable.of(row, self.tables.now(), person.id) for row in await self._of(person, MINE, skip, over=False)
        ]
        return sorted(found, key=lambda table: (not table.your_turn, table.waiting))

    async def done(self, person: Person, many: int = MINE, skip: int = 0) -> list[ListedTable]:
        """Those that are over."""
        return [
            ListedTable.of(row, self.tables.now(), person.id) for row in await self._of(person, many, skip, over=True)
        ]

    async def _of(self, person: Person, many: int, skip: int, **known: Any) -> Sequence[TableRow]:
        return await self.store.of(person.id, many, skip, **known) if person.id else ()

    def _since(self) -> float:
        return time.time() - self.tables.settings.absent

    async def meet(self, game: Game, person: Person, asking: Requester, terms: TableSettings) -> str:
        """A table where somebody plays people: one that waits for them, else a new one that waits for others."""
        options = dict(game.preset(game.recommended))
        known = {
            "game": game.name, "game_version": game.version, "content": None, "terms": terms.stored,
            "options": msgspec.json.encode(changed_options(game.box(options))).decode(),
        }  # fmt: skip
        for table in await self.store.fitting(self._since(), person.id, mine=True, **known):
            return table
        for table in await self.store.fitting(self._since(), person.id, mine=False, **known):
            if await self._joined(table, person):
                return table
        sitters = [Player.of(person), *[Player()] * (min(game.seats) - 1)]
        return (await self.tables.create(game, sitters, options=options, asking=asking, terms=terms)).id

    async def bot_alike(self, game: Game, person: Person) -> str:
        """A bot about as strong as somebody: a step up from the last that they beat in a game, or down from who won."""
        last = await self.tables.results.history(person.id, MINE, game=game.name) if person.id else []
        for entry in last:
            for seat in entry.table.seats:
                if seat.bot in STRENGTHS:
                    step = STRENGTHS.index(seat.bot) + entry.result.outcome
                    return STRENGTHS[max(0, min(step, len(STRENGTHS) - 1))]
        return STRENGTHS[1]

    async def _joined(self, found: str, person: Person) -> bool:
        """Sit down on the first open seat of a table, if it is still there."""
        table = await self.tables.get(found)
        for seat in [number for number, sitter in enumerate(table.sitters, 1) if sitter.open]:
            with contextlib.suppress(NotYours, TooLate):
                await self.tables.sit(table, seat, person)
                return True
        return False

    async def attend(self) -> None:
        """Now and then note at which public tables somebody is who sits there; the others leave the lists."""
        while True:
            await asyncio.sleep(self.tables.settings.absent / 3)
            with contextlib.suppress(StoreError):
                await self.store.attend(self.tables.attended())
