"""Commands that play in the browser, in the terminal, or a tutorial, and that run jobs for servers."""

import os
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from sparring.engine.errors import BadOption

from .common import Content, Options, Preset, SettingsFile, all_games, err, find, out, settings

if TYPE_CHECKING:
    from sparring.engine.game import Game


#: The address that `--lan` listens on: all addresses of this machine.
LAN = "0.0.0.0"


def play(
    game: Annotated[
        str | None, typer.Argument(metavar="GAME", help="The game's name (default: choose in the browser).")
    ] = None,
    terminal: Annotated[bool, typer.Option("--terminal", help="Play in this terminal instead of the browser.")] = False,
    seats: Annotated[
        str | None,
        typer.Option(
            metavar="WHO,WHO,...",
            help="One player per seat: me, a bot (see `sparring simulate --help`) or, in the browser, open (a friend).",
        ),
    ] = None,
    option: Options = None,
    preset: Preset = None,
    content: Content = None,
    seed: Annotated[int | None, typer.Option(help="Use this random seed; the same seed gives the same deal.")] = None,
    every_choice: Annotated[
        bool, typer.Option("--every-choice", help="Ask me even if I have only one choice (in the terminal).")
    ] = False,
    host: Annotated[
        str | None,
        typer.Option(metavar="ADDRESS", help="Listen on this address (default: 127.0.0.1)."),
    ] = None,
    lan: Annotated[
        bool, typer.Option("--lan", help="Let friends on the same network join; print the address and a QR code.")
    ] = False,
    port: Annotated[int | None, typer.Option(help="Listen on this port (default: 8000).")] = None,
    settings_file: SettingsFile = None,
    no_browser: Annotated[bool, typer.Option("--no-browser", help="Don't open a browser.")] = False,
    name: Annotated[
        list[str] | None,
        typer.Option(metavar="HOST", help="Also accept requests for this host name (repeatable)."),
    ] = None,
    database: Annotated[
        str | None,
        typer.Option(
            metavar="URL",
            help="Store tables in this database, such as postgresql://... (default: an SQLite file).",
        ),
    ] = None,
    processes: Annotated[
        str | None,
        typer.Option(
            metavar="N|auto",
            help="Run this many server processes (default: auto, one per core with PostgreSQL and one with SQLite).",
        ),
    ] = None,
    jobs: Annotated[
        str | None,
        typer.Option(metavar="postgresql://...", help="Give jobs to workers through this PostgreSQL database."),
    ] = None,
    broker: Annotated[str | None, typer.Option(hidden=True)] = None,
) -> None:
    """Play a game in the browser, or in this terminal with --terminal."""
    if game is None and (terminal or seats or option or preset or content or seed is not None):
        raise BadOption(f"These options need a game; add one of {', '.join(all_games())}.")
    chosen = find(game) if game else None
    options = settings(chosen, option, preset, content) if chosen else {}
    if terminal and chosen:
        if port is not None or any((host, lan, settings_file, no_browser, name, database, jobs, broker, processes)):
            raise BadOption(
                "--host, --lan, --port, --settings, --name, --no-browser, --database, --processes and --jobs "
                "are server options; leave them out or drop --terminal."
            )
        play_in_terminal(chosen, seats, options, content, seed, every_choice=every_choice)
    elif every_choice:
        raise BadOption("--every-choice needs --terminal; in the browser, change this on the table's page.")
    else:
        if lan and host is not None:
            raise BadOption("--lan listens on all addresses of this machine; use either --lan or --host.")
        said = {
            "host": LAN if lan else host, "port": port, "database": database,
            "processes": int(processes) if processes and processes.isdecimal() else processes,
            "jobs": jobs, "broker": broker,
        }  # fmt: skip
        overrides = {setting: value for setting, value in said.items() if value is not None}
        play_in_browser(
            chosen, seats, options, content, seed, overrides, file=settings_file, names=name or [],
            browser=not no_browser, lan=lan,
        )  # fmt: skip


