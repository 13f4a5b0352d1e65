"""What is known about a comparison: one record of figures, which sentences, tables and plots show."""

import math
from dataclasses import dataclass
from functools import cached_property
from typing import Any, ClassVar, NamedTuple

from sparring.lab.experiments.comparison import Comparison, Table
from sparring.lab.experiments.stopping import REAL, FixedIntervals
from sparring.lab.measures import MatchColumn
from sparring.lab.stats import quantile_interval

from .figures_in_words import (
    TOLERANCE,
    TOO_FEW,
    JudgedItem,
    judged_items,
    matches_for_width,
    round_up,
    title,
    unused_items,
    verdict,
)

#: Seconds per action if no saved matches between people are given (`--times`).
DEFAULT_ACTION_SECONDS = 8.0

#: The largest limit of an unclear difference that is worth telling: of shares; of other measures, half of it as a share
#: of the mean.
MAX_LIMIT = 0.1


Row = dict[str, Any]


def rows_of(table: Table) -> list[Row]:
    """Return the rows of a table that is stored as columns."""
    return [dict(zip(table, row, strict=True)) for row in zip(*table.values(), strict=True)]


class VariantEstimate(NamedTuple):
    """A value in a variant with its valid 95% interval, for shares of wins with a verdict.

    `both` are the two kinds of intervals: for a number of matches fixed in advance, and valid at any time.
    """

    variant: str
    value: float
    low: float
    high: float
    both: tuple[tuple[float, float], ...] = ()
    verdict: str = ""


class Difference(NamedTuple):
    """A measure in one variant minus the same in another; `both` as in `VariantEstimate`, with p-values, verdicts."""

    column: MatchColumn
    pair: int
    first: str
    second: str
    value: float
    low: float
    high: float
    both: tuple[tuple[float, float, float, str], ...]
    #: Whether the difference is real, whether its measure was requested, and whether every summary mentions it.
    real: bool
    requested: bool
    main: bool


class Unclear(NamedTuple):
    """The requested differences that aren't clear yet, and the largest size that the intervals allow.

    `limit` is None if it is too large to say anything; then `more` is about how many matches would tell (0: unknown).
    """

    number: int
    requested: int
    column: MatchColumn
    limit: float | None
    more: int


