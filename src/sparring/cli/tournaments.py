"""The commands `tournament` and `benchmark`: rate bots against each other, or in a fixed suite."""

from collections.abc import Iterator
from contextlib import contextmanager
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from .common import AsJson, Cluster, Workers, err, out, write_json
from .simulation import failed_always

if TYPE_CHECKING:
    from sparring.lab.benchmark import Progress
    from sparring.lab.benchmark_results import BenchmarkResult
    from sparring.lab.standings import EventStandings


def tournament(
    file: Annotated[
        Path,
        typer.Argument(
            metavar="FILE.toml", help="The tournament file, which lists the bots, the games and the number of matches."
        ),
    ],
    to: Annotated[
        Path | None, typer.Option(metavar="FOLDER", help="Save results in this folder (default: named after the file).")
    ] = None,
    workers: Workers = 1,
    cluster: Cluster = None,
    as_json: AsJson = False,
) -> None:
    """Run a tournament of bots and rate them. If interrupted, run the same command again to resume."""
    from sparring.lab.executors import make_executor
    from sparring.lab.standings import as_plain, standings, write_standings
    from sparring.lab.tournament import read_tournament, run

    wanted, folder = read_tournament(file), to or Path(file.stem)
    with make_executor(workers, cluster) as executor, _progress() as progress:
        scores = run(wanted, folder, executor, partial(progress, "Matches"))
    found = standings(scores)
    write_standings(found, scores, folder)
    if as_json:
        write_json(as_plain(found, scores))
        return
    for standing in found[-1].standings:
        lost = scores.failures.get(standing.bot)
        if lost and lost[0] >= standing.matches:
            out.print(failed_always(standing.bot))
    for one in found:
        out.print(_standings_table(one))
    for bot, (often, why) in scores.failures.items():
        out.print(f"{bot} failed in {often:,} match{'es' * (often != 1)}; the first time it {why}.", markup=False)
    for event in wanted.events:
        if without := wanted.bots_without_value_model(event):
            out.print(
                f"{event.title}: no value model fits these rules; playing without one: {', '.join(without)}.",
                markup=False,
            )
    out.print(f"Saved the results in {folder}.", markup=False)


def benchmark(
    suite: Annotated[str, typer.Option(help="The benchmark suite.")] = "v1",
    bot: Annotated[
        list[str] | None,
        typer.Option(help="Measure this bot against the anchors (repeatable; default: the anchors among themselves)."),
    ] = None,
    game: Annotated[list[str] | None, typer.Option(help="Play only this game of the suite (repeatable).")] = None,
    matches: Annotated[int | None, typer.Option(min=1, help="Matches per pair (default: 1,000).")] = None,
    limit: Annotated[
        list[str] | None,
        typer.Option(metavar="BOT=NUMBER", help="Limit the matches per pair with a slow bot (repeatable)."),
    ] = None,
    to: Annotated[
        Path | None, typer.Option(metavar="FOLDER", help="Save results in this folder (default: benchmark-SUITE).")
    ] = None,
    check: Annotated[
        Path | None, typer.Option(metavar="FILE", help="Instead, replay part of this result and compare the winners.")
    ] = None,
    share: Annotated[float, typer.Option(min=0.0, max=1.0, help="The share of matches that --check replays.")] = 0.05,
    sample: Annotated[int, typer.Option(min=0, help="Which matches --check replays; any number.")] = 0,
    workers: Workers = 1,
    cluster: Cluster = None,
    as_json: AsJson = False,
) -> int:
    """Measure bots in a fixed suite of games. If interrupted, run the same command again to resume."""
    from sparring.lab.benchmark import RESULT, suite_named
    from sparring.lab.benchmark import run as run_benchmark
    from sparring.lab.benchmark_results import encoded, limits_of, read, write
    from sparring.lab.executors import make_executor

    if check:
        return _check(read(check), share, sample, workers, cluster)
    chosen, games = suite_named(suite), game or ()
    tournament = chosen.tournament(bot or (), matches=matches, limits=limits_of(limit or ()), games=games)
    exact, missing = chosen.exact_games(games)
    for name in missing:
        place = f"examples/{name.replace('-', '_')}"
        err.print(f"{name} is not installed (pip install ./{place}), so it is left out.", markup=False)
    folder = to or Path(f"benchmark-{suite}")
    with make_executor(workers, cluster) as executor, _progress() as progress:
        result = run_benchmark(chosen, tournament, exact, folder, executor, progress)
    write(result, folder / RESULT)
    if as_json:
        out.print(encoded(result).decode(), markup=False, end="")
        return 0
    for table in _benchmark_tables(result):
        out.print(table)
    for failed in result.failures:
        out.print(
            f"{failed.bot} failed in {failed.matches:,} matches; the first time, it {failed.first}.", markup=False
        )
    out.print(f"The result is in {folder / RESULT}.", markup=False)
    return 0


