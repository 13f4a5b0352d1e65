"""Worker pool: answer questions in processes of this server, or by workers on other machines while there are any.

A process gets self-contained questions, and is reused. If it dies, it is restarted with the next question. When the
server ends, the inputs of its processes close, and they end too.
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
from sparring.people.fair_queue import FairQueue

T = TypeVar("T", bound=msgspec.Struct)

#: After how long without a sign of life a process is replaced (seconds). A process that thinks or compiles gives some.
SILENCE = 10.0
#: A sign of life: a message without a body.
SIGN_OF_LIFE = struct.pack("<I", 0)


class WorkersUnavailable(SparringError):
    """No remote worker is available."""


class RemoteWorkers(Protocol):
    """Workers on other machines, which come and go."""

    def follow_places(self, changed: Callable[[int], None]) -> None:
        """Call `changed` with the number of places, now and at every change; 0 without workers."""

    async def ask(self, module: str, question: msgspec.Struct, kind: type[T], longest: float) -> T | None:
        """Return the answer of a worker that runs this module, or None; raise WorkersUnavailable if there is none."""


class WorkerPool:
    """A pool for one kind of question: local processes, or all remote workers while there are any."""

    def __init__(
        self, module: str, processes: int, elsewhere: RemoteWorkers | None = None, share: Callable[[int], int] = int,
        most: int | None = None, busy: str = "",
    ) -> None:  # fmt: skip
        """`share` returns how many of the remote places this kind may use; for `most` and `busy` see FairQueue."""
        self.workers = [WorkerProcess(module) for _ in range(processes)]
        self._module = module
        self._idle = list(self.workers)
        self._free = asyncio.Semaphore(processes)
        self.turns = FairQueue(processes, most=most, busy=busy)
        self._elsewhere = elsewhere
        self._places = 0
        if elsewhere is not None:
            elsewhere.follow_places(lambda places: self._set_places(share(places) if places else 0))

    @property
    def waiting(self) -> int:
        """Return how many questions wait for a process."""
        return self.turns.waiting

    def _set_places(self, places: int) -> None:
        self._places = places
        self.turns.set_places(places or len(self.workers))

    async def ask(
        self, question: msgspec.Struct, kind: type[T], longest: float, *who: str, local_only: bool = False
    ) -> T | None:
        """Return the answer to a question; None if its process died or took too long (seconds).

        The time counts for `who`, or for the current caller. With `local_only`, no other machine is asked.
        """
        async with self.turns.turn(*who):
            if self._places and self._elsewhere is not None and not local_only:
                with contextlib.suppress(WorkersUnavailable):
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
        """Stop all processes; they are restarted when needed."""
        await asyncio.gather(*(worker.stop() for worker in self.workers))


class WorkerProcess:
    """A process, started with the first question, and again after it has died."""

    def __init__(self, module: str) -> None:
        self._module = module
        self._process: Process | None = None
        #: The pending start: a caller who is cancelled meanwhile still has to stop the process.
        self._starting: asyncio.Future[Process] | None = None
        #: Whether the process has given a sign of life: it has begun, and is of a kind that does.
        self._gives_signs = False

    async def ask(self, question: msgspec.Struct, kind: type[T], longest: float) -> T | None:
        """Return the answer to a question; None if the process died or took too long."""
        try:
            process = await self._running()
            assert process.stdin is not None
            assert process.stdout is not None
            process.stdin.write(framed(question))
            async with asyncio.timeout(longest):
                await process.stdin.drain()
                while not (size := await self._read_size(process.stdout)):
                    self._gives_signs = True
                return msgspec.msgpack.decode(await process.stdout.readexactly(size), type=kind)
        except (TimeoutError, OSError, asyncio.IncompleteReadError):
            await self.stop()
            return None
        except asyncio.CancelledError:
            await self.stop()  # its late answer would pass for that of the next question
            raise

    async def _read_size(self, answers: asyncio.StreamReader) -> int:
        async with asyncio.timeout(SILENCE if self._gives_signs else None):
            (size,) = struct.unpack("<I", await answers.readexactly(4))
        return int(size)

    @property
    def running(self) -> bool:
        """Return whether the process has been started and hasn't ended."""
        return self._process is not None and self._process.returncode is None

    async def stop(self) -> None:
        """Stop the process and wait for its end, since an event loop that closes earlier complains.

        A second call meanwhile waits too, also if the first one is cancelled.
        """
        if (starting := self._starting) is not None:
            with contextlib.suppress(OSError):
                self._process = await asyncio.shield(starting)
            if self._starting is starting:
                self._starting = None
        self._kill()
        if (process := self._process) is not None:
            await process.wait()
            if self._process is process:
                self._process = None

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
            self._starting, self._gives_signs = None, False
        return self._process


def framed(message: msgspec.Struct) -> bytes:
    """Return a message for a pipe: its length, then MessagePack."""
    body = msgspec.msgpack.encode(message)
    return struct.pack("<I", len(body)) + body
