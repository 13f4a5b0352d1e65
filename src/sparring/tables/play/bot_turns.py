"""Bots at tables: find their choices and play them, let one stand in for an absent player, and give hints.

Everyone sees that a player asked for a hint, but only that player sees it, until they choose.
"""

import asyncio
import contextlib
import hashlib
import logging
import time
from dataclasses import replace

import msgspec

from sparring.bots import STRENGTHS, BotFailed, remembers, replacement_bot
from sparring.engine.errors import SparringError
from sparring.engine.formats.card_pictures import without_pictures
from sparring.engine.messages import say
from sparring.people.rate_limits import RateLimits, Requester
from sparring.store.networks import keyed_turn
from sparring.store.person import Person
from sparring.tables.state.hint_state import HintGiven, HintTaken
from sparring.tables.state.table import NotAllowed, Table, TableChanged, WriteConflict
from sparring.tables.workers.bot_players import BotPlayers, BotQuestion, random_choice, rest_of_slot, slot_of

from .commits import TableCommits
from .table_view import hint_of, position_id

log = logging.getLogger(__name__)

#: How long a bot waits, besides its usual time, for the process that wrote the last change (seconds).
TAKEOVER = 2.0
#: The bot that gives hints: the strongest one that every game has.
HINT_BOT = STRENGTHS[-1]


class BotTurns:
    """Continue matches until it is a person's turn."""

    def __init__(self, commits: TableCommits, players: BotPlayers) -> None:
        self.commits = commits
        self.registry = commits.registry
        self.settings = commits.registry.settings
        self.players = players
        #: Running bots by table.
        self._tasks: dict[str, asyncio.Task[None]] = {}
        #: Pending bot choices by table; cancelled when another player takes the seat.
        self._pending_choices: dict[str, asyncio.Task[int]] = {}
        self.registry.busy = self._tasks
        self.registry.on_get = self.start

    async def continue_match(self, table: Table) -> None:
        """Make the choices that need no person: only choices, forfeits and bots' turns."""
        while not table.cleared and (action := table.automatic_choice()) is not None:
            with contextlib.suppress(WriteConflict):  # another process has made them
                await self.commits.commit(table, table.choice(action))
        self.start(table)

    def start(self, table: Table) -> None:
        """Start a table's bot if it is its turn."""
        if self._should_play(table) and table.id not in self._tasks:
            task = asyncio.create_task(self._play(table))
            self._tasks[table.id] = task
            task.add_done_callback(lambda done: self._stopped(table, done))

    def player_changed(self, table: Table, seat: int) -> None:
        """Cancel the pending choice of a bot that has lost its seat, and start a bot that has just taken one."""
        if seat == table.shown.turn_seat and (pending := self._pending_choices.get(table.id)):
            pending.cancel()
        self.start(table)

    def question(self, table: Table, bot: str) -> BotQuestion:
        """Return the question for a bot: only what the seat that is to choose knows."""
        seat = table.shown.turn_seat
        view = table.match.view(seat, memory=remembers(bot))
        name = f"{table.id} {seat} {len(table.match.history)}".encode()
        seed = hashlib.blake2b(name, key=self.settings.secret.encode()[:64], digest_size=8).digest()
        return BotQuestion(
            bot=bot, game=view.setup.game.name, options=view.setup.options,
            content=without_pictures(msgspec.to_builtins(view.setup.content)) if view.setup.own_content else None,
            seat=seat, state=view.state.tobytes(), legal=list(view.legal), seed=int.from_bytes(seed, "little") >> 1,
            memory=[(seen.state.tobytes(), seen.choice) for seen in view.memory],
        )  # fmt: skip

    async def close(self) -> None:
        """Stop all bots."""
        tasks = list(self._tasks.values())
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)

    def _should_play(self, table: Table) -> bool:
        """Return whether it is a bot's turn, no take-back is asked for, and the table had a visitor recently.

        `ClockActions.handle_timer` ends a take-back request that some player doesn't answer.
        """
        attended = time.monotonic() - table.looked_at < self.settings.attention
        asked = table.clocks.proposal and table.clocks.proposal.what == "take-back"
        return bool(table.bot) and attended and not table.cleared and not asked

    def _stopped(self, table: Table, done: asyncio.Task[None]) -> None:
        del self._tasks[table.id]
        problem = None if done.cancelled() else done.exception()
        if problem and not isinstance(problem, TableChanged):
            log.error("Bots of table %s failed", table.id, exc_info=problem)
        if table.cleared and (current := self.registry.find(table.id)):
            self.start(current)
        elif not problem and not done.cancelled():
            self.start(table)  # it may have become a bot's turn since the task saw that it wasn't

    async def _play(self, table: Table) -> None:
        """Let bots choose until it is a person's turn.

        Publish what others can see at whole time slots after the previous event, however long the bot thought. Don't
        lock the table meanwhile: otherwise response times would reveal whether a choice was made.
        """
        previous = time.monotonic()
        while self._should_play(table):
            if table.left_to_others:
                if await self._is_played_elsewhere(table):
                    continue
                previous = time.monotonic()
            bot, choices, start = table.bot, len(table.match.history), table.match.start
            seat, player = table.shown.turn_seat, table.players[table.shown.turn_seat - 1]
            slot = self.settings.slot * slot_of(bot)
            action: int | None = None
            with contextlib.suppress(BotFailed):
                action = await self._choice(table)
            if table.players[seat - 1] is not player:
                continue
            if action is None and player.person:  # the bot plays for a person who is away, and who keeps the seat
                action = random_choice(self.question(table, bot))
            if action is None or table.seen_by_others(action):
                await asyncio.sleep(rest_of_slot(time.monotonic() - previous, slot))
                previous = time.monotonic()
            async with self.commits.locked(table):
                moved_on = len(table.match.history) != choices or table.match.start is not start  # or a new deal
                if moved_on or table.bot != bot or table.players[seat - 1] is not player:
                    continue
                if not self._should_play(table):
                    return
                with contextlib.suppress(WriteConflict):  # the bot of another process has chosen
                    if action is None:
                        await self._seat_stand_in(table)
                    else:
                        await self.commits.commit(table, table.choice(action))
                        await self.continue_match(table)

    async def _is_played_elsewhere(self, table: Table) -> bool:
        """Wait for the process that wrote the last change; return whether that one has gone on."""
        row_version = table.row_version
        await asyncio.sleep(TAKEOVER + self.settings.slot * slot_of(table.bot))
        return table.row_version != row_version

    async def _choice(self, table: Table) -> int | None:
        """Return the choice of the bot whose turn it is, or None if it lost its seat meanwhile."""
        pending = self._pending_choices[table.id] = asyncio.create_task(
            self.players.choose(self.question(table, table.bot), (*keyed_turn(table.creator), ""))
        )
        try:
            await asyncio.wait([pending])
            return None if pending.cancelled() else pending.result()
        finally:
            pending.cancel()
            del self._pending_choices[table.id]

    async def _seat_stand_in(self, table: Table) -> None:
        """Replace a bot that failed on its turn by a random stand-in until the match is over; everyone sees it."""
        seat, player = table.shown.turn_seat, table.players[table.shown.turn_seat - 1]
        stand_in = replace(player, bot=replacement_bot(player.bot).text)
        await self.commits.commit(table, table.new_player(seat), stand_in)


