"""Format values and names of measures for readers."""

import math
from collections.abc import Sequence
from typing import Any

from sparring.lab.experiments.stopping import REAL, UNCLEAR
from sparring.lab.measures import MatchColumn
from sparring.lab.stats import FIRST_LOOK

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
