"""Draw the plots of a report as SVG that takes its colours and fonts from the page around it."""

import io
import re
from collections.abc import Callable, Sequence
from typing import Any

import matplotlib as mpl
import numpy as np
from matplotlib.artist import Artist
from matplotlib.axes import Axes
from matplotlib.figure import Figure

from sparring.lab.experiments.comparison import Comparison
from sparring.lab.experiments.stopping import REAL

from .answers import TOLERANCE, JudgedItem, judged_items
from .formats import UNITS, title

Array = np.ndarray[Any, Any]

#: Placeholder colours: each is replaced by the style sheet variable of that name (`NAMES`).
INK, SOFT, LINE, PAPER = "#010101", "#020202", "#030303", "#040404"
COLOURS = tuple(f"#0500{n:02x}" for n in range(1, 9))
NAMES = {INK: "ink", SOFT: "soft", LINE: "line", PAPER: "paper", **{one: f"c{n}" for n, one in enumerate(COLOURS, 1)}}

#: Every colour is paired with a marker and a hatch, so that no information depends on colour alone.
MARKS, HATCHES = "osD^vPX*", ("", "///", "...", "xxx", "\\\\\\", "++", "oo", "--")

STYLE: Any = {
    "svg.fonttype": "none", "svg.hashsalt": "sparring", "font.family": "sans-serif", "font.size": 11,
    "text.color": INK, "axes.edgecolor": LINE, "axes.labelcolor": SOFT, "axes.facecolor": "none",
    "axes.spines.top": False, "axes.spines.right": False, "axes.spines.left": False, "axes.grid": True,
    "axes.grid.axis": "x", "axes.axisbelow": True, "axes.titlesize": 12, "axes.titleweight": "bold",
    "axes.titlelocation": "left", "grid.color": LINE, "grid.linewidth": 0.8, "xtick.color": SOFT, "ytick.color": INK,
    "ytick.left": False, "ytick.major.size": 0, "xtick.major.size": 0, "legend.frameon": False, "hatch.linewidth": 0.6,
    "figure.facecolor": "none", "savefig.facecolor": "none",
}  # fmt: skip

WIDTH, ROW = 9.0, 0.36

#: The most rows of a plot, and the longest name that is not shortened.
ROWS, LONGEST = 40, 34


#: Marks the id of an artist as the text that the page shows on hover.
TIP = "tip:"


def label(artist: Artist, text: str) -> None:
    """Show a text when the pointer is on an artist of a plot."""
    artist.set_gid(f"{TIP}{text}")


def render_svg(name: str, height: float, draw: Callable[[Axes], None]) -> str:
    """Return a plot as SVG; `name` prefixes its ids so that they stay unique on the page."""
    with mpl.rc_context(STYLE):
        figure = Figure(figsize=(WIDTH, height), layout="constrained")
        draw(figure.subplots())
        out = io.StringIO()
        figure.savefig(out, format="svg", metadata={"Date": None, "Creator": None})
    svg = out.getvalue()
    svg = svg[svg.index("<svg") :]
    svg = re.sub(r"<metadata>.*?</metadata>", "", svg, flags=re.DOTALL)
    svg = re.sub(rf'<g id="{TIP}([^"]*)">', r"<g><title>\1</title>", svg)
    svg = re.sub(r'(\bid="|href="#|url\(#)', rf"\1{name}-", svg)
    for colour, variable in NAMES.items():
        svg = svg.replace(colour, f"var(--{variable})")
    size = re.compile(r'<svg([^>]*?) width="[^"]*"([^>]*?)>', re.DOTALL)
    svg = re.sub(
        r' height="[^"]*pt"', "", size.sub(r'<svg\1\2 aria-hidden="true" focusable="false">', svg, count=1), count=1
    )
    return re.sub(r"font: (?:[^;\"]*?)([\d.]+)px [^;\"]*", r"font-size: \1px", svg)


def wins(comparison: Comparison) -> str:
    """Plot the share of wins of each seat (and bot) in each variant, with 95% intervals."""
    columns = [
        c for c, name in enumerate(comparison.names) if name.startswith("wins/seat") or _is_bot(comparison, name)
    ]
    return render_svg(
        "wins", _height(len(columns) * len(comparison.variants)), lambda axes: _dots(axes, comparison, columns)
    )


