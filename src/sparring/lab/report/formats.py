"""Format values, differences and names of measures for readers."""

import math
from collections.abc import Callable, Mapping, Sequence
from typing import Any

from sparring.lab.experiments.stopping import REAL, UNCLEAR
from sparring.lab.measures import MatchColumn

#: How the two kinds of intervals are labelled where they appear side by side.
KINDS = "fixed number of matches", "valid at any time"

#: What is shown instead of an interval or a verdict that needs more matches.
TOO_FEW = "too few matches to tell"

#: What a group of measures means, in a few words.
MEANINGS = {
    "wins": "share of matches won; a shared win is split equally", "draws": "matches without a winner",
    "payoff": "payoff per match", "ends": "share of matches that end this way", "length": "mean per match",
    "decisions": "actions per match with at least two options",
    "width": "mean number of options in a decision",
    "lead changes": "how often the lead passes to another seat",
    "ahead": "share of matches with a leader at that point",
    "comeback": "share of matches in which the leader at that point loses",
    "drama": "how far behind the winner was, in the turns when it was behind",
    "behind": "share of turns in which the eventual winner was behind",
    "open": "share of the match before the winner took the decisive lead",
}  # fmt: skip

#: Readable names of measures without a slash; others keep theirs.
PLAIN_TITLES = {
    "width": "options per decision", "behind": "turns with the winner behind", "open": "turns before the decisive lead"
}  # fmt: skip

#: The readable names of units of length whose names in the files differ.
UNITS = {"choices": "actions"}

#: How verdicts are shown to readers; the files keep their values.
VERDICTS = {REAL: "real", UNCLEAR: "not clear yet"}


def format_value(value: float, column: MatchColumn) -> str:
    """Format a value of a measure: a share as a percentage, anything else as a plain number."""
    return f"{100 * value:.1f}%" if column.is_share else f"{value:,.2f}" if abs(value) < 10 else f"{value:,.1f}"


def format_difference_size(value: float, column: MatchColumn) -> str:
    """Format the size of a difference; differences of shares are in percentage points."""
    if column.is_share:
        return f"{abs(100 * value):.1f} percentage points"
    return format_value(abs(value), column)


def format_signed(value: float, column: MatchColumn) -> str:
    """Format a difference with its sign."""
    return f"{100 * value:+.1f}" if column.is_share else f"{value:+,.2f}"


def format_interval(low: float, high: float, form: Callable[[float], str]) -> str:
    """Format an interval as "LOW to HIGH", or say that there are too few matches for one."""
    return f"{form(low)} to {form(high)}" if math.isfinite(high - low) else TOO_FEW


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


def rows_of(table: Mapping[str, Any]) -> list[tuple[Any, ...]]:
    """Return the rows of a table that is stored as columns."""
    return list(zip(*table.values(), strict=True))
