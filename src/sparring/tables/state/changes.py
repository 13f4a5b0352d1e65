"""The published state of a table's match, and changes that are yet to be written and published."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Literal, NamedTuple, Self

import numpy as np

from sparring.engine.match import Match

from .clock_state import ClockState
from .early_endings import EarlyEnding
from .hint_state import TableHints
from .known_deals import TableDeals
from .players import Player


@dataclass(frozen=True)
class ShownState:
    """The state of the match as viewers see it."""

    #: The seat whose turn it is; 0 when the match is over.
    asked: int
    #: Whether that seat may take back its last choice.
    may_take_back: bool
    #: Whether the match is paused by agreement.
    paused: bool = False

    @classmethod
    def of(cls, match: Match, ended: EarlyEnding, timing: ClockState, *, final: bool = False) -> Self:
        """Return the published state of a match; `final` choices can't be taken back."""
        may_take_back = match.steps_to_take_back > 0 and not final
        return cls(0 if ended.how else match.seat or 0, may_take_back, timing.paused)

    @property
    def over(self) -> bool:
        """Return whether the match has ended."""
        return not self.asked


class NewPlayer(NamedTuple):
    """A player who takes a seat."""

    seat: int
    player: Player


@dataclass(frozen=True)
class TableChange:
    """A change that `commit` applies to the match, writes to the database and publishes."""

    kind: Literal["choice", "taken back", "other"]
    #: The viewers of an `other` change: each gets a new version. A choice or a take-back is for those who see something
    #: of it, a take-back that all agreed to for everyone (`Table.seen_by`).
    viewers: tuple[int, ...] = ()
    #: The action of a choice.
    action: int = -1
    #: How many choices a take-back leaves, and whether all players agreed to it.
    left: int = 0
    agreed: bool = False
    #: The table's deals with a new one, which such a take-back makes after the choices that it leaves.
    deals: TableDeals | None = None
    #: Whether it belongs to the same tap as the choice before it, and whether more of that tap follows at once.
    joined: bool = False
    continues: bool = False
    #: Thinking times, clocks and early ending, where they change.
    spent: bytes | None = None
    timing: ClockState | None = None
    ended: EarlyEnding | None = None
    hints: TableHints | None = None
    #: The player who takes a seat, or leaves it open. Such a change has no other columns.
    seated: NewPlayer | None = None
    #: The id of the rematch.
    next: str = ""

    @property
    def columns(self) -> dict[str, Any]:
        """Return every column that the change writes, except versions and those of the match itself and its seats."""
        timing = self.timing.stored if self.timing else {}
        ended = {"ended": self.ended.stored} if self.ended else {}
        spent = {} if self.spent is None else {"spent": self.spent}
        hints = {"hints": self.hints.stored} if self.hints else {}
        deals = {"deals": self.deals.stored} if self.deals else {}
        successor = {"next": self.next} if self.next else {}
        return {**spent, **timing, **ended, **hints, **deals, **successor}


def packed(numbers: Sequence[int], kind: str) -> bytes:
    """Encode whole numbers for the database: `<i2` for choices, `<i4` for versions."""
    return np.array(numbers, kind).tobytes()


def packed_choices(match: Match) -> bytes:
    """Encode the choices of a match, with those of the current moment that are undone together (`SavedChoices`)."""
    actions, joined = np.array(match.history, "<i2"), np.array(match.joined, bool)
    latest = actions[len(actions) - len(joined) :]
    latest[joined] = ~latest[joined]
    return actions.tobytes()


class SavedChoices(NamedTuple):
    """The choices in a table's row. One that belongs to the same tap as the one before is stored inverted (`~`)."""

    actions: list[int]
    joined: list[bool]

    @classmethod
    def read(cls, stored: bytes) -> Self:
        """Decode a row's choices."""
        numbers = np.frombuffer(stored, "<i2")
        return cls(np.where(numbers < 0, ~numbers, numbers).tolist(), (numbers < 0).tolist())
