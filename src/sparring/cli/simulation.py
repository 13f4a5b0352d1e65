"""Commands that simulate matches, compile games and measure speed, and their tables."""

from collections.abc import Sequence
from dataclasses import asdict
from typing import TYPE_CHECKING, Annotated

import typer
from rich.console import Group
from rich.markup import escape
from rich.text import Text

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

if TYPE_CHECKING:
    from sparring.lab.simulate import SimulationSummary
    from sparring.lab.speed import SpeedFigures


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


def summary_table(summary: "SimulationSummary") -> Group:
    """Tabulate wins with 95% intervals, then payoffs, match length and endings."""
    from rich.table import Table

    from sparring.lab.stats import wilson

    played = f"{summary.matches} match{'es' * (summary.matches != 1)}"
    wins = Table("bot or seat", title=f"{summary.game}, variant {summary.variant}: {played}", title_justify="left")
    for head in ("wins", "share", "95% interval"):
        wins.add_column(head, justify="right")
    rows = [*summary.wins_by_bot.items(), *((f"seat {seat}", won) for seat, won in summary.wins_by_seat.items())]
    for number, (name, won) in enumerate(rows):
        low, high = wilson(won, summary.matches)
        last = number == len(summary.wins_by_bot) - 1
        wins.add_row(
            escape(name), f"{won:.10g}", f"{won / summary.matches:.1%}", f"{low:.1%} to {high:.1%}", end_section=last
        )
    failed = [name for name, lost in summary.lost_clocks.items() if lost.matches == summary.matches]
    play = Table(show_header=False)
    by_seat = {f"seat {seat}": paid for seat, paid in summary.payoffs_by_seat.items()}
    for name, (mean, margin) in (summary.payoffs_by_bot | by_seat).items():
        play.add_row(escape(f"{name}, payoff per match"), f"{mean:+.3f} ± {margin:.3f} {summary.unit}")
    for name, lost in summary.lost_clocks.items():
        matches = "1 match" if lost.matches == 1 else f"{lost.matches} matches"
        play.add_row(
            escape(f"{name} failed"), escape(f"in {matches}, then played at random; the first time it {lost.first}")
        )
    play.add_row("draws", str(summary.draws))
    spread = f"standard deviation {summary.sd_choices:.1f}, longest {summary.longest}"
    play.add_row("actions per match", f"{summary.mean_choices:.1f} ({spread})")
    play.add_row("actions by phase", _counted(summary.choices_by_phase))
    play.add_row("endings", _counted(summary.endings))
    if summary.without_value_model:
        play.add_row("no value model for these rules", ", ".join(summary.without_value_model))
    play.add_row("time", f"{summary.seconds:.2f} s, {summary.choices_per_second:,.0f} actions/s")
    return Group(*map(failed_always, failed), wins, play)


def failed_always(bot: str) -> Text:
    """Return the headline for a bot that failed in every match."""
    return Text(f"{bot} failed in every match, so its results are mostly those of random play.", "bold red")


def _counted(counts: dict[str, int]) -> str:
    return ", ".join(f"{name} {count:,}" for name, count in counts.items() if count) or "-"


def bench_table(games: Sequence["SpeedFigures"]) -> Group:
    """Tabulate the speed and start-up time of games."""
    from rich.table import Table

    speed = Table("game", "seats", title="per second, on one core", title_justify="left")
    start = Table("game", "bytes per state", "driver", title="start-up seconds in a new process", title_justify="left")
    for head in ("actions, interpreted", "compiled", "speed-up", "search iterations"):
        speed.add_column(head, justify="right")
    for head in ("compile", "load"):
        start.add_column(head, justify="right")
    for bench in games:
        for seats, compiled in bench.compiled.items():
            slow, search = bench.interpreted[seats], bench.search[seats]
            name = bench.game if seats == min(bench.compiled) else ""
            figures = f"{slow:,.0f}", f"{compiled:,.0f}", f"{compiled / slow:,.0f}", f"{search:,.0f}"
            speed.add_row(name, str(seats), *figures, end_section=seats == max(bench.compiled))
        for driver, seconds in bench.compile_seconds.items():
            load = bench.load_seconds[driver]
            start.add_row(bench.game, str(bench.state_bytes), driver, f"{seconds:.1f}", f"{load:.2f}")
    return Group(speed, start)
