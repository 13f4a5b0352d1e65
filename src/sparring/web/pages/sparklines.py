"""Small SVG plots in the page's colours. The page also gives their data in words."""

from collections.abc import Sequence

from markupsafe import Markup

from sparring.scene.markup import el
from sparring.web.rating import SkillRating

#: A plot's width and height, in SVG units.
WIDTH, HEIGHT = 240, 48
#: The largest number of bars or points in a plot.
BARS, POINTS = 16, 120


def plot_results(won: int, drawn: int, lost: int) -> Markup:
    """Plot wins, draws and losses as parts of one bar."""
    whole, at, parts = max(1, won + drawn + lost), 0.0, []
    for kind, count in (("won", won), ("drawn", drawn), ("lost", lost)):
        width = WIDTH * count / whole
        if count:
            parts.append(el("rect", x=_n(at), y=0, width=_n(width), height=12, class_=kind))
        at += width
    return _drawing(12, f"{won} won, {drawn} drawn, {lost} lost", *parts)


def plot_lengths(choices: Sequence[int]) -> Markup:
    """Plot a histogram of match lengths, in choices."""
    low, high = min(choices), max(choices)
    step = max(1, -(-(high - low + 1) // BARS))
    counts = [0] * ((high - low) // step + 1)
    for one in choices:
        counts[(one - low) // step] += 1
    most, width = max(counts), WIDTH / len(counts)
    bars = [
        el("rect", x=_n(place * width + 1), y=_n(HEIGHT - HEIGHT * count / most), width=_n(max(1.0, width - 2)),
           height=_n(HEIGHT * count / most), class_="bar-of")
        for place, count in enumerate(counts) if count
    ]  # fmt: skip
    return _drawing(HEIGHT, f"Length of matches, from {low} to {high} choices", *bars)


def plot_ratings(ratings: Sequence[SkillRating]) -> Markup:
    """Plot ratings over time: the mean as a line with the uncertainty as a band."""
    every = max(1, len(ratings) // POINTS)
    shown = [*ratings[:-1:every], ratings[-1]]
    low = min(one.points - one.reach for one in shown)
    high = max(one.points + one.reach for one in shown)
    step = WIDTH / max(1, len(shown) - 1)

    def at(place: int, points: float) -> str:
        return f"{_n(place * step)},{_n(HEIGHT - HEIGHT * (points - low) / max(1, high - low))}"

    above = [at(place, one.points + one.reach) for place, one in enumerate(shown)]
    below = [at(place, one.points - one.reach) for place, one in enumerate(shown)]
    middle = [at(place, one.points) for place, one in enumerate(shown)]
    return _drawing(
        HEIGHT, f"Rating after each match, from {ratings[0]} to {ratings[-1]}",
        el("polygon", points=" ".join([*above, *reversed(below)]), class_="band"),
        el("polyline", points=" ".join(middle), class_="line"),
    )  # fmt: skip


def plot_rating(rating: SkillRating, low: int, high: int) -> Markup:
    """Plot a rating's mean and uncertainty on a scale from `low` to `high` points."""
    scale = WIDTH / max(1, high - low)
    begin = max(0.0, (rating.points - rating.reach - low) * scale)
    end = min(float(WIDTH), (rating.points + rating.reach - low) * scale)
    middle = (rating.points - low) * scale
    return _drawing(
        12, "",
        el("rect", x=0, y=5, width=WIDTH, height=2, class_="scale"),
        el("rect", x=_n(begin), y=2, width=_n(end - begin), height=8, rx=4, class_="band"),
        el("rect", x=_n(middle - 2), y=0, width=4, height=12, class_="middle"),
    )  # fmt: skip


def _drawing(height: int, label: str, *inside: Markup) -> Markup:
    """Wrap elements in an SVG. `label` is its text alternative; without one, screen readers skip the plot."""
    labelled = {"role": "img", "aria_label": label} if label else {"aria_hidden": "true"}
    view = f"0 0 {WIDTH} {height}"
    return el("svg", *inside, class_="plot", viewBox=view, preserveAspectRatio="none", **labelled)


def _n(number: float) -> str:
    return f"{number:.1f}"
