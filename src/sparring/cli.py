"""The front door: `sparring games`, `play`, `simulate`, `replay`, `rules`, `warm`, `bench`."""

import json
import sys
from collections.abc import Sequence
from dataclasses import asdict, replace
from importlib.metadata import entry_points
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer
from rich.console import Console

from sparring.engine.errors import BadOption, BadRecord, SparringError

if TYPE_CHECKING:
    from sparring.engine.game import Game

app = typer.Typer(
    name="sparring", add_completion=False, pretty_exceptions_enable=False,
    help="A table for tabletop games, opponents to play them against, and a lab to test their rules in.",
)  # fmt: skip
# A game's own commands, and those of installed packages, by their entry points.
for command in entry_points(group="sparring.commands"):
    app.add_typer(command.load(), name=command.name)

out = Console(highlight=False, soft_wrap=True)
#: For everything that is not the answer: progress, and what went wrong.
aside = Console(stderr=True, highlight=False, soft_wrap=True)

Options = Annotated[
    list[str] | None,
    typer.Option("--option", metavar="NAME=VALUE", help="An option of the game; as often as you like."),
]
Preset = Annotated[str | None, typer.Option(help="Options by the name of a preset; --option goes before it.")]
Content = Annotated[Path | None, typer.Option(metavar="FILE", help="Cards, boards or fighters of your own.")]
AsJson = Annotated[bool, typer.Option("--json", help="Write JSON.")]


def main(arguments: Sequence[str] | None = None) -> None:
    """Do what the command line says. Bad input: one sentence, exit code 2."""
    wanted = list(sys.argv[1:] if arguments is None else arguments) or ["--help"]
    try:
        code = app(wanted, standalone_mode=False)
    except (SparringError, typer.TyperException) as problem:
        aside.print(
            problem.format_message() if isinstance(problem, typer.TyperException) else str(problem), markup=False
        )
        code = 2
    except (typer.Abort, KeyboardInterrupt):
        code = 130
    sys.exit(code or 0)


@app.command()
def games(as_json: AsJson = False) -> None:
    """Which games there are, with their options."""
    from sparring.engine.game import games as installed

    if as_json:
        write_json([describe(game) for game in installed().values()])
        return
    for game in installed().values():
        out.print(f"[bold]{game.name}[/]  {game.title}, {game.seats_in_words} seats, version {game.version}")
        out.print(f"  {game.summary}", markup=False)
        for option in describe(game)["options"]:
            values = f"{option['low']} to {option['high']}" if "low" in option else ", ".join(option["values"])
            out.print(f"  --option {option['name']}={option['default']}  ({values})  {option['help']}", markup=False)
        for preset in game.presets:
            out.print(f'  --preset "{preset}"', markup=False)


@app.command()
def play(
    game: Annotated[
        str | None, typer.Argument(help="The name of a game; without one the browser lets you choose.")
    ] = None,
    terminal: Annotated[bool, typer.Option("--terminal", help="Play here, in text.")] = False,
    seats: Annotated[
        str | None,
        typer.Option(
            metavar="WHO,WHO,...", help="me, open (for a friend, in the browser) or a bot, one for each seat."
        ),
    ] = None,
    option: Options = None,
    preset: Preset = None,
    content: Content = None,
    seed: Annotated[int | None, typer.Option(help="Deals the same match again.")] = None,
    port: Annotated[int | None, typer.Option(help="Where the browser finds the table; usually 8000.")] = None,
    no_browser: Annotated[bool, typer.Option("--no-browser", help="Do not open a browser.")] = False,
) -> None:
    """Open the table: in the browser, or with --terminal right here."""
    if game is None and (terminal or seats or option or preset or content or seed is not None):
        raise BadOption(f"Say which game: {', '.join(all_games())}.")
    if terminal:
        if port is not None or no_browser:
            raise BadOption("--port and --no-browser are for the table in the browser; leave them out with --terminal.")
        at_the_keyboard(find(game or ""), seats, settings(find(game or ""), option, preset), content, seed)
    else:
        chosen = find(game) if game else None
        options = settings(chosen, option, preset) if chosen else {}
        in_the_browser(chosen, seats, options, content, seed, port=port, browser=not no_browser)


@app.command()
def simulate(
    game: Annotated[str, typer.Argument(help="The name of a game.")],
    matches: Annotated[int, typer.Option(min=1, help="How many matches.")],
    seats_count: Annotated[int | None, typer.Option(help="How many seats; usually one for each bot.")] = None,
    bots: Annotated[
        str,
        typer.Option(
            help="random, search, search:level=NAME, search:iterations=N or search:seconds=S: one for all seats, "
            "or one for each. They change seats from match to match."
        ),
    ] = "random",
    option: Options = None,
    preset: Preset = None,
    content: Content = None,
    seed: Annotated[int, typer.Option(help="Match i is dealt from this seed + i.")] = 0,
    workers: Annotated[int, typer.Option(min=1, help="How many processes; the result does not depend on it.")] = 1,
    as_json: AsJson = False,
) -> None:
    """Many matches between bots."""
    from rich.progress import Progress

    from sparring.lab import simulate as run
    from sparring.lab.tables import summary_table

    chosen = find(game)
    with Progress(console=aside, transient=True, disable=not aside.is_terminal) as bar:
        title = f"{matches} matches of {chosen.title}"
        task = bar.add_task(f"Getting ready for {title}", total=matches)
        summary = run(
            chosen, matches, bots=bots.split(","), seats=seats_count, options=settings(chosen, option, preset),
            content=chosen.read_content(content) if content else None, seed=seed, workers=workers,
            progress=lambda done: bar.update(task, completed=done, description=title),
        )  # fmt: skip
    if as_json:
        write_json(asdict(summary))
    else:
        out.print(summary_table(summary))