def _is_bot(comparison: Comparison, name: str) -> bool:
    """Return whether the column is the wins of a bot that plays against different bots."""
    return name.startswith("wins/bot") and len(set(comparison.study.bots)) > 1


def _height(rows: int) -> float:
    return 1.1 + ROW * min(rows, ROWS)


def _dots(axes: Axes, comparison: Comparison, columns: Sequence[int]) -> None:
    """Draw one row for each variant and measure, grouped by measure."""
    rows, labels = 0, []
    for group, c in enumerate(columns):
        for v, variant in enumerate(comparison.variants):
            if rows == ROWS:
                break
            mean, low, high = (
                100 * float(values[v, c]) for values in (comparison.means, comparison.valid.low, comparison.valid.high)
            )
            colour = COLOURS[group % len(COLOURS)]
            axes.plot([low, high], [-rows, -rows], color=colour, linewidth=2, solid_capstyle="butt")
            (dot,) = axes.plot(mean, -rows, MARKS[group % len(MARKS)], color=colour, markersize=7)
            of_variant = f", {variant.name}" if len(comparison.variants) > 1 else ""
            label(dot, f"{title(comparison.names[c])}{of_variant}: {mean:.1f}% ({low:.1f} to {high:.1f})")
            labels.append(_short(f"{title(comparison.names[c])}{of_variant}"))
            rows += 1
    even = 100 / comparison.study.seats
    axes.axvline(even, color=SOFT, linewidth=1, linestyle=(0, (4, 3)))
    axes.set_yticks(-np.arange(rows), labels)
    axes.set_ylim(-rows + 0.4, 0.6)
    axes.set_xlabel(f"percentage of matches, with 95% intervals; dashed line: an equal share ({even:.0f}%)")


def _short(name: str) -> str:
    return name if len(name) <= LONGEST else f"{name[: LONGEST - 1]}…"


def differences(comparison: Comparison) -> str:
    """Plot the differences of the requested shares; filled markers are real differences."""
    rows = [
        (k, c)
        for c in range(len(comparison.columns))
        if comparison.requested[c] and comparison.columns[c].is_share
        for k in range(len(comparison.pairs))
    ][:ROWS]
    return render_svg("differences", _height(len(rows)), lambda axes: _forest(axes, comparison, rows))


def _forest(axes: Axes, comparison: Comparison, rows: Sequence[tuple[int, int]]) -> None:
    labels = []
    for row, (k, c) in enumerate(rows):
        one, other = (comparison.variants[v].name for v in comparison.pairs[k])
        ends = [
            100 * float(bound[k, c]) for bound in (comparison.valid.differences_low, comparison.valid.differences_high)
        ]
        real = comparison.valid.verdicts[k, c] == REAL
        colour = COLOURS[0] if real else SOFT
        axes.plot(ends, [-row, -row], color=colour, linewidth=2, solid_capstyle="butt")
        fill = colour if real else PAPER
        apart = 100 * float(comparison.differences[k, c])
        (dot,) = axes.plot(apart, -row, "o", markersize=7, markeredgecolor=colour, markerfacecolor=fill)
        label(
            dot, f"{title(comparison.names[c])}, {one} minus {other}: {apart:+.1f} ({ends[0]:+.1f} to {ends[1]:+.1f})"
        )
        labels.append(f"{title(comparison.names[c])}: {_short(one)} – {_short(other)}")
    axes.axvline(0, color=INK, linewidth=1)
    axes.set_yticks(-np.arange(len(rows)), labels)
    axes.set_ylim(-len(rows) + 0.4, 0.6)
    axes.set_xlabel("percentage points, with 95% intervals; filled marker: real difference")


def lengths(comparison: Comparison, what: str = "choices") -> str:
    """Plot the distribution of match lengths, one histogram per variant (a ridgeline plot)."""
    histograms = [np.asarray(counts.lengths[what], float) for counts in comparison.counts]
    return render_svg(
        f"length-{what}", 1.2 + 0.62 * len(histograms), lambda axes: _ridgeline(axes, comparison, histograms, what)
    )


