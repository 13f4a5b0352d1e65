"""Candidates of a tuning: proposed by Optuna and stored in a file, so that a tuning can resume."""

from collections.abc import Sequence
from importlib.util import find_spec
from pathlib import Path
from typing import Any, NamedTuple

from sparring.engine.errors import SparringError

from .ranges import ParameterRange, bounds

#: Attempts to find an untried candidate; after the first one they are random.
MAX_ATTEMPTS = 30

#: The most random candidates before the sampler starts to learn.
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

    Optuna's TPE sampler proposes from the results so far. Every proposal has its own seed, so that a resumed tuning
    proposes the same candidates. `asked` identifies the tuning that owns the folder. `begin`, if given, is the first
    candidate. Raises SparringError if the folder belongs to another tuning.
    """

    def __init__(
        self, folder: Path, asked: str, ranges: Sequence[ParameterRange], seed: int, wanted: int,
        begin: tuple[Any, ...] | None = None,
    ) -> None:  # fmt: skip
        if find_spec("optuna") is None:
            raise SparringError('Tuning needs Optuna: pip install "sparring[lab]".')
        import optuna
        from optuna.storages import JournalStorage
        from optuna.storages.journal import JournalFileBackend

        optuna.logging.set_verbosity(optuna.logging.ERROR)
        self._ranges, self._seed, self._at_random = ranges, seed, max(1, min(MAX_RANDOM, wanted // 4))
        self._begin = begin
        try:
            storage = JournalStorage(JournalFileBackend(str(folder / FILE)))
            self._study = optuna.create_study(storage=storage, study_name="tuning", load_if_exists=True)
        except (OSError, ValueError, KeyError):
            raise SparringError(f"{folder / FILE} is not a tuning file; choose another folder with --to.") from None
        if self._study.user_attrs.get("asked", asked) != asked:
            raise SparringError(f"{folder} belongs to another tuning run; choose another folder with --to.")
        self._study.set_user_attr("asked", asked)
        self._failed = optuna.trial.TrialState.FAIL
        for trial in self._study.trials:
            if not trial.state.is_finished():
                self._study.tell(trial.number, state=self._failed)
        self._trial: Any = None

    @property
    def _proposed(self) -> list[Any]:
        """Return all finished trials, including repeats, but not interrupted ones."""
        return [trial for trial in self._study.trials if "values" in trial.user_attrs]

    @property
    def tried(self) -> list[TriedCandidate]:
        """The played candidates."""
        return [
            TriedCandidate(
                tuple(one.user_attrs["values"]), one.value, one.user_attrs["matches"], one.user_attrs["stopped"]
            )
            for one in self._proposed
            if one.value is not None
        ]

    @property
    def rejected(self) -> int:
        """The number of candidates that the game rejected."""
        return sum("fault" in trial.user_attrs for trial in self._proposed)

    @property
    def fault(self) -> str:
        """The reason of the last rejection."""
        return next((str(one.user_attrs["fault"]) for one in reversed(self._proposed) if "fault" in one.user_attrs), "")

    def propose(self) -> tuple[Any, ...] | None:
        """Return the next untried candidate, or None if none is left."""
        from optuna.samplers import RandomSampler, TPESampler

        if self._begin is not None and not self._proposed:
            names = [one.name for one in self._ranges]
            self._study.enqueue_trial(dict(zip(names, self._begin, strict=True)))
        known = {tuple(trial.user_attrs["values"]) for trial in self._proposed}
        for attempt in range(MAX_ATTEMPTS):
            seed = self._seed + len(self._proposed)
            by_chance = RandomSampler(seed=seed)
            self._study.sampler = by_chance if attempt else TPESampler(seed=seed, n_startup_trials=self._at_random)
            self._trial = self._study.ask()
            values: tuple[Any, ...] = ()
            for one in self._ranges:
                values = (*values, self._suggested(one, values))
            if values not in known:
                return values
            self._answer(values=list(values))
        return None

    def _suggested(self, one: ParameterRange, before: Sequence[Any]) -> Any:
        if one.is_integer_range:
            return self._trial.suggest_int(one.name, *bounds(self._ranges, before))
        return self._trial.suggest_categorical(one.name, list(one.values))

    def reject(self, values: Sequence[Any], fault: str) -> None:
        """Record that the game rejects these values."""
        self._answer(values=list(values), fault=fault)

    def record(self, one: TriedCandidate) -> None:
        """Record the result of the proposed candidate."""
        self._answer(one.cost, values=list(one.values), matches=one.matches, stopped=one.stopped)

    def _answer(self, cost: float | None = None, **attributes: Any) -> None:
        for name, value in attributes.items():
            self._trial.set_user_attr(name, value)
        self._study.tell(self._trial, cost, state=self._failed if cost is None else None)
