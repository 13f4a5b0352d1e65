"""Parse and evaluate objectives: `seats within 0.48..0.52`, `every fighter within 0.45..0.55`, `length 12..18 turns`.

The cost of a figure is its squared distance from the range, in units of the range's width. The cost of an objective is
the average of the mean and the maximum cost of its figures, times its weight. A small additional term favours the
middle of the range among candidates that meet all objectives.
"""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from math import sqrt
from typing import Any, NamedTuple

from sparring.engine.errors import BadOption

from .measures import Figure, MatchCounts, figures, items
from .measures.match_plan import MatchPlan

_RANGE = r"(-?\d+(?:\.\d+)?)\s*\.\.\s*(-?\d+(?:\.\d+)?)"
_WITHIN = re.compile(rf"(every )?(.+?)\s+within\s+{_RANGE}")
_LENGTH = re.compile(rf"length\s+{_RANGE}\s+(choices|turns|rounds)")

#: The weight of the squared distance from the middle of the range.
MIDDLE = 0.01

#: Short names of measures.
SHORT_NAMES = {"seats": "wins/seat", "starter": "wins/place 1", "bots": "wins/bot"}


class ObjectiveValue(NamedTuple):
    """A figure of an objective, with the half-width of its 95% interval (`reach`)."""

    name: str
    value: float
    reach: float


@dataclass(frozen=True)
class Objective:
    """Figures that should be within a range.

    With `every`, `measure` is a sort of item, and the figures are the wins of the seats that drew each item. Without,
    it is a measure, or the name of one item.
    """

    text: str
    measure: str
    low: float
    high: float
    every: bool = False
    weight: float = 1.0

    def figures(self, plan: MatchPlan, counts: MatchCounts) -> list[ObjectiveValue]:
        """Return the figures of the objective from counts; raise BadOption if the measure does not exist."""
        matched: Mapping[str, Figure]
        if self.every:
            known = items(plan, counts)
            matched = {each.item.name: each.drawn.wins for each in known if each.item.sort == self.measure}
            names = sorted({each.item.sort for each in known})
        else:
            all_figures = figures(plan, counts)
            matched = {name: figure for name, figure in all_figures.items() if _is_of(name, self.measure)}
            matched = matched or {
                each.item.name: each.drawn.wins for each in items(plan, counts) if each.item.name == self.measure
            }
            names = ["seats", "starter", *dict.fromkeys(name.partition("/")[0] for name in all_figures)]
        if not matched:
            raise BadOption(f'{self.text}: unknown measure "{self.measure}"; known measures are {", ".join(names)}.')
        return [
            ObjectiveValue(
                name, figure.value, 1.96 * sqrt(figure.variance / figure.n) if figure.n else self.high - self.low
            )
            for name, figure in matched.items()
        ]

    def cost(self, values: Sequence[ObjectiveValue], leniency: float = 0.0) -> float:
        """Return the cost of figures; with a `leniency` of 1, the lowest cost that their intervals allow."""
        costs = [self._outside(figure.value, leniency * figure.reach) for figure in values]
        return self.weight * (sum(costs) / len(costs) + max(costs)) / 2

    def _outside(self, value: float, half_width: float) -> float:
        width = self.high - self.low
        distance = max(self.low - value, value - self.high, 0.0) - half_width
        off_centre = max(abs(value - (self.low + self.high) / 2) - half_width, 0.0)
        return (max(distance, 0.0) / width) ** 2 + MIDDLE * (off_centre / width) ** 2

    def is_met(self, values: Sequence[ObjectiveValue]) -> bool:
        """Return whether all figures are within the range."""
        return all(self.low <= figure.value <= self.high for figure in values)


def _is_of(name: str, measure: str) -> bool:
    return name == measure or name.startswith((f"{measure}/", f"{measure} "))


def read_objectives(data: Any, where: str) -> tuple[Objective, ...]:
    """Parse the objectives of a file: texts, or tables with `aim` and `weight`; raise BadOption."""
    if not isinstance(data, list) or not data:
        raise BadOption(f'{where}: aims must be a list, such as aims = ["seats within 0.48..0.52"].')
    return tuple(_read(entry, where) for entry in data)


def _read(data: Any, where: str) -> Objective:
    table = data if isinstance(data, dict) else {"aim": data}
    text, weight = table.get("aim"), table.get("weight", 1)
    if not isinstance(text, str) or set(table) - {"aim", "weight"}:
        raise BadOption(f"{where}: an aim must be text, or a table with aim and weight.")
    if not isinstance(weight, int | float) or isinstance(weight, bool) or weight <= 0:
        raise BadOption(f"{where}: {text}: the weight must be a number greater than 0.")
    if matched := _LENGTH.fullmatch(text.strip()):
        return _aim(text, f"length/{matched[3]}", matched[1], matched[2], False, weight, where)
    if matched := _WITHIN.fullmatch(text.strip()):
        measure = matched[2] if matched[1] else SHORT_NAMES.get(matched[2], matched[2])
        return _aim(text, measure, matched[3], matched[4], bool(matched[1]), weight, where)
    raise BadOption(
        f"{where}: can't read the aim {text}; write it like seats within 0.48..0.52, every fighter within 0.45..0.55, "
        "or length 12..18 turns."
    )


def _aim(text: str, measure: str, low: str, high: str, every: bool, weight: float, where: str) -> Objective:
    if float(low) >= float(high):
        raise BadOption(f"{where}: {text}: put the smaller number first, {high}..{low}, not {low}..{high}.")
    return Objective(text, measure, float(low), float(high), every, float(weight))
