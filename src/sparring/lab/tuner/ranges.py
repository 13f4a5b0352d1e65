"""Search space of a tuning: ranges of options and of content fields."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from sparring.engine.errors import BadOption

#: The shortest list of numbers that counts as a list of values; two numbers are a range.
MIN_VALUES = 3

#: The key for the fixed sum of the ranges of a table: points that move between fields.
SUM = "sum"

#: Paths that start with this key lead to options, all others into the content.
OPTIONS = "options"


@dataclass(frozen=True)
class ParameterRange:
    """The values of one option or field: integers from the first to the last, or a list of values."""

    path: tuple[str, ...]
    values: tuple[Any, ...]
    #: The fixed sum of all ranges of its table, if any.
    total: int | None = None

    @property
    def name(self) -> str:
        """Return the path as text."""
        return " ".join(self.path)

    @property
    def is_integer_range(self) -> bool:
        """Return whether it is a range of integers."""
        return len(self.values) < MIN_VALUES and all(isinstance(one, int) for one in self.values)


def read_ranges(given: Any, where: str) -> tuple[ParameterRange, ...]:
    """Parse the ranges of a file: tables as in a variant, with lists in place of values; raise BadOption."""
    if not isinstance(given, dict) or not given:
        raise BadOption(f"{where}: ranges must be a table, such as [ranges] with options.life = [10, 20].")
    return tuple(_leaves(given, (), where))


def _leaves(given: Mapping[str, Any], path: tuple[str, ...], where: str) -> Iterator[ParameterRange]:
    total = given.get(SUM)
    total = total if isinstance(total, int) and not isinstance(total, bool) else None
    here = []
    for name, value in given.items():
        if isinstance(value, dict):
            yield from _leaves(value, (*path, name), where)
        elif name != SUM or total is None:
            here.append(_range((*path, name), value, where))
    yield from here if total is None else _shared(here, total, f"{where}: {' '.join(path)}")


def _shared(here: Sequence[ParameterRange], total: int, where: str) -> list[ParameterRange]:
    """Return ranges with a fixed sum; raise BadOption if they can't reach it."""
    if not here or not all(one.is_integer_range for one in here):
        raise BadOption(f"{where}: {SUM} needs ranges of whole numbers in the same table.")
    least, most = (sum(one.values[end] for one in here) for end in (0, 1))
    if not least <= total <= most:
        raise BadOption(
            f"{where}: {SUM} must be {least} to {most}, the totals that these ranges can reach, not {total}."
        )
    return [replace(one, total=total) for one in here]


def bounds(ranges: Sequence[ParameterRange], before: Sequence[Any]) -> tuple[int, int]:
    """Return the lowest and highest value of the next range, given the values of the ranges before it."""
    place, one = len(before), ranges[len(before)]
    low, high = one.values
    if one.total is None:
        return low, high
    beside = [each for each, other in enumerate(ranges) if other.path[:-1] == one.path[:-1]]
    left = one.total - sum(before[each] for each in beside if each < place)
    later = [ranges[each].values for each in beside if each > place]
    return max(low, left - sum(most for _, most in later)), min(high, left - sum(least for least, _ in later))


def fits(ranges: Sequence[ParameterRange], before: Sequence[Any], value: Any) -> bool:
    """Return whether a value is allowed for the next range, given the values of the ranges before it."""
    one = ranges[len(before)]
    if not one.is_integer_range:
        return value in one.values
    low, high = bounds(ranges, before)
    return isinstance(value, int) and low <= value <= high


def _range(path: tuple[str, ...], value: Any, where: str) -> ParameterRange:
    name = " ".join(path)
    plain = isinstance(value, list) and all(isinstance(one, int | str) and not isinstance(one, bool) for one in value)
    if not plain or len(value) < 2:
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
    for one, value in zip(ranges, values, strict=True):
        inside = change
        for name in one.path[:-1]:
            inside = inside.setdefault(name, {})
        inside[one.path[-1]] = value
    return change
