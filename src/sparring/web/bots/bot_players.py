"""Bots at a table think in processes of their own, so that no page ever waits for one.

A process gets a question (what the bot's seat may know, and nothing else) and answers with a choice (`asking.py`); if
it dies over that, the question is asked anew. For a bot that thinks of nothing no process is asked.
"""

import logging
import math
from collections.abc import Sequence
from typing import Annotated, Any, Protocol

import msgspec

from sparring.bots import CODE, BotFailed, code_of, drawn, draws, kept, offered, stream
from sparring.engine.game import Game
from sparring.engine.game import game as find_game
from sparring.engine.hints import Hint

from .command_bots import is_command, mark
from .worker_pool import RemoteWorkers, WorkerPool, WorkerProcess

log = logging.getLogger(__name__)

#: What a process runs in which bots think.
MODULE = "sparring.web.bots.bot_worker"

#: How often one question is asked before chance answers it, and how long an answer may take (seconds).
TRIES = 2
LONGEST_THOUGHT = 70.0
LONGEST_WARMING = 600.0


class BotQuestion(msgspec.Struct, frozen=True, tag=True):
    """What a bot is asked: the redacted state of its seat, and the choices it was shown."""

    bot: str
    game: str
    options: dict[str, Any]
    content: Any
    seat: int
    state: bytes
    legal: list[int]
    seed: int
    #: For a bot that remembers: what its seat saw before each choice so far, and of the choice.
    memory: list[tuple[bytes, int]] = []
    #: Whether it is asked for a hint, and not for a choice.
    advise: bool = False
    #: Whether compiled code lies ready, so that nothing needs to be compiled to answer.
    compiled: bool = False


class PrecompileRequest(msgspec.Struct, frozen=True, tag=True):
    """Asks a process to compile what bots of a game think with."""

    game: str
    code: str


#: Why there is no choice: a line of so many letters, as it may come from another machine and goes into the log.
LONGEST_WHY = 500
Why = Annotated[str, msgspec.Meta(max_length=LONGEST_WHY, pattern=r"^[^\x00-\x1f\x7f]*$")]


class BotAnswer(msgspec.Struct, frozen=True):
    """A choice, or the reason why there is none."""

    action: int = -1
    hint: Hint | None = None
    #: What went wrong, for the log alone.
    problem: Why = ""
    #: What everybody may read of a bot that lost its clock.
    lost: Why = ""


def in_a_line(why: object) -> str:
    """A reason as an answer tells it."""
    return " ".join("".join(sign if sign.isprintable() else " " for sign in str(why)).split())[:LONGEST_WHY]


class BotPlayers(Protocol):
    """Whoever chooses for the bots of a server."""

    async def choose(self, question: BotQuestion, turn: str) -> int:
        """One of the legal choices; of those who wait everybody (`turn`) gets as much time as the others.

        LostClock if somebody else's bot made none.
        """

    async def advise(self, question: BotQuestion, turn: str) -> Hint | None:
        """What the bot thinks of the choices; None if it cannot be brought to say so."""


class ProcessBotPlayers:
    """Bots in processes of their own, here or elsewhere; as many think at once as there are."""

    def __init__(self, workers: int, commands: Sequence[str] = (), elsewhere: RemoteWorkers | None = None) -> None:
        self.pool = WorkerPool(MODULE, workers, elsewhere)
        self._commands = {mark(command): command for command in commands}
        self._compiled: set[tuple[str, str]] = set()

    async def choose(self, question: BotQuestion, turn: str) -> int:
        """What the bot chooses; chance does for one that thinks of nothing, or cannot be brought to answer."""
        if draws(question.bot):
            return by_chance(question)
        if is_command(question.bot):
            raise BotFailed("A bot that is a command cannot be had here.", "nobody named its command at the start")
        for _ in range(TRIES):
            answer = await self.answer(question, turn)
            if answer is not None and answer.action in question.legal:
                return answer.action
            if answer is not None and answer.lost:
                log.warning("%s %s", answer.lost, answer.problem)
                raise BotFailed(answer.lost, answer.problem)
            log.warning("Bot %s did not answer: %s", question.bot, answer.problem if answer else "its process died")
        return by_chance(question)

    async def advise(self, question: BotQuestion, turn: str) -> Hint | None:
        """What the bot thinks of the choices."""
        answer = await self.answer(msgspec.structs.replace(question, advise=True), turn)
        if answer is not None and answer.hint is not None and fits(answer.hint, question):
            return answer.hint
        log.warning("Bot %s gave no hint: %s", question.bot, answer.problem if answer else "its process died")
        return None

    async def answer(self, question: BotQuestion, turn: str) -> BotAnswer | None:
        """What a process says that was asked once; None if it died over that. What a command is only this one knows."""
        ready = msgspec.structs.replace(
            question, compiled=(question.game, code_of(question.bot)) in self._compiled,
            bot=self._commands.get(question.bot, question.bot),
        )  # fmt: skip
        return await self.pool.ask(ready, BotAnswer, LONGEST_THOUGHT, turn, here=question.bot in self._commands)

    async def warm(self, games: Sequence[Game]) -> None:
        """Compile what the bots need that these games offer, in a process that ends afterwards: search first."""
        worker = WorkerProcess(MODULE)
        try:
            for code in CODE:
                for game in games:
                    if code in offered(game):
                        await self._warm(worker, game.name, code)
        finally:
            await worker.stop()

    async def _warm(self, worker: WorkerProcess, game: str, code: str) -> None:
        answer = await worker.ask(PrecompileRequest(game, code), BotAnswer, LONGEST_WARMING)
        if answer is not None and not answer.problem:
            self._compiled.add((game, code))
        else:
            log.warning("Bots of %s play without compiled code: %s", game, answer.problem if answer else "died")

    async def close(self) -> None:
        """End all processes."""
        await self.pool.stop()


def fits(hint: Hint, question: BotQuestion) -> bool:
    """Whether a hint is of the choices that were asked about, and tells numbers: it may come from another machine."""
    told = [number for one in hint.choices for number in (one.value or 0, one.low, one.high)]
    return (
        hint.seat == question.seat
        and {one.action for one in hint.choices} <= {*question.legal}
        and all(map(math.isfinite, told))
    )


def by_chance(question: BotQuestion) -> int:
    """What chance chooses: the same for the same question."""
    choices = kept(find_game(question.game), question.legal)
    return drawn(choices, stream(question.seed, question.seat))
