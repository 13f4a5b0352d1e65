"""What may be changed to reach the aims: ranges of options and of fields of the content."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from sparring.engine.errors import BadOption

#: The shortest list of numbers that are choices; two numbers are a range.
CHOICES = 3

#: The word for what the ranges of a table add up to: points that can move from one to another.
SUM = "sum"

#: Paths that begin so lead to options, all others into the content.
OPTIONS = "options"


@dataclass(frozen=True)
class ParameterRange:
    """What one option or field may be: whole numbers from the first to the last, or one of some values."""

    path: tuple[str, ...]
    values: tuple[Any, ...]
    #: What it and the other ranges of its table add up to.
    total: int | None = None

    @property
    def name(self) -> str:
        """What it is called."""
        return " ".join(self.path)

    @property
    def is_row(self) -> bool:
        """Whether it is a row of whole numbers."""
        return len(self.values) < CHOICES and all(isinstance(one, int) for one in self.values)


def read_ranges(given: Any, where: str) -> tuple[ParameterRange, ...]:
    """The ranges of a file: tables as a variant has them, with lists where values would stand."""
    if not isinstance(given, dict) or not given:
        raise BadOption(f"{where}: ranges is a table, as in [ranges] and options.life = [10, 20].")
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
    """Ranges that share so many points, if they can."""
    if not here or not all(one.is_row for one in here):
        raise BadOption(f"{where}: {SUM} is what ranges of whole numbers in the same table add up to.")
    least, most = (sum(one.values[end] for one in here) for end in (0, 1))
    if not least <= total <= most:
        raise BadOption(f"{where}: {SUM} is {total}, but these ranges add up to {least} at least and {most} at most.")
    return [replace(one, total=total) for one in here]


def bounds(ranges: Sequence[ParameterRange], before: Sequence[Any]) -> tuple[int, int]:
    """From where to where the next of some ranges goes (a row), when those before it have these values."""
    place, one = len(before), ranges[len(before)]
    low, high = one.values
    if one.total is None:
        return low, high
    beside = [each for each, other in enumerate(ranges) if other.path[:-1] == one.path[:-1]]
    left = one.total - sum(before[each] for each in beside if each < place)
    later = [ranges[each].values for each in beside if each > place]
    return max(low, left - sum(most for _, most in later)), min(high, left - sum(least for least, _ in later))


def fits(ranges: Sequence[ParameterRange], before: Sequence[Any], value: Any) -> bool:
    """Whether the next of some ranges may have a value, when those before it have these."""
    one = ranges[len(before)]
    if not one.is_row:
        return value in one.values
    low, high = bounds(ranges, before)
    return isinstance(value, int) and low <= value <= high


def _range(path: tuple[str, ...], value: Any, where: str) -> ParameterRange:
    name = " ".join(path)
    plain = isinstance(value, list) and all(isinstance(one, int | str) and not isinstance(one, bool) for one in value)
    if not plain or len(value) < 2:
        raise BadOption(f'{where}: {name} is a range [0, 4], or a list of values ["a", "b"].')
    found = ParameterRange(path, tuple(value))
    if found.is_row and value[0] >= value[1]:
        raise BadOption(f"{where}: {name} goes from {value[0]} to {value[1]}; the smaller number comes first.")
    return found


def as_change(ranges: Sequence[ParameterRange], values: Sequence[Any]) -> dict[str, Any]:
    """Values of all ranges as a variant of a `lab.toml`."""
    change: dict[str, Any] = {}
    for one, value in zip(ranges, values, strict=True):
        inside = change
        for name in one.path[:-1]:
            inside = inside.setdefault(name, {})
        inside[one.path[-1]] = value
    return change
