"""Summarize a comparison in sentences that a designer without statistics can read."""

from functools import partial

from sparring.lab.experiments.comparison import Comparison
from sparring.lab.experiments.stopping import REAL, FixedIntervals

from .answers import ANSWERED, answers, bots_in_words
from .formats import (
    KINDS,
    TOO_FEW,
    VERDICTS,
    capital,
    format_difference_size,
    format_interval,
    format_p_value,
    format_signed,
    join_words,
    title,
)  # fmt: skip
from .more_matches import matches_for_width, would_tell

#: How many differences the summary spells out; the table has all of them.
MAX_SENTENCES = 4

#: The largest limit of an unclear difference that is worth telling: of shares; of other measures, half of it as a share
#: of the mean.
MAX_LIMIT = 0.1

#: How many differences the terminal lists.
MAX_LISTED = 6


def summary(comparison: Comparison) -> list[str]:
    """Return the summary of a comparison, sentence by sentence: what was played, what was found, then how."""
    return [played(comparison), *findings(comparison), *method(comparison)]


def findings(comparison: Comparison) -> list[str]:
    """Say what was found; what was asked comes first."""
    asked = comparison.config.ask or ()
    details = [sentence for detail in comparison.details for sentence in detail.sentences]
    details_first = bool(asked) and not set(asked) & set(ANSWERED)
    return [
        *(details if details_first else ()),
        *answers(comparison),
        *(() if details_first else details),
        *_differences(comparison),
        *_skill(comparison),
    ]


def played(comparison: Comparison) -> str:
    """Name the game, the options that all variants share, and the bots."""
    study, (first, *others) = comparison.study, comparison.variants
    shared = {
        name: value for name, value in first.options.items() if all(each.options[name] == value for each in others)
    }
    rules = study.game.describe_options(shared)
    return f"{study.game.title}, variant {rules}, {study.seats} seats, {bots_in_words(comparison)}."


def method(comparison: Comparison) -> list[str]:
    """Say how it was measured, and why the run stopped early if it did."""
    return [
        *_setup(comparison),
        *_without_value_model(comparison),
        interval_note(comparison),
        *([comparison.unfinished] if comparison.unfinished else []),
    ]


def _setup(comparison: Comparison) -> list[str]:
    game, variants = comparison.study.game.title, comparison.variants
    who = f"Bots ({join_words([_described(bot) for bot in dict.fromkeys(comparison.study.bots)])})"
    if len(variants) == 1:
        return [f"{who} played {comparison.matches:,} matches of {game}, with {comparison.study.seats} seats."]
    what = f"{len(variants)} variants of {game}, {comparison.matches:,} matches each"
    return [f"{who} played {what}, with {comparison.study.seats} seats."]


def _described(bot: str) -> str:
    """Return a bot's name in words.

    >>> _described("random"), _described("search:iterations=50")
    ('random: any legal action', 'search:iterations=50: 50 lines of play tried before each action')
    """
    if bot == "random":
        return "random: any legal action"
    _, _, count = bot.partition(":iterations=")
    return f"{bot}: {count} lines of play tried before each action" if count.isdigit() else bot


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
            ends = format_interval(
                intervals.differences_low[k, c], intervals.differences_high[k, c],
                partial(format_signed, column=column),
            )  # fmt: skip
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
            "In brackets: a range that contains the true value in about 95 of 100 such reports (an ordinary 95% "
            f"interval, valid because the number of matches, {comparison.matches:,}, was fixed in advance)."
        )
    return (
        "In brackets: a range that contains the true value in at least 95 of 100 such reports, whenever you stop (a "
        "95% confidence sequence). If you fix the number of matches in advance, ranges are narrower."
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
        between = f"{from_text} to {to_text}".replace(" percentage points", "")
        sentences.append(
            f"{capital(title(column.name))}: {format_difference_size(comparison.differences[k, c], column)} more with "
            f"{names[high]} than with {names[low]} ({between})."
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
    """Say how many requested differences are not clear yet, and how large they are at most where that says anything."""
    valid = comparison.valid
    which = "No requested difference between the variants is clear yet"
    if len(unclear) < requested_count:
        verb = "is" if len(unclear) == 1 else "are"
        which = f"{len(unclear)} of the {requested_count} requested differences {verb} not clear yet"
    limits = {index: max(abs(valid.differences_low[index]), abs(valid.differences_high[index])) for index in unclear}
    widest = max(unclear, key=lambda index: limits[index])
    column = comparison.columns[widest[1]]
    large = MAX_LIMIT if column.is_share else MAX_LIMIT / 2 * abs(comparison.means[:, widest[1]]).max()
    if limits[widest] <= large:
        return f"{which}; any such difference is at most {format_difference_size(limits[widest], column)}."
    half_width = float(valid.differences_high[widest] - valid.differences_low[widest]) / 2
    size = abs(float(comparison.differences[widest]))
    # Enough for a real difference, or else for one that is not large.
    needed = matches_for_width(comparison.matches, half_width, max(size, large - size))
    return " ".join(filter(None, (f"{which}: {TOO_FEW}.", would_tell(comparison, needed))))
