"""What a designer aims at: `seats within 0.48..0.52`, `every fighter within 0.45..0.55`, `length 12..18 turns`.

A candidate costs for each aim how far its figures lie outside of the range, measured in widths of the range, squared:
the mean of what all figures of the aim cost, and the worst one. Among candidates that meet all aims the one in the
middle of its ranges costs least.
"""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from math import sqrt
from typing import Any, NamedTuple

from sparring.engine.errors import BadOption
from sparring.lab.experiments.match_plan import MatchPlan
from sparring.lab.measures import Figure, MatchCounts, figures, items

_RANGE = r"(-?\d+(?:\.\d+)?)\s*\.\.\s*(-?\d+(?:\.\d+)?)"
_WITHIN = re.compile(rf"(every )?(.+?)\s+within\s+{_RANGE}")
_LENGTH = re.compile(rf"length\s+{_RANGE}\s+(choices|turns|rounds)")

#: What being in the middle of a range is worth, beside being inside.
MIDDLE = 0.01

#: What people call some measures.
CALLED = {"seats": "wins/seat", "starter": "wins/place 1", "bots": "wins/bot"}


class ObjectiveValue(NamedTuple):
    """A figure that an aim is about, with half of its 95% interval."""

    name: str
    value: float
    reach: float


@dataclass(frozen=True)
class Objective:
    """Figures that are to lie within a range. `every`: the wins of those who had an item, for every item of a sort."""

    text: str
    measure: str
    low: float
    high: float
    every: bool = False
    weight: float = 1.0

    def readings(self, plan: MatchPlan, counts: MatchCounts) -> list[ObjectiveValue]:
        """The figures, from what was counted; BadOption if there are none of that name."""
        found: Mapping[str, Figure]
        if self.every:
            known = items(plan, counts)
            found = {one.item.name: one.drawn.wins for one in known if one.item.sort == self.measure}
            names = sorted({one.item.sort for one in known})
        else:
            all_of_them = figures(plan, counts)
            found = {name: one for name, one in all_of_them.items() if _is_of(name, self.measure)}
            names = ["seats", "starter", *dict.fromkeys(name.partition("/")[0] for name in all_of_them)]
        if not found:
            raise BadOption(f"{self.text}: there is nothing called {self.measure}; there is {', '.join(names)}.")
        return [
            ObjectiveValue(name, one.value, 1.96 * sqrt(one.variance / one.n) if one.n else self.high - self.low)
            for name, one in found.items()
        ]

    def cost(self, readings: Sequence[ObjectiveValue], kindness: float = 0.0) -> float:
        """What these figures cost; with `kindness` 1 as little as their intervals allow."""
        costs = [self._outside(one.value, kindness * one.reach) for one in readings]
        return self.weight * (sum(costs) / len(costs) + max(costs)) / 2

    def _outside(self, value: float, reach: float) -> float:
        width = self.high - self.low
        far = max(self.low - value, value - self.high, 0.0) - reach
        off = max(abs(value - (self.low + self.high) / 2) - reach, 0.0)
        return (max(far, 0.0) / width) ** 2 + MIDDLE * (off / width) ** 2

    def is_met(self, readings: Sequence[ObjectiveValue]) -> bool:
        """Whether all of them lie within the range."""
        return all(self.low <= one.value <= self.high for one in readings)


def _is_of(name: str, measure: str) -> bool:
    return name == measure or name.startswith((f"{measure}/", f"{measure} "))


def read_aims(given: Any, where: str) -> tuple[Objective, ...]:
    """The aims of a file: texts, or tables with `aim` and `weight`."""
    if not isinstance(given, list) or not given:
        raise BadOption(f'{where}: aims is a list, as in aims = ["seats within 0.48..0.52"].')
    return tuple(_read(one, where) for one in given)


def _read(given: Any, where: str) -> Objective:
    table = given if isinstance(given, dict) else {"aim": given}
    text, weight = table.get("aim"), table.get("weight", 1)
    if not isinstance(text, str) or set(table) - {"aim", "weight"}:
        raise BadOption(f"{where}: an aim is a text, or a table with aim and weight.")
    if not isinstance(weight, int | float) or isinstance(weight, bool) or weight <= 0:
        raise BadOption(f"{where}: {text}: a weight is a number above 0.")
    if found := _LENGTH.fullmatch(text.strip()):
        return _aim(text, f"length/{found[3]}", found[1], found[2], False, weight, where)
    if found := _WITHIN.fullmatch(text.strip()):
        measure = found[2] if found[1] else CALLED.get(found[2], found[2])
        return _aim(text, measure, found[3], found[4], bool(found[1]), weight, where)
    raise BadOption(
        f"{where}: {text} is no aim; write seats within 0.48..0.52, every fighter within 0.45..0.55, "
        "or length 12..18 turns."
    )


def _aim(text: str, measure: str, low: str, high: str, every: bool, weight: float, where: str) -> Objective:
    if float(low) >= float(high):
        raise BadOption(f"{where}: {text}: the range goes from {low} to {high}; the smaller number comes first.")
    return Objective(text, measure, float(low), float(high), every, float(weight))
