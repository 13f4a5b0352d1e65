"""Say figures in words: format values and names of measures, and judge shares of wins and items.

A share is judged as too much, too little, fair, or too few matches to tell, against the even share: one win for each
seat, in equal parts. Within `TOLERANCE` of it counts as fair, because players don't notice less. Items are judged by
the wins of the seats that *drew* them, compared with the average drawn item of the same sort: chance decides what a
seat draws, but players decide what they play, and they play most items when they are ahead or in need. The intervals of
items are corrected for their number (Bonferroni), so that at most 5 of 100 reports call any item too strong or too weak
by mistake.
"""

import math
from collections import Counter
from collections.abc import Sequence
from typing import Any, NamedTuple

from sparring.engine.compilation.counters import DRAWN
from sparring.engine.game import Item
from sparring.lab.experiments.comparison import Comparison
from sparring.lab.experiments.stopping import REAL, UNCLEAR
from sparring.lab.measures import ItemFigures, MatchColumn, interval, items
from sparring.lab.stats import FIRST_LOOK, corrected_z

#: What is shown instead of an interval or a verdict that needs more matches.
TOO_FEW = "too few matches to tell"

#: Readable names of measures without a slash; others keep theirs.
PLAIN_TITLES = {
    "width": "options per decision", "behind": "turns with the winner behind", "open": "turns before the decisive lead"
}  # fmt: skip

#: The readable names of units of length whose names in the files differ.
UNITS = {"choices": "actions"}

#: How verdicts are shown to readers; the files keep their values.
VERDICTS = {REAL: "real", UNCLEAR: "not clear yet"}

#: How far a share of wins may be from the even share and still count as fair.
TOLERANCE = 0.03

#: The fewest matches with an item for a verdict, and the share of seats above which every seat has it.
MIN_MATCHES, EVERY_SEAT = 30, 0.98

#: An item is dead if at most this share of the seats that drew it play it.
DEAD = 0.05

#: How many other items are named with an item that always comes with them.
MAX_NAMED_TOGETHER = 2


def with_interval(estimate: Sequence[Any], scale: float = 1.0, unit: str = "") -> str:
    """Format an estimate (after its first field: value, low, high) with as many digits as the interval supports.

    >>> with_interval(("", 0.5432, 0.52, 0.56), 100, "%"), with_interval(("", 24.31, 24.1, 24.5))
    ('54% (52 to 56)', '24.3 (24.1 to 24.5)')
    >>> with_interval(("", 2, -9e999, 9e999))
    '2.0 (a range needs 100 matches)'
    """
    value, low, high = (scale * number for number in estimate[1:4])
    if not math.isfinite(high - low):
        return f"{value:.1f}{unit} (a range needs {FIRST_LOOK} matches)"
    if high - low < 0.01:
        return f"{value:.6g}{unit}"
    digits = 0 if high - low >= 2 else 1 if high - low >= 0.2 else 2
    return f"{value:.{digits}f}{unit} ({low:.{digits}f} to {high:.{digits}f})"


def format_value(value: float, column: MatchColumn) -> str:
    """Format a value of a measure: a share as a percentage, anything else as a plain number."""
    return f"{100 * value:.1f}%" if column.is_share else f"{value:,.2f}" if abs(value) < 10 else f"{value:,.1f}"


def format_size(value: float, column: MatchColumn) -> str:
    """Format the size of a difference, of shares in percentage points."""
    return f"{abs(100 * value):.1f}" if column.is_share else format_value(abs(value), column)


def format_signed(value: float, column: MatchColumn) -> str:
    """Format a difference with its sign."""
    return f"{100 * value:+.1f}" if column.is_share else f"{value:+,.2f}"


def format_interval(ends: Sequence[Any], column: MatchColumn, *, signed: bool = False) -> str:
    """Format an interval as "LOW to HIGH", or say that there are too few matches for one."""
    low, high = ends[:2]
    form = format_signed if signed else format_value
    return f"{form(low, column)} to {form(high, column)}" if math.isfinite(high - low) else TOO_FEW


def format_p_value(p: float) -> str:
    """Format a p-value."""
    return "under 0.001" if p < 0.001 else "1" if math.isclose(p, 1) else f"{p:.3f}"


def title(name: str) -> str:
    """Return the readable name of a measure: `wins/seat 1` becomes "wins of seat 1"."""
    group, slash, rest = name.partition("/")
    if not slash:
        return PLAIN_TITLES.get(group, group)
    if group == "wins" and rest.startswith("place "):
        return f"wins of {rest} in turn order"
    return {
        "wins": f"wins of {rest}", "ends": f"ending “{rest}”", "length": f"match length in {UNITS.get(rest, rest)}",
        "kind": f"actions of {rest}", "payoff": f"payoff of {rest}", "ahead": f"a leader after {rest} of the turns",
        "comeback": f"comebacks after {rest} of the turns",
    }.get(group, f"{group}: {rest}")  # fmt: skip


def join_words(words: Sequence[str]) -> str:
    """Join words as in "a, b and c"."""
    return words[0] if len(words) == 1 else f"{', '.join(words[:-1])} and {words[-1]}" if words else ""


def capital(text: str) -> str:
    """Capitalize the first letter and leave the rest unchanged."""
    return text[:1].upper() + text[1:]


def plural(word: str) -> str:
    """Return the plural of a sort of item.

    >>> plural("card"), plural("ability")
    ('cards', 'abilities')
    """
    return f"{word[:-1]}ies" if word.endswith("y") else f"{word}s"


