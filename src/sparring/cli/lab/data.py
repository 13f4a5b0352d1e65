"""The command `data`: record matches between bots as training data."""

from pathlib import Path
from typing import Annotated

import typer

from sparring.cli.common import Cluster, Content, Options, Preset, Workers, err, find, out, settings


def data(
    game: Annotated[str, typer.Argument(metavar="GAME", help="The game's name.")],
    to: Annotated[Path, typer.Option(metavar="FILE.parquet", help="Write the decisions to this file.")],
    matches: Annotated[int, typer.Option(min=1, help="Number of matches to play.")] = 100,
    seats_count: Annotated[
        int | None, typer.Option(help="Number of seats (default: one per bot, or the game's minimum for a single bot).")
    ] = None,
    bots: Annotated[
        str, typer.Option(help="One bot for all seats, or one per seat, separated by commas (see simulate).")
    ] = "search:level=gentle",
    option: Options = None,
    preset: Preset = None,
    content: Content = None,
    shards: Annotated[int, typer.Option(min=1, help="Write this many files, each with a part of the matches.")] = 1,
    seed: Annotated[int, typer.Option(min=0, help="Seed of the first match; each later match adds 1.")] = 0,
    workers: Workers = 1,
    cluster: Cluster = None,
) -> None:
    """Record matches between bots as training data: observations, actions, search results and payoffs, in Parquet."""
    from rich.progress import Progress

    from sparring.lab.match_data import record_matches
    from sparring.lab.measures.match_plan import MatchPlan, line_up

    chosen = find(game)
    own = chosen.read_content(content) if content else None
    options = chosen.box(settings(chosen, option, preset, content), own).options
    plan = MatchPlan(chosen, options, own, line_up(chosen, bots.split(","), seats_count), seed)
    with Progress(console=err, transient=True, disable=not err.is_terminal) as bar:
        task = bar.add_task(f"Playing {chosen.title}", total=matches)
        count = record_matches(
            plan,
            matches,
            to,
            shards=shards,
            workers=workers,
            cluster=cluster,
            progress=lambda done: bar.update(task, completed=done),
        )
    where = to if shards == 1 else f"{shards} files beside {to}"
    out.print(f"{count:,} decisions of {matches:,} matches are in {where}.", markup=False)
