"""Small SVG plots in the page's colours. The page also gives their data in words."""

from collections.abc import Sequence

from markupsafe import Markup

from sparring.scene.markup import el
from sparring.store.rating_model import SkillRating

#: A plot's width and height, in SVG units.
WIDTH, HEIGHT = 240, 48
#: The largest number of bars or points in a plot.
BARS, POINTS = 16, 120


def plot_results(won: int, drawn: int, lost: int) -> Markup:
    """Plot wins, draws and losses as parts of one bar."""
    total, x, parts = max(1, won + drawn + lost), 0.0, []
    for kind, count in (("won", won), ("drawn", drawn), ("lost", lost)):
        width = WIDTH * count / total
        if count:
            parts.append(el("rect", x=_rounded(x), y=0, width=_rounded(width), height=12, class_=kind))
        x += width
    return _drawing(12, f"{won} won, {drawn} drawn, {lost} lost", *parts)


def plot_lengths(choices: Sequence[int]) -> Markup:
    """Plot a histogram of match lengths, in choices."""
    low, high = min(choices), max(choices)
    step = max(1, -(-(high - low + 1) // BARS))
    counts = [0] * ((high - low) // step + 1)
    for length in choices:
        counts[(length - low) // step] += 1
    most, width = max(counts), WIDTH / len(counts)
    bars = [
        el("rect", x=_rounded(index * width + 1), y=_rounded(HEIGHT - HEIGHT * count / most),
           width=_rounded(max(1.0, width - 2)), height=_rounded(HEIGHT * count / most), class_="bar-of")
        for index, count in enumerate(counts) if count
    ]  # fmt: skip
    return _drawing(HEIGHT, f"Length of matches, from {low} to {high} choices", *bars)


def plot_ratings(ratings: Sequence[SkillRating]) -> Markup:
    """Plot ratings over time: the mean as a line with the uncertainty as a band."""
    stride = max(1, len(ratings) // POINTS)
    sampled = [*ratings[:-1:stride], ratings[-1]]
    low = min(rating.points - rating.uncertainty for rating in sampled)
    high = max(rating.points + rating.uncertainty for rating in sampled)
    step = WIDTH / max(1, len(sampled) - 1)

    def at(index: int, points: float) -> str:
        return f"{_rounded(index * step)},{_rounded(HEIGHT - HEIGHT * (points - low) / max(1, high - low))}"

    upper = [at(index, rating.points + rating.uncertainty) for index, rating in enumerate(sampled)]
    lower = [at(index, rating.points - rating.uncertainty) for index, rating in enumerate(sampled)]
    means = [at(index, rating.points) for index, rating in enumerate(sampled)]
    return _drawing(
        HEIGHT, f"Rating after each match, from {ratings[0]} to {ratings[-1]}",
        el("polygon", points=" ".join([*upper, *reversed(lower)]), class_="band"),
        el("polyline", points=" ".join(means), class_="line"),
    )  # fmt: skip


def plot_rating(rating: SkillRating, low: int, high: int) -> Markup:
    """Plot a rating's mean and uncertainty on a scale from `low` to `high` points."""
    scale = WIDTH / max(1, high - low)
    begin = max(0.0, (rating.points - rating.uncertainty - low) * scale)
    end = min(float(WIDTH), (rating.points + rating.uncertainty - low) * scale)
    middle = (rating.points - low) * scale
    return _drawing(
        12, "",
        el("rect", x=0, y=5, width=WIDTH, height=2, class_="scale"),
        el("rect", x=_rounded(begin), y=2, width=_rounded(end - begin), height=8, rx=4, class_="band"),
        el("rect", x=_rounded(middle - 2), y=0, width=4, height=12, class_="middle"),
    )  # fmt: skip


def _drawing(height: int, label: str, *inside: Markup) -> Markup:
    """Wrap elements in an SVG. `label` is its text alternative; without one, screen readers skip the plot."""
    labelled = {"role": "img", "aria_label": label} if label else {"aria_hidden": "true"}
    view = f"0 0 {WIDTH} {height}"
    return el("svg", *inside, class_="plot", viewBox=view, preserveAspectRatio="none", **labelled)


def _rounded(number: float) -> str:
    return f"{number:.1f}"