@app.command()
def replay(
    record: Annotated[Path, typer.Argument(help="A file that a match was kept in.")],
    to: Annotated[int | None, typer.Option(min=0, metavar="N", help="Only the first N choices.")] = None,
) -> None:
    """Show a kept match choice by choice, secret ones too, and the table at its end."""
    from sparring.replay import show

    try:
        text = record.read_text(encoding="utf-8")
    except UnicodeDecodeError:
        raise BadRecord(f"{record} is not a record of a match.") from None
    except OSError as problem:
        raise BadRecord(f"{record} cannot be read: {problem.strerror or problem}.") from None
    show(text, to, out)


@app.command()
def rules(game: Annotated[str, typer.Argument(help="The name of a game.")]) -> None:
    """The rules of a game, with the rulings and the variants."""
    from sparring.terminal import show_rules

    show_rules(find(game).folder / "rules.md", out)


@app.command()
def warm() -> None:
    """Compile everything now, so that nobody waits for it later."""
    import os

    from rich.progress import Progress

    from sparring.lab.warming import STEPS
    from sparring.lab.warming import warm as run

    games = list(all_games().values())
    with Progress(console=aside) as bar:
        task = bar.add_task("Compiling", total=len(games) * len(STEPS))
        for name, step in run(games, min(os.cpu_count() or 1, len(games) * len(STEPS))):
            bar.console.print(f"{name}: {step}")
            bar.advance(task)
    out.print("Everything is compiled.")


@app.command()
def bench(
    game: Annotated[str | None, typer.Argument(help="The name of a game; all of them if nothing is said.")] = None,
    as_json: AsJson = False,
) -> None:
    """How fast the games run here: medians of five, on one core. All of them: also how soon the web table answers."""
    from sparring.lab.bench import machine, measure
    from sparring.lab.tables import bench_table, web_table
    from sparring.web import load

    games = [find(game)] if game else list(all_games().values())
    with aside.status("Measuring ...") as status:

        def say(what: str) -> None:
            status.update(f"{what} ...")

        say("The web table")
        web = None if game else load.measure()
        rows = [measure(each, say) for each in games]
    if as_json:
        served = {"web": asdict(web)} if web else {}
        write_json({"machine": machine(), "games": [asdict(row) for row in rows], **served})
        return
    out.print(machine(), markup=False)
    out.print(bench_table(rows))
    if web:
        out.print(web_table(asdict(web)))


# The table


def at_the_keyboard(
    game: "Game", seats: str | None, options: dict[str, Any], content: Path | None, seed: int | None
) -> None:
    """A match in text."""
    from sparring.engine.match import Match
    from sparring.seating import read_seats
    from sparring.terminal import Terminal

    sitters = read_seats(game, seats)
    match = Match.new(game, seats=len(sitters), seed=seed, options=options, content=content)
    Terminal(match, sitters, out).play()


def in_the_browser(
    game: "Game | None", seats: str | None, options: dict[str, Any], content: Path | None, seed: int | None,
    port: int | None, browser: bool,
) -> None:  # fmt: skip
    """A server, with a first table if a game was named."""
    from sparring.web.serve import FirstTable, serve
    from sparring.web.settings import Settings

    first = None
    if game is not None:
        if content is not None:
            game.read_content(content)
        toml = content.read_text(encoding="utf-8") if content else None
        first = FirstTable(game=game, sitters=at_the_web(game, seats), options=options, toml=toml, seed=seed)
    settings = Settings.usual()
    serve(settings if port is None else replace(settings, port=port), browser=browser, first=first)


def at_the_web(game: "Game", seats: str | None) -> list[Any]:
    """Who sits where, in the words of the web: I take the first open seat when my browser comes."""
    from sparring.bots import Bot
    from sparring.seating import names, read_seats
    from sparring.web.table import Sitter

    sitters = read_seats(game, seats, also_open=True)
    return [
        Sitter(name=name, bot=sitter.text) if isinstance(sitter, Bot) else Sitter()
        for sitter, name in zip(sitters, names(sitters), strict=True)
    ]


# What the commands share


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
    given: dict[str, Any] = dict(game.preset(preset)) if preset else {}
    for text in options or ():
        name, sign, value = text.partition("=")
        if not sign:
            raise BadOption(f"Options are written name=value, not {text}.")
        given[name.strip().replace("-", "_")] = value.strip()
    game.box(given)
    return given


def describe(game: "Game") -> dict[str, Any]:
    """A game as JSON: what it is called, how many play, and its options with types, defaults and ranges."""
    options = []
    for option in game.kit.OPTIONS:
        fields: dict[str, Any] = {"name": option.name, "type": option.type, "default": option.default}
        for field in ("values", "low", "high"):
            if hasattr(option, field):
                fields[field] = getattr(option, field)
        options.append({**fields, "help": option.help})
    return {
        "name": game.name, "title": game.title, "seats": list(game.seats), "version": game.version,
        "options": options, "presets": {name: dict(values) for name, values in game.presets.items()},
    }  # fmt: skip


def write_json(value: Any) -> None:
    """JSON and nothing else on the standard output."""
    sys.stdout.write(json.dumps(value, indent=2) + "\n")


if __name__ == "__main__":
    main()
