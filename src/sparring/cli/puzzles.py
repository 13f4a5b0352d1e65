"""The puzzles command: find puzzles of a game in self-play matches, or solve them in the terminal."""

from pathlib import Path
from typing import Annotated

import typer

from .common import Options, Preset, err, find, out, settings
from .games import read_record_file


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
        from sparring.terminal.puzzles import solve_daily, solve_streak

        (solve_daily if daily else solve_streak)(chosen, out)
        return
    seats = chosen.check_seats(seats_count)
    box = chosen.box(settings(chosen, option, preset))
    file = to or own_file(chosen)
    known = [*collection_of(chosen), *read_puzzles(file)]
    first = 1 + max((puzzle.match for puzzle in known), default=0)
    with Progress(console=err, transient=True, disable=not err.is_terminal) as bar:
        task = bar.add_task("Preparing", total=count)
        found = 0
        steps = (
            find_in_record(chosen, read_record_file(record), known)
            if record
            else find_puzzles(box, seats, first, known, matches)
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
