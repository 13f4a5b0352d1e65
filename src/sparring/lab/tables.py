"""What simulations and measurements tell, for people: tables in the terminal."""

from collections.abc import Sequence

from rich.console import Group
from rich.table import Table

from .bench import Bench
from .simulate import Summary
from .statistics import wilson


def summary_table(summary: Summary) -> Group:
    """Who won how often, with 95% intervals, and how the matches went."""
    wins = Table("bot or seat", title=f"{summary.game}: {summary.matches} matches", title_justify="left")
    for head in ("wins", "share", "95% interval"):
        wins.add_column(head, justify="right")
    rows = [*summary.wins_by_bot.items(), *((f"seat {seat}", won) for seat, won in summary.wins_by_seat.items())]
    for number, (name, won) in enumerate(rows):
        low, high = wilson(won, summary.matches)
        last = number == len(summary.wins_by_bot) - 1
        wins.add_row(name, f"{won:.10g}", f"{won / summary.matches:.1%}", f"{low:.1%} to {high:.1%}", end_section=last)
    play = Table(show_header=False)
    play.add_row("draws", str(summary.draws))
    play.add_row("choices a match", f"{summary.mean_choices:.1f} ± {summary.sd_choices:.1f}, longest {summary.longest}")
    play.add_row("choices by phase", _counted(summary.choices_by_phase))
    play.add_row("endings", _counted(summary.endings))
    play.add_row("time", f"{summary.seconds:.2f} s, {summary.choices_per_second:,.0f} choices/s")
    return Group(wins, play)


def _counted(counts: dict[str, int]) -> str:
    return ", ".join(f"{name} {count:,}" for name, count in counts.items() if count) or "-"


def bench_table(games: Sequence[Bench]) -> Group:
    """One table for each game."""
    return Group(*(_bench(game) for game in games))


def _bench(bench: Bench) -> Table:
    table = Table(title=bench.game, title_justify="left")
    table.add_column("")
    for seats in bench.compiled:
        table.add_column(f"{seats} seats", justify="right")
    for name, row in (
        ("interpreted, choices/s", bench.interpreted), ("compiled, choices/s", bench.compiled),
        ("search, iterations/s", bench.search),
    ):  # fmt: skip
        table.add_row(name, *(f"{value:,.0f}" for value in row.values()))
    ratio = (bench.compiled[seats] / bench.interpreted[seats] for seats in bench.compiled)
    table.add_row("compiled / interpreted", *(f"{value:,.0f}" for value in ratio), end_section=True)
    for name in bench.compile_seconds:
        took = f"compiled in {bench.compile_seconds[name]:.1f} s, loaded in {bench.load_seconds[name]:.2f} s"
        table.add_row(name, took)
    table.add_row("bytes of a state", str(bench.state_bytes))
    return table
