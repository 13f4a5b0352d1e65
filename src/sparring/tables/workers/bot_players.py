"""Ask bots at tables for choices and hints, in separate processes, so that no page has to wait for one.

A process gets a question (what the bot's seat may know, and nothing else) and answers with a choice (`bot_worker.py`);
if it dies, the question is asked again. Bots that choose at random need no process. A choice appears after a whole
number of time slots, whose length depends only on the bot.

Command bots (`pipe:COMMAND`) can only be named when a server starts. Tables and the database store an alias; only the
running server knows the command, so no form, page or row ever contains one.
"""

import asyncio
import hashlib
import math
from collections.abc import Sequence
from typing import Annotated, Any, Protocol

import msgspec

from sparring.bots import (
    DEFAULT_LEVEL,
    SEARCH_DRIVERS,
    SEARCHES,
    BotFailed,
    is_random,
    needed_searches,
    non_conceding,
    random_action,
    search_of,
    stream,
    title,
)
from sparring.bots.external_bot import PIPE, time_limit
from sparring.engine.game import Game
from sparring.engine.game import game as find_game
from sparring.engine.game import games as all_games
from sparring.engine.hints import Hint
from sparring.monitoring import FaultLog

from .worker_pool import RemoteWorkers, WorkerPool, WorkerProcess

#: The slot of each level (seconds): about twice as long as the level thinks in the slowest game, and at least 0.2.
SLOTS = {"random": 0.2, "first-match": 0.2, "gentle": 0.2, "steady": 0.2, "strong": 0.3, "master": 0.8}
#: The slot of a search with a budget of its own (seconds).
LONGEST_SLOT = 1.5

#: How much longer the slot of an external bot is than its time limit (seconds).
EXTERNAL_MARGIN = 0.5

#: The module that bot processes run.
MODULE = "sparring.tables.workers.bot_worker"
#: How many attempts a question gets before the bot counts as failed, and time limits in seconds.
TRIES = 2
LONGEST_THOUGHT = 70.0
LONGEST_WARMING = 600.0
#: The reason for a missing choice: one line of limited length, since it may come from another machine and is logged.
LONGEST_WHY = 500
Why = Annotated[str, msgspec.Meta(max_length=LONGEST_WHY, pattern=r"^[^\x00-\x1f\x7f]*$")]


def slot_of(bot: str) -> float:
    """Return a bot's slot in seconds: public knowledge, and longer than the bot usually thinks."""
    if is_random(bot):
        return SLOTS["random"]
    kind, _, budget = bot.partition(":")
    if kind in SEARCHES:
        return SLOTS.get(budget.removeprefix("level=") or DEFAULT_LEVEL, LONGEST_SLOT)
    return time_limit() + EXTERNAL_MARGIN


def rest_of_slot(elapsed: float, slot: float) -> float:
    """Return the time until the current slot ends, after `elapsed` seconds."""
    return slot - elapsed % slot if slot else 0.0


def is_command(bot: str) -> bool:
    """Return whether a bot's spec is a command."""
    return bot.startswith(PIPE)


def alias_of(bot: str) -> str:
    """Return a bot's name for tables: its spec, or the alias of its command."""
    return f"piped:{hashlib.blake2b(bot.encode(), digest_size=6).hexdigest()}" if is_command(bot) else bot


class BotQuestion(msgspec.Struct, frozen=True, tag=True):
    """A question for a bot: the redacted state of its seat, and its legal choices."""

    bot: str
    game: str
    options: dict[str, Any]
    content: Any
    seat: int
    state: bytes
    legal: list[int]
    seed: int
    #: For a bot with memory: what its seat saw before each choice so far, and of the choice.
    memory: list[tuple[bytes, int]] = []
    #: Whether to give a hint instead of a choice.
    advise: bool = False
    #: Whether compiled code is available, so that answering needs no compilation.
    compiled: bool = False


class PrecompileRequest(msgspec.Struct, frozen=True, tag=True):
    """A request to compile the code of a game's bots."""

    game: str
    code: str


class BotAnswer(msgspec.Struct, frozen=True):
    """A choice, or the reason why there is none."""

    action: int = -1
    hint: Hint | None = None
    #: What went wrong, for the log only.
    problem: Why = ""
    #: The public message about a bot that ran out of time.
    lost: Why = ""
    #: Whether the compiled code was missing or damaged, so that the bot thought only briefly.
    code_lost: bool = False


def one_line_reason(why: object) -> str:
    """Return a reason as one line of limited length."""
    return " ".join("".join(char if char.isprintable() else " " for char in str(why)).split())[:LONGEST_WHY]


class BotPlayers(Protocol):
    """Chooses for the bots of a server."""

    async def choose(self, question: BotQuestion, turn: Sequence[str]) -> int:
        """Return a legal choice. Networks get equal shares of time; `turn` names those of the table's creator.

        Raise BotFailed if the bot made none.
        """

    async def advise(self, question: BotQuestion) -> Hint | None:
        """Return the bot's rating of the choices, for the current caller; None if it fails."""


