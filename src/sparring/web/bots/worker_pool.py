"""Whoever answers questions: processes of this server, or workers of other machines while there are any.

A process gets a question that holds all it needs, and answers; it is kept and asked again. One that dies is started
anew when it is next asked. When the server goes, their input ends, and so do they.
"""

import asyncio
import contextlib
import struct
import sys
from asyncio.subprocess import PIPE, Process
from collections.abc import AsyncIterator, Callable
from typing import Protocol, TypeVar

import msgspec

from sparring.engine.errors import SparringError

from .fair_queue import FairQueue

T = TypeVar("T", bound=msgspec.Struct)


class WorkersAway(SparringError):
    """Nobody elsewhere answers: it is done here."""


class RemoteWorkers(Protocol):
    """Workers that this server has not started, and that come and go."""

    def follow_places(self, changed: Callable[[int], None]) -> None:
        """Say how many questions they can think about at once, now and whenever that changes; 0: nobody is there."""

    async def ask(self, module: str, question: msgspec.Struct, kind: type[T], longest: float) -> T | None:
        """The answer of a worker that runs this module; None if it found none, Away if nobody is there any more."""


class WorkerPool:
    """Those who answer one kind of question: so many processes here, or in their place all workers elsewhere."""

    def __init__(
        self, module: str, processes: int, elsewhere: RemoteWorkers | None = None, share: Callable[[int], int] = int
    ) -> None:
        """`share` says how many of the places elsewhere are for this kind."""
        self.workers = [WorkerProcess(module) for _ in range(processes)]
        self._module = module
        self._idle = list(self.workers)
        self._free = asyncio.Semaphore(processes)
        self._turns = FairQueue(processes)
        self._elsewhere = elsewhere
        self._places = 0
        if elsewhere is not None:
            elsewhere.follow_places(lambda places: self._have(share(places) if places else 0))

    def _have(self, places: int) -> None:
        self._places = places
        self._turns.have(places or len(self.workers))

    async def ask(
        self, question: msgspec.Struct, kind: type[T], longest: float, turn: str, *, here: bool = False
    ) -> T | None:
        """The answer to a question; of those who wait everybody (`turn`) gets as much time as the others.

        None if whoever thought about it died over it or took too long. `here`: no other machine can answer.
        """
        async with self._turns.turn(turn):
            if self._places and self._elsewhere is not None and not here:
                with contextlib.suppress(WorkersAway):
                    return await self._elsewhere.ask(self._module, question, kind, longest)
            async with self._worker() as worker:
                return await worker.ask(question, kind, longest)

    @contextlib.asynccontextmanager
    async def _worker(self) -> AsyncIterator["WorkerProcess"]:
        async with self._free:
            worker = self._idle.pop()
            try:
                yield worker
            finally:
                self._idle.append(worker)

    async def stop(self) -> None:
        """End all processes; they are started again when they are needed."""
        await asyncio.gather(*(worker.stop() for worker in self.workers))


class WorkerProcess:
    """One process; started when it is first asked, and again when it has died."""

    def __init__(self, module: str) -> None:
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
