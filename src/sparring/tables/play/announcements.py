"""What a change of a table is announced with to those who are there, beside the new state that they see."""

from collections.abc import Sequence

from sparring.bots import REPLACEMENT_PREFIX
from sparring.scene.sentences import listed
from sparring.tables.state.changes import TableChange
from sparring.tables.state.players import Player, names_of


def announcement(change: TableChange, before: Sequence[Player], after: Sequence[Player]) -> str | None:
    """Return the sentence about a change, empty if only the list of people is shown again; None without announcement.

    `before` and `after` are the players before and after the change.
    """
    if change.kind == "seat":
        return _seated(change.seats[0], before, after)
    names = [names_of(after)[seat - 1] for seat in change.seats]
    if change.next:
        return f"{listed(names)} {'wants' if len(names) == 1 else 'want'} a rematch."
    if change.kind == "taken back" and change.agreed:
        return f"{names[0]} asked for a new deal." if change.deal else f"{names[0]} took back a choice."
    return "" if change.hint_taken and change.viewers else None  # others see that the seat uses hints, no more


def _seated(seat: int, before: Sequence[Player], after: Sequence[Player]) -> str | None:
    """Return the sentence about a new player, or an open seat."""
    old, new = before[seat - 1], after[seat - 1]
    if new.bot.startswith(REPLACEMENT_PREFIX):
        return ""
    if new.bot:
        return f"{new.name}, a bot, took seat {seat}."
    if old.bot and new.open:
        return f"{old.name}, a bot, left seat {seat}, which is now open."
    others = [player.name for player in before if new.person and player.person == new.person]
    return f"{new.name} took seat {seat}, on the same device as {listed(others)}." if others else None
