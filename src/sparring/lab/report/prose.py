"""Summarize a comparison in sentences that a designer without statistics can read."""

import math
from collections.abc import Mapping, Sequence
from typing import Any

from sparring.lab.experiments.comparison import Comparison
from sparring.lab.experiments.fixed_sample import REAL, UNCLEAR, FixedIntervals
from sparring.lab.measures import MatchColumn

#: How many differences the summary spells out; the table has all of them.
MAX_SENTENCES = 4

#: How many differences the terminal lists.
MAX_LISTED = 6

#: How the two kinds of intervals are labelled where they appear side by side.
KINDS = "fixed number of matches", "valid at any time"

#: What a group of measures means, in a few words.
MEANINGS = {
    "wins": "share of matches won; a shared win is split equally", "draws": "matches without a winner",
    "payoff": "payoff per match", "ends": "share of matches that end this way", "length": "mean per match",
    "decisions": "choices per match with at least two options",
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
        "wins": f"wins of {rest}", "ends": f"ending “{rest}”", "length": f"match length in {rest}",
        "kind": f"choices of {rest}", "payoff": f"payoff of {rest}", "ahead": f"a leader after {rest} of the turns",
        "comeback": f"comebacks after {rest} of the turns",
    }.get(group, f"{group}: {rest}")  # fmt: skip


def join_words(words: Sequence[str]) -> str:
    """Join words as in "a, b and c"."""
    return words[0] if len(words) == 1 else f"{', '.join(words[:-1])} and {words[-1]}" if words else ""


def summary(comparison: Comparison) -> list[str]:
    """Return the summary of a comparison, sentence by sentence."""
    return [
        *_setup(comparison),
        *_without_value_model(comparison),
        *_main_results(comparison),
        *_differences(comparison),
        interval_note(comparison),
        *_skill(comparison),
        *([comparison.unfinished] if comparison.unfinished else []),
    ]


def _setup(comparison: Comparison) -> list[str]:
    game, variants = comparison.study.game.title, comparison.variants
    bots = list(dict.fromkeys(comparison.study.bots))
    who = f"The bot{'s' if len(bots) > 1 else ''} {join_words(bots)}"
    if len(variants) == 1:
        return [f"{who} played {comparison.matches:,} matches of {game}, with {comparison.study.seats} seats."]
    what = f"{len(variants)} variants of {game}, {comparison.matches:,} matches each"
    return [f"{who} played {what}, with {comparison.study.seats} seats."]


def _without_value_model(comparison: Comparison) -> list[str]:
    """Warn that a difference may come from the bots if only some variants have a value model."""
    without = comparison.variants_without_value_model
    if not without:
        return []
    bots = join_words(list(dict.fromkeys(bot.text for bot in comparison.study.plans[0].bots if bot.evaluates)))
    if len(without) == len(comparison.variants):
        return [f"There is no value model (a learned evaluation) for these rules, so {bots} played without one."]
    where = join_words(list(without))
    return [
        f"There is no value model (a learned evaluation) for {where}, so {bots} played without one there.",
        "This may explain differences; with --learn, the lab first trains a value model for each variant.",
    ]


def _main_results(comparison: Comparison) -> list[str]:
    """Return the requested measures and the match length: the value, or the lowest and highest of the variants."""
    results = []
    for c in main_columns(comparison):
        column = comparison.columns[c]
        order = comparison.means[:, c].argsort()
        lowest, highest = int(order[0]), int(order[-1])
        if len(comparison.variants) == 1:
            ends = " to ".join(format_value(end[0, c], column) for end in (comparison.valid.low, comparison.valid.high))
            results.append(f"{title(column.name)}: {format_value(comparison.means[0, c], column)} ({ends})")
        else:
            low, high = (format_value(comparison.means[v, c], column) for v in (lowest, highest))
            names = comparison.variants[lowest].name, comparison.variants[highest].name
            between = f"{low} in all variants" if low == high else f"{low} ({names[0]}) to {high} ({names[1]})"
            results.append(f"{title(column.name)}: {between}")
    return [f"{capital('; '.join(results))}."] if results else []


def both_intervals(comparison: Comparison) -> tuple[FixedIntervals, FixedIntervals]:
    """Return both kinds of intervals, in the order of `KINDS`."""
    return comparison.fixed, comparison.anytime


