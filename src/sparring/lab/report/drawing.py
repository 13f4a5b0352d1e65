"""Draw plots of rows and bars as SVG that takes its colours and fonts from the page around it."""

import io
import re
from collections.abc import Callable, Mapping, Sequence
from typing import Any, NamedTuple

import matplotlib as mpl
import numpy as np
from matplotlib.artist import Artist
from matplotlib.axes import Axes
from matplotlib.figure import Figure

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


class PlotRow(NamedTuple):
    """A row of a plot: a value with its interval, the text that the page shows on hover, and how it is drawn."""

    name: str
    tip: str
    value: float
    low: float
    high: float
    colour: str = COLOURS[0]
    mark: str = "o"
    filled: bool = True
    #: Its name in the legend; `_` hides it.
    legend: str = "_"


def plot_rows(key: str, rows: Sequence[PlotRow], about: str, even: float | None = None, band: float = 0.0) -> str:
    """Plot rows of values with intervals around 0, or around a dashed line at an `even` value; `band` is shaded."""

    def draw(axes: Axes) -> None:
        for row, each in enumerate(rows):
            axes.plot([each.low, each.high], [-row, -row], color=each.colour, linewidth=2, solid_capstyle="butt")
            (dot,) = axes.plot(
                each.value, -row, each.mark, markersize=7, markeredgecolor=each.colour,
                markerfacecolor=each.colour if each.filled else PAPER, label=each.legend,
            )  # fmt: skip
            label(dot, each.tip)
        if even is None:
            axes.axvline(0, color=INK, linewidth=1)
        else:
            axes.axvline(even, color=SOFT, linewidth=1, linestyle=(0, (4, 3)))
        if band:
            axes.axvspan(-band, band, color=SOFT, alpha=0.12, linewidth=0)
        in_legend = sum(each.legend != "_" for each in rows)
        if in_legend > 1:
            axes.legend(loc="lower left", bbox_to_anchor=(0, 1), ncols=min(in_legend, 5), borderaxespad=0.2)
        axes.set_yticks(-np.arange(len(rows)), [each.name for each in rows])
        axes.set_ylim(-len(rows) + 0.4, 0.6)
        axes.set_xlabel(about)

    return render_svg(key, 1.1 + ROW * len(rows), draw)


def plot_bars(
    key: str, names: Sequence[str], parts: Mapping[str, Array], about: str, tips: Mapping[str, list[str]] | None = None
) -> str:
    """Plot stacked bars, one for each name; `parts` are the shares of the bars, `tips` what the page shows on hover."""

    def draw(axes: Axes) -> None:
        rows, left = -np.arange(len(names)), np.zeros(len(names))
        for number, (part, shares) in enumerate(parts.items()):
            bars = axes.barh(
                rows, 100 * shares, 0.62, left=left, label=part, color=COLOURS[number % len(COLOURS)], alpha=0.75,
                hatch=HATCHES[number % len(HATCHES)], edgecolor=PAPER,
            )  # fmt: skip
            left += 100 * shares
            for bar, tip in zip(bars, tips[part] if tips else (), strict=False):
                label(bar, tip)
        axes.set_yticks(rows, names)
        axes.set_xlim(0, 100)
        axes.set_xlabel(about)
        axes.legend(loc="lower left", bbox_to_anchor=(0, 1), ncols=min(len(parts), 5), borderaxespad=0.2)

    return render_svg(key, 1.5 + 0.42 * len(names), draw)
