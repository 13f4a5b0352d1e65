"""Decide when an experiment stops: precision, number of matches, or time."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from sparring.engine.errors import BadOption, SparringError
from sparring.lab.measures import MatchColumn

from .study import Study

Array = np.ndarray[Any, Any]

#: The default precision (half-width of an interval) and time limit (seconds).
DEFAULT_PRECISION, DEFAULT_SECONDS = 0.01, 60.0


@dataclass(frozen=True)
class StoppingRule:
    """A stopping rule: stop at a precision of the `measures`, a number of matches, or a time in seconds.

    `ExperimentConfig` describes the fields.
    """

    measures: tuple[str, ...] = ()
    precision: float | None = None
    matches: int | None = None
    seconds: float | None = None
    #: Whether these are the defaults. A run that misses the default precision in the default time is complete.
    is_default: bool = False

    def validated(self, default_precision: float = DEFAULT_PRECISION) -> "StoppingRule":
        """Validate the rule and fill in the defaults; raise BadOption or SparringError."""
        if self.precision is not None and not 0 < self.precision < 0.5:
            raise BadOption(f"The precision must be more than 0 and less than 0.5, not {self.precision:g}.")
        if self.matches is not None and self.matches < 1:
            raise SparringError(f"The number of matches must be at least 1, not {self.matches}.")
        if self.precision is None and self.matches is None:
            return StoppingRule(
                self.measures, default_precision, None, self.seconds or DEFAULT_SECONDS, is_default=True
            )
        return self

    def requested_columns(self, study: Study, columns: Sequence[MatchColumn]) -> Array:
        """Return a boolean mask of the requested columns; raise BadOption for an unknown measure.

        The default is the wins of seats, and of bots if these differ.
        """
        for name in self.measures:
            if not any(_is_of(column.name, name) for column in columns):
                known = dict.fromkeys(column.name.partition("/")[0] for column in columns)
                raise BadOption(f'Unknown measure "{name}"; known measures are {", ".join(known)}.')
        usual = ("wins/seat", "wins/bot") if len(set(study.bots)) > 1 else ("wins/seat",)
        measures = self.measures or usual
        return np.array([any(_is_of(column.name, name) for name in measures) for column in columns])


def _is_of(column: str, name: str) -> bool:
    return column == name or column.startswith((f"{name}/", f"{name} "))
