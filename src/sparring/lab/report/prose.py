"""What was found, in words."""

import math
from collections.abc import Mapping, Sequence
from typing import Any

from sparring.lab.experiments.comparison import Comparison
from sparring.lab.measures import MatchColumn
from sparring.lab.stats.fixed_sample import REAL, FixedIntervals

#: So many differences are told in words; the table has all of them.
TOLD = 4

#: So many differences are listed in the terminal.
LISTED = 6

#: The two kinds of intervals, as they are named beside each other.
KINDS = "fixed number of matches", "whenever one looks"


def number(value: float, column: MatchColumn) -> str:
    """A value of a measure: a share in percent, anything else as it is."""
    return f"{100 * value:.1f}%" if column.is_share else f"{value:,.2f}" if abs(value) < 10 else f"{value:,.1f}"


def apart(value: float, column: MatchColumn) -> str:
    """A difference of a measure: of shares in points of a hundred."""
    if column.is_share:
        return f"{abs(100 * value):.1f} points"
    return number(abs(value), column)


def signed(value: float, column: MatchColumn) -> str:
    """Return a difference with its sign."""
    return f"{100 * value:+.1f}" if column.is_share else f"{value:+,.2f}"


def probability(p: float) -> str:
    """Return a p as people read it."""
    return "under 0.001" if p < 0.001 else "1" if math.isclose(p, 1) else f"{p:.3f}"


def title(name: str) -> str:
    """A measure as people read it: `wins/seat 1` is wins of seat 1."""
    group, slash, rest = name.partition("/")
    if not slash:
        return group
    return {
        "wins": f"wins of {rest}", "ends": f"ends by {rest}", "length": f"length in {rest}",
        "kind": f"choices of {rest}", "payoff": f"payoff of {rest}", "ahead": f"somebody ahead at {rest}",
        "comeback": f"comebacks from {rest}",
    }.get(group, f"{group}: {rest}")  # fmt: skip


def listed(words: Sequence[str]) -> str:
    """`a, b and c`."""
    return words[0] if len(words) == 1 else f"{', '.join(words[:-1])} and {words[-1]}" if words else ""


def paragraph(found: Comparison) -> list[str]:
    """What was found, in a few sentences."""
    return [
        *_played(found),
        *_without_judgement(found),
        *_asked(found),
        *_differences(found),
        how_sure(found),
        *_skill(found),
        *([found.unfinished] if found.unfinished else []),
    ]


def _played(found: Comparison) -> list[str]:
    game, variants = found.study.game.title, found.variants
    bots = listed(list(dict.fromkeys(found.study.bots)))
    what = f"{len(variants)} variants of {game}" if len(variants) > 1 else game
    said = f"{what} {'were' if len(variants) > 1 else 'was'} played {found.matches:,} times"
    return [f"{said}{' each' if len(variants) > 1 else ''} by {bots}, on {found.study.seats} seats."]


def _without_judgement(found: Comparison) -> list[str]:
    """Bots that play without what others were taught: a variant may then differ by its bots, not by its rules."""
    without = found.without_judgement
    if not without:
        return []
    bots = listed(list(dict.fromkeys(bot.text for bot in found.study.plans[0].bots if bot.judges)))
    everywhere = len(without) == len(found.variants)
    where = "" if len(found.variants) == 1 else " in any of them" if everywhere else f" in {listed(list(without))}"
    told = f"Nothing was learned for these rules{where}, so {bots} played without a judgement of them"
    return [f"{told}." if everywhere else f"{told}, and what differs may be that; --learn has them learn first."]


def _asked(found: Comparison) -> list[str]:
    """What was asked for, and how long matches are: in the one variant, or from which to which."""
    told = []
    for c, column in enumerate(found.columns):
        if c not in told_columns(found):
            continue
        order = found.means[:, c].argsort()
        least, most = int(order[0]), int(order[-1])
        if len(found.variants) == 1:
            ends = f"{number(found.valid.low[0, c], column)} to {number(found.valid.high[0, c], column)}"
            told.append(f"{title(column.name)} {number(found.means[0, c], column)} ({ends})")
        else:
            low, high = (number(found.means[v, c], column) for v in (least, most))
            names = found.variants[least].name, found.variants[most].name
            between = f"{low} in all" if low == high else f"from {low} ({names[0]}) to {high} ({names[1]})"
            told.append(f"{title(column.name)} {between}")
    return [f"{_capital('; '.join(told))}."] if told else []