def side_by_side(comparison: Comparison) -> list[str]:
    """Return lines for the terminal: the differences of the main measures, with both kinds of intervals."""
    indices = [(k, c) for c in main_columns(comparison) for k in range(len(comparison.pairs))]
    lines = []
    for k, c in indices[:MAX_LISTED]:
        column, (first, second) = comparison.columns[c], (comparison.variants[v].name for v in comparison.pairs[k])
        unit = " percentage points" if column.is_share else ""
        difference = f"{format_signed(comparison.differences[k, c], column)}{unit}"
        lines.append(f"{capital(title(column.name))}, {first} minus {second}: {difference}")
        for kind, intervals in zip(KINDS, both_intervals(comparison), strict=True):
            ends = " to ".join(
                format_signed(end[k, c], column) for end in (intervals.differences_low, intervals.differences_high)
            )
            verdict = VERDICTS[str(intervals.verdicts[k, c])]
            lines.append(
                f"  95% interval, {kind}: {ends}; p-value {format_p_value(intervals.corrected[k, c])}, {verdict}"
            )
    return [*lines, *(["The report lists the other differences."] if len(indices) > MAX_LISTED else [])]


def main_columns(comparison: Comparison) -> list[int]:
    """Return the columns that every summary mentions: the requested measures and the match length."""
    return [c for c, name in enumerate(comparison.names) if comparison.requested[c] or name == "length/choices"]


def interval_note(comparison: Comparison) -> str:
    """Say which kind of interval the sentences use."""
    if comparison.fixed_in_advance:
        return (
            "Values in brackets are ordinary 95% intervals: the true value is inside in about 95 of 100 such "
            f"reports. They are valid because the number of matches, {comparison.matches:,}, was fixed in advance."
        )
    return (
        "Values in brackets are 95% confidence sequences: intervals that stay valid even if the results decided when "
        "to stop."
    )


def _differences(comparison: Comparison) -> list[str]:
    if not comparison.pairs:
        return []
    names = [variant.name for variant in comparison.variants]
    valid, main = comparison.valid, main_columns(comparison)
    real = [
        (k, c)
        for k in range(len(comparison.pairs))
        for c in range(len(comparison.columns))
        if valid.verdicts[k, c] == REAL
    ]
    requested = [
        (k, c) for k in range(len(comparison.pairs)) for c in range(len(comparison.columns)) if comparison.requested[c]
    ]
    largest = sorted(
        (index for index in real if index[1] in main), key=lambda index: -abs(comparison.differences[index])
    )
    sentences = []
    for k, c in largest[:MAX_SENTENCES]:
        column, (first, second) = comparison.columns[c], comparison.pairs[k]
        high, low = (first, second) if comparison.differences[k, c] > 0 else (second, first)
        ends = sorted(abs(end[k, c]) for end in (valid.differences_low, valid.differences_high))
        from_text, to_text = (format_difference_size(end, column) for end in ends)
        between = f"{from_text.removesuffix(' percentage points')} to {to_text}"
        sentences.append(
            f"{capital(title(column.name))}: {names[high]} is "
            f"{format_difference_size(comparison.differences[k, c], column)} above "
            f"{names[low]} ({between})."
        )
    if unclear := [index for index in requested if index not in real]:
        sentences.append(_unclear(comparison, unclear, len(requested)))
    others = sorted({title(comparison.names[c]) for k, c in real if c not in main})
    if others:
        sentences.append(
            f"Other real differences: {join_words(others if len(others) <= 6 else [*others[:6], 'more'])}."
        )
    return sentences


def _skill(comparison: Comparison) -> list[str]:
    """Say how often a bot wins if it searches ten times as long as the others."""
    if not comparison.skill_run:
        return []
    table = comparison.tables["skill"]
    wins = [f"{100 * won:.1f}% ({name})" for name, won in zip(table["variant"], table["wins"], strict=True)]
    share = wins[0].partition(" ")[0] if len(wins) == 1 else join_words(wins)
    return [f"{table['bot'][0]}, which searches ten times as long, wins {share} against {table['against'][0]}."]


def _unclear(comparison: Comparison, unclear: list[tuple[int, int]], requested_count: int) -> str:
    """Say how many requested differences are not clear yet, and how large they are at most."""
    valid = comparison.valid
    limits = {index: max(abs(valid.differences_low[index]), abs(valid.differences_high[index])) for index in unclear}
    widest = max(unclear, key=lambda index: limits[index])
    which = "None of the requested differences is clear yet"
    if len(unclear) < requested_count:
        verb = "is" if len(unclear) == 1 else "are"
        which = f"{len(unclear)} of the {requested_count} requested differences {verb} not clear yet"
    limit_text = format_difference_size(limits[widest], comparison.columns[widest[1]])
    return f"{which}; any such difference is at most {limit_text}."


def capital(text: str) -> str:
    """Capitalize the first letter and leave the rest unchanged."""
    return text[:1].upper() + text[1:]


def rows_of(table: Mapping[str, Any]) -> list[tuple[Any, ...]]:
    """Return the rows of a table that is stored as columns."""
    return list(zip(*table.values(), strict=True))
