"""Lobby: a person's own tables, the public tables, and quick matches.

Lists only read table rows, which hold what spectators see: no table is loaded for them.
"""

import asyncio
import contextlib
import time
from collections import OrderedDict
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

import msgspec

from sparring.bots import STRENGTHS
from sparring.engine.game import Game
from sparring.people.identity import GUEST_NAME
from sparring.people.rate_limits import Requester
from sparring.scene.sentences import listed
from sparring.store.person import Person
from sparring.store.processes import SharedJobs
from sparring.store.schema import HalfInvitationRow, TableRow

from .play.match_results import TableSummary, stored_options
from .seating import bot_player, check_bot
from .state.clock_state import ClockState, left_in_row
from .state.players import Player
from .state.table import NotAllowed, Table, TableChanged
from .state.table_settings import CLOCKS, TableSettings, picked
from .tables import Tables

#: How many tables each list shows: a person's unfinished and finished ones, and public ones to join or to watch.
MINE, DONE, FOUND = 50, 3, 20
#: Opponents of a quick match besides the specs of bots: people, or a bot about as strong as the player.
PEOPLE, SIMILAR_BOT = "people", "alike"
#: How many quick matches against people to remember for second clicks.
REMEMBERED = 1000


def is_turn_of(row: TableRow, person: str) -> bool:
    """Return whether it is a person's turn at a table, by its row; not while the match is paused."""
    paused = ClockState.read(row.clocks, row.since, row.due).paused
    return not paused and any(seat.seat == row.turn_seat and seat.person == person for seat in row.seats)


@dataclass(frozen=True)
class ListedTable:
    """A table in a list."""

    id: str
    game: str
    names: tuple[str, ...]
    over: bool
    #: Whether the match is paused; whether it is the reader's turn; whether a seat is open.
    paused: bool
    your_turn: bool
    waiting: bool
    #: Whose turn it visibly is, and the summary of the match.
    turn: str
    line: str
    #: The clock setting, and the time left to the player to move, in words.
    pace: str = ""
    left: str = ""
    #: Whether the match is rated.
    rated: bool = False

    @classmethod
    def of(cls, row: TableRow, now: int, person: str = "") -> "ListedTable":
        """Return the row of a table as a person sees it at time `now` (ms since 1970)."""
        summary, settings = TableSummary.read(row.standing), TableSettings.read(row.settings)
        names = [seat.name or "open seat" for seat in row.seats]
        timing = ClockState.read(row.clocks, row.since, row.due)
        return cls(
            id=row.id, game=row.game, over=row.over,
            names=tuple(names),
            paused=timing.paused and not row.over,
            your_turn=bool(person) and is_turn_of(row, person),
            waiting=not row.over and any(not seat.person and not seat.bot for seat in row.seats),
            turn=names[summary.turn - 1] if summary.turn else "", line=summary.line(names),
            pace=settings.clock_text, left=left_in_row(row, timing, now), rated=settings.rated,
        )  # fmt: skip

    @property
    def people(self) -> str:
        """Return the names of the players."""
        return listed(self.names)


@dataclass(frozen=True)
class TableLists:
    """The lists on the start page: a person's own tables, tables to join, and tables to watch."""

    mine: Sequence[ListedTable] = ()
    done: Sequence[ListedTable] = ()
    open: Sequence[ListedTable] = ()
    watch: Sequence[ListedTable] = ()
    #: The person's own invitations to bring the other half of a match.
    invitations: Sequence[HalfInvitationRow] = ()

    @property
    def turns(self) -> int:
        """Return the number of tables at which it is the person's turn."""
        return sum(table.your_turn for table in self.mine)


class QuickMatch(msgspec.Struct):
    """The table of a quick match, once it is found; other processes wait for it."""

    table: str = ""
    problem: str = ""

    @property
    def is_done(self) -> bool:
        """Return whether the table is found."""
        return bool(self.table)


