"""Changes of a table that are yet to be written and published."""

import struct
from collections.abc import Sequence
from dataclasses import replace
from typing import Literal, NamedTuple, Self

import msgspec
import numpy as np

from sparring.bots import REPLACEMENT_PREFIX
from sparring.engine.match import Match
from sparring.engine.records import NewDeal
from sparring.engine.views import Transition
from sparring.scene.sentences import AnyText, Text

from .clock_state import ClockState, EarlyEnding
from .hint_state import HintGiven, HintTaken, TableHints
from .players import Player, names_of, turn_passed


class TableChange(msgspec.Struct, frozen=True, omit_defaults=True, forbid_unknown_fields=True):
    """A change that `commit` applies to the match, writes to the database and publishes.

    It is the same wherever it is published: its JSON holds no versions, no list that grows, and no person.
    """

    kind: Literal["choice", "taken back", "seat", "other"]
    #: The viewers of a `seat` or `other` change: each gets a new version. A choice or a take-back is for those who see
    #: something of it, a take-back that all agreed to for everyone (`Table.seen_by`).
    viewers: tuple[int, ...] = ()
    #: The action of a choice.
    action: int = -1
    #: How many choices a take-back leaves, and whether all players agreed to it.
    left: int = 0
    agreed: bool = False
    #: The new deal that such a take-back makes after the choices that it leaves.
    deal: NewDeal | None = None
    #: Whether it belongs to the same tap as the choice before it, and whether another choice follows at once: more of
    #: that tap, or an automatic one.
    joined: bool = False
    follows: bool = False
    #: The thinking time of a choice, in tenths of a second.
    thought: int = 0
    #: Clocks and early ending, where they change.
    timing: ClockState | None = None
    ended: EarlyEnding | None = None
    hint_taken: HintTaken | None = None
    hint_given: HintGiven | None = None
    #: The seats that it is about: the one whose row has a new player (`seat`), or those of the person who asked for it.
    seats: tuple[int, ...] = ()
    forfeits: bool | None = None
    auto_choices: bool | None = None
    #: Which of these seats' hands their shared screen shows from now on; 0: none.
    shown: int | None = None
    #: Whether the challenge to a friend that waited at the table has ended.
    challenge: bool = False
    #: The id of the rematch.
    next: str = ""

    @property
    def plays(self) -> bool:
        """Return whether it changes the match itself."""
        return self.kind in ("choice", "taken back")

    def players_after(self, players: tuple[Player, ...], turn_seat: int, player: Player | None) -> tuple[Player, ...]:
        """Return the players after it; it is the turn of `turn_seat` then, and `player` is the new one on a seat."""
        changed = list(players)
        for seat in self.seats:
            each = player or players[seat - 1]
            if self.forfeits is not None:
                each = replace(each, forfeits=self.forfeits)
            if self.auto_choices is not None:
                each = replace(each, auto_choices=self.auto_choices)
            if self.shown is not None:
                each = replace(each, screen_asked=turn_seat if seat == self.shown else None)
            changed[seat - 1] = each
        return tuple(changed) if self.follows else turn_passed(changed, turn_seat)

    def thinking_times_after(self, times: bytes, choices: int) -> bytes:
        """Return the thinking times after it, of the `choices` choices before it (`TableRow.thinking_times`)."""
        if self.kind == "choice":
            return times[: 4 * choices].ljust(4 * choices, b"\0") + struct.pack("<I", self.thought)
        return times[: 4 * self.left] if self.kind == "taken back" else times

    def hints_after(self, hints: TableHints) -> TableHints:
        """Return the hints after it: a new one that is taken hides the one that was given before."""
        if self.hint_taken:
            return TableHints((*hints.taken, self.hint_taken))
        return msgspec.structs.replace(hints, given=self.hint_given) if self.hint_given else hints


def announcement(change: TableChange, before: Sequence[Player], after: Sequence[Player]) -> AnyText | None:
    """Return the sentence about a change, empty if only the list of people is shown again; None without announcement.

    `before` and `after` are the players before and after the change.
    """
    if change.kind == "seat":
        return _seated(change.seats[0], before, after)
    names = [names_of(after)[seat - 1] for seat in change.seats]
    if change.next:
        return Text("{names} wants a rematch.", "{names} want a rematch.", n=len(names), names=names)
    if change.kind == "taken back" and change.agreed:
        text = "{who} asked for a new deal." if change.deal else "{who} took back a choice."
        return Text(text, who=names[0])
    return "" if change.hint_taken and change.viewers else None  # others see that the seat uses hints, no more


def _seated(seat: int, before: Sequence[Player], after: Sequence[Player]) -> AnyText | None:
    """Return the sentence about a new player, or an open seat."""
    old, new = before[seat - 1], after[seat - 1]
    if new.bot.startswith(REPLACEMENT_PREFIX):
        return ""
    if new.bot:
        return Text("{who}, a bot, took seat {seat}.", who=new.name, seat=seat)
    if old.bot and new.open:
        return Text("{who}, a bot, left seat {seat}, which is now open.", who=old.name, seat=seat)
    others = [player.name for player in before if new.person and player.person == new.person]
    text = "{who} took seat {seat}, on the same device as {others}."
    return Text(text, who=new.name, seat=seat, others=others) if others else None


def append_last(match: Match, transitions: list[Transition]) -> None:
    """Append the last transition of a match; the state before it equals the one after the previous: share it."""
    last = match.last_transition
    assert last is not None
    shares = transitions and not match.dealt_after(len(transitions))
    transitions.append(last._replace(before=transitions[-1].after) if shares else last)


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
