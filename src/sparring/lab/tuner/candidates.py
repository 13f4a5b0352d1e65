"""Propose the candidates of a tuning with Optuna, and store them in a file, so that a tuning can resume."""

from collections.abc import Sequence
from importlib.util import find_spec
from pathlib import Path
from typing import Any, NamedTuple

from sparring.engine.errors import SparringError
from sparring.engine.extras import MissingExtra

from .ranges import ParameterRange, bounds

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
