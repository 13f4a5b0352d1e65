"""What may be changed to reach the aims: ranges of options and of fields of the content."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from sparring.engine.errors import BadOption

#: The shortest list of numbers that are choices; two numbers are a range.
CHOICES = 3


@dataclass(frozen=True)
class Range:
    """What one option or field may be: whole numbers from the first to the last, or one of some values."""

    path: tuple[str, ...]
    values: tuple[Any, ...]

    @property
    def name(self) -> str:
        """What it is called."""
        return " ".join(self.path)

    @property
    def is_row(self) -> bool:
        """Whether it is a row of whole numbers."""
        return len(self.values) < CHOICES and all(isinstance(one, int) for one in self.values)


def read_ranges(given: Any, where: str) -> tuple[Range, ...]:
    """The ranges of a file: tables as a variant has them, with lists where values would stand."""
    if not isinstance(given, dict) or not given:
        raise BadOption(f"{where}: ranges is a table, as in [ranges] and options.life = [10, 20].")
    return tuple(_leaves(given, (), where))


def _leaves(given: Mapping[str, Any], path: tuple[str, ...], where: str) -> Iterator[Range]:
    for name, value in given.items():
        if isinstance(value, dict):
            yield from _leaves(value, (*path, name), where)
        else:
            yield _range((*path, name), value, where)


def _range(path: tuple[str, ...], value: Any, where: str) -> Range:
    name = " ".join(path)
    plain = isinstance(value, list) and all(isinstance(one, int | str) and not isinstance(one, bool) for one in value)
    if not plain or len(value) < 2:
        raise BadOption(f'{where}: {name} is a range [0, 4], or a list of values ["a", "b"].')
    found = Range(path, tuple(value))
    if found.is_row and value[0] >= value[1]:
        raise BadOption(f"{where}: {name} goes from {value[0]} to {value[1]}; the smaller number comes first.")
    return found


def as_change(ranges: Sequence[Range], values: Sequence[Any]) -> dict[str, Any]:
    """Values of all ranges as a variant of a `lab.toml`."""
    change: dict[str, Any] = {}
    for one, value in zip(ranges, values, strict=True):
        inside = change
        for name in one.path[:-1]:
            inside = inside.setdefault(name, {})
        inside[one.path[-1]] = value
    return change