def kinds(found: Comparison) -> tuple[FixedIntervals, FixedIntervals]:
    """Return both kinds of intervals, in the order of their names."""
    return found.fixed, found.anytime


def side_by_side(found: Comparison) -> list[str]:
    """Return lines for the terminal: differences of what is always told, by both kinds of intervals."""
    places = [(k, c) for c in told_columns(found) for k in range(len(found.pairs))]
    lines = []
    for k, c in places[:LISTED]:
        column, (one, other) = found.columns[c], (found.variants[v].name for v in found.pairs[k])
        points = " points" if column.is_share else ""
        difference = f"{signed(found.differences[k, c], column)}{points}"
        lines.append(f"{_capital(title(column.name))}, {one} minus {other}: {difference}")
        for kind, by in zip(KINDS, kinds(found), strict=True):
            ends = " to ".join(signed(end[k, c], column) for end in (by.differences_low, by.differences_high))
            lines.append(f"  95%, {kind}: {ends}; p {probability(by.corrected[k, c])}, {by.verdicts[k, c]}")
    return [*lines, *(["The report has the others."] if len(places) > LISTED else [])]


def told_columns(found: Comparison) -> list[int]:
    """Return the columns that are told of in every case: those that were asked for, and how long matches are."""
    return [c for c, name in enumerate(found.names) if found.asked[c] or name == "length/choices"]


def how_sure(found: Comparison) -> str:
    """Say which kind of interval and test the sentences use."""
    if found.fixed_in_advance:
        return f"Intervals and tests are the ordinary 95% ones for a fixed number of matches, here {found.matches:,}."
    return "Intervals and tests are 95% confidence sequences: they hold although the results decided when to stop."


def _differences(found: Comparison) -> list[str]:
    if not found.pairs:
        return []
    names = [variant.name for variant in found.variants]
    valid, main = found.valid, told_columns(found)
    real = [(k, c) for k in range(len(found.pairs)) for c in range(len(found.columns)) if valid.verdicts[k, c] == REAL]
    asked = [(k, c) for k in range(len(found.pairs)) for c in range(len(found.columns)) if found.asked[c]]
    told = []
    for k, c in sorted((one for one in real if one[1] in main), key=lambda one: -abs(found.differences[one]))[:TOLD]:
        column, (one, other) = found.columns[c], found.pairs[k]
        more = found.differences[k, c] > 0
        high, low = (one, other) if more else (other, one)
        ends = sorted(abs(end[k, c]) for end in (valid.differences_low, valid.differences_high))
        between = f"{apart(ends[0], column).removesuffix(' points')} to {apart(ends[1], column)}"
        told.append(
            f"{_capital(title(column.name))}: {names[high]} has {apart(found.differences[k, c], column)} more than "
            f"{names[low]} ({between})."
        )
    if rest := [one for one in asked if one not in real]:
        told.append(_not_told_apart(found, rest, len(asked)))
    besides = sorted({title(found.names[c]) for k, c in real if c not in main})
    if besides:
        told.append(
            f"Real differences there are also in {listed(besides[:6])}{' and more' if len(besides) > 6 else ''}."
        )
    return told


def _skill(found: Comparison) -> list[str]:
    """What thinking ten times as long is worth."""
    if not found.ladder:
        return []
    table = found.tables["skill"]
    wins = [f"{100 * won:.1f}% ({name})" for name, won in zip(table["variant"], table["wins"], strict=True)]
    alone = wins[0].partition(" ")[0] if len(wins) == 1 else f"{listed(wins)}"
    return [f"{table['bot'][0]} wins {alone} against {table['against'][0]}."]


def _not_told_apart(found: Comparison, rest: list[tuple[int, int]], asked: int) -> str:
    """Which differences may be none, and how large they are at most."""
    valid = found.valid
    reach = {one: max(abs(valid.differences_low[one]), abs(valid.differences_high[one])) for one in rest}
    widest = max(rest, key=lambda one: reach[one])
    which = "None of the differences that were asked for is told apart yet"
    if len(rest) < asked:
        verb = "is" if len(rest) == 1 else "are"
        which = f"{len(rest)} of the {asked} differences that were asked for {verb} not told apart yet"
    return f"{which}; if there is any, it is smaller than {apart(reach[widest], found.columns[widest[1]])}."


def _capital(text: str) -> str:
    return text[:1].upper() + text[1:]


def rows_of(table: Mapping[str, Any]) -> list[tuple[Any, ...]]:
    """A table row by row."""
    return list(zip(*table.values(), strict=True))
