"""Commands that simulate matches, compile games and measure speed."""

from dataclasses import asdict
from typing import Annotated

import typer

from .common import (
    AsJson,
    Cluster,
    Content,
    Options,
    Preset,
    Workers,
    all_games,
    err,
    find,
    out,
    settings,
    write_json,
)


def simulate(
    game: Annotated[str, typer.Argument(metavar="GAME", help="The game's name.")],
    matches: Annotated[int, typer.Option(min=1, help="Number of matches to play.")],
    seats_count: Annotated[
        int | None, typer.Option(help="Number of seats (default: one per bot, or the game's minimum for a single bot).")
    ] = None,
    bots: Annotated[
        str,
        typer.Option(
            help="One bot for all seats, or one per seat, separated by commas: random, search, search:level=NAME, "
            "search:iterations=NUMBER, search:seconds=NUMBER, plain (search without a value model), mix (mixed "
            "strategies), an installed bot or pipe:COMMAND. Bots change seats between matches."
        ),
    ] = "random",
    option: Options = None,
    preset: Preset = None,
    content: Content = None,
    seed: Annotated[int, typer.Option(help="Seed of the first match; each later match adds 1.")] = 0,
    workers: Workers = 1,
    cluster: Cluster = None,
    as_json: AsJson = False,
) -> None:
    """Play many matches between bots and print a summary."""
    from rich.progress import Progress

    from sparring.lab import simulate as run
    from sparring.lab.terminal_tables import summary_table

    chosen = find(game)
    with Progress(console=err, transient=True, disable=not err.is_terminal) as bar:
        title = f"{matches} match{'es' * (matches != 1)} of {chosen.title}"
        task = bar.add_task(f"Preparing {title}", total=matches)

        def show(done: int) -> None:
            if done:
                bar.update(task, completed=done, description=title)
            elif not err.is_terminal:
                err.print(f"Preparing {title} ...", markup=False)

        summary = run(
            chosen, matches, bots=bots.split(","), seats=seats_count, options=settings(chosen, option, preset, content),
            content=chosen.read_content(content) if content else None, seed=seed, workers=workers,
            cluster=cluster,
            progress=show,
        )  # fmt: skip
    if as_json:
        write_json(asdict(summary))
    else:
        out.print(summary_table(summary))


def warm() -> None:
    """Compile all games now, so that later matches start immediately."""
    import os

    from rich.progress import Progress

    from sparring.lab.speed import COMPILE_STEPS
    from sparring.lab.speed import compile_games as run

    games = list(all_games().values())
    with Progress(console=err) as bar:
        task = bar.add_task("Compiling", total=len(games) * len(COMPILE_STEPS))
        for name, step in run(games, min(os.cpu_count() or 1, len(games) * len(COMPILE_STEPS))):
            bar.console.print(f"{name}: {step}")
            bar.advance(task)
    out.print("All games are compiled.")


def bench(
    game: Annotated[str | None, typer.Argument(metavar="GAME", help="The game's name (default: all games).")] = None,
    as_json: AsJson = False,
) -> None:
    """Measure how fast games run on one core (median of five)."""
    from sparring.lab.speed import machine, measure
    from sparring.lab.terminal_tables import bench_table

    games = [find(game)] if game else list(all_games().values())
    with err.status("Measuring ...") as status:

        def say(what: str) -> None:
            status.update(f"{what} ...")

        rows = [measure(each, say) for each in games]
    if as_json:
        write_json({"machine": machine(), "games": [asdict(row) for row in rows]})
        return
    out.print(machine(), markup=False)
    out.print(bench_table(rows))
