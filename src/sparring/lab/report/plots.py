"""Plot the figures of a report and its details: which rows, bars and curves, and the texts on hover."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from markupsafe import Markup
from matplotlib.axes import Axes

from sparring.lab.decisions import KINDS
from sparring.lab.match_ups import matrix
from sparring.lab.traces import Detail

from .drawing import COLOURS, INK, MARKS, SOFT, Array, PlotRow, label, plot_bars, plot_rows, render_svg
from .figures import ReportFigures
from .figures_in_words import TOLERANCE, UNITS, title

#: The most rows of a plot, and the longest name that is not shortened.
ROWS, LONGEST = 40, 34


@dataclass(frozen=True)
class ReportPlot:
    """A plot; `key` is its id on the page, `kind` chooses its caption, unless `meaning` is one."""

    key: str
    title: str
    svg: Markup
    kind: str = ""
    meaning: str = ""


def all_plots(report: ReportFigures) -> list[ReportPlot]:
    """Return the plots that apply to this comparison."""
    found = report.comparison
    shown = [ReportPlot("wins", "Wins", Markup(wins(report)), "wins")]
    if any(each.requested and each.column.is_share for each in report.differences):
        shown.append(ReportPlot("apart", "Differences between variants", Markup(differences(report)), "apart"))
    shown.append(ReportPlot("length", "Match length", Markup(lengths(report)), "length"))
    ends = (each for name, each in report.measures.items() if name.startswith("ends/"))
    if sum(max(one.value for one in each) > 0 for each in ends) > 1:  # one way to end needs no plot
        shown.append(ReportPlot("endings", "Endings", Markup(endings(report)), "endings"))
    for v, judged in enumerate(report.items[: report.with_items]):
        if judged:
            svg = Markup(item_plot(report, v))
            shown.append(ReportPlot(f"item-plot-{v}", _of_variant("Items", report, v), svg, "items"))
    for detail in found.details:
        where = f" Measured with {report.variants[0]}." if found.pairs else ""
        drawn = detail_plots(detail)
        for number, svg in enumerate(map(Markup, drawn), 1):
            name = f"{detail.title} {number}" if len(drawn) > 1 else detail.title
            shown.append(ReportPlot(f"plot-{detail.name}-{number}", name, svg, meaning=f"{detail.meaning}{where}"))
    if found.skill_run:
        shown.append(ReportPlot("ladder", "Luck or skill", Markup(ladder(report)), "skill"))
    return shown


def _of_variant(name: str, report: ReportFigures, v: int) -> str:
    return name if len(report.variants) == 1 else f"{name}, {report.variants[v]}"


def wins(report: ReportFigures) -> str:
    """Plot the share of wins of each seat (and each of different bots) in each variant, with 95% intervals."""
    return _wins("wins", report, [name for name in report.measures if name.startswith(("wins/seat", "wins/bot"))])


def _wins(key: str, report: ReportFigures, names: Sequence[str]) -> str:
    rows = []
    for group, name in enumerate(names):
        colour, mark = COLOURS[group % len(COLOURS)], MARKS[group % len(MARKS)]
        for each in report.measures[name]:
            mean, low, high = (100 * number for number in each[1:4])
            told = f"{title(name)}{f', {each.variant}' if len(report.variants) > 1 else ''}"
            tip = f"{told}: {mean:.1f}% ({low:.1f} to {high:.1f})"
            rows.append(PlotRow(_short(told), tip, mean, low, high, colour, mark))
    even = 100 / report.comparison.study.seats
    about = f"percentage of matches, with 95% intervals; dashed line: an equal share ({even:.0f}%)"
    return plot_rows(key, rows[:ROWS], about, even)


def ladder(report: ReportFigures) -> str:
    """Plot how often the bot with ten times the search budget wins, in each variant."""
    played = ReportFigures(report.comparison.skill_run or report.comparison)
    return _wins("ladder", played, [f"wins/bot {played.bots[0]}"])


def _short(name: str) -> str:
    return name if len(name) <= LONGEST else f"{name[: LONGEST - 1]}…"


def differences(report: ReportFigures) -> str:
    """Plot the differences of the requested shares; filled markers are real differences."""
    rows = []
    for each in report.differences:
        if each.requested and each.column.is_share:
            value, low, high = (100 * number for number in (each.value, each.low, each.high))
            told, (one, other) = title(each.column.name), (each.first, each.second)
            tip = f"{told}, {one} minus {other}: {value:+.1f} ({low:+.1f} to {high:+.1f})"
            colour = COLOURS[0] if each.real else SOFT
            name = f"{told}: {_short(one)} – {_short(other)}"
            rows.append(PlotRow(name, tip, value, low, high, colour, filled=each.real))
    about = "percentage points, with 95% intervals; filled marker: real difference"
    return plot_rows("differences", rows[:ROWS], about)


def item_plot(report: ReportFigures, v: int) -> str:
    """Plot how much more often the seats that drew each item win, with corrected intervals, the strongest first."""
    judged = report.items[v]
    if len(judged) > ROWS:
        judged = [*judged[: ROWS // 2], *judged[-ROWS // 2 :]]
    sorts, rows = list(dict.fromkeys(item.sort for item in judged)), list[PlotRow]()
    for item in judged:
        value, low, high = (100 * each for each in (item.value, item.low, item.high))
        number, first = sorts.index(item.sort), all(row.legend != item.sort for row in rows)
        tip = f"{item.name} ({item.sort}): {value:+.1f} points ({low:+.1f} to {high:+.1f}), {item.verdict}"
        rows.append(PlotRow(
            _short(item.name), tip, value, low, high, COLOURS[number % len(COLOURS)], MARKS[number % len(MARKS)],
            low > 0 or high < 0, item.sort if first else "_",
        ))  # fmt: skip
    about = "wins above the average item, in points; filled: clearly not 0; shaded: players hardly notice"
    return plot_rows(f"items-{v}", rows, about, band=100 * TOLERANCE)


def detail_plots(detail: Detail) -> list[str]:
    """Return the plots of a detail; none if it has no results."""
    table = detail.table
    if not len(next(iter(table.values()))):
        return []
    if detail.name == "match-ups":
        return [_match_ups(detail, sort) for sort in dict.fromkeys(table["sort"].tolist())]
    if detail.name == "pairs":
        names = [f"{a} + {b}" for a, b in zip(table["item"], table["other"], strict=True)]
        return [_detail_rows(detail, names, "extra", 0.0, "extra wins with both, in points; filled: clearly not 0")]
    if detail.name == "tension":
        return [render_svg("tension", 4.0, lambda axes: _tension(axes, table))]
    if detail.name == "decisions":
        return [_decisions(table)]
    if detail.name == "skill-ladder":
        steps = zip(table["iterations"], table["against"], strict=True)
        names, even = [f"{more} against {less} iterations" for more, less in steps], 100 * float(table["even"][0])
        return [_detail_rows(detail, names, "wins", even, "percentage of matches won; filled: clearly not even")]
    return []


def _detail_rows(detail: Detail, names: Sequence[str], value: str, even: float, about: str) -> str:
    rows = []
    for name, *numbers in zip(names, *(detail.table[head] for head in (value, "low", "high")), strict=True):
        middle, low, high = (100 * float(number) for number in numbers)
        tip = f"{name}: {middle:.1f} ({low:.1f} to {high:.1f})"
        rows.append(PlotRow(name, tip, middle, low, high, filled=not low <= even <= high))
    return plot_rows(detail.name, rows, about, even)


def lengths(report: ReportFigures, what: str = "choices") -> str:
    """Plot the distribution of match lengths, one histogram per variant (a ridgeline plot)."""
    histograms = [np.asarray(counts.lengths[what], float) for counts in report.comparison.counts]
    return render_svg(
        f"length-{what}", 1.2 + 0.62 * len(histograms), lambda axes: _ridgeline(axes, report.variants, histograms, what)
    )


def _ridgeline(axes: Axes, names: Sequence[str], histograms: Sequence[Array], what: str) -> None:
    longest = max(_quantile(one, 0.999) for one in histograms) + 1
    step = max(1, longest // 45)
    edges = np.arange(0, longest + 2 * step, step)
    for row, histogram in enumerate(histograms):
        colour = COLOURS[row % len(COLOURS)]
        shares = np.array([histogram[start : start + step].sum() for start in edges[:-1]])
        shares = 0.85 * shares / max(shares.max(), 1)
        axes.stairs(shares - row, edges, baseline=-row, fill=True, color=colour, alpha=0.35)
        axes.stairs(shares - row, edges, baseline=-row, color=colour, linewidth=1.4)
        middle = _quantile(histogram, 0.5)
        axes.plot([middle, middle], [-row, -row + 0.85], color=INK, linewidth=1.2)
        axes.text(middle, -row + 0.88, f" {middle}", fontsize=9, color=INK, va="center")
    axes.set_yticks([0.2 - row for row in range(len(histograms))], [_short(name) for name in names])
    axes.set_ylim(-len(histograms) + 0.95, 1.1)
    axes.set_xlim(max(0, min(_quantile(one, 0.0005) for one in histograms) - step), longest + step)
    axes.set_xlabel(f"{UNITS.get(what, what)} per match; line: median")


def _quantile(histogram: Array, share_below: float) -> int:
    """Return the smallest length that the given share of matches does not exceed."""
    return int(np.searchsorted(histogram.cumsum(), share_below * histogram.sum()))


def endings(report: ReportFigures) -> str:
    """Plot how matches end, one stacked bar per variant."""
    shares = {
        name.partition("/")[2]: np.array([each.value for each in estimates])
        for name, estimates in report.measures.items()
        if name.startswith("ends/") and max(each.value for each in estimates) > 0.0005
    }
    return plot_bars("endings", list(map(_short, report.variants)), shares, "percentage of matches")


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


def _tension(axes: Axes, table: Mapping[str, Array]) -> None:
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


def _decisions(table: Mapping[str, Array]) -> str:
    parts, shares, tips = list(dict.fromkeys(table["part"].tolist())), {}, {}
    for kind in KINDS:
        shares[kind], low, high = (table[head][table["kind"] == kind] for head in ("value", "low", "high"))
        tips[kind] = [
            f"{part}, {kind}: {100 * value:.0f}% ({100 * start:.0f} to {100 * end:.0f})"
            for part, value, start, end in zip(parts, shares[kind], low, high, strict=True)
        ]
    return plot_bars("decisions", parts, shares, "percentage of decisions", tips)
