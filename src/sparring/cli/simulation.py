"""Many matches, compiling, measuring."""

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
    aside,
    find,
    out,
    settings,
    write_json,
)


def simulate(
    game: Annotated[str, typer.Argument(help="The name of a game.")],
    matches: Annotated[int, typer.Option(min=1, help="How many matches.")],
    seats_count: Annotated[int | None, typer.Option(help="How many seats; usually one for each bot.")] = None,
    bots: Annotated[
        str,
        typer.Option(
            help="random, search, search:level=NAME, search:iterations=N, search:seconds=S, the name of an installed "
            "bot or pipe:COMMAND: one for all seats, or one for each. They change seats from match to match."
        ),
    ] = "random",
    option: Options = None,
    preset: Preset = None,
    content: Content = None,
    seed: Annotated[int, typer.Option(help="Match i is dealt from this seed + i.")] = 0,
    workers: Workers = 1,
    cluster: Cluster = None,
    as_json: AsJson = False,
) -> None:
    """Many matches between bots."""
    from rich.progress import Progress

    from sparring.lab import simulate as run
    from sparring.lab.terminal_tables import summary_table

    chosen = find(game)
    with Progress(console=aside, transient=True, disable=not aside.is_terminal) as bar:
        title = f"{matches} matches of {chosen.title}"
        task = bar.add_task(f"Getting ready for {title}", total=matches)
        summary = run(
            chosen, matches, bots=bots.split(","), seats=seats_count, options=settings(chosen, option, preset),
            content=chosen.read_content(content) if content else None, seed=seed, workers=workers,
            cluster=cluster,
            progress=lambda done: bar.update(task, completed=done, description=title),
        )  # fmt: skip
    if as_json:
        write_json(asdict(summary))
    else:
        out.print(summary_table(summary))


def warm() -> None:
    """Compile everything now, so that nobody waits for it later."""
    import os

    from rich.progress import Progress

    from sparring.lab.precompile_games import STEPS
    from sparring.lab.precompile_games import warm as run

    games = list(all_games().values())
    with Progress(console=aside) as bar:
        task = bar.add_task("Compiling", total=len(games) * len(STEPS))
        for name, step in run(games, min(os.cpu_count() or 1, len(games) * len(STEPS))):
            bar.console.print(f"{name}: {step}")
            bar.advance(task)
    out.print("Everything is compiled.")


def bench(
    game: Annotated[str | None, typer.Argument(help="The name of a game; all of them if nothing is said.")] = None,
    as_json: AsJson = False,
) -> None:
    """How fast the games run here: medians of five, on one core. All of them: also how soon the web table answers."""
    from sparring.lab.benchmarks.speed import machine, measure
    from sparring.lab.terminal_tables import bench_table, web_table
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
