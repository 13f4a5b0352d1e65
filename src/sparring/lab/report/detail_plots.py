"""Draw the plots of details: match-up matrices, pairs, the tension curve, decisions, the skill ladder."""

from typing import Any

import numpy as np
from matplotlib.axes import Axes

from sparring.lab.details import Detail
from sparring.lab.details.decisions import KINDS
from sparring.lab.details.match_ups import matrix

from .plots import COLOURS, HATCHES, INK, PAPER, ROW, SOFT, label, render_svg

Table = dict[str, Any]


def detail_plots(detail: Detail) -> list[str]:
    """Return the plots of a detail as SVG; none if it has no results."""
    table = detail.table
    if not len(next(iter(table.values()))):
        return []
    if detail.name == "match-ups":
        return [_match_ups(detail, sort) for sort in dict.fromkeys(table["sort"].tolist())]
    if detail.name == "pairs":
        names = [f"{a} + {b}" for a, b in zip(table["item"], table["other"], strict=True)]
        shown = "extra wins with both, in points; filled: clearly not 0"
        return [_intervals(detail.name, names, table, "extra", 0.0, shown)]
    if detail.name == "tension":
        return [render_svg("tension", 4.0, lambda axes: _tension(axes, table))]
    if detail.name == "decisions":
        parts = list(dict.fromkeys(table["part"].tolist()))
        return [render_svg("decisions", 1.5 + 0.42 * len(parts), lambda axes: _decisions(axes, table, parts))]
    if detail.name == "skill-ladder":
        names = [
            f"{more} against {less} iterations"
            for more, less in zip(table["iterations"], table["against"], strict=True)
        ]
        shown = "percentage of matches won; filled: clearly not even"
        return [_intervals(detail.name, names, table, "wins", float(table["even"][0]), shown)]
    return []


def _intervals(name: str, names: list[str], table: Table, value: str, zero: float, shown: str) -> str:
    """Draw one row with a value and its interval for each name."""

    def draw(axes: Axes) -> None:
        for row, told in enumerate(names):
            middle, low, high = (100 * float(table[head][row]) for head in (value, "low", "high"))
            clear = not low <= 100 * zero <= high
            axes.plot([low, high], [-row, -row], color=COLOURS[0], linewidth=2, solid_capstyle="butt")
            (dot,) = axes.plot(
                middle, -row, "o", markersize=7, markeredgecolor=COLOURS[0],
                markerfacecolor=COLOURS[0] if clear else PAPER,
            )  # fmt: skip
            label(dot, f"{told}: {middle:.1f} ({low:.1f} to {high:.1f})")
        axes.axvline(100 * zero, color=SOFT, linewidth=1, linestyle=(0, (4, 3)))
        axes.set_yticks(-np.arange(len(names)), names)
        axes.set_ylim(-len(names) + 0.4, 0.6)
        axes.set_xlabel(shown)

    return render_svg(name, 1.1 + ROW * len(names), draw)


def _match_ups(detail: Detail, sort: str) -> str:
    """Draw the match-ups of a sort as a matrix; the darker a cell, the further from 50%."""
    names, wins, marks = matrix(detail, sort)

    def draw(axes: Axes) -> None:
        axes.grid(visible=False)
        for (row, column), value in np.ndenumerate(wins):
            if np.isnan(value):
                continue
            colour, strength = COLOURS[0] if value > 0.5 else COLOURS[1], min(abs(value - 0.5) * 2.5, 0.85)
            cell = axes.fill_between(
                [column - 0.5, column + 0.5], -row - 0.5, -row + 0.5, color=colour, alpha=strength, lw=0
            )
            label(cell, f"{names[row]} against {names[column]}: wins {100 * value:.0f}%")
            weight = "bold" if marks[row, column] else "normal"
            axes.text(
                column, -row, f"{100 * value:.0f}", ha="center", va="center", fontsize=9, color=INK, weight=weight
            )
        axes.set_yticks(-np.arange(len(names)), names)
        axes.set_xticks(np.arange(len(names)), names, rotation=40, ha="left")
        axes.xaxis.tick_top()
        axes.set_xlim(-0.5, len(names) - 0.5)
        axes.set_ylim(-len(names) + 0.5, 0.5)

    return render_svg(f"match-ups-{sort.replace(' ', '-')}", 1.8 + 0.42 * len(names), draw)


def _tension(axes: Axes, table: Table) -> None:
    progress = 100 * table["progress"]
    axes.grid(visible=True, axis="y")
    spread = axes.fill_between(
        progress, 100 * table["tenth"], 100 * table["ninetieth"], color=COLOURS[0], alpha=0.15, lw=0,
        label="middle 80% of matches",
    )  # fmt: skip
    label(spread, "the middle 80% of matches")
    axes.fill_between(progress, 100 * table["low"], 100 * table["high"], color=COLOURS[0], alpha=0.4, lw=0)
    axes.plot(progress, 100 * table["mean"], color=COLOURS[0], linewidth=2, label="mean of all matches")
    axes.legend(loc="lower left", bbox_to_anchor=(0, 1), ncols=2, borderaxespad=0.2)
    axes.set_ylim(0, 100)
    axes.set_xlabel("percentage of the match played")
    axes.set_ylabel("win probability of the winner, in %", color=SOFT)


def _decisions(axes: Axes, table: Table, parts: list[str]) -> None:
    rows, left = -np.arange(len(parts)), np.zeros(len(parts))
    for number, kind in enumerate(KINDS):
        chosen = table["kind"] == kind
        widths = 100 * table["value"][chosen]
        bars = axes.barh(
            rows, widths, 0.62, left=left, label=kind, color=COLOURS[number], alpha=0.75, hatch=HATCHES[number],
            edgecolor=PAPER,
        )  # fmt: skip
        for bar, part, low, high in zip(bars, parts, table["low"][chosen], table["high"][chosen], strict=True):
            label(bar, f"{part}, {kind}: {bar.get_width():.0f}% ({100 * low:.0f} to {100 * high:.0f})")
        left += widths
    axes.set_yticks(rows, parts)
    axes.set_xlim(0, 100)
    axes.set_xlabel("percentage of decisions")
    axes.legend(loc="lower left", bbox_to_anchor=(0, 1), ncols=len(KINDS), borderaxespad=0.2)
