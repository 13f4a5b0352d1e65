"""All tables of a server, and what is done at them. Whatever changes is stored first, then shown."""

import asyncio
import contextlib
import functools
import hashlib
import logging
import time
from collections.abc import Collection, Sequence
from dataclasses import replace
from typing import Any

import msgspec

from sparring.bots import STAND_IN, BotFailed, remembers
from sparring.engine.errors import SparringError
from sparring.engine.formats.card_pictures import without_pictures
from sparring.engine.game import Game
from sparring.engine.items import dealing
from sparring.engine.match import Match
from sparring.scene.sentences import listed
from sparring.web.bots.bot_players import BotPlayers, BotQuestion
from sparring.web.bots.time_slots import rest_of_slot, slot_of
from sparring.web.identity import Person
from sparring.web.random_ids import chance_id
from sparring.web.security.rate_limits import RateLimits, Requester, TooMany
from sparring.web.settings import DAY, Settings
from sparring.web.storage import Database, ListStore, ResultStore
from sparring.web.storage.schema import TableRow

from .changes import TableChange, packed
from .chat.chat_actions import ChatActions
from .hint_panel import ADVISER, first_in_turn, hint_of, place_of
from .hint_state import HintGiven, HintTaken, TableHints
from .match_results import changed_options
from .players import Player, seat_rows
from .seating import NotRated, TableSeating
from .summary import TableSummary
from .table import NotYours, Table, TooLate
from .table_settings import TableSettings

log = logging.getLogger(__name__)


class HintUnavailable(SparringError):
    """A hint that nobody can give just now."""


#: This server itself, as when it lays out the first table.
SELF = Requester()


