"""The search space of a tuning, and its candidates: proposed by Optuna and stored, so that a tuning can resume."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from importlib.util import find_spec
from pathlib import Path
from typing import Any, NamedTuple

from sparring.engine.errors import BadOption, SparringError
from sparring.engine.plugins import MissingExtra

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


#: The maximum number of attempts to find an untried candidate; all but the first are random.
MAX_ATTEMPTS = 30

#: The maximum number of random candidates before the sampler starts to learn.
MAX_RANDOM = 10

#: The journal file in the folder of a tuning.
FILE = "candidates.log"


class TriedCandidate(NamedTuple):
    """A played candidate: its values, cost, number of matches, and whether it was stopped early."""

    values: tuple[Any, ...]
    cost: float
    matches: int
    stopped: bool


class Candidates:
    """The candidates so far, and the source of the next one.

    Optuna's TPE sampler makes proposals from the results so far. Every proposal has its own seed, so that a resumed
    tuning proposes the same candidates. `identity` identifies the tuning that owns the folder, `candidates` is their
    planned number, and `first`, if given, is the first candidate. Raises SparringError if the folder belongs to another
    tuning.
    """

    def __init__(
        self, folder: Path, identity: str, ranges: Sequence[ParameterRange], seed: int, candidates: int,
        first: tuple[Any, ...] | None = None,
    ) -> None:  # fmt: skip
        if find_spec("optuna") is None:
            raise MissingExtra("Tuning needs Optuna", "lab")
        import optuna
        from optuna.storages import JournalStorage
        from optuna.storages.journal import JournalFileBackend

        optuna.logging.set_verbosity(optuna.logging.ERROR)
        self._ranges, self._seed, self._random_startup = ranges, seed, max(1, min(MAX_RANDOM, candidates // 4))
        self._first = first
        try:
            storage = JournalStorage(JournalFileBackend(str(folder / FILE)))
            self._study = optuna.create_study(storage=storage, study_name="tuning", load_if_exists=True)
        except (OSError, ValueError, KeyError):
            raise SparringError(f"{folder / FILE} is not a tuning file; choose another folder with --to.") from None
        if self._study.user_attrs.get("asked", identity) != identity:
            raise SparringError(f"{folder} belongs to another tuning run; choose another folder with --to.")
        self._study.set_user_attr("asked", identity)
        self._failed = optuna.trial.TrialState.FAIL
        for trial in self._study.trials:
            if not trial.state.is_finished():
                self._study.tell(trial.number, state=self._failed)
        self._trial: Any = None

    @property
    def _proposed(self) -> list[Any]:
        """All finished trials, including repeated ones, but not interrupted ones."""
        return [trial for trial in self._study.trials if "values" in trial.user_attrs]

    @property
    def tried(self) -> list[TriedCandidate]:
        """The played candidates."""
        return [
            TriedCandidate(
                tuple(trial.user_attrs["values"]), trial.value, trial.user_attrs["matches"], trial.user_attrs["stopped"]
            )
            for trial in self._proposed
            if trial.value is not None
        ]

    @property
    def rejected(self) -> int:
        """The number of candidates that the game rejected."""
        return sum("fault" in trial.user_attrs for trial in self._proposed)

    @property
    def fault(self) -> str:
        """The reason for the last rejection."""
        return next(
            (str(trial.user_attrs["fault"]) for trial in reversed(self._proposed) if "fault" in trial.user_attrs), ""
        )

    def propose(self) -> tuple[Any, ...] | None:
        """Return the next untried candidate, or None if none is left."""
        from optuna.samplers import RandomSampler, TPESampler

        if self._first is not None and not self._proposed:
            names = [parameter.name for parameter in self._ranges]
            self._study.enqueue_trial(dict(zip(names, self._first, strict=True)))
        known = {tuple(trial.user_attrs["values"]) for trial in self._proposed}
        for attempt in range(MAX_ATTEMPTS):
            seed = self._seed + len(self._proposed)
            random_sampler = RandomSampler(seed=seed)
            self._study.sampler = (
                random_sampler if attempt else TPESampler(seed=seed, n_startup_trials=self._random_startup)
            )
            self._trial = self._study.ask()
            values: tuple[Any, ...] = ()
            for parameter in self._ranges:
                values = (*values, self._suggested(parameter, values))
            if values not in known:
                return values
            self._answer(values=list(values))
        return None

    def _suggested(self, parameter: ParameterRange, before: Sequence[Any]) -> Any:
        if parameter.is_integer_range:
            return self._trial.suggest_int(parameter.name, *bounds(self._ranges, before))
        return self._trial.suggest_categorical(parameter.name, list(parameter.values))

    def reject(self, values: Sequence[Any], fault: str) -> None:
        """Record that the game rejects these values."""
        self._answer(values=list(values), fault=fault)

    def record(self, candidate: TriedCandidate) -> None:
        """Record the result of the proposed candidate."""
        self._answer(
            candidate.cost, values=list(candidate.values), matches=candidate.matches, stopped=candidate.stopped
        )

    def _answer(self, cost: float | None = None, **attributes: Any) -> None:
        for name, value in attributes.items():
            self._trial.set_user_attr(name, value)
        self._study.tell(self._trial, cost, state=self._failed if cost is None else None)
