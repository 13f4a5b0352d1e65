"""What the commands share: where they write, the options they have in common, games by name, the database."""

import asyncio
import json
import sys
import time
from collections.abc import Callable, Coroutine, Sequence
from contextvars import ContextVar
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, TypeVar

import typer
from rich.console import Console

from sparring.engine.errors import BadOption

if TYPE_CHECKING:
    from sparring.engine.game import Game
    from sparring.web.settings import Settings
    from sparring.web.storage import Database

T = TypeVar("T")

out = Console(highlight=False, soft_wrap=True)
#: The settings file that was named by an option.
settings_file = ContextVar[Path | None]("settings file", default=None)
#: For everything that is not the answer: progress, and what went wrong.
aside = Console(stderr=True, highlight=False, soft_wrap=True)

Options = Annotated[
    list[str] | None,
    typer.Option("--option", metavar="NAME=VALUE", help="An option of the game; as often as you like."),
]
Preset = Annotated[str | None, typer.Option(help="Start from this preset; --option overrides it.")]
RecommendedPreset = Annotated[
    str | None, typer.Option(help="Start from this preset (default: the recommended one); --option overrides it.")
]
Content = Annotated[Path | None, typer.Option(metavar="FILE", help="Cards, boards or fighters of your own.")]
Workers = Annotated[int, typer.Option(min=1, help="How many processes; the result does not depend on it.")]
Cluster = Annotated[
    str | None,
    typer.Option(metavar="tcp://HOST:8786", help="Let the workers of a Dask cluster do it; no more depends on it."),
]
SettingsFile = Annotated[
    Path | None,
    typer.Option("--settings", metavar="FILE", help="Read the server's settings here (default: SPARRING_SETTINGS)."),
]
AsJson = Annotated[bool, typer.Option("--json", help="Write JSON.")]


def all_games() -> dict[str, "Game"]:
    """All installed games by name."""
    from sparring.engine.game import games as installed

    return installed()


def find(name: str) -> "Game":
    """A game by its name."""
    from sparring.engine.game import game

    return game(name)


def settings(game: "Game", options: Sequence[str] | None, preset: str | None) -> dict[str, Any]:
    """The options that somebody set, checked: those of the preset, then single ones."""
    given = {**(game.preset(preset) if preset else {}), **read_options(options)}
    game.box(given)
    return given


def read_options(options: Sequence[str] | None) -> dict[str, Any]:
    """Options as they are written, `name=value`."""
    given = {}
    for text in options or ():
        name, sign, value = text.partition("=")
        if not sign:
            raise BadOption(f"Options are written name=value, not {text}.")
        given[name.strip()] = value.strip()
    return given


def write_json(value: Any) -> None:
    """JSON and nothing else on the standard output."""
    sys.stdout.write(json.dumps(value, indent=2) + "\n")


def use_settings(file: SettingsFile = None) -> None:
    """Look after a server, also while it runs. Its database is that of its settings (`sparring admin settings`)."""
    settings_file.set(file)


def server_settings() -> "Settings":
    """The settings of the server that a command is for."""
    from sparring.web.settings import Settings

    return Settings.usual(file=settings_file.get())


def with_store(work: Callable[["Settings", "Database"], Coroutine[Any, Any, T]]) -> T:
    """Do something with the database of the server."""
    from sparring.web.storage import Database

    async def done() -> T:
        settings = server_settings()
        store = Database(settings.database)
        await store.open()
        try:
            return await work(settings, store)
        finally:
            await store.close()

    return asyncio.run(done())


def ago(moment: int) -> str:
    """How long ago something was, roughly."""
    gone = max(0, int(time.time()) - moment)
    for unit, seconds in (("day", 86_400), ("hour", 3600), ("minute", 60)):
        if count := gone // seconds:
            return f"{count} {unit}{'s' * (count > 1)} ago"
    return "just now"
