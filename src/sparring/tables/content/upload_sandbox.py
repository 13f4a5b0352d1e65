"""Upload sandbox: the process that parses uploaded content, with little memory and a time limit."""

import sys
from contextlib import suppress

import msgspec

from sparring.engine.errors import SparringError
from sparring.engine.formats.toml import read_toml
from sparring.engine.game import game as find_game
from sparring.engine.match import Match
from sparring.engine.options import split_options
from sparring.tables.bots.bot_worker import answer_all

from .uploads import ReadContent, UploadedContent

#: How much memory may be used beyond what the process has when the first file arrives (bytes).
MEMORY = 256 * 1024 * 1024
#: The same for jobs that run compiled rules, train or print, twice what they need.
JOB_MEMORY = 2 * 1024 * 1024 * 1024


def main() -> None:
    """Answer requests until the input ends."""
    bound_memory()
    answer_all(UploadedContent, read)


def bound_memory(memory: int = MEMORY) -> None:
    """Limit the growth of the process's memory, where the system supports it."""
    with suppress(ImportError, OSError, ValueError):
        import resource

        with open("/proc/self/statm", encoding="ascii") as pages:  # noqa: PTH123 - not a file of the project
            used = int(pages.read().split()[0]) * resource.getpagesize()
        resource.setrlimit(resource.RLIMIT_AS, (used + memory, used + memory))


def read(upload: UploadedContent) -> ReadContent:
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
