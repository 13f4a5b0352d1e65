"""Bots at a table think in processes of their own, so that no page ever waits for one.

A process gets a question (what the bot's seat may know, and nothing else) and answers with a choice. Processes are kept
and asked again; one that dies is replaced and its question asked anew. When the server goes, their input ends, and so
do they.
"""

import asyncio
import contextlib
import logging
import random
import struct
import sys
from asyncio.subprocess import PIPE, Process
from collections.abc import Sequence
from typing import Any, Protocol, TypeVar

import msgspec

from sparring.bots import CODE, LostClock, code_of, offered
from sparring.engine.game import Game

from .commands import is_command, mark
from .turns import Turns

log = logging.getLogger(__name__)

#: How often one question is asked before chance answers it, and how long an answer may take (seconds).
TRIES = 2
LONGEST_THOUGHT = 70.0
LONGEST_WARMING = 600.0

T = TypeVar("T", bound=msgspec.Struct)


class Question(msgspec.Struct, frozen=True, tag=True):
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
    #: Whether compiled code lies ready, so that nothing needs to be compiled to answer.
    compiled: bool = False


class Warm(msgspec.Struct, frozen=True, tag=True):
    """Asks a process to compile what bots of a game think with."""

    game: str
    code: str


class Answer(msgspec.Struct, frozen=True):
    """A choice, or the reason why there is none."""

    action: int = -1
    #: What went wrong, for the log alone.
    problem: str = ""
    #: What everybody may read of a bot that lost its clock.
    lost: str = ""


class Players(Protocol):
    """Whoever chooses for the bots of a server."""

    async def choose(self, question: Question, turn: str) -> int:
        """One of the legal choices; of those who wait everybody (`turn`) gets as much time as the others.

        LostClock if somebody else's bot made none.
        """


class Processes:
    """Bots in worker processes; as many think at once as there are workers."""

    def __init__(self, workers: int, commands: Sequence[str] = ()) -> None:
        self._commands = {mark(command): command for command in commands}
        self._workers = [Worker() for _ in range(workers)]
        self._idle = list(self._workers)
        self._turns = Turns(workers)
        self._compiled: set[tuple[str, str]] = set()

    async def choose(self, question: Question, turn: str) -> int:
        """What the bot chooses; a random legal choice if it cannot be brought to answer."""
        async with self._turns.turn(turn):
            worker = self._idle.pop()
            try:
                return await self._ask(worker, question)
            finally:
                self._idle.append(worker)

    async def _ask(self, worker: "Worker", question: Question) -> int:
        if is_command(question.bot):
            raise LostClock("A bot that is a command cannot be had here.", "nobody named its command at the start")
        ready = msgspec.structs.replace(
            question, compiled=(question.game, code_of(question.bot)) in self._compiled,
            bot=self._commands.get(question.bot, question.bot),
        )  # fmt: skip
        for _ in range(TRIES):
            answer = await worker.ask(ready, Answer, LONGEST_THOUGHT)
            if answer is not None and answer.action in question.legal:
                return answer.action
            if answer is not None and answer.lost:
                log.warning("%s %s", answer.lost, answer.problem)
                raise LostClock(answer.lost, answer.problem)
            log.warning("Bot %s did not answer: %s", question.bot, answer.problem if answer else "its process died")
        return random.Random(question.seed).choice(question.legal)

    async def warm(self, games: Sequence[Game]) -> None:
        """Compile what the bots need that these games offer, in a process that ends afterwards: search first."""
        worker = Worker()
        try:
            for code in CODE:
                for game in games:
                    if code in offered(game):
                        await self._warm(worker, game.name, code)
        finally:
            await worker.stop()

    async def _warm(self, worker: "Worker", game: str, code: str) -> None:
        answer = await worker.ask(Warm(game, code), Answer, LONGEST_WARMING)
        if answer is not None and not answer.problem:
            self._compiled.add((game, code))
        else:
            log.warning("Bots of %s play without compiled code: %s", game, answer.problem if answer else "died")

    async def close(self) -> None:
        """End all processes."""
        await asyncio.gather(*(worker.stop() for worker in self._workers))


class Worker:
    """One process; started when it is first asked, and again when it has died."""

    def __init__(self, module: str = "sparring.web.bots.worker") -> None:
        self._module = module
        self._process: Process | None = None
        #: While it starts: whoever gives up waiting for that has to end it all the same.
        self._starting: asyncio.Future[Process] | None = None

    async def ask(self, question: msgspec.Struct, kind: type[T], longest: float) -> T | None:
        """The answer to a question; None if the process died over it or took too long."""
        try:
            process = await self._running()
            assert process.stdin is not None
            assert process.stdout is not None
            process.stdin.write(framed(question))
            async with asyncio.timeout(longest):
                await process.stdin.drain()
                (size,) = struct.unpack("<I", await process.stdout.readexactly(4))
                return msgspec.msgpack.decode(await process.stdout.readexactly(size), type=kind)
        except (TimeoutError, OSError, asyncio.IncompleteReadError):
            await self.stop()
            return None
        except asyncio.CancelledError:
            await self.stop()  # what it still says is no answer to the next question
            raise

    @property
    def running(self) -> bool:
        """Whether the process has been started and has not ended."""
        return self._process is not None and self._process.returncode is None

    async def stop(self) -> None:
        """End the process, if there is one, and wait until it has: a loop that closes before complains."""
        if self._starting is not None:
            starting, self._starting = self._starting, None
            with contextlib.suppress(OSError):
                self._process = await starting
        self._kill()
        gone, self._process = self._process, None
        if gone is not None:
            await gone.wait()

    def _kill(self) -> None:
        if self._process is not None and self._process.returncode is None:
            with contextlib.suppress(ProcessLookupError):
                self._process.kill()

    async def _running(self) -> Process:
        if self._process is None or self._process.returncode is not None:
            self._starting = asyncio.ensure_future(asyncio.create_subprocess_exec(
                sys.executable, "-m", self._module, stdin=PIPE, stdout=PIPE, start_new_session=True
            ))  # fmt: skip
            self._process = await asyncio.shield(self._starting)
            self._starting = None
        return self._process


def framed(message: msgspec.Struct) -> bytes:
    """A message as it goes through a pipe: its length, then MessagePack."""
    body = msgspec.msgpack.encode(message)
    return struct.pack("<I", len(body)) + body