def _check(result: "BenchmarkResult", share: float, sample: int, workers: int, cluster: str | None) -> int:
    from sparring.lab.benchmark_check import replay
    from sparring.lab.executors import make_executor

    replayed = list[int]()
    with make_executor(workers, cluster) as executor, _progress() as progress:

        def count(more: int, total: int) -> None:
            replayed.append(more)
            progress("Replaying", more, total)

        problems = replay(result, executor, share=share, sample=sample, progress=count)
    for problem in problems:
        out.print(problem, markup=False)
    if not problems:
        out.print(f"{sum(replayed):,} matches replayed; all winners agree.")
    return int(bool(problems))


@contextmanager
def _progress() -> "Iterator[Progress]":
    """Show a progress bar for each step, once it starts."""
    from rich.progress import BarColumn, MofNCompleteColumn, TextColumn, TimeRemainingColumn
    from rich.progress import Progress as Bars

    columns = TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn(), TimeRemainingColumn()
    with Bars(*columns, console=err, transient=True, disable=not err.is_terminal) as bars:
        tasks: dict[str, Any] = {}

        def advance(step: str, more: int, total: int) -> None:
            if step not in tasks:
                tasks[step] = bars.add_task(step, total=total)
            bars.advance(tasks[step], more)

        yield advance


def _benchmark_tables(result: "BenchmarkResult") -> "Iterator[Any]":
    """Build a table of each game, and one of exploitability."""
    from rich.markup import escape
    from rich.table import Table

    from sparring.engine.game import game as find_game

    for game in result.games:
        table = Table("", "bot", title=find_game(game.game).title, title_justify="left")
        for head in ("rating", "95% interval", "CPU ms per action"):
            table.add_column(head, justify="right")
        for place, one in enumerate(game.ratings, 1):
            time = f"{game.milliseconds[one.bot]:g}"
            table.add_row(str(place), escape(one.bot), f"{one.rating:.0f}", f"{one.low:.0f} to {one.high:.0f}", time)
        yield table
        table = Table(title_justify="left")
        for head in ("bot", "against"):
            table.add_column(head, overflow="fold")
        for head in ("matches", "won", "95% interval"):
            table.add_column(head, justify="right")
        for pair in game.pairs:
            interval = f"{pair.low:.1%} to {pair.high:.1%}"
            table.add_row(*map(escape, pair.bots), f"{pair.matches:,}", f"{pair.share:.1%}", interval)
        yield table
    if result.exact:
        table = Table("game", "bot", title="Exploitability", title_justify="left")
        table.add_column("per match", justify="right")
        for one_exact in result.exact:
            table.add_row(find_game(one_exact.game).title, escape(one_exact.bot), f"{one_exact.exploitability:.3f}")
        yield table


def _standings_table(found: "EventStandings") -> Any:
    """Build a table of an event: ratings, wins, and each bot's score in percent against each other bot."""
    from rich.markup import escape
    from rich.table import Table

    table = Table("", title=f"{found.title} ({found.model})", title_justify="left")
    table.add_column("bot", overflow="fold")
    for head in ("rating", "95% interval", "matches", "wins", *(str(n) for n in range(1, len(found.standings) + 1))):
        table.add_column(head, justify="right")
    for place, one in enumerate(found.standings, 1):
        rating, low, high = (f"{number:.0f}" if "Elo" in found.model else f"{number:.1f}" for number in one.rating)
        against = [found.cross[one.bot].get(other.bot) for other in found.standings]
        cells = ["" if share is None else f"{100 * share:.0f}" for share in against]
        table.add_row(
            str(place), escape(one.bot), rating, f"{low} to {high}", f"{one.matches:,}", f"{one.share[0]:.1%}", *cells
        )
    return table
