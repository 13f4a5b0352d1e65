"""Commands that list games, print rules, replay saved matches, and find or solve puzzles."""

from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from sparring.engine.errors import BadRecord, SparringError

from .common import AsJson, Content, Options, Preset, all_games, chosen_setup, err, find, out, settings, write_json

if TYPE_CHECKING:
    from sparring.engine.game import Game


def games(as_json: AsJson = False) -> None:
    """List the installed games with their options and presets."""
    if as_json:
        write_json([describe(game) for game in all_games().values()])
        return
    for game in all_games().values():
        out.print(f"[bold]{game.name}[/]  {game.title}, {game.seats_in_words} seats, version {game.version}")
        out.print(f"  {game.summary}", markup=False)
        for option in describe(game)["options"]:
            values = f"{option['low']} to {option['high']}" if "low" in option else ", ".join(option["values"])
            out.print(f"  --option {option['name']}={option['default']}  ({values})  {option['help']}", markup=False)
        for name, variant in game.variants.items() if game.presets else ():
            out.print(f'  --preset "{name}"  {variant.summary}', markup=False)


def rules(
    game: Annotated[str, typer.Argument(metavar="GAME", help="The game's name.")],
    positions: Annotated[
        bool, typer.Option("--positions", help="Print the position format instead of the rules.")
    ] = False,
    option: Options = None,
    preset: Preset = None,
    content: Content = None,
) -> None:
    """Print a game's rules, rulings and variants, for the options and content in force."""
    from sparring.terminal.screen import show_markdown, show_rules

    chosen = find(game)
    if not positions:
        show_rules(chosen_setup(chosen, option, preset, content), out)
    elif chosen.positions is None:
        raise SparringError(f"{chosen.title} has no document about its position format.")
    else:
        show_markdown(chosen.positions, out)


def replay(
    record: Annotated[Path, typer.Argument(metavar="FILE", help="A saved match record.")],
    to: Annotated[int | None, typer.Option(min=0, metavar="N", help="Stop after N choices.")] = None,
) -> None:
    """Print a saved match choice by choice, including secret choices, then the final table."""
    from sparring.terminal.replay import show

    show(read_record_file(record), to, out)


def read_record_file(record: Path) -> str:
    """Return the text of a saved match. Raises BadRecord."""
    try:
        return record.read_text(encoding="utf-8")
    except UnicodeDecodeError:
        raise BadRecord(f"{record} is not a match record.") from None
    except OSError as problem:
        raise BadRecord(f"Can't read {record}: {problem.strerror or problem}.") from None


def describe(game: "Game") -> dict[str, Any]:
    """Describe a game as JSON: names, numbers of seats, options with types, defaults and ranges, and presets."""
    from sparring.engine.options import ChoiceOption

    options = []
    for option in game.options():
        fields: dict[str, Any] = {"name": option.name, "type": option.type, "default": option.default}
        for field in ("values", "low", "high"):
            if hasattr(option, field):
                fields[field] = getattr(option, field)
        said = {"words": list(option.words)} if isinstance(option, ChoiceOption) and option.words else {}
        options.append({**fields, **said, "title": option.heading, "group": option.group, "help": option.help})
    return {
        "name": game.name, "title": game.title, "seats": list(game.seats), "version": game.version,
        "options": options, "recommended": game.recommended,
        "presets": {name: asdict(game.variants[name]) for name in game.presets},
    }  # fmt: skip


def puzzles(
    game: Annotated[str, typer.Argument(metavar="GAME", help="The game's name.")],
    count: Annotated[int, typer.Option(min=1, help="Find this many puzzles.")] = 10,
    matches: Annotated[int, typer.Option(min=1, help="Stop after this many self-play matches.")] = 5000,
    record: Annotated[
        Path | None, typer.Option(metavar="FILE", help="Search this saved match instead of self-play matches.")
    ] = None,
    seats_count: Annotated[int | None, typer.Option(help="Number of seats (default: the game's minimum).")] = None,
    option: Options = None,
    preset: Preset = None,
    to: Annotated[
        Path | None,
        typer.Option(
            metavar="FILE", help="Add the puzzles to this file (default: in your data folder, for your server)."
        ),
    ] = None,
    solve: Annotated[bool, typer.Option("--solve", help="Solve puzzles here, in a streak until a mistake.")] = False,
    daily: Annotated[bool, typer.Option("--daily", help="Solve the daily puzzle here.")] = False,
) -> None:
    """Find positions in which one action is clearly best, given what the seat knows. Press Ctrl+C to stop."""
    from rich.progress import Progress

    from sparring.puzzles import add_puzzle, collection_of, own_file, read_puzzles
    from sparring.puzzles.finder import find_in_record, find_puzzles

    chosen = find(game)
    if solve and daily:
        raise typer.BadParameter("Choose one of --solve and --daily.")
    if solve or daily:
        from sparring.terminal.learning import solve_daily, solve_streak

        (solve_daily if daily else solve_streak)(chosen, out)
        return
    seats = chosen.check_seats(seats_count)
    setup = chosen.setup(settings(chosen, option, preset))
    file = to or own_file(chosen)
    known = [*collection_of(chosen), *read_puzzles(file)]
    first = 1 + max((puzzle.match for puzzle in known), default=0)
    with Progress(console=err, transient=True, disable=not err.is_terminal) as bar:
        task = bar.add_task("Preparing", total=count)
        found = 0
        steps = (
            find_in_record(chosen, read_record_file(record), known)
            if record
            else find_puzzles(setup, seats, first, known, matches)
        )
        for step in steps:
            if step.puzzle:
                add_puzzle(file, step.puzzle)
                found += 1
            where = f"Match {step.match}, {step.checked} positions checked, {found} puzzles"
            bar.update(task, completed=found, description=where)
            if found == count:
                break
    out.print(f"{found} new puzzle{'s' * (found != 1)} for {chosen.title}." + f"\n{file}" * (found > 0), markup=False)