class Tables(TableSeating, ChatActions):
    """The tables of a server: laid out, sat down and played at, by people and bots."""

    def __init__(self, settings: Settings, store: Database, players: BotPlayers) -> None:
        super().__init__(settings, store)
        self.players = players
        self.quotas = RateLimits(settings.limits, settings.secret)
        self.lists = ListStore(store)
        self.results = ResultStore(store)
        #: What bots think about, by table; dropped where somebody else takes their seat.
        self._thoughts: dict[str, asyncio.Task[int]] = {}

    async def get(self, table: str) -> Table:
        """A table by its id; if it waits for a bot, that is asked now that somebody looks."""
        found = await super().get(table)
        self._let_bots_play(found)
        return found

    async def create(
        self, game: Game, sitters: Sequence[Player], *, options: dict[str, Any] | None = None,
        toml: str | None = None, seed: int | None = None, table: str | None = None, where: str = "your file",
        asking: Requester = SELF, host: str = "", terms: TableSettings | None = None, begin_with: Collection[str] = (),
    ) -> Table:  # fmt: skip
        """Lay out a new table; `toml` is a content file of somebody's own, called `where`.

        `host` is the person who opens it, if that is not who asks. Without a seed it is dealt so that the first seat
        begins with something of one of the names `begin_with`.
        """
        seats, terms = game.check_seats(len(sitters)), terms or TableSettings()
        if terms.rated:
            if begin_with:
                raise NotRated("A rated match is dealt by chance alone, and not so that it begins with a certain card.")
            await self._check_rated(terms, sitters)
        opener = asking.opener(self.settings.secret)
        await self._check_quotas(asking, opener, toml)
        if opener and terms.public and any(sitter.open for sitter in sitters):
            await self._check_waiting(opener)
        content = await self.contents.read(game, toml, seats, options, where) if toml else None
        box = game.box(options, content)
        match = Match.deal(box, seats, dealing(box, seats, begin_with) if seed is None else seed)
        row = TableRow(
            id=table or chance_id(9), game=game.name, game_version=game.version,
            options=msgspec.json.encode(changed_options(match.box)).decode(), seed=match.seed, choices=b"",
            versions=packed([1] * (match.seats + 1), "<i4"), edition=0, over=match.over,
            seats=seat_rows(sitters, rated=terms.rated), opener=opener, host=host or asking.person or None,
            terms=terms.stored, public=terms.public, asked=match.seat or 0, standing=TableSummary.of(match).stored,
            owner=self.owners.id, since=self.now(), clocks="{}", ended="{}", spent=b"", hints="{}",
        )  # fmt: skip
        await self.store.add(row, toml)
        laid = Table(row, match, self.settings.secret, self.settings.now)
        self._lay(laid)
        self.bell.ring(laid)
        return await self.get(row.id)

    async def _check_quotas(self, asking: Requester, opener: str | None, toml: str | None) -> None:
        if toml:
            self.quotas.bring_file(asking)
        self.quotas.open_table(asking)
        if opener and await self.store.going_on(opener, time.time() - DAY) >= self.settings.limits.tables_going_on:
            raise TooMany("Many tables of yours are not over yet; play one of them to its end before the next one.")

    async def _check_waiting(self, opener: str) -> None:
        """Nobody fills the list of tables that wait for people."""
        since = time.time() - self.settings.absent
        if await self.lists.waiting_from(opener, since) >= self.settings.limits.public_waiting:
            raise TooMany("Many public tables of yours wait for people already; play at one of those first.")

    async def choose(self, table: Table, person: Person, version: int, choice: str | int) -> int:
        """Make a person's choice; their new version of the table."""
        seat = table.acting(person)
        await self._arrive(table, seat)
        table.check(seat, version)  # who is not asked does not wait, and so learns nothing by waiting
        async with self._held(table):
            await self._happen_in_time(table)
            seat = table.acting(person)
            await self._play(table, table.read(seat, version, choice))
            return table.sight(seat).version

    async def take_back(self, table: Table, person: Person, version: int) -> int:
        """Undo a person's last choice within the moment; their new version of the table."""
        table.check(table.acting(person), version)
        async with self._held(table):
            seat = table.acting(person)
            table.check(seat, version)
            if table.terms.rated:
                raise NotYours("In a rated match what is chosen stays.")
            await self._store(table, table.take_back)
            return table.sight(seat).version

    async def hint(self, table: Table, person: Person, version: int, asking: Requester) -> int:
        """What a bot thinks of a person's choices, from what their seat knows; their new version of the table.

        First all are told that they ask; how long the bot thinks, and what it finds, nobody else can see.
        """
        if not table.terms.hints:
            raise NotYours("Nobody takes hints at this table; that is agreed when a table is opened.")
        table.check(table.acting(person), version)
        async with self._held(table):
            seat = table.acting(person)
            table.check(seat, version)
            if hint_of(table, seat):
                return version
            self.quotas.take_hint(asking)
            await self._tell_hint(table, seat)
            question, place = self._question(table, ADVISER), place_of(table)
        found = await self.players.advise(question, asking.person)
        if found is None:
            raise HintUnavailable("No bot can say anything of it just now; please try again, or choose without.")
        async with self._held(table):
            if seat != table.chooser or place_of(table) != place:
                raise TooLate("The match went on before there was a hint.")
            given = msgspec.structs.replace(table.help, given=HintGiven.of(found, table.match.view(seat), place))
            await self._keep_help(table, replace(table.private(seat), help=given))
            return table.sight(seat).version

    async def _tell_hint(self, table: Table, seat: int) -> None:
        """Keep that somebody takes a hint, and tell all."""
        taken, first = HintTaken(seat, len(table.match.history)), first_in_turn(table, seat)
        if taken in table.help.taken[-1:]:
            return  # nobody could say anything of it when they asked before
        change = table.public() if first else table.unseen()
        await self._keep_help(table, replace(change, help=TableHints((*table.help.taken, taken))))
        if first:
            self.company(table.id).say(told=f"{table.sitters[seat - 1].name} takes a hint.")

    async def _keep_help(self, table: Table, change: TableChange) -> None:
        with self._kept(table):
            await self.store.write(table.id, table.edition, **change.columns)
        table.publish(change)

    async def welcome(self, table: Table, person: Person) -> None:
        """Somebody looks at a table, which learns what they want of it, and goes on if it can answer for them."""
        if table.shown.over:
            await self._learn_moves(table)
        seats = table.seats_of(person)
        for seat in seats:
            await self._arrive(table, seat)
            table.attended_at = time.monotonic()
        if seats and not person.by:  # a program has no browser to tell any wishes
            for seat in seats:
                table.wishes.hear(seat, person)
            if len(seats) == 1:  # of several people at one screen their browser does not know who it was
                table.wishes.forfeit(seats[0], table.id in person.forfeits)
            if table.answer() is not None:
                async with self._held(table):
                    await self._go_on(table)

    async def forfeit(self, table: Table, person: Person, wanted: bool) -> None:
        """A person says that they forfeit as soon as that can be done, or that they stay after all."""
        async with self._held(table):
            seat = table.seat_of(person)
            if not seat or not table.sight(seat).scene.forfeit:
                raise NotYours("Only who plays here, in a game that allows it, can forfeit.")
            table.wishes.forfeit(seat, wanted)
            await self._store(table, lambda: table.private(seat))
            await self._go_on(table)

    async def again(self, table: Table, person: Person, asking: Requester = SELF) -> str:
        """The table at which the same people play again, everybody one seat further; laid out once."""
        async with self._held(table):
            if not table.seats_of(person):
                raise NotYours("Only who sits at this table can ask to play again.")
            if not table.shown.over:
                raise NotYours("You can play again when this match is over.")
            if not table.next:
                sitters = [with_new_clock(sitter) for sitter in (table.sitters[-1], *table.sitters[:-1])]
                toml = await self.store.content(table.content) if table.content else None
                box = table.match.box
                following = await self.create(
                    box.game, sitters, options=box.options, toml=toml, asking=asking, host=table.host, terms=table.terms
                )
                change = table.public()
                with self._kept(table):
                    await self.store.write(table.id, table.edition, next=following.id, versions=change.stored)
                table.next = following.id
                table.publish(change)
                names = [table.sitters[seat - 1].name for seat in table.seats_of(person)]
                self.company(table.id).say(told=f"{listed(names)} {'plays' if len(names) == 1 else 'play'} again.")
            return table.next

    async def close(self) -> None:
        """Stop the bots, and let everybody go who waits for news."""
        self._closed = True
        tasks = list(self._bots.values())
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)
        await super().close()

    # Playing

    async def _go_on(self, table: Table) -> None:
        await self._answer(table)
        self._let_bots_play(table)

    async def _play(self, table: Table, action: int) -> None:
        """Carry out a legal choice."""
        await self._store(table, lambda: table.play(action))
        await self._go_on(table)

    async def _answer(self, table: Table) -> None:
        """Make the only choices of people who want that."""
        while (action := table.answer()) is not None:
            await self._store(table, functools.partial(table.play, action))

    def _wants_bot(self, table: Table) -> bool:
        """Whether a bot is to choose and somebody sits or watches there; nobody else is played for."""
        attended = time.monotonic() - table.looked_at < self.settings.attention
        return bool(table.bot) and attended and not table.cleared

    def _let_bots_play(self, table: Table) -> None:
        if self._wants_bot(table) and table.id not in self._bots:
            task = asyncio.create_task(self._play_bots(table))
            self._bots[table.id] = task
            task.add_done_callback(lambda done: self._bots_stopped(table, done))

    def _bots_stopped(self, table: Table, done: asyncio.Task[None]) -> None:
        del self._bots[table.id]
        problem = None if done.cancelled() else done.exception()
        if problem and not isinstance(problem, TooLate):
            log.error("The bots of table %s stopped", table.id, exc_info=problem)
        if table.cleared and (current := self._current(table.id)):
            self._let_bots_play(current)

    async def _play_bots(self, table: Table) -> None:
        """Ask the bots, one choice after the other, until somebody else is to choose.

        What others see comes at whole slots of time after what they saw before, however long the bot thought; and the
        table is not held meanwhile, so that nobody can find out whether a choice was made already.
        """
        since = time.monotonic()
        while self._wants_bot(table):
            bot, made = table.bot, len(table.match.history)
            seat, sitter = table.shown.asked, table.sitters[table.shown.asked - 1]
            slot = self.settings.slot * slot_of(bot)
            action: int | None = None
            with contextlib.suppress(BotFailed):
                action = await self._thought(table)
            if table.sitters[seat - 1] is not sitter:
                continue
            if action is None or table.seen_by_others(action):
                await asyncio.sleep(rest_of_slot(time.monotonic() - since, slot))
                since = time.monotonic()
            async with self._held(table):
                if len(table.match.history) == made and table.bot == bot and table.sitters[seat - 1] is sitter:
                    await (self._seat_stand_in(table) if action is None else self._play(table, action))

    async def _thought(self, table: Table) -> int | None:
        """What the bot that is asked chooses; None if it lost its seat meanwhile."""
        thought = self._thoughts[table.id] = asyncio.create_task(
            self.players.choose(self._question(table, table.bot), table.opener)
        )
        try:
            await asyncio.wait([thought])
            return None if thought.cancelled() else thought.result()
        finally:
            thought.cancel()
            del self._thoughts[table.id]

    def sitter_changed(self, table: Table, seat: int) -> None:
        """A bot that has lost its seat thinks no longer; one that has just sat down may be asked."""
        if seat == table.shown.asked and (thought := self._thoughts.get(table.id)):
            thought.cancel()
        self._let_bots_play(table)

    def attended(self) -> list[str]:
        """The public tables that go on, at which somebody is now who sits there."""
        before = time.monotonic() - self.settings.absent / 3
        return [
            table.id for table in self._in_memory()
            if table.terms.public and not table.shown.over
            and (table.attended_at > before or table.people & self.company(table.id).here())
        ]  # fmt: skip

    def _question(self, table: Table, bot: str) -> BotQuestion:
        """What a bot is asked for the seat that is to choose: what that seat knows, and nothing else."""
        seat = table.shown.asked
        view = table.match.view(seat, memory=remembers(bot))
        name = f"{table.id} {seat} {len(table.match.history)}".encode()
        seed = hashlib.blake2b(name, key=self.settings.secret.encode()[:64], digest_size=8).digest()
        return BotQuestion(
            bot=bot, game=view.box.game.name, options=view.box.options,
            content=without_pictures(msgspec.to_builtins(view.box.content)) if view.box.own_content else None,
            seat=seat, state=view.state.tobytes(), legal=list(view.legal), seed=int.from_bytes(seed, "little") >> 1,
            memory=[(seen.state.tobytes(), seen.choice) for seen in view.memory],
        )  # fmt: skip


def with_new_clock(sitter: Player) -> Player:
    """The same for another match: a bot that lost its clock plays again itself, the seat of who is gone is open."""
    return Player() if sitter.open else replace(sitter, bot=sitter.bot.removeprefix(STAND_IN))
