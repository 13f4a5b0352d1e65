"""Objectives of a tuning: `seats within 0.48..0.52`, `every fighter within 0.45..0.55`, `length 12..18 turns`.

The cost of a figure is its squared distance from the range, in widths of the range. The cost of an objective is the
average of the mean and the worst cost of its figures, times its weight. A small extra term prefers the middle of the
range among candidates that meet all objectives.
"""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from math import sqrt
from typing import Any, NamedTuple

from sparring.engine.errors import BadOption
from sparring.lab.measures import Figure, MatchCounts, figures, items
from sparring.lab.measures.match_plan import MatchPlan

_RANGE = r"(-?\d+(?:\.\d+)?)\s*\.\.\s*(-?\d+(?:\.\d+)?)"
_WITHIN = re.compile(rf"(every )?(.+?)\s+within\s+{_RANGE}")
_LENGTH = re.compile(rf"length\s+{_RANGE}\s+(choices|turns|rounds)")

#: The weight of the distance from the middle of the range.
MIDDLE = 0.01

#: Short names of measures.
SHORT_NAMES = {"seats": "wins/seat", "starter": "wins/place 1", "bots": "wins/bot"}


class ObjectiveValue(NamedTuple):
    """A figure of an objective with the half-width of its 95% interval."""

    name: str
    value: float
    reach: float


@dataclass(frozen=True)
class Objective:
    """Figures that should be within a range.

    With `every`, `measure` is a sort of item, and the figures are the wins of the seats that drew each item.
    """

    text: str
    measure: str
    low: float
    high: float
    every: bool = False
    weight: float = 1.0

    def figures(self, plan: MatchPlan, counts: MatchCounts) -> list[ObjectiveValue]:
        """Return the figures from counts; raise BadOption if the measure does not exist."""
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
            raise BadOption(f'{self.text}: unknown measure "{self.measure}"; known measures are {", ".join(names)}.')
        return [
            ObjectiveValue(name, one.value, 1.96 * sqrt(one.variance / one.n) if one.n else self.high - self.low)
            for name, one in found.items()
        ]

    def cost(self, readings: Sequence[ObjectiveValue], leniency: float = 0.0) -> float:
        """Return the cost of figures; with `kindness` 1, the lowest cost that their intervals allow."""
        costs = [self._outside(one.value, leniency * one.reach) for one in readings]
        return self.weight * (sum(costs) / len(costs) + max(costs)) / 2

    def _outside(self, value: float, reach: float) -> float:
        width = self.high - self.low
        far = max(self.low - value, value - self.high, 0.0) - reach
        off = max(abs(value - (self.low + self.high) / 2) - reach, 0.0)
        return (max(far, 0.0) / width) ** 2 + MIDDLE * (off / width) ** 2

    def is_met(self, readings: Sequence[ObjectiveValue]) -> bool:
        """Return whether all figures are within the range."""
        return all(self.low <= one.value <= self.high for one in readings)


def _is_of(name: str, measure: str) -> bool:
    return name == measure or name.startswith((f"{measure}/", f"{measure} "))


def read_objectives(given: Any, where: str) -> tuple[Objective, ...]:
    """Parse the objectives of a file: texts, or tables with `aim` and `weight`; raise BadOption."""
    if not isinstance(given, list) or not given:
        raise BadOption(f'{where}: aims must be a list, such as aims = ["seats within 0.48..0.52"].')
    return tuple(_read(one, where) for one in given)


def _read(given: Any, where: str) -> Objective:
    table = given if isinstance(given, dict) else {"aim": given}
    text, weight = table.get("aim"), table.get("weight", 1)
    if not isinstance(text, str) or set(table) - {"aim", "weight"}:
        raise BadOption(f"{where}: an aim must be text, or a table with aim and weight.")
    if not isinstance(weight, int | float) or isinstance(weight, bool) or weight <= 0:
        raise BadOption(f"{where}: {text}: the weight must be a number greater than 0.")
    if found := _LENGTH.fullmatch(text.strip()):
        return _aim(text, f"length/{found[3]}", found[1], found[2], False, weight, where)
    if found := _WITHIN.fullmatch(text.strip()):
        measure = found[2] if found[1] else SHORT_NAMES.get(found[2], found[2])
        return _aim(text, measure, found[3], found[4], bool(found[1]), weight, where)
    raise BadOption(
        f"{where}: can't read the aim {text}; write it like seats within 0.48..0.52, every fighter within 0.45..0.55, "
        "or length 12..18 turns."
    )


def _aim(text: str, measure: str, low: str, high: str, every: bool, weight: float, where: str) -> Objective:
    if float(low) >= float(high):
        raise BadOption(f"{where}: {text}: put the smaller number first, {high}..{low}, not {low}..{high}.")
    return Objective(text, measure, float(low), float(high), every, float(weight))
