"""Answer a designer's first questions in sentences: fairness, items that are too strong or weak, match length.

A share is judged against the even share: one win for each seat, in equal parts. Within `TOLERANCE` of it counts as
fair, because players don't notice less. Items are judged by the wins of the seats that *drew* them, compared with the
average drawn item of the same sort: chance decides what a seat draws, but players decide what they play, and they play
most items when they are ahead or in need. The intervals of items are corrected for their number (Bonferroni), so that
at most 5 of 100 reports call any item too strong or too weak by mistake.
"""

import math
from collections import Counter
from collections.abc import Callable, Sequence
from functools import partial
from typing import NamedTuple

from sparring.engine.compilation.counters import DRAWN
from sparring.engine.game import Item
from sparring.lab.experiments.comparison import Comparison
from sparring.lab.measures import ItemFigures, interval, items
from sparring.lab.stats import FIRST_LOOK, corrected_z, quantile_interval

from .formats import TOO_FEW, join_words
from .more_matches import duration_text, matches_for_width, most_of, would_tell

#: How far a share of wins may be from the even share and still count as fair.
TOLERANCE = 0.03

#: The fewest matches with an item for a judgement, and the share of seats above which every seat has it.
MIN_MATCHES, EVERY_SEAT = 30, 0.98

#: An item is dead if at most this share of the seats that drew it play it.
DEAD = 0.05

#: How many variants the sentences describe one by one, and how many items a sentence names.
MAX_VARIANTS, MAX_ITEMS = 6, 4

#: How many other items are named with an item that always comes with them.
MAX_NAMED_TOGETHER = 2

#: Seconds per action if no saved matches between people are given (`--times`).
DEFAULT_ACTION_SECONDS = 8.0


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


def answers(comparison: Comparison) -> list[str]:
    """Return the sentences that a report begins with, those that answer what was asked first."""
    asked = [answer for name in comparison.config.ask or () for answer in ANSWERS.get(name, ())]
    known = dict.fromkeys([*asked, *(answer for group in ANSWERS.values() for answer in group)])
    return [sentence for answer in known for sentence in answer(comparison)]


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


def even_share(comparison: Comparison, v: int) -> float:
    """Return the even share of wins in a variant: matches that someone won, divided by the number of seats."""
    draws = float(comparison.means[v, comparison.names.index("draws")])
    return (1 - draws) / comparison.study.seats


def with_interval(value: float, low: float, high: float, scale: float = 1.0, unit: str = "") -> str:
    """Format a value and its interval with as many digits as the interval supports.

    >>> with_interval(0.5432, 0.52, 0.56, 100, "%"), with_interval(24.31, 24.1, 24.5), with_interval(2, -9e999, 9e999)
    ('54% (52 to 56)', '24.3 (24.1 to 24.5)', '2.0 (a range needs 100 matches)')
    """
    value, low, high = scale * value, scale * low, scale * high
    if not math.isfinite(high - low):
        return f"{value:.1f}{unit} (a range needs {FIRST_LOOK} matches)"
    if high - low < 0.01:
        return f"{value:.6g}{unit}"
    digits = 0 if high - low >= 2 else 1 if high - low >= 0.2 else 2
    return f"{value:.{digits}f}{unit} ({low:.{digits}f} to {high:.{digits}f})"


def bots_in_words(comparison: Comparison) -> str:
    """Return the bots that played: `random bots`."""
    return f"{join_words(list(dict.fromkeys(comparison.study.bots)))} bots"


def _where(comparison: Comparison, v: int) -> str:
    """Return " with VARIANT", or nothing if there is only one variant."""
    return f" with {comparison.variants[v].name}" if len(comparison.variants) > 1 else ""


def _by_variant(comparison: Comparison, say: Callable[[int], str]) -> str:
    """Return what `say` says about each variant."""
    return "; ".join(say(v) for v in range(min(len(comparison.variants), MAX_VARIANTS)))


def _valid(comparison: Comparison, v: int, c: int) -> tuple[float, float, float]:
    """Return a mean and the ends of its valid interval."""
    mean, low, high = (float(a[v, c]) for a in (comparison.means, comparison.valid.low, comparison.valid.high))
    return mean, low, high


def _even(comparison: Comparison) -> str:
    """Say which share of wins is even, if all variants agree to half a point."""
    shares = [100 * even_share(comparison, v) for v in range(len(comparison.variants))]
    low, high, seats = min(shares), max(shares), comparison.study.seats
    share = f"{low:.1f}%" if high - low < 0.5 else f"{low:.1f} to {high:.1f}%"
    drawn = "" if low > 100 / seats - 0.05 else ", because no seat wins a draw"
    return f"An even share for each of {seats} seats is {share}{drawn}."


