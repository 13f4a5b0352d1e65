"""Format the results of simulations and benchmarks as tables for the terminal."""

from collections.abc import Sequence

from rich.console import Group
from rich.markup import escape
from rich.table import Table
from rich.text import Text

from .simulate import SimulationSummary
from .speed import SpeedFigures
from .stats import wilson


def summary_table(summary: SimulationSummary) -> Group:
    """Tabulate wins with 95% intervals, then payoffs, match length and endings."""
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
    if summary.without_judgement:
        play.add_row("no value model for these rules", ", ".join(summary.without_judgement))
    play.add_row("time", f"{summary.seconds:.2f} s, {summary.choices_per_second:,.0f} actions/s")
    return Group(*map(failed_always, failed), wins, play)


def failed_always(bot: str) -> Text:
    """Return the headline for a bot that failed in every match."""
    return Text(f"{bot} failed in every match, so its results are mostly those of random play.", "bold red")


def _counted(counts: dict[str, int]) -> str:
    return ", ".join(f"{name} {count:,}" for name, count in counts.items() if count) or "-"


def bench_table(games: Sequence[SpeedFigures]) -> Group:
    """Tabulate the speed and start-up time of games."""
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