class ProcessBotPlayers:
    """Bots in processes, here or on other machines."""

    def __init__(
        self, workers: int, commands: Sequence[str] = (), elsewhere: RemoteWorkers | None = None,
        faults: FaultLog | None = None,
    ) -> None:  # fmt: skip
        self.faults = faults or FaultLog()
        self.pool = WorkerPool(MODULE, workers, elsewhere)
        self._commands = {alias_of(command): command for command in commands}
        self._compiled: set[tuple[str, str]] = set()
        self._code_lost = asyncio.Event()

    async def choose(self, question: BotQuestion, turn: Sequence[str]) -> int:
        """Return the bot's choice; raise BotFailed if its program fails."""
        if is_random(question.bot):
            return random_choice(question)
        if is_command(question.bot):
            raise BotFailed(
                "Bots that run a command aren't available here.", "the server was started without its command"
            )
        for _ in range(TRIES):
            answer = await self.answer(question, *turn)
            if answer is not None and answer.action in question.legal:
                return answer.action
            why = self._report(question, "gave no answer", answer)
            if answer is not None and answer.lost:
                raise BotFailed(answer.lost, answer.problem)
        raise BotFailed(f"{title(question.bot)} failed.", why)

    def _report(self, question: BotQuestion, what: str, answer: BotAnswer | None) -> str:
        """Report that a bot failed, and return why."""
        why = f"{answer.lost} {answer.problem}".strip() if answer else "its process died or hung, or took too long"
        self.faults.report(f"{title(question.bot)} of {question.game} {what}", why or "it made an illegal choice")
        return why

    async def advise(self, question: BotQuestion) -> Hint | None:
        """Return the bot's rating of the choices, for the current caller; None if it fails."""
        answer = await self.answer(msgspec.structs.replace(question, advise=True))
        if answer is not None and answer.hint is not None and is_valid_hint(answer.hint, question):
            return answer.hint
        self._report(question, "gave no hint", answer)
        return None

    async def answer(self, question: BotQuestion, *turn: str) -> BotAnswer | None:
        """Ask a process once; return None if it died. Only this process knows the commands of command bots."""
        ready = msgspec.structs.replace(
            question, compiled=(question.game, search_of(question.bot)) in self._compiled,
            bot=self._commands.get(question.bot, question.bot),
        )  # fmt: skip
        local_only = question.bot in self._commands
        answer = await self.pool.ask(ready, BotAnswer, LONGEST_THOUGHT, *turn, local_only=local_only)
        if answer is not None and answer.code_lost:
            self._compiled.discard((question.game, search_of(question.bot)))
            self._code_lost.set()
            self.faults.report(f"The compiled code of {question.game} is missing or damaged", "it is compiled again")
            return msgspec.structs.replace(answer, code_lost=False)  # what a worker has lost isn't lost at a server
        return answer

    async def keep_compiled(self) -> None:
        """Compile the code of all games' bots, and again what was lost, until the task is cancelled."""
        while True:
            self._code_lost.clear()
            await self.warm(list(all_games().values()))
            await self._code_lost.wait()

    async def warm(self, games: Sequence[Game]) -> None:
        """Compile the code of these games' bots in a temporary process, search first."""
        worker = WorkerProcess(MODULE)
        try:
            for code in SEARCH_DRIVERS:
                for game in games:
                    if code in needed_searches(game) and (game.name, code) not in self._compiled:
                        await self._warm(worker, game.name, code)
        finally:
            await worker.stop()

    async def _warm(self, worker: WorkerProcess, game: str, code: str) -> None:
        answer = await worker.ask(PrecompileRequest(game, code), BotAnswer, LONGEST_WARMING)
        if answer is not None and not answer.problem:
            self._compiled.add((game, code))
        else:
            why = answer.problem if answer else "its process died or took too long"
            self.faults.report(f"Bots of {game} run without compiled code", why)

    async def close(self) -> None:
        """Stop all processes."""
        await self.pool.stop()


def is_valid_hint(hint: Hint, question: BotQuestion) -> bool:
    """Return whether a hint, perhaps from another machine, has the right seat, legal choices and finite numbers.

    Its reason must be one line of printable text, so that it can't pretend to be something else on the page, and fit
    its values.
    """
    numbers = [number for one in hint.choices for number in (one.value or 0, one.low, one.high)]
    return (
        hint.seat == question.seat
        and {one.action for one in hint.choices} <= {*question.legal}
        and all(map(math.isfinite, numbers))
        and (hint.why is None or hint.why.is_complete)
        and len(hint.reason) <= LONGEST_WHY
        and hint.reason.isprintable()
    )


def random_choice(question: BotQuestion) -> int:
    """Return a random choice, the same for the same question."""
    choices = non_conceding(find_game(question.game), question.legal)
    return random_action(choices, stream(question.seed, question.seat))