def _fairness(comparison: Comparison) -> list[str]:
    """Judge the wins of the player who begins and of each seat; with two seats, the other one wins the rest."""
    names = comparison.names
    columns = [names.index(f"wins/seat {seat}") for seat in range(1, comparison.study.seats + 1)]
    listed = columns if len(columns) > 2 else columns[:1]
    seats = [f"wins {_by_variant(comparison, partial(_judged, comparison, c=c))}" for c in listed]
    place, start = names.index("wins/place 1"), f"With {bots_in_words(comparison)}"
    if (comparison.means[:, columns[0]] == comparison.means[:, place]).all():
        sentences = [
            f"{start}, seat {n}{' (who always begins)' if n == 1 else ''} {wins}." for n, wins in enumerate(seats, 1)
        ]
    else:
        begins = _by_variant(comparison, partial(_judged, comparison, c=place))
        by_seat = "; ".join(f"seat {n} {wins}" for n, wins in enumerate(seats, 1))
        sentences = [
            f"{start}, the player who begins wins {begins}.",
            f"Who begins changes from match to match, so seats can be even where beginning is not: {by_seat}.",
        ]
        listed = [place, *listed]
    return [*sentences, _even(comparison), *_more_for_shares(comparison, listed)]


def _judged(comparison: Comparison, v: int, c: int) -> str:
    """Return a share of wins and its verdict."""
    share = with_interval(*_valid(comparison, v, c), 100, "%")
    return f"{share}{_where(comparison, v)}: {_verdict(comparison, v, c)}"


def _verdict(comparison: Comparison, v: int, c: int) -> str:
    return verdict(*_valid(comparison, v, c), even_share(comparison, v))


def _more_for_shares(comparison: Comparison, columns: Sequence[int]) -> list[str]:
    """Say how many more matches judge the shares of wins that can't be judged yet."""
    described = range(min(len(comparison.variants), MAX_VARIANTS))
    unclear = [(v, c) for v in described for c in columns if _verdict(comparison, v, c) == TOO_FEW]
    needed = comparison.matches_needed(TOLERANCE)
    more = would_tell(comparison, max((float(needed[index]) for index in unclear), default=0.0))
    return [more] if more else []


def judged_items(comparison: Comparison, v: int) -> list[JudgedItem]:
    """Return the items of a variant that can be judged, the strongest first."""
    known = [each for each in _distinct_items(comparison, v) if _can_be_judged(each)]
    of_sort = Counter(each.item.sort for each in known)
    known = [each for each in known if of_sort[each.item.sort] > 1]  # one alone is the average of its sort
    z = corrected_z(len(known) * len(comparison.variants))
    usual = {
        sort: _usual_lift([each for each in known if each.item.sort == sort])
        for sort in {each.item.sort for each in known}
    }
    judged = []
    for each in known:
        low, high = interval(each.drawn.lift, z)
        values = (value - usual[each.item.sort] for value in (each.drawn.lift.value, low, high))
        judged.append(JudgedItem(each.item.name, each.item.sort, *values))
    return sorted(judged, key=lambda item: -item.value)


def _usual_lift(known: Sequence[ItemFigures]) -> float:
    """Return the lift of the average drawn item: seats that draw more items than others also win more often."""
    shares = [each.drawn.seats.value for each in known]
    return sum(share * each.drawn.lift.value for share, each in zip(shares, known, strict=True)) / sum(shares)


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


def _items(comparison: Comparison) -> list[str]:
    """Name the items of the first variant that are too strong or too weak, for each sort."""
    judged, where = judged_items(comparison, 0), _where(comparison, 0)
    sentences = [
        sentence
        for sort in dict.fromkeys(item.sort for item in judged)
        for sentence in _of_sort(sort, [item for item in judged if item.sort == sort], where, bots_in_words(comparison))
    ]
    if any(item.verdict in ("too strong", "too weak") for item in judged):
        sentences.append("A point is one more win in 100 matches than with the average item of the same sort.")
    unclear = [item.matches_needed(comparison.matches) for item in judged if item.verdict == TOO_FEW]
    more = would_tell(comparison, most_of(unclear), "would tell for most of these") if unclear else ""
    return [*sentences, more] if more else sentences


