"""Small plots as SVG, which take their colours from the page: what they show stands beside them in words too."""

from collections.abc import Sequence

from markupsafe import Markup

from sparring.scene.markup import el
from sparring.web.rating import SkillRating

WIDE, HIGH = 240, 48
#: How many bars or points a plot has at most.
BARS, POINTS = 16, 120


def shares(won: int, drawn: int, lost: int) -> Markup:
    """What was won, drawn and lost, as parts of a bar."""
    whole, at, parts = max(1, won + drawn + lost), 0.0, []
    for kind, many in (("won", won), ("drawn", drawn), ("lost", lost)):
        width = WIDE * many / whole
        if many:
            parts.append(el("rect", x=_n(at), y=0, width=_n(width), height=12, class_=kind))
        at += width
    return _drawing(12, f"{won} won, {drawn} drawn, {lost} lost", *parts)


def lengths(choices: Sequence[int]) -> Markup:
    """How many matches were how long."""
    low, high = min(choices), max(choices)
    step = max(1, -(-(high - low + 1) // BARS))
    counts = [0] * ((high - low) // step + 1)
    for one in choices:
        counts[(one - low) // step] += 1
    most, width = max(counts), WIDE / len(counts)
    bars = [
        el("rect", x=_n(place * width + 1), y=_n(HIGH - HIGH * many / most), width=_n(max(1.0, width - 2)),
           height=_n(HIGH * many / most), class_="bar-of")
        for place, many in enumerate(counts) if many
    ]  # fmt: skip
    return _drawing(HIGH, f"Length of matches, from {low} to {high} choices", *bars)


def course(ratings: Sequence[SkillRating]) -> Markup:
    """How a rating went: the middle as a line, and how far it may be off as a band around it."""
    every = max(1, len(ratings) // POINTS)
    shown = [*ratings[:-1:every], ratings[-1]]
    low = min(one.points - one.reach for one in shown)
    high = max(one.points + one.reach for one in shown)
    step = WIDE / max(1, len(shown) - 1)

    def at(place: int, points: float) -> str:
        return f"{_n(place * step)},{_n(HIGH - HIGH * (points - low) / max(1, high - low))}"

    above = [at(place, one.points + one.reach) for place, one in enumerate(shown)]
    below = [at(place, one.points - one.reach) for place, one in enumerate(shown)]
    middle = [at(place, one.points) for place, one in enumerate(shown)]
    return _drawing(
        HIGH, f"The rating after each match, from {ratings[0]} to {ratings[-1]}",
        el("polygon", points=" ".join([*above, *reversed(below)]), class_="band"),
        el("polyline", points=" ".join(middle), class_="line"),
    )  # fmt: skip


def reach(rating: SkillRating, low: int, high: int) -> Markup:
    """A rating on a scale: the middle, and how far it may be off."""
    scale = WIDE / max(1, high - low)
    begin = max(0.0, (rating.points - rating.reach - low) * scale)
    end = min(float(WIDE), (rating.points + rating.reach - low) * scale)
    middle = (rating.points - low) * scale
    return _drawing(
        12, "",
        el("rect", x=0, y=5, width=WIDE, height=2, class_="scale"),
        el("rect", x=_n(begin), y=2, width=_n(end - begin), height=8, rx=4, class_="band"),
        el("rect", x=_n(middle - 2), y=0, width=4, height=12, class_="middle"),
    )  # fmt: skip


def _drawing(high: int, told: str, *inside: Markup) -> Markup:
    """A drawing that says what it shows, or nothing at all where the words stand beside it."""
    said = {"role": "img", "aria_label": told} if told else {"aria_hidden": "true"}
    view = f"0 0 {WIDE} {high}"
    return el("svg", *inside, class_="plot", viewBox=view, preserveAspectRatio="none", **said)


def _n(number: float) -> str:
    return f"{number:.1f}"