def duration(seconds: float) -> str:
    """Format a duration.

    >>> duration(24), duration(520), duration(9000)
    ('24 seconds', '9 minutes', '2.5 hours')
    """
    if seconds < 90:
        return f"{max(round(seconds), 1)} second{'s' if round(seconds) > 1 else ''}"
    return f"{seconds / 60:.0f} minutes" if seconds < 90 * 60 else f"{seconds / 3600:.1f} hours"


def round_up(number: float) -> int:
    """Round an estimated number of matches up to two significant digits; return 0 if it is not a number of matches.

    >>> round_up(2134.2), round_up(7.2), round_up(float("inf"))
    (2200, 8, 0)
    """
    if not 0 < number < math.inf:
        return 0
    unit = int(10 ** max(math.floor(math.log10(number)) - 1, 0))
    return math.ceil(number / unit) * unit


class JudgedItem(NamedTuple):
    """How much more often seats win that drew an item than those that drew the average item of its sort.

    The value is from -1 to 1, with a corrected 95% interval.
    """

    name: str
    sort: str
    value: float
    low: float
    high: float

    @property
    def verdict(self) -> str:
        """`too strong`, `too weak`, `fair`, `a little strong`, `a little weak`, or that there are too few matches."""
        if self.low > 0:
            return "too strong" if self.value > TOLERANCE else "a little strong"
        if self.high < 0:
            return "too weak" if self.value < -TOLERANCE else "a little weak"
        return "fair" if max(-self.low, self.high) <= TOLERANCE else TOO_FEW

    def matches_needed(self, matches: int) -> float:
        """Estimate how many matches settle the verdict if the value stays the same, from the present number."""
        target = max(abs(self.value), TOLERANCE - abs(self.value))
        return matches_for_width(matches, (self.high - self.low) / 2, target)


def verdict(mean: float, low: float, high: float, even: float) -> str:
    """Judge a share of wins and its interval against the even share.

    >>> verdict(0.54, 0.52, 0.56, 0.5), verdict(0.5, 0.3, 0.7, 0.5), verdict(0.51, 0.49, 0.53, 0.5)
    ('too much', 'too few matches to tell', 'fair')
    >>> verdict(0.49, 0.46, 0.52, 0.5)
    'not too much'
    """
    if low > even:
        return "too much" if mean > even + TOLERANCE else "a little more than even"
    if high < even:
        return "too little" if mean < even - TOLERANCE else "a little less than even"
    enough, little = high - even <= TOLERANCE + 1e-9, even - low <= TOLERANCE + 1e-9
    if enough and little:
        return "fair"
    return "not too much" if enough else "not too little" if little else TOO_FEW


def matches_for_width(matches: int, half_width: float, target: float) -> float:
    """Estimate how many matches narrow an interval to a half-width: it shrinks with the square root of the count.

    >>> matches_for_width(100, 0.06, 0.03), matches_for_width(100, 0.06, 0.0)
    (400.0, inf)
    """
    return matches * (half_width / target) ** 2 if target else math.inf


def judged_items(comparison: Comparison, v: int) -> list[JudgedItem]:
    """Return the items of a variant that can be judged, the strongest first."""
    known = [each for each in _distinct_items(comparison, v) if _can_be_judged(each)]
    of_sort = Counter(each.item.sort for each in known)
    known = [each for each in known if of_sort[each.item.sort] > 1]  # one alone is the average of its sort
    z = corrected_z(len(known) * len(comparison.variants))
    usual = {sort: _usual_lift([each for each in known if each.item.sort == sort]) for sort in of_sort}
    judged = []
    for each in known:
        low, high = interval(each.drawn.lift, z)
        values = (value - usual[each.item.sort] for value in (each.drawn.lift.value, low, high))
        judged.append(JudgedItem(each.item.name, each.item.sort, *values))
    return sorted(judged, key=lambda item: -item.value)


def _usual_lift(known: Sequence[ItemFigures]) -> float:
    """Return the lift of the average drawn item: seats that draw more items than others also win more often."""
    shares = [each.drawn.seats.value for each in known]
    weighted = (share * each.drawn.lift.value for share, each in zip(shares, known, strict=True))
    return sum(weighted) / sum(shares) if known else 0.0


def _distinct_items(comparison: Comparison, v: int) -> list[ItemFigures]:
    """Return the items of a variant, those that always come together as one, as a card and its own ability."""
    counts = comparison.counts[v]
    together: dict[bytes, list[ItemFigures]] = {}
    for number, each in enumerate(items(comparison.study.plans[v], counts)):
        together.setdefault(counts.item_outcomes[number, DRAWN].tobytes(), []).append(each)
    return [_as_one(same) for same in together.values()]


def _as_one(same: Sequence[ItemFigures]) -> ItemFigures:
    """Return the first of items that always come together, with the names of the others unless they are many.

    A designer looks for a card by its name, not by that of an ability that only this card has.
    """
    first, *others = same
    if not 0 < len(others) <= MAX_NAMED_TOGETHER:
        return first
    names = ", ".join(each.item.name for each in others)
    return first._replace(item=Item(first.item.sort, f"{first.item.name} ({names})"))


def _can_be_judged(each: ItemFigures) -> bool:
    return each.drawn.wins.n >= MIN_MATCHES and 0 < each.drawn.seats.value < EVERY_SEAT


def unused_items(comparison: Comparison) -> list[tuple[str, float]]:
    """Return the items of the first variant that seats draw but hardly ever play, and the share of seats that do."""
    found = items(comparison.study.plans[0], comparison.counts[0])
    playable = {each.item.sort for each in found if each.plays}
    return [
        (each.item.name, each.played.seats.value / each.drawn.seats.value)
        for each in found
        if each.item.sort in playable
        and each.drawn.wins.n >= MIN_MATCHES
        and interval(each.played.seats)[1] < DEAD * each.drawn.seats.value
    ]
