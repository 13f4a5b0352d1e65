"""How the match at a table stands, as it is shown, and what is to be stored and shown next."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Literal, Self

import numpy as np

from sparring.engine.match import Match

from .clocks.clock_state import ClockState
from .clocks.early_endings import EarlyEnding
from .hint_state import TableHints


@dataclass(frozen=True)
class ShownState:
    """How the match stands, as it is shown."""

    #: The seat that is to choose; 0 when the match is over.
    asked: int
    #: Whether the seat that is asked may take back its last choice.
    may_take_back: bool

    #: Whether all agreed to rest: nobody chooses meanwhile.
    paused: bool = False

    @classmethod
    def of(cls, match: Match, ended: EarlyEnding, timing: ClockState, *, final: bool = False) -> Self:
        """How a match stands, in which nothing may be taken back if choices are `final`."""
        may_take_back = match.to_take_back > 0 and not final
        return cls(0 if ended.how else match.seat or 0, may_take_back, timing.paused)

    @property
    def over(self) -> bool:
        """Whether the match has ended."""
        return not self.asked


@dataclass(frozen=True)
class TableChange:
    """Something that is to be stored and then shown."""

    kind: Literal["choice", "taken back", "other"]
    #: The version of every viewer, and how many choices it counts; the rest is counted when somebody looks.
    versions: tuple[int, ...]
    counted: tuple[int, ...]
    #: How long every choice was thought about, how the table stands in time, and who has left it, where that changes.
    spent: bytes | None = None
    timing: ClockState | None = None
    ended: EarlyEnding | None = None
    help: TableHints | None = None

    @property
    def stored(self) -> bytes:
        """The versions, as they are stored."""
        return packed((*self.versions, *self.counted), "<i4")

    @property
    def columns(self) -> dict[str, Any]:
        """All that changes by it besides the match, as it is stored."""
        timing = self.timing.stored if self.timing else {}
        ended = {"ended": self.ended.stored} if self.ended else {}
        spent = {} if self.spent is None else {"spent": self.spent}
        hints = {"hints": self.help.stored} if self.help else {}
        return {"versions": self.stored, **spent, **timing, **ended, **hints}


def packed(numbers: Sequence[int], kind: str) -> bytes:
    """Whole numbers as they are stored: `<i2` for choices, `<i4` for versions."""
    return np.array(numbers, kind).tobytes()