class Lobby:
    """The lists of a server, and quick matches."""

    def __init__(self, tables: Tables) -> None:
        self.tables, self.store = tables, tables.lists
        #: The tables of the latest quick matches against people, by the key of the request.
        self._quick_matches = OrderedDict[str, asyncio.Future[str]]()
        self._shared_matches = SharedJobs[QuickMatch](tables.store, "quick match", QuickMatch)

    async def lists(self, person: Person) -> TableLists:
        """Return all lists for a person."""
        mine = await self.unfinished(person)
        my_ids = {table.id for table in mine}

        async def found(*, waiting: bool) -> list[ListedTable]:
            rows = await self.store.public(self._since(), FOUND, person.responsible, waiting=waiting)
            return [ListedTable.of(row, self.tables.registry.now()) for row in rows if row.id not in my_ids]

        return TableLists(
            mine, await self.done(person, DONE), await found(waiting=True), await found(waiting=False),
            await self.tables.halves.store.of(person.id) if person.id else (),
        )  # fmt: skip

    async def unfinished(self, person: Person, skip: int = 0) -> list[ListedTable]:
        """Return a person's unfinished tables: first those where it is their turn, last those with open seats."""
        found = [
            ListedTable.of(row, self.tables.registry.now(), person.id)
            for row in await self._of(person, MINE, skip, over=False)
        ]
        return sorted(found, key=lambda table: (not table.your_turn, table.waiting))

    async def done(self, person: Person, many: int = MINE, skip: int = 0) -> list[ListedTable]:
        """Return a person's finished tables."""
        return [
            ListedTable.of(row, self.tables.registry.now(), person.id)
            for row in await self._of(person, many, skip, over=True)
        ]

    async def _of(self, person: Person, many: int, skip: int, **known: Any) -> Sequence[TableRow]:
        return await self.store.of(person.id, many, skip, **known) if person.id else ()

    def _since(self) -> float:
        return time.time() - self.tables.settings.absent

    async def quick_match(self, game: Game, against: str, person: Person, requester: Requester, clock: str = "") -> str:
        """Find or create the table of a quick match against people or a bot; return its id. `clock` is in CLOCKS."""
        chosen = picked(CLOCKS, clock)
        if against == PEOPLE:
            return await self._match_people(game, person, requester, TableSettings(public=True, **chosen))
        if against == SIMILAR_BOT:
            against = await self.matching_bot(game, person)
        check_bot(game, against)
        return await self.recommended_table(game, person, requester, TableSettings(hints=True, **chosen), against)

    async def recommended_table(
        self, game: Game, person: Person, requester: Requester, settings: TableSettings, bot: str = ""
    ) -> str:
        """Create a table with the recommended rules for the fewest players; return its id.

        The other seats are for a bot; without one, they are open. A person without a name is a guest.
        """
        players = [Player.of(replace(person, name=person.name or GUEST_NAME))]
        for _ in range(min(game.seats) - 1):
            players.append(bot_player(bot, players) if bot else Player())
        options = dict(game.preset(game.recommended))
        table = await self.tables.creation.create(
            game, players, options=options, requester=requester, settings=settings
        )
        return table.id

    async def _match_people(self, game: Game, person: Person, requester: Requester, settings: TableSettings) -> str:
        """Find a public table that waits for players, or create one; return its id, also to a repeated request."""
        if not requester.once:
            return await self._join_or_create(game, person, requester, settings)
        if requester.once not in self._quick_matches:
            found = asyncio.ensure_future(self._match_once(game, person, requester, settings))
            self._quick_matches[requester.once] = found
            found.add_done_callback(lambda done: self._forget_failed(requester.once, done))
            if len(self._quick_matches) > REMEMBERED:
                self._quick_matches.popitem(last=False)
        return await asyncio.shield(self._quick_matches[requester.once])

    def _forget_failed(self, once: str, done: asyncio.Future[str]) -> None:
        if done.cancelled() or done.exception():
            self._quick_matches.pop(once, None)

    async def _match_once(self, game: Game, person: Person, requester: Requester, settings: TableSettings) -> str:
        """Return what `_join_or_create` does, or what it returns to the same request at another process."""
        match = QuickMatch()
        while not await self._shared_matches.claim(requester.once, match):
            if (found := await self._shared_matches.find(requester.once)) and found.table:
                return found.table
            await asyncio.sleep(0.1)

        async def work() -> None:
            match.table = await self._join_or_create(game, person, requester, settings)

        await self._shared_matches.run(requester.once, match, work)
        return match.table

    async def _join_or_create(self, game: Game, person: Person, requester: Requester, settings: TableSettings) -> str:
        options = dict(game.preset(game.recommended))
        known = {
            "game": game.name, "game_version": game.version, "content": None, "settings": settings.stored,
            "options": stored_options(game.setup(options)),
        }  # fmt: skip
        for table in await self.store.fitting(self._since(), person.id, person.responsible, mine=True, **known):
            return table
        for table in await self.store.fitting(self._since(), person.id, person.responsible, mine=False, **known):
            if await self._joined(table, person):
                return table
        players = [Player.of(person), *[Player()] * (min(game.seats) - 1)]
        return (
            await self.tables.creation.create(game, players, options=options, requester=requester, settings=settings)
        ).id

    async def matching_bot(self, game: Game, person: Person) -> str:
        """Return a bot of about equal strength: a step above the last bot a person beat, or below the one that won."""
        latest = await self.tables.results.history(person.id, MINE, game=game.name) if person.id else []
        for entry in latest:
            for seat in entry.table.seats:
                if seat.bot in STRENGTHS:
                    step = STRENGTHS.index(seat.bot) + entry.result.outcome
                    return STRENGTHS[max(0, min(step, len(STRENGTHS) - 1))]
        return STRENGTHS[1]

    async def _joined(self, table_id: str, person: Person) -> bool:
        """Take the first open seat of a table; return whether there was one."""

        async def join(table: Table) -> bool:
            for seat in [number for number, player in enumerate(table.players, 1) if player.open]:
                with contextlib.suppress(NotAllowed):
                    await self.tables.seating.sit(table, seat, person)
                    return True
            return False

        with contextlib.suppress(TableChanged):
            return await self.tables.commits.retrying(await self.tables.registry.get(table_id), join)
        return False

    async def record_attendance(self) -> None:
        """Record regularly at which public tables a player is present; lists leave out the others."""
        while True:
            await asyncio.sleep(self.tables.settings.absent / 3)
            await self.store.attend(self.tables.registry.attended_tables())
