"""Content that somebody brought: a card file of their own, as text.

It is parsed, checked and dealt once in a process of its own, which may take little time and little memory. What comes
back from there is the plain data of content that can be played with.
"""

import asyncio
import hashlib
import logging
from collections import OrderedDict
from collections.abc import Mapping
from typing import Any, TypeVar

import msgspec

from sparring.engine.errors import BadContent, SparringError
from sparring.engine.game import Game
from sparring.web.bots.worker_pool import WorkerProcess

#: What a process answers.
Answer = TypeVar("Answer", bound=msgspec.Struct)

log = logging.getLogger(__name__)

#: How long reading a file may take, and a process to start (seconds).
LONGEST_READING = 5.0
LONGEST_START = 60.0
#: How many files may wait to be read, and how many are remembered.
MOST_WAITING = 8
REMEMBERED = 64


class Busy(SparringError):
    """More is asked for than can be done at once."""


class UploadedContent(msgspec.Struct, frozen=True):
    """A file as it was brought, and what is to be dealt with it. Without a game it asks who is there."""

    game: str = ""
    toml: str = ""
    where: str = ""
    options: dict[str, Any] = {}
    seats: int = 0


class ReadContent(msgspec.Struct, frozen=True):
    """The content as plain data, or what is wrong with it."""

    content: Any = None
    problem: str = ""


class SandboxedProcess:
    """A process of its own that may take little time and little memory, and is asked one thing after the other."""

    #: How long an answer may take (seconds).
    patience = LONGEST_READING

    def __init__(self, module: str, start: msgspec.Struct) -> None:
        self._worker = WorkerProcess(module)
        self._start = start
        self._turn = asyncio.Lock()
        self._waiting = 0

    async def ask(self, question: msgspec.Struct, kind: type[Answer]) -> Answer | None:
        """What it answers; None if it took too long or too much."""
        if self._waiting >= MOST_WAITING:
            raise Busy("Many files are being read at this moment; please try again soon.")
        self._waiting += 1
        try:
            async with self._turn:
                if not self._worker.running:
                    await self._worker.ask(self._start, kind, LONGEST_START)
                return await self._worker.ask(question, kind, self.patience)
        finally:
            self._waiting -= 1

    async def close(self) -> None:
        """End the process."""
        await self._worker.stop()


class ContentUploads(SandboxedProcess):
    """Reads the content that people bring."""

    def __init__(self) -> None:
        super().__init__("sparring.web.security.upload_sandbox", UploadedContent())
        self._known: OrderedDict[tuple[str, bytes], Any] = OrderedDict()

    async def read(
        self, game: Game, toml: str, seats: int, options: Mapping[str, Any] | None = None, where: str = "your file"
    ) -> Any:
        """The content of a file with which a table of so many seats can be dealt; BadContent says what is wrong."""
        key = game.name, hashlib.blake2b(toml.encode(), digest_size=16).digest()
        if key not in self._known:
            reading = await self.ask(UploadedContent(game.name, toml, where, dict(options or {}), seats), ReadContent)
            if reading is None:
                raise BadContent(f"{where} takes too long or too much room to read; nothing was opened with it.")
            if reading.problem:
                raise BadContent(*reading.problem.split("\n"))
            self._known[key] = await asyncio.to_thread(game.kit.read_content, reading.content, where)
            while len(self._known) > REMEMBERED:
                self._known.popitem(last=False)
        self._known.move_to_end(key)
        return self._known[key]


def decode_content(data: bytes, where: str) -> str | None:
    """The text of an uploaded file; None if none was chosen."""
    if not data.strip():
        return None
    try:
        return data.decode("utf-8-sig")
    except UnicodeDecodeError:
        raise BadContent(f"{where} is not a text file in UTF-8.") from None
