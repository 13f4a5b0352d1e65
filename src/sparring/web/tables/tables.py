"""Play at tables: create them, commit choices, give hints and run bots. Every change is written before it is shown."""

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

from sparring.bots import REPLACEMENT_PREFIX, BotFailed, remembers
from sparring.engine.errors import SparringError
from sparring.engine.formats.card_pictures import without_pictures
from sparring.engine.game import Game
from sparring.engine.items import find_deal
from sparring.engine.match import Match
from sparring.scene.sentences import listed
from sparring.web.bots.bot_players import BotPlayers, BotQuestion
from sparring.web.bots.time_slots import rest_of_slot, slot_of
from sparring.web.identity import Person
from sparring.web.random_ids import random_id
from sparring.web.security.rate_limits import RateLimits, Requester, TooMany
from sparring.web.settings import DAY, Settings
from sparring.web.storage import Database, ListStore, ResultStore
from sparring.web.storage.schema import TableRow

from .changes import TableChange, packed
from .chat.chat_actions import ChatActions
from .hint_panel import HINT_BOT, first_in_turn, hint_of, position_id
from .hint_state import HintGiven, HintTaken, TableHints
from .match_results import changed_options
from .players import Player, seat_rows
from .seating import NotRated, TableSeating
from .summary import TableSummary
from .table import NotAllowed, Table, TableChanged
from .table_settings import TableSettings

log = logging.getLogger(__name__)


class HintUnavailable(SparringError):
    """No bot can give a hint now."""


#: The server itself, for example when it creates the first table.
SERVER = Requester()