def _of_sort(sort: str, judged: Sequence[JudgedItem], where: str, bots: str) -> list[str]:
    sentences = []
    for word, chosen in (("too strong", judged), ("too weak", judged[::-1])):
        bad = [item for item in chosen if item.verdict == word]
        named = [f"{item.name}: {_points(item)}" for item in bad[:MAX_ITEMS]]
        more = f"; {len(bad) - MAX_ITEMS} more" if len(bad) > MAX_ITEMS else ""
        if len(bad) == 1:
            sentences.append(f"The {sort} {bad[0].name} is {_points(bad[0], ' points')} {word}{where} for {bots}.")
        elif bad:
            sentences.append(
                f"{word.capitalize()}{where} for {bots} ({_plural(sort)}, in points): {'; '.join(named)}{more}."
            )
    unclear = sum(item.verdict == TOO_FEW for item in judged)
    if unclear:
        sentences.append(f"For {unclear} of {len(judged)} {_plural(sort)}{where} there are {TOO_FEW}.")
    elif not sentences:
        most = max(math.ceil(100 * max(abs(item.value) for item in judged)), 1)
        within = f"all are within {most} point{'s' if most > 1 else ''}"
        sentences.append(f"None of {len(judged)} {_plural(sort)}{where} is too strong or weak for {bots}: {within}.")
    return sentences


def _plural(word: str) -> str:
    """Return the plural of a sort of item.

    >>> _plural("card"), _plural("ability")
    ('cards', 'abilities')
    """
    return f"{word[:-1]}ies" if word.endswith("y") else f"{word}s"


def _unused(comparison: Comparison) -> list[str]:
    """Name the items of the first variant that seats draw but hardly ever play (dead items)."""
    found = items(comparison.study.plans[0], comparison.counts[0])
    playable = {each.item.sort for each in found if each.plays}
    dead = [
        f"{each.item.name} ({100 * each.played.seats.value / each.drawn.seats.value:.0f}%)"
        for each in found
        if each.item.sort in playable
        and each.drawn.wins.n >= MIN_MATCHES
        and interval(each.played.seats)[1] < DEAD * each.drawn.seats.value
    ]
    if not dead:
        return []
    more = f"; {len(dead) - MAX_ITEMS} more" if len(dead) > MAX_ITEMS else ""
    listed = f"{'; '.join(dead[:MAX_ITEMS])}{more}"
    return [f"Drawn but hardly ever played{_where(comparison, 0)} (share of the seats that drew it): {listed}."]


def _points(item: JudgedItem, unit: str = "") -> str:
    return f"{100 * abs(item.value):.0f}{unit} (± {100 * (item.high - item.low) / 2:.0f})"


def _length(comparison: Comparison) -> list[str]:
    """Say how long matches last, in actions and minutes, and the median."""
    c = comparison.names.index("length/choices")
    given = comparison.config.action_seconds
    seconds = given or DEFAULT_ACTION_SECONDS

    def say(v: int) -> str:
        duration = duration_text(float(comparison.means[v, c]) * seconds)
        return f"{with_interval(*_valid(comparison, v, c))} actions{_where(comparison, v)}, about {duration}"

    source = "the mean in your saved matches" if given else "sparring lab --times FILE takes it from saved matches"
    median, low, high = quantile_interval(comparison.counts[0].lengths["choices"])
    half = f" Half of them last {median} or fewer ({low} to {high})." if len(comparison.variants) == 1 else ""
    pace = f"Durations assume {seconds:g} seconds per action ({source})."
    return [f"Matches last {_by_variant(comparison, say)}.{half} {pace}"]


def _comebacks(comparison: Comparison) -> list[str]:
    """Say how often the seat that leads at half-time loses."""
    tables = comparison.tables["figures"]
    found = {
        str(variant): (float(value), float(low), float(high))
        for variant, figure, value, low, high in zip(
            *(tables[head] for head in ("variant", "figure", "value", "low", "high")), strict=True
        )
        if figure == "lead lost/half"
    }
    if len(found) < len(comparison.variants):
        return []

    def say(v: int) -> str:
        return f"{with_interval(*found[comparison.variants[v].name], 100, '%')} of matches{_where(comparison, v)}"

    return [f"The player who leads at half-time still loses {_by_variant(comparison, say)}."]


#: The questions that `answers` answers completely; the details of the others answer them.
ANSWERED = ("fair", "cards", "length")

#: The answers to questions (`experiments.config`), in the order without a question.
ANSWERS: dict[str, tuple[Callable[[Comparison], list[str]], ...]] = {
    "fair": (_fairness,), "cards": (_items, _unused), "length": (_length,), "tension": (_comebacks,),
}  # fmt: skip