def learn(
    game: Annotated[str, typer.Argument(metavar="GAME", help="The game's name.")],
    step: Annotated[int, typer.Option(min=1, help="Start at this step.")] = 1,
) -> None:
    """Play a game's tutorial in this terminal. In the browser, follow the game's tutorial link."""
    from sparring.terminal.learning import TerminalTutorial
    from sparring.tutorials import lesson_of

    chosen = find(game)
    lesson = lesson_of(chosen)
    TerminalTutorial(chosen, lesson, out, step).play()


def play_in_terminal(
    game: "Game", seats: str | None, options: dict[str, Any], content: Path | None, seed: int | None,
    every_choice: bool,
) -> None:  # fmt: skip
    """Play a match in the terminal."""
    from sparring.engine.match import Match
    from sparring.terminal.terminal import Terminal, read_seats

    sitters = read_seats(game, seats)
    match = Match.new(game, seats=len(sitters), seed=seed, options=options, content=content, machine_code=False)
    Terminal(match, sitters, out, every_choice=every_choice, known_deal=seed is not None).play()


def play_in_browser(
    game: "Game | None", seats: str | None, options: dict[str, Any], content: Path | None, seed: int | None,
    overrides: dict[str, Any], file: Path | None, names: Sequence[str], browser: bool, lan: bool,
) -> None:  # fmt: skip
    """Start a server, with a first table if a game was named.

    `overrides` holds the settings that were given as options; they override the settings file.
    """
    from sparring.serve import FirstTable, serve
    from sparring.settings import Settings
    from sparring.store.database import lock

    first = None
    if game is not None:
        if content is not None:
            game.read_content(content)
        toml = content.read_text(encoding="utf-8") if content else None
        first = FirstTable(game=game.name, players=web_players(game, seats), options=options, toml=toml, seed=seed)
    settings = Settings.load(file=file, **overrides)
    settings = replace(settings, names=(*settings.names, *names))
    with lock(settings.database):
        if (processes := settings.process_count) > 1:
            from sparring.server_processes import serve_many

            serve_many(settings, processes, browser=browser, first=first, lan=lan)
        else:
            serve(settings, browser=browser, first=first, lan=lan)


def web_players(game: "Game", seats: str | None) -> list[Any]:
    """Return the players of the first table. The user's browser takes the first open seat when it connects."""
    from sparring.bots import Bot
    from sparring.tables.state.players import Player
    from sparring.terminal.terminal import names, read_seats

    sitters = read_seats(game, seats, also_open=True)
    return [
        Player(name=name, bot=sitter.text) if isinstance(sitter, Bot) else Player()
        for sitter, name in zip(sitters, names(sitters), strict=True)
    ]


def work(
    jobs: Annotated[
        str | None,
        typer.Option(metavar="postgresql://...", help="Take jobs from this database (default: the setting `jobs`)."),
    ] = None,
    places: Annotated[
        int | None, typer.Option(min=1, max=1000, help="Run this many jobs at once (default: one per core).")
    ] = None,
    broker: Annotated[str | None, typer.Option(hidden=True)] = None,
) -> None:
    """Run a worker that computes bot moves and reviews for any server with the same database of jobs."""
    from sparring.settings import check_jobs, find_settings

    if os.environ.get("SPARRING_WORKER_KEY", "").strip():
        err.print("SPARRING_WORKER_KEY is deprecated and has no effect: the address of the database `jobs` is enough.")
    found = find_settings(options={"broker": broker} if broker else None)
    if not (url := jobs or found["jobs"].value):
        raise BadOption("No database of jobs is set; give one with --jobs postgresql://USER:PASSWORD@HOST/DATABASE.")
    check_jobs(url)
    from sparring.job_worker import work as be_a_worker

    be_a_worker(url, places or os.cpu_count() or 1, lambda line: out.print(line, markup=False))