def _ridgeline(axes: Axes, comparison: Comparison, histograms: Sequence[Array], what: str) -> None:
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
    axes.set_yticks([0.2 - row for row in range(len(histograms))], [_short(one.name) for one in comparison.variants])
    axes.set_ylim(-len(histograms) + 0.95, 1.1)
    axes.set_xlim(max(0, min(_quantile(one, 0.0005) for one in histograms) - step), longest + step)
    axes.set_xlabel(f"{UNITS.get(what, what)} per match; line: median")


def _quantile(histogram: Array, share_below: float) -> int:
    """Return the smallest length that the given share of matches does not exceed."""
    return int(np.searchsorted(histogram.cumsum(), share_below * histogram.sum()))


def endings(comparison: Comparison) -> str:
    """Plot how matches end, one stacked bar per variant."""
    columns = [
        c
        for c, name in enumerate(comparison.names)
        if name.startswith("ends/") and comparison.means[:, c].max() > 0.0005
    ]
    return render_svg("endings", 1.5 + 0.42 * len(comparison.variants), lambda axes: _bars(axes, comparison, columns))


def _bars(axes: Axes, comparison: Comparison, columns: Sequence[int]) -> None:
    rows, left = -np.arange(len(comparison.variants)), np.zeros(len(comparison.variants))
    for number, c in enumerate(columns):
        widths = 100 * comparison.means[:, c]
        axes.barh(
            rows, widths, 0.62, left=left, label=comparison.names[c].partition("/")[2],
            color=COLOURS[number % len(COLOURS)], alpha=0.75,
            hatch=HATCHES[number % len(HATCHES)], edgecolor=PAPER,
        )  # fmt: skip
        left += widths
    axes.set_yticks(rows, [_short(variant.name) for variant in comparison.variants])
    axes.set_xlim(0, 100)
    axes.set_xlabel("percentage of matches")
    axes.legend(loc="lower left", bbox_to_anchor=(0, 1), ncols=min(len(columns), 5), borderaxespad=0.2)


def items_plot(comparison: Comparison, v: int) -> str:
    """Plot how much more often the seats that drew each item win, with corrected intervals, the strongest first."""
    judged = judged_items(comparison, v)
    if len(judged) > ROWS:
        judged = [*judged[: ROWS // 2], *judged[-ROWS // 2 :]]
    return render_svg(f"items-{v}", _height(len(judged)), lambda axes: _item_dots(axes, judged))


def _item_dots(axes: Axes, judged: Sequence[JudgedItem]) -> None:
    sorts = list(dict.fromkeys(item.sort for item in judged))
    for row, item in enumerate(judged):
        value, low, high = (100 * each for each in (item.value, item.low, item.high))
        number = sorts.index(item.sort)
        colour = COLOURS[number % len(COLOURS)]
        fill = colour if low > 0 or high < 0 else PAPER
        axes.plot([low, high], [-row, -row], color=colour, linewidth=2, solid_capstyle="butt")
        first = all(other.sort != item.sort for other in judged[:row])
        (dot,) = axes.plot(
            value, -row, MARKS[number % len(MARKS)], markersize=7, markeredgecolor=colour, markerfacecolor=fill,
            label=item.sort if first else "_",
        )  # fmt: skip
        label(dot, f"{item.name} ({item.sort}): {value:+.1f} points ({low:+.1f} to {high:+.1f}), {item.verdict}")
    axes.axvline(0, color=INK, linewidth=1)
    axes.axvspan(-100 * TOLERANCE, 100 * TOLERANCE, color=SOFT, alpha=0.12, linewidth=0)
    if len(sorts) > 1:
        axes.legend(loc="lower left", bbox_to_anchor=(0, 1), ncols=min(len(sorts), 5), borderaxespad=0.2)
    axes.set_yticks(-np.arange(len(judged)), [_short(item.name) for item in judged])
    axes.set_ylim(-len(judged) + 0.4, 0.6)
    axes.set_xlabel("wins above the average item, in points; filled: clearly not 0; shaded: players hardly notice")


def ladder(comparison: Comparison) -> str:
    """Plot how often the bot with ten times the search budget wins, in each variant."""
    source = comparison.skill_run or comparison
    column = source.names.index(f"wins/bot {source.study.bots[0]}")
    return render_svg("ladder", _height(len(source.variants)), lambda axes: _dots(axes, source, [column]))
