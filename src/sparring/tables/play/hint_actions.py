"""Hints at casual tables: everyone sees that a player asked, but only that player sees the hint, until they choose."""

from msgspec.structs import replace

from sparring.bots import STRENGTHS
from sparring.engine.errors import SparringError
from sparring.engine.messages import say
from sparring.people.rate_limits import RateLimits, Requester
from sparring.store.person import Person
from sparring.tables.state.hint_state import HintGiven, HintTaken
from sparring.tables.state.table import NotAllowed, Table, TableChanged

from .bot_turns import BotTurns
from .commits import TableCommits
from .table_view import hint_of, position_id

#: The bot that gives hints: the strongest one that every game has.
HINT_BOT = STRENGTHS[-1]


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
            await self.commits.commit(table, replace(table.private(seat), hint_given=given))
            return table.feed(seat).version

    async def _record(self, table: Table, seat: int) -> None:
        """Record that a seat took a hint; at its first one of a turn, show others that it uses hints."""
        taken, first = HintTaken(seat, len(table.match.history)), first_in_turn(table, seat)
        if taken in table.hints.taken[-1:]:
            return  # repeated, since no bot could answer before
        change = table.public() if first else table.unseen()
        await self.commits.commit(table, replace(change, hint_taken=taken))


def first_in_turn(table: Table, seat: int) -> bool:
    """Return whether this is a seat's first hint this turn: announcing more would reveal how often it chose."""
    last = next((taken for taken in reversed(table.hints.taken) if taken.seat == seat), None)
    return last is None or any(
        int(transition.before.player) + 1 != seat for transition in table.transitions[last.after :]
    )
