"""Helpers for commands: output, progress, shared options, games by name and database access."""

import asyncio
import contextlib
import json
import os
import sys
import time
from collections.abc import Callable, Coroutine, Iterator, Sequence
from contextvars import ContextVar
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, TypeVar

import typer
from rich.console import Console

from sparring.engine.errors import BadOption

if TYPE_CHECKING:
    from sparring.engine.game import Game, GameSetup
    from sparring.settings import Settings
    from sparring.store.database import Database

T = TypeVar("T")

out = Console(highlight=False, soft_wrap=True)
#: The settings file given with --settings.
settings_file = ContextVar[Path | None]("settings file", default=None)
#: Progress and errors go to stderr, so that stdout holds only the result.
err = Console(stderr=True, highlight=False, soft_wrap=True)

Options = Annotated[
    list[str] | None,
    typer.Option("--option", metavar="NAME=VALUE", help="Set a game option (repeatable)."),
]
Preset = Annotated[
    str | None, typer.Option(help="Start from this preset (default: the recommended one); --option overrides it.")
]
Content = Annotated[
    Path | None, typer.Option(metavar="FILE", help="Use custom cards, boards or fighters from this file.")
]
Workers = Annotated[int, typer.Option(min=1, help="Use this many worker processes; the result stays the same.")]
Cluster = Annotated[
    str | None,
    typer.Option(metavar="tcp://HOST:8786", help="Run on this Dask cluster; the result stays the same."),
]
SettingsFile = Annotated[
    Path | None,
    typer.Option(
        "--settings", metavar="FILE", help="Read the server's settings from this file (default: $SPARRING_SETTINGS)."
    ),
]
AsJson = Annotated[bool, typer.Option("--json", help="Print JSON.")]


def all_games() -> dict[str, "Game"]:
    """Return all installed games by name."""
    from sparring.engine.game import games as installed

    return installed()


def find(name: str) -> "Game":
    """Return a game by its name."""
    from sparring.engine.game import game

    return game(name)


def settings(
    game: "Game", options: Sequence[str] | None, preset: str | None, content: Path | None = None
) -> dict[str, Any]:
    """Return the options of a preset, overridden by --option; check them.

    Without a `preset`, the options in the content file count, or the recommended preset if the file has none.
    """
    own = game.file_options(content) if content and not preset else None
    start = game.preset(preset or game.recommended) if own is None else own
    given = {**start, **read_options(options)}
    game.setup(given, game.read_content(content) if content else None)
    return given


def chosen_setup(
    game: "Game", options: Sequence[str] | None, preset: str | None, content: Path | None
) -> "GameSetup":  # fmt: skip
    """Return the setup for the options of a command, as `settings` reads them."""
    return game.setup(settings(game, options, preset, content), game.read_content(content) if content else None)


def read_options(options: Sequence[str] | None) -> dict[str, Any]:
    """Parse options written as `name=value`."""
    given = {}
    for text in options or ():
        name, sign, value = text.partition("=")
        if not sign:
            raise BadOption(f"Write options as name=value, not {text}.")
        given[name.strip()] = value.strip()
    return given


def write_json(value: Any) -> None:
    """Write indented JSON to stdout."""
    sys.stdout.write(json.dumps(value, indent=2) + "\n")


def use_settings(file: SettingsFile = None) -> None:
    """Manage a server, even while it is running. Commands use the database from its settings."""
    settings_file.set(file)


def new_settings() -> "Settings":
    """Return the settings of a server, from --settings if given; create its data folder and key if necessary."""
    from sparring.settings import Settings

    return Settings.load(file=settings_file.get())


def with_store(work: Callable[["Settings", "Database"], Coroutine[Any, Any, T]]) -> T:
    """Run `work` with the settings of an existing server and its open database; create nothing."""
    from sparring.settings import Settings, find_settings
    from sparring.store.database import Database, NoDatabase

    async def done() -> T:
        found = find_settings(file=settings_file.get())["database"]
        store = Database(found.value)
        try:
            await store.open(create=False)
        except NoDatabase as problem:
            raise BadOption(
                f"{problem} ({origin(found.origin)}). Set the same data folder and database as the server has, or "
                "create a new one with `sparring admin init`."
            ) from None
        try:
            return await work(Settings.load(file=settings_file.get(), create=False), store)
        finally:
            await store.close()

    return asyncio.run(done())


def origin(found: str) -> str:
    """Return where the address of the database comes from, in words."""
    if found != "default":
        return f"from {found}"
    return "from SPARRING_DATA" if os.environ.get("SPARRING_DATA") else "the default data folder"


def ago(moment: int) -> str:
    """Return how long ago `moment` (seconds since 1970) was, in its largest unit."""
    gone = max(0, int(time.time()) - moment)
    for unit, seconds in (("day", 86_400), ("hour", 3600), ("minute", 60)):
        if count := gone // seconds:
            return f"{count} {unit}{'s' * (count > 1)} ago"
    return "just now"


@contextlib.contextmanager
def progress_bar(what: str) -> Iterator[Callable[[int, int], None]]:
    """Show a progress bar and yield its update function, which takes rows done and rows in all."""
    from rich.progress import Progress

    with Progress(console=err, transient=True, disable=not err.is_terminal) as bar:
        task = bar.add_task(what, total=None)
        yield lambda done, every: bar.update(task, completed=done, total=every)