@dataclass(frozen=True)
class ReportFigures:
    """The figures of a comparison; `findings.md` has the sentences. Shares are from 0 to 1."""

    #: How many variants the sentences describe one by one, and how many have a plot and a table of items on the page.
    described: ClassVar[int] = 6
    with_items: ClassVar[int] = 3

    comparison: Comparison

    @property
    def variants(self) -> list[str]:
        """The names of the variants."""
        return [variant.name for variant in self.comparison.variants]

    @property
    def bots(self) -> list[str]:
        """The different bots."""
        return list(dict.fromkeys(self.comparison.study.bots))

    @property
    def rules(self) -> str:
        """The game's variant, with the options that all variants share."""
        first, *others = self.comparison.variants
        shared = {key: value for key, value in first.options.items() if all(o.options[key] == value for o in others)}
        return self.comparison.study.game.describe_options(shared)

    @property
    def evaluating(self) -> list[str]:
        """The bots that use a value model if there is one."""
        return list(dict.fromkeys(bot.text for bot in self.comparison.study.plans[0].bots if bot.evaluates))

    @cached_property
    def measures(self) -> dict[str, list[VariantEstimate]]:
        """The mean of each measure, by variant."""
        return {name: self._estimates(c) for c, name in enumerate(self.comparison.names)}

    def _estimates(self, c: int) -> list[VariantEstimate]:
        found, estimates = self.comparison, []
        for v, variant in enumerate(found.variants):
            mean = float(found.means[v, c])
            both = tuple((float(one.low[v, c]), float(one.high[v, c])) for one in (found.fixed, found.anytime))
            low, high = float(found.valid.low[v, c]), float(found.valid.high[v, c])
            word = verdict(mean, low, high, self.even[v]) if found.names[c].startswith("wins/") else ""
            estimates.append(VariantEstimate(variant.name, mean, low, high, both, word))
        return estimates

    @cached_property
    def even(self) -> list[float]:
        """The even share of wins in each variant: matches that someone won, divided by the number of seats."""
        draws = self.comparison.means[:, self.comparison.names.index("draws")]
        return [(1 - float(share)) / self.comparison.study.seats for share in draws]

    @property
    def seats(self) -> list[list[VariantEstimate]]:
        """The wins of each seat; with two seats, the other one wins the rest."""
        count = self.comparison.study.seats
        return [self.measures[f"wins/seat {seat}"] for seat in range(1, count + 1 if count > 2 else 2)]

    @property
    def starts(self) -> list[VariantEstimate]:
        """The wins of the player who begins; empty if that is always seat 1."""
        starts = self.measures["wins/place 1"]
        same = [each.value for each in starts] == [each.value for each in self.seats[0]]
        return [] if same else starts

    @property
    def more_for_shares(self) -> int:
        """About how many matches judge the shares of wins that can't be judged yet; 0: none."""
        shares = [each for wins in (self.starts, *self.seats) for each in wins[: self.described]]
        widths = [(each.both[0][1] - each.both[0][0]) / 2 for each in shares if each.verdict == TOO_FEW]
        return round_up(matches_for_width(self.comparison.matches, max(widths, default=0.0), TOLERANCE))

    @cached_property
    def items(self) -> list[list[JudgedItem]]:
        """The items of each variant that can be judged, the strongest first."""
        return [judged_items(self.comparison, v) for v in range(len(self.comparison.variants))]

    @property
    def sorts(self) -> dict[str, list[JudgedItem]]:
        """The items of the first variant by sort, the strongest first."""
        of_sort: dict[str, list[JudgedItem]] = {}
        for item in self.items[0]:
            of_sort.setdefault(item.sort, []).append(item)
        return of_sort

    @property
    def more_for_items(self) -> int:
        """About how many matches judge three quarters of the items of the first variant that can't be judged yet."""
        needed = [item.matches_needed(self.comparison.matches) for item in self.items[0] if item.verdict == TOO_FEW]
        return round_up(sorted(needed)[math.ceil(0.75 * len(needed)) - 1]) if needed else 0

    @property
    def unused(self) -> list[tuple[str, float]]:
        """The items of the first variant that seats draw but hardly ever play, and the share of seats that do."""
        return unused_items(self.comparison)

    @property
    def action_seconds(self) -> float:
        """The seconds that an action takes."""
        return self.comparison.config.action_seconds or DEFAULT_ACTION_SECONDS

    @property
    def median_length(self) -> tuple[int, int, int]:
        """The median length of matches of the first variant, in actions, and its interval."""
        return quantile_interval(self.comparison.counts[0].lengths["choices"])

    @property
    def lost_leads(self) -> list[VariantEstimate]:
        """How often the seat that leads at half-time loses; empty if it isn't known of every variant."""
        tables = self.comparison.tables["figures"]
        heads = (tables[head].tolist() for head in ("figure", "variant", "value", "low", "high"))
        found = [VariantEstimate(*row) for figure, *row in zip(*heads, strict=True) if figure == "lead lost/half"]
        return found if len(found) == len(self.comparison.variants) else []

    @cached_property
    def differences(self) -> list[Difference]:
        """All differences between two variants, by measure."""
        return [
            self._difference(k, c)
            for c in range(len(self.comparison.columns))
            for k in range(len(self.comparison.pairs))
        ]

    def _difference(self, k: int, c: int) -> Difference:
        found, column = self.comparison, self.comparison.columns[c]
        first, second = (found.variants[v].name for v in found.pairs[k])

        def ends(by: FixedIntervals) -> tuple[float, float]:
            return float(by.differences_low[k, c]), float(by.differences_high[k, c])

        both = tuple(
            (*ends(by), float(by.corrected[k, c]), str(by.verdicts[k, c])) for by in (found.fixed, found.anytime)
        )
        requested = bool(found.requested[c])
        return Difference(
            column, k, first, second, float(found.differences[k, c]), *ends(found.valid), both,
            bool(found.valid.verdicts[k, c] == REAL), requested, requested or column.name == "length/choices",
        )  # fmt: skip

    @property
    def largest(self) -> list[Difference]:
        """The real differences that every summary mentions, the largest first."""
        real = [each for each in self.differences if each.real and each.main]
        return sorted(real, key=lambda each: (-abs(each.value), each.pair))

    @property
    def other_real(self) -> list[str]:
        """The names of the other measures with real differences."""
        return sorted({title(each.column.name) for each in self.differences if each.real and not each.main})

    @property
    def unclear(self) -> Unclear | None:
        """The requested differences that aren't clear yet; None: there are none."""
        requested = sorted((each for each in self.differences if each.requested), key=lambda each: each.pair)
        unclear = [each for each in requested if not each.real]
        if not unclear:
            return None
        widest = max(unclear, key=lambda each: max(abs(each.low), abs(each.high)))
        limit = max(abs(widest.low), abs(widest.high))
        means = [abs(each.value) for each in self.measures[widest.column.name]]
        large = MAX_LIMIT if widest.column.is_share else MAX_LIMIT / 2 * max(means)
        if limit <= large:
            return Unclear(len(unclear), len(requested), widest.column, limit, 0)
        # Enough for a real difference, or else for one that is not large.
        target = max(abs(widest.value), large - abs(widest.value))
        needed = matches_for_width(self.comparison.matches, (widest.high - widest.low) / 2, target)
        return Unclear(len(unclear), len(requested), widest.column, None, round_up(needed))

    @property
    def skill(self) -> list[Row]:
        """How often a bot wins that searches ten times as long as the others, by variant; empty if not measured."""
        return rows_of(self.comparison.tables["skill"]) if self.comparison.skill_run else []

    @property
    def listed(self) -> list[Difference]:
        """The differences that the report tabulates, the real ones first."""
        listed = [each for each in self.differences if each.real or each.main]
        return sorted(listed, key=lambda each: (not each.real, not each.main))

    @property
    def kinds(self) -> dict[str, dict[str, Row]]:
        """The share of each kind of choice, by variant; a variant without such choices is missing."""
        kinds: dict[str, dict[str, Row]] = {}
        for row in rows_of(self.comparison.tables["figures"]):
            group, _, kind = str(row["figure"]).partition("/")
            if group == "kind":
                kinds.setdefault(kind, {})[str(row["variant"])] = row
        return kinds

    def item_rows(self, variant: str) -> list[Row]:
        """Return the items that seats of a variant drew, those first that win most; an ability of no card has none."""
        rows = [row for row in rows_of(self.comparison.tables["items"]) if row["variant"] == variant and row["drawn"]]
        return sorted(rows, key=lambda row: -float(row["lift_when_drawn"]))