class HintUnavailable(SparringError):
    """No bot can give a hint now."""


class HintActions:
    """Give hints to players who ask for them."""

    def __init__(self, commits: TableCommits, bots: BotTurns, rate_limits: RateLimits) -> None:
        self.commits = commits
        self.registry = commits.registry
        self.bots = bots
        self.rate_limits = rate_limits

    async def take(self, table: Table, person: Person, version: int, requester: Requester) -> int:
        """Ask a bot to rate a person's choices from their seat's view; return their new version of the table.

        The request is announced to all before the bot is asked. Others see neither the answer nor how long it takes.
        """
        if not table.settings.hints:
            raise NotAllowed(say("Hints are off at this table. They can only be allowed when a table is created."))
        table.check(table.acting(person), version)
        async with self.commits.locked(table):
            seat = table.acting(person)
            table.check(seat, version)
            if hint_of(table, seat):
                return version
            self.rate_limits.take("hints", requester)
            await self._record(table, seat)
            question, position = self.bots.question(table, HINT_BOT), position_id(table)
        advice = await self.bots.players.advise(question)
        if advice is None:
            raise HintUnavailable(say("No bot can give a hint right now. Try again, or choose without one."))
        async with self.commits.locked(table):
            if seat != table.chooser or position_id(table) != position:
                raise TableChanged(say("The match moved on before the hint was ready."))
            given = HintGiven.of(advice, table.match.view(seat), position)
            await self.commits.commit(table, msgspec.structs.replace(table.private(seat), hint_given=given))
            return table.feed(seat).version

    async def _record(self, table: Table, seat: int) -> None:
        """Record that a seat took a hint; at its first one of a turn, show others that it uses hints."""
        taken, first = HintTaken(seat, len(table.match.history)), first_in_turn(table, seat)
        if taken in table.hints.taken[-1:]:
            return  # repeated, since no bot could answer before
        change = table.public() if first else table.unseen()
        await self.commits.commit(table, msgspec.structs.replace(change, hint_taken=taken))


def first_in_turn(table: Table, seat: int) -> bool:
    """Return whether this is a seat's first hint this turn: announcing more would reveal how often it chose."""
    last = next((taken for taken in reversed(table.hints.taken) if taken.seat == seat), None)
    return last is None or any(
        int(transition.before.player) + 1 != seat for transition in table.transitions[last.after :]
    )
