"""How long to play: what has to be known, and how precisely."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from sparring.engine.errors import BadOption, SparringError
from sparring.lab.measures import MatchColumn

from .study import Study

Array = np.ndarray[Any, Any]

#: How precisely one measures if nothing is said, and for how long at most (seconds).
USUAL_PRECISION, USUAL_SECONDS = 0.01, 60.0


@dataclass(frozen=True)
class StoppingRule:
    """How long to play: until the intervals of these measures are so narrow, or so many matches, or so many seconds.

    What the words mean is said with `Wishes`.
    """

    measures: tuple[str, ...] = ()
    precision: float | None = None
    matches: int | None = None
    seconds: float | None = None
    #: Nobody said how long: it is no failure if the usual precision is not reached in the usual time.
    usual: bool = False

    def checked(self) -> "StoppingRule":
        """The same, if it can be answered; with the usual where nothing was said."""
        if self.precision is not None and not 0 < self.precision < 0.5:
            raise BadOption(f"The precision cannot be {self.precision:g}; it is more than 0 and less than 0.5.")
        if self.matches is not None and self.matches < 1:
            raise SparringError(f"At least one match is needed, not {self.matches}.")
        if self.precision is None and self.matches is None:
            return StoppingRule(self.measures, USUAL_PRECISION, None, self.seconds or USUAL_SECONDS, usual=True)
        return self

    def asks(self, study: Study, columns: Sequence[MatchColumn]) -> Array:
        """Which of the columns have to become so narrow; usually wins of seats, and of bots if they are different."""
        for name in self.measures:
            if not any(_is_of(column.name, name) for column in columns):
                known = dict.fromkeys(column.name.partition("/")[0] for column in columns)
                raise BadOption(f"There is no measure called {name}; there is {', '.join(known)}.")
        usual = ("wins/seat", "wins/bot") if len(set(study.bots)) > 1 else ("wins/seat",)
        wanted = self.measures or usual
        return np.array([any(_is_of(column.name, name) for name in wanted) for column in columns])


def _is_of(column: str, name: str) -> bool:
    return column == name or column.startswith((f"{name}/", f"{name} "))