class Tables(TableSeating, ChatActions):
    """Create tables, and let people and bots play at them."""

    def __init__(self, settings: Settings, store: Database, players: BotPlayers) -> None:
        super().__init__(settings, store)
        self.players = players
        self.rate_limits = RateLimits(settings.limits, settings.secret)
        self.lists = ListStore(store)
        self.results = ResultStore(store)
        #: Pending bot choices by table; cancelled when another player takes the seat.
        self._pending_choices: dict[str, asyncio.Task[int]] = {}

    async def get(self, table: str) -> Table:
        """Return a table by its id, and start its bot if it is a bot's turn."""
        found = await super().get(table)
        self._start_bots(found)
        return found

    async def create(
        self,
        game: Game,
        players: Sequence[Player],
        *,
        options: dict[str, Any] | None = None,
        toml: str | None = None,
        seed: int | None = None,
        table: str | None = None,
        where: str = "Your file",
        requester: Requester = SERVER,
        host: str = "",
        settings: TableSettings | None = None,
        begin_with: Collection[str] = (),
    ) -> Table:
        """Create a table, write it to the database and return it.

        `toml` is a custom content file, called `where` in error messages. `host` is the person who opens the table, if
        that isn't the requester. Without a `seed`, deal until the first seat starts with one of the names in
        `begin_with`. Raise NotRated for a rated match that isn't fair, and TooMany beyond a limit.
        """
        seats, settings = game.check_seats(len(players)), settings or TableSettings()
        if settings.rated:
            if begin_with:
                raise NotRated("A rated match is dealt at random; you can't choose the opening cards.")
            await self._check_rated(settings, players)
        opener = requester.opener(self.settings.secret)
        await self._check_rate_limits(requester, opener, toml)
        if opener and settings.public and any(sitter.open for sitter in players):
            await self._check_waiting(opener)
        content = await self.contents.read(game, toml, seats, options, where) if toml else None
        box = game.box(options, content)
        match = Match.deal(box, seats, find_deal(box, seats, begin_with) if seed is None else seed)
        row = TableRow(
            id=table or random_id(9),
            game=game.name,
            game_version=game.version,
            options=msgspec.json.encode(changed_options(match.box)).decode(),
            seed=match.seed,
            choices=b"",
            versions=packed([1] * (match.seats + 1), "<i4"),
            edition=0,
            over=match.over,
            seats=seat_rows(players, rated=settings.rated),
            opener=opener,
            host=host or requester.person or None,
            terms=settings.stored,
            public=settings.public,
            asked=match.seat or 0,
            standing=TableSummary.of(match).stored,
            owner=self.ownership.id,
            since=self.now(),
            clocks="{}",
            ended="{}",
            spent=b"",
            hints="{}",
        )
        await self.store.add(row, toml)
        created = Table(row, match, self.settings.secret, self.settings.now)
        self._register(created)
        self.notifications.notify(created)
        return await self.get(row.id)

    async def _check_rate_limits(self, requester: Requester, opener: str | None, toml: str | None) -> None:
        if toml:
            self.rate_limits.take("content_files", requester)
        self.rate_limits.take("tables", requester)
        if (
            opener
            and await self.store.unfinished_count(opener, time.time() - DAY) >= self.settings.limits.tables_going_on
        ):
            raise TooMany("You have too many unfinished tables. Finish a match before you create another table.")

    async def _check_waiting(self, opener: str) -> None:
        """Keep one network from filling the list of open tables."""
        since = time.time() - self.settings.absent
        if await self.lists.waiting_from(opener, since) >= self.settings.limits.public_waiting:
            raise TooMany("You already have too many public tables waiting for players. Start one of them first.")

    async def choose(self, table: Table, person: Person, version: int, choice: str | int) -> int:
        """Commit a person's choice and return their new version of the table. Raise TableChanged or NotAllowed."""
        seat = table.acting(person)
        await self._arrive(table, seat)
        table.check(seat, version)  # reject before taking the lock, so that response time reveals nothing
        async with self.locked(table):
            await self._apply_due_before_choice(table)
            seat = table.acting(person)
            await self._play(table, table.read(seat, version, choice))
            return table.feed(seat).version

    async def take_back(self, table: Table, person: Person, version: int) -> int:
        """Undo a person's last choice of this moment and return their new version of the table."""
        table.check(table.acting(person), version)
        async with self.locked(table):
            seat = table.acting(person)
            table.check(seat, version)
            if table.settings.rated:
                raise NotAllowed("You can't take back a choice in a rated match.")
            await self.commit_action(table, table.take_back)
            return table.feed(seat).version

    async def hint(self, table: Table, person: Person, version: int, requester: Requester) -> int:
        """Ask a bot to rate a person's choices from their seat's view; return their new version of the table.

        The request is announced to all before the bot is asked. Others see neither the answer nor how long it takes.
        """
        if not table.settings.hints:
            raise NotAllowed("Hints are off at this table. They can only be allowed when a table is created.")
        table.check(table.acting(person), version)
        async with self.locked(table):
            seat = table.acting(person)
            table.check(seat, version)
            if hint_of(table, seat):
                return version
            self.rate_limits.take("hints", requester)
            await self._record_hint(table, seat)
            question, position = self._bot_question(table, HINT_BOT), position_id(table)
        advice = await self.players.advise(question, requester.person)
        if advice is None:
            raise HintUnavailable("No bot can give a hint right now. Try again, or choose without one.")
        async with self.locked(table):
            if seat != table.chooser or position_id(table) != position:
                raise TableChanged("The match moved on before the hint was ready.")
            hints = msgspec.structs.replace(table.hints, given=HintGiven.of(advice, table.match.view(seat), position))
            await self._commit_hint(table, replace(table.private(seat), hints=hints))
            return table.feed(seat).version

    async def _record_hint(self, table: Table, seat: int) -> None:
        """Record that a seat took a hint, and announce the first one of a turn."""
        taken, first = HintTaken(seat, len(table.match.history)), first_in_turn(table, seat)
        if taken in table.hints.taken[-1:]:
            return  # repeated, since no bot could answer before
        change = table.public() if first else table.unseen()
        await self._commit_hint(table, replace(change, hints=TableHints((*table.hints.taken, taken))))
        if first:
            self.presence(table.id).announce(sentence=f"{table.players[seat - 1].name} asked for a hint.")

    async def _commit_hint(self, table: Table, change: TableChange) -> None:
        with self.rollback_on_error(table):
            await self.store.write(table.id, table.edition, **change.columns)
        table.publish(change)

    async def visit(self, table: Table, person: Person) -> None:
        """Handle a visit: read the person's preferences, mark them as present, and make automatic choices."""
        if table.shown.over:
            await self._load_rating_changes(table)
        seats = table.seats_of(person)
        for seat in seats:
            await self._arrive(table, seat)
            table.attended_at = time.monotonic()
        if seats and not person.token:  # a program has no browser that could send preferences
            for seat in seats:
                table.auto_choices.set_preferences(seat, person)
            if len(seats) == 1:  # a shared browser can't tell which of its players forfeited
                table.auto_choices.set_forfeit(seats[0], table.id in person.forfeits)
            if table.automatic_choice() is not None:
                async with self.locked(table):
                    await self.run_automatic_steps(table)

    async def forfeit(self, table: Table, person: Person, wanted: bool) -> None:
        """Set or cancel a person's standing forfeit, which takes effect as soon as the rules allow it."""
        async with self.locked(table):
            seat = table.seat_of(person)
            if not seat or not table.feed(seat).scene.forfeit:
                raise NotAllowed("Only players can forfeit, and only in games that allow it.")
            table.auto_choices.set_forfeit(seat, wanted)
            await self.commit_action(table, lambda: table.private(seat))
            await self.run_automatic_steps(table)

    async def rematch(self, table: Table, person: Person, requester: Requester = SERVER) -> str:
        """Return the id of the rematch; the first call creates it, with the same players moved on one seat."""
        async with self.locked(table):
            if not table.seats_of(person):
                raise NotAllowed("Only players at this table can ask for a rematch.")
            if not table.shown.over:
                raise NotAllowed("You can only ask for a rematch once this match is over.")
            if not table.next:
                players = [player_for_rematch(player) for player in (table.players[-1], *table.players[:-1])]
                toml = await self.store.content(table.content) if table.content else None
                box = table.match.box
                successor = await self.create(
                    box.game,
                    players,
                    options=box.options,
                    toml=toml,
                    requester=requester,
                    host=table.host,
                    settings=table.settings,
                )
                change = table.public()
                with self.rollback_on_error(table):
                    await self.store.write(table.id, table.edition, next=successor.id, versions=change.stored)
                table.next = successor.id
                table.publish(change)
                names = [table.players[seat - 1].name for seat in table.seats_of(person)]
                self.presence(table.id).announce(
                    sentence=f"{listed(names)} {'wants' if len(names) == 1 else 'want'} a rematch."
                )
            return table.next

    async def close(self) -> None:
        """Stop the bots and end all event streams."""
        self._closed = True
        tasks = list(self._bots.values())
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)
        await super().close()

    # Playing

    async def run_automatic_steps(self, table: Table) -> None:
        """Make the choices that need no person: only choices, forfeits and bots' turns."""
        await self._make_automatic_choices(table)
        self._start_bots(table)

    async def _play(self, table: Table, action: int) -> None:
        """Commit a legal choice, then run the automatic steps that follow."""
        await self.commit_action(table, lambda: table.play(action))
        await self.run_automatic_steps(table)

    async def _make_automatic_choices(self, table: Table) -> None:
        """Make the choices that players have asked the table to make for them."""
        while (action := table.automatic_choice()) is not None:
            await self.commit_action(table, functools.partial(table.play, action))

    def _should_run_bot(self, table: Table) -> bool:
        """Return whether it is a bot's turn and the table had a visitor recently."""
        attended = time.monotonic() - table.looked_at < self.settings.attention
        return bool(table.bot) and attended and not table.cleared

    def _start_bots(self, table: Table) -> None:
        if self._should_run_bot(table) and table.id not in self._bots:
            task = asyncio.create_task(self._play_bots(table))
            self._bots[table.id] = task
            task.add_done_callback(lambda done: self._bots_stopped(table, done))

    def _bots_stopped(self, table: Table, done: asyncio.Task[None]) -> None:
        del self._bots[table.id]
        problem = None if done.cancelled() else done.exception()
        if problem and not isinstance(problem, TableChanged):
            log.error("Bots of table %s failed", table.id, exc_info=problem)
        if table.cleared and (current := self._in_memory_table(table.id)):
            self._start_bots(current)

    async def _play_bots(self, table: Table) -> None:
        """Let bots choose until it is a person's turn.

        Publish what others can see at whole time slots after the previous event, however long the bot thought. Don't
        lock the table meanwhile: otherwise response times would reveal whether a choice was made.
        """
        previous = time.monotonic()
        while self._should_run_bot(table):
            bot, choices = table.bot, len(table.match.history)
            seat, player = table.shown.asked, table.players[table.shown.asked - 1]
            slot = self.settings.slot * slot_of(bot)
            action: int | None = None
            with contextlib.suppress(BotFailed):
                action = await self._pending_choice(table)
            if table.players[seat - 1] is not player:
                continue
            if action is None or table.seen_by_others(action):
                await asyncio.sleep(rest_of_slot(time.monotonic() - previous, slot))
                previous = time.monotonic()
            async with self.locked(table):
                if len(table.match.history) == choices and table.bot == bot and table.players[seat - 1] is player:
                    await (self._seat_stand_in(table) if action is None else self._play(table, action))

    async def _pending_choice(self, table: Table) -> int | None:
        """Return the choice of the bot whose turn it is, or None if it lost its seat meanwhile."""
        pending = self._pending_choices[table.id] = asyncio.create_task(
            self.players.choose(self._bot_question(table, table.bot), table.opener)
        )
        try:
            await asyncio.wait([pending])
            return None if pending.cancelled() else pending.result()
        finally:
            pending.cancel()
            del self._pending_choices[table.id]

    def player_changed(self, table: Table, seat: int) -> None:
        """Cancel the pending choice of a bot that has lost its seat, and start a bot that has just taken one."""
        if seat == table.shown.asked and (pending := self._pending_choices.get(table.id)):
            pending.cancel()
        self._start_bots(table)

    def attended_tables(self) -> list[str]:
        """Return the ids of unfinished public tables with at least one player present."""
        oldest = time.monotonic() - self.settings.absent / 3
        return [
            table.id for table in self._in_memory()
            if table.settings.public and not table.shown.over
            and (table.attended_at > oldest or table.people & self.presence(table.id).people())
        ]  # fmt: skip

    def _bot_question(self, table: Table, bot: str) -> BotQuestion:
        """Return the question for a bot: only what the seat that is to choose knows."""
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


def player_for_rematch(player: Player) -> Player:
    """Return the player for a rematch: the bot that a stand-in replaced, or an open seat for a person who is gone."""
    return Player() if player.open else replace(player, bot=player.bot.removeprefix(REPLACEMENT_PREFIX))
