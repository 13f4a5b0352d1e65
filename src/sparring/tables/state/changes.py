"""The published state of a table's match, and changes that are yet to be written and published."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any, Literal, NamedTuple, Self

import numpy as np

from sparring.engine.match import Match

from .clock_state import ClockState
from .early_endings import EarlyEnding
from .hint_state import TableHints
from .known_deals import TableDeals
from .players import Player
from .shared_screens import handed_over, turn_passed


def asked_seat(match: Match, ended: EarlyEnding) -> int:
    """Return the seat whose turn it is in a match; 0 if it is over."""
    return 0 if ended.how else match.seat or 0


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
        return cls(asked_seat(match, ended), may_take_back, timing.paused)

    @property
    def over(self) -> bool:
        """Return whether the match has ended."""
        return not self.asked


@dataclass(frozen=True)
class TableChange:
    """A change that `commit` applies to the match, writes to the database and publishes."""

    kind: Literal["choice", "taken back", "seat", "other"]
    #: The viewers of a `seat` or `other` change: each gets a new version. A choice or a take-back is for those who see
    #: something of it, a take-back that all agreed to for everyone (`Table.seen_by`).
    viewers: tuple[int, ...] = ()
    #: The action of a choice.
    action: int = -1
    #: How many choices a take-back leaves, and whether all players agreed to it.
    left: int = 0
    agreed: bool = False
    #: The table's deals with a new one, which such a take-back makes after the choices that it leaves.
    deals: TableDeals | None = None
    #: Whether it belongs to the same tap as the choice before it, and whether another choice follows at once: more of
    #: that tap, or an automatic one.
    joined: bool = False
    follows: bool = False
    #: Thinking times, clocks and early ending, where they change.
    spent: bytes | None = None
    timing: ClockState | None = None
    ended: EarlyEnding | None = None
    hints: TableHints | None = None
    #: The seats that it is about: one with a new player, or those of a person whose wishes or screen change.
    seats: tuple[int, ...] = ()
    player: Player | None = None
    forfeits: bool | None = None
    auto_choices: bool | None = None
    #: Which of these seats' hands their shared screen shows from now on; 0: none.
    shown: int | None = None
    #: The id of the rematch.
    next: str = ""

    @property
    def plays(self) -> bool:
        """Return whether it changes the match itself."""
        return self.kind in ("choice", "taken back")

    def players_after(self, players: tuple[Player, ...], asked: int) -> tuple[Player, ...]:
        """Return the players after it; seat `asked` is to choose then."""
        wishes = {"forfeits": self.forfeits, "auto_choices": self.auto_choices}
        wishes = {name: wish for name, wish in wishes.items() if wish is not None}
        if self.seats:
            players = tuple(
                replace(self.player or player, **wishes) if seat in self.seats else player
                for seat, player in enumerate(players, 1)
            )
        if self.shown is not None:
            players = handed_over(players, self.seats, self.shown, asked)
        return players if self.follows else turn_passed(players, asked)

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
