"""A sandbox's work in a thread, without limits; the same messages go in and out as of a process."""

import asyncio
from collections.abc import Callable
from importlib import import_module
from typing import Any, TypeVar

import msgspec

from sparring.tables.workers.worker_pool import WorkerProcess

T = TypeVar("T", bound=msgspec.Struct)
#: What answers the questions to a sandbox. Images are left to a process: their reader turns warnings into errors.
ANSWERED_BY = {
    "sparring.site.replay.record_sandbox": "show",
    "sparring.tables.workers.uploads": "read_upload",
    "sparring.studio.set_sandbox": "draft",
}


class WorkerThread(WorkerProcess):
    """Answers in a thread if it can."""

    def __init__(self, module: str) -> None:
        super().__init__(module)
        name = ANSWERED_BY.get(module)
        self._answer: Callable[[Any], msgspec.Struct] | None = getattr(import_module(module), name) if name else None

    @property
    def running(self) -> bool:
        """Return whether it can be asked without a start."""
        return self._answer is not None or super().running

    async def ask(self, question: msgspec.Struct, kind: type[T], longest: float) -> T | None:
        """Return the answer to a question."""
        if self._answer is None:
            return await super().ask(question, kind, longest)
        answer = await asyncio.to_thread(self._answer, question)
        return msgspec.msgpack.decode(msgspec.msgpack.encode(answer), type=kind)
