"""Uploaded content: parse, check and deal it in a sandbox process; unguessable addresses for its pictures.

The process (`python -m sparring.tables.workers.uploads`) has little time and memory, and returns plain data that is
valid content.
"""

import asyncio
import hashlib
import logging
import sys
from collections import OrderedDict
from collections.abc import Mapping
from functools import lru_cache
from typing import Any, TypeVar

import msgspec
from markupsafe import Markup

from sparring.engine.errors import BadContent, SparringError
from sparring.engine.formats.card_pictures import pictures_in
from sparring.engine.formats.toml import read_toml
from sparring.engine.game import Game, GameSetup
from sparring.engine.game import game as find_game
from sparring.engine.match import Match
from sparring.engine.options import split_options
from sparring.people.fair_queue import FairQueue
from sparring.scene.pictures import link_pictures

from .bot_worker import answer_all, bound_memory
from .worker_pool import WorkerProcess

#: The type of a process's answer.
Answer = TypeVar("Answer", bound=msgspec.Struct)

log = logging.getLogger(__name__)

#: Time limits for parsing a file and for starting a process (seconds).
LONGEST_READING = 5.0
LONGEST_START = 60.0
#: The most files in the queue, and the number of cached ones.
MOST_WAITING = 20
CACHED = 64


class UploadedContent(msgspec.Struct, frozen=True):
    """An uploaded file and what to deal with it. Without a game, it only checks that the process runs."""

    game: str = ""
    toml: str = ""
    where: str = ""
    options: dict[str, Any] = {}
    seats: int = 0


class ReadContent(msgspec.Struct, frozen=True):
    """Valid content as plain data, or what is wrong with it."""

    content: Any = None
    problem: str = ""


class SandboxedProcess:
    """A process with limits on time and memory that handles one request after the other, with a fair queue."""

    #: The time limit of a request (seconds).
    patience = LONGEST_READING

    def __init__(self, module: str, start: msgspec.Struct) -> None:
        self._worker = WorkerProcess(module)
        self._start = start
        self.turns = FairQueue(
            1, most=MOST_WAITING, busy="Too many files are being read right now. Please try again soon."
        )

    async def ask(self, question: msgspec.Struct, kind: type[Answer]) -> Answer | None:
        """Return the process's answer; None if it took too long or too much memory."""
        async with self.turns.turn():
            if not self._worker.running:
                await self._worker.ask(self._start, kind, LONGEST_START)
            answer = await self._worker.ask(question, kind, self.patience)
            if answer is None:  # the caller who stopped the process pays for its new start
                await self._worker.ask(self._start, kind, LONGEST_START)
            return answer

    async def close(self) -> None:
        """Stop the process."""
        await self._worker.stop()


class ContentUploads(SandboxedProcess):
    """Parse uploaded content."""

    def __init__(self) -> None:
        super().__init__("sparring.tables.workers.uploads", UploadedContent())
        self._known: OrderedDict[tuple[str, bytes], Any] = OrderedDict()

    async def read(
        self, game: Game, toml: str, seats: int, options: Mapping[str, Any] | None = None, where: str = "Your file"
    ) -> Any:
        """Return the content of a file for a table with `seats` seats; raise BadContent if it is invalid."""
        key = game.name, hashlib.blake2b(toml.encode(), digest_size=16).digest()
        if key not in self._known:
            result = await self.ask(UploadedContent(game.name, toml, where, dict(options or {}), seats), ReadContent)
            if result is None:
                raise BadContent(f"{where} takes too long or too much memory to read. Nothing was created.")
            if result.problem:
                raise BadContent(*result.problem.split("\n"))
            self._known[key] = await asyncio.to_thread(game.content_from, result.content, where)
            while len(self._known) > CACHED:
                self._known.popitem(last=False)
        self._known.move_to_end(key)
        return self._known[key]


def decode_content(data: bytes, where: str) -> str | None:
    """Return the text of an uploaded file; None if it is empty."""
    if not data.strip():
        return None
    try:
        return data.decode("utf-8-sig")
    except UnicodeDecodeError:
        raise BadContent(f"{where} isn't a UTF-8 text file.") from None


class PictureUrls:
    """The pictures of one table or set, at addresses derived from the server's secret.

    Only pages that show a picture reveal its address: knowing the picture, or its set, doesn't help. `texts` are the
    pictures by name.
    """

    def __init__(self, secret: str, place: str, texts: Mapping[str, str]) -> None:
        self._secret, self._place = secret.encode()[:64], place.encode()
        #: The secret part of each picture's address, by its name.
        self.keys = {name: self._key(name) for name in texts}
        self._texts = {key: texts[name] for name, key in self.keys.items()}

    def _key(self, name: str) -> str:
        return hashlib.blake2b(self._place + b"\0" + name.encode(), key=self._secret, digest_size=16).hexdigest()

    def with_addresses(self, drawing: Markup, path: str) -> Markup:
        """Return a drawing with the address of every picture, below `path`."""
        return link_pictures(drawing, lambda name: f"{path}/{self.keys.get(name, 'none')}") if self.keys else drawing

    def text(self, key: str) -> str | None:
        """Return the picture at an address."""
        return self._texts.get(key)


@lru_cache(maxsize=64)
def pictures_of(setup: GameSetup) -> Mapping[str, str]:
    """Return all pictures of a setup's content, cached for all tables that use it."""
    return pictures_in(setup.content)


def main() -> None:
    """Answer requests until the input ends."""
    bound_memory()
    answer_all(UploadedContent, read_upload)


def read_upload(upload: UploadedContent) -> ReadContent:
    """Return the content of a file that a match can be dealt with, or what is wrong with it."""
    if not upload.game:
        return ReadContent()
    try:
        game = find_game(upload.game)
        # The form of the table decides the options, not those in the file.
        data, _ = split_options(read_toml(upload.toml, upload.where), game.options(), upload.where)
        content = game.content_from(data, upload.where)
        Match.deal(game.setup(upload.options, content), game.check_seats(upload.seats), seed=0)
        return ReadContent(msgspec.to_builtins(content))
    except SparringError as problem:
        return ReadContent(problem=str(problem))
    except Exception as problem:  # noqa: BLE001 - a bug in a game's parser must not stop the server
        sys.stderr.write(f"Content of {upload.game} could not be read: {type(problem).__name__}\n")
        return ReadContent(problem=f"{upload.where} can't be read.")


if __name__ == "__main__":
    main()
