"""The search space of a tuning: ranges of options and of content fields."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from sparring.engine.errors import BadOption

#: The minimum length of a list of numbers that is a list of values; two numbers are a range.
MIN_VALUES = 3

#: The key for the fixed sum of the ranges of a table: points that move between fields.
SUM = "sum"

#: Paths that start with this key lead to options, all others into the content.
OPTIONS = "options"


@dataclass(frozen=True)
class ParameterRange:
    """The possible values of an option or field: all integers from the first to the last value, or a list of values."""

    path: tuple[str, ...]
    values: tuple[Any, ...]
    #: The fixed sum of all ranges of its table, if any.
    total: int | None = None

    @property
    def name(self) -> str:
        """The path as text."""
        return " ".join(self.path)

    @property
    def is_integer_range(self) -> bool:
        """Whether it is a range of integers."""
        return len(self.values) < MIN_VALUES and all(isinstance(value, int) for value in self.values)


def read_ranges(table: Any, where: str) -> tuple[ParameterRange, ...]:
    """Parse the ranges of a file: tables as in a variant, with lists in place of values; raise BadOption."""
    if not isinstance(table, dict) or not table:
        raise BadOption(f"{where}: ranges must be a table, such as [ranges] with options.life = [10, 20].")
    return tuple(_leaves(table, (), where))


def _leaves(table: Mapping[str, Any], path: tuple[str, ...], where: str) -> Iterator[ParameterRange]:
    total = table.get(SUM)
    total = total if isinstance(total, int) and not isinstance(total, bool) else None
    ranges = []
    for name, value in table.items():
        if isinstance(value, dict):
            yield from _leaves(value, (*path, name), where)
        elif name != SUM or total is None:
            ranges.append(_range((*path, name), value, where))
    yield from ranges if total is None else _shared(ranges, total, f"{where}: {' '.join(path)}")


def _shared(ranges: Sequence[ParameterRange], total: int, where: str) -> list[ParameterRange]:
    """Return the ranges with a fixed sum; raise BadOption if their values can't add up to it."""
    if not ranges or not all(parameter.is_integer_range for parameter in ranges):
        raise BadOption(f"{where}: {SUM} needs ranges of whole numbers in the same table.")
    lowest, highest = (sum(parameter.values[end] for parameter in ranges) for end in (0, 1))
    if not lowest <= total <= highest:
        raise BadOption(
            f"{where}: {SUM} must be {lowest} to {highest}, the totals that these ranges can reach, not {total}."
        )
    return [replace(parameter, total=total) for parameter in ranges]


def bounds(ranges: Sequence[ParameterRange], before: Sequence[Any]) -> tuple[int, int]:
    """Return the lowest and highest value of the next range, given the values of the ranges before it."""
    index, parameter = len(before), ranges[len(before)]
    low, high = parameter.values
    if parameter.total is None:
        return low, high
    siblings = [each for each, other in enumerate(ranges) if other.path[:-1] == parameter.path[:-1]]
    remaining = parameter.total - sum(before[each] for each in siblings if each < index)
    later_values = [ranges[each].values for each in siblings if each > index]
    lowest, highest = (sum(values[end] for values in later_values) for end in (0, 1))
    return max(low, remaining - highest), min(high, remaining - lowest)


def fits(ranges: Sequence[ParameterRange], before: Sequence[Any], value: Any) -> bool:
    """Return whether a value is allowed for the next range, given the values of the ranges before it."""
    parameter = ranges[len(before)]
    if not parameter.is_integer_range:
        return value in parameter.values
    low, high = bounds(ranges, before)
    return isinstance(value, int) and low <= value <= high


def _range(path: tuple[str, ...], value: Any, where: str) -> ParameterRange:
    name = " ".join(path)
    is_list = isinstance(value, list) and len(value) >= 2
    if not is_list or not all(isinstance(entry, int | str) and not isinstance(entry, bool) for entry in value):
        raise BadOption(f'{where}: {name} must be a range such as [0, 4], or a list of values such as ["a", "b"].')
    found = ParameterRange(path, tuple(value))
    if found.is_integer_range and value[0] >= value[1]:
        raise BadOption(
            f"{where}: {name}: put the smaller number first, [{value[1]}, {value[0]}], not [{value[0]}, {value[1]}]."
        )
    return found


def as_change(ranges: Sequence[ParameterRange], values: Sequence[Any]) -> dict[str, Any]:
    """Return the values of all ranges as a variant of a `lab.toml`."""
    change: dict[str, Any] = {}
    for parameter, value in zip(ranges, values, strict=True):
        target = change
        for name in parameter.path[:-1]:
            target = target.setdefault(name, {})
        target[parameter.path[-1]] = value
    return change
