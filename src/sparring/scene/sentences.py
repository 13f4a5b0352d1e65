"""Phrase sentences for one reader, who is `you`; others are `Seat 2` and so on (see `markup.SeatNames`).

A line of the log has an importance: a `result` says what was decided, an `aside` reports something minor, a `turn` is
the heading of a turn, and other lines are in between.
"""

from collections.abc import Iterable, Sequence
from typing import Any

from sparring.engine.messages import AnyText, Items, Text, listed, say

__all__ = [
    "AnyText", "Text", "Voice", "aside", "can_merge", "counted", "enumerated", "face_down",
    "importance_of", "is_result", "listed", "mention", "merge_asides", "result", "say", "titled", "turn",
]  # fmt: skip

RESULT, ASIDE, TURN = "result", "aside", "turn"


def result(text: Text, *, hit: bool = False) -> Text:
    """Return a sentence as one that says what was decided; it is shown longest.

    `hit` marks a blow that landed, for which the browser plays a hit sound; other results get a neutral one.
    """
    return text.but(RESULT, hit=hit)


def aside(text: Text) -> Text:
    """Return a sentence as a minor event such as a draw or a discard: shown briefly, never in place of another one.

    Consecutive asides that differ only in their `items` are merged (`merge_asides`).
    """
    return text.but(ASIDE)


def turn(text: Text) -> Text:
    """Return a sentence as the heading of a turn or round, such as `Turn 3: you are in control`."""
    return text.but(TURN)


def mention(seat: int) -> str:
    """Return the name of a seat (from 0) in a text, which `markup.SeatNames` replaces with the player's name."""
    return f"Seat {seat + 1}"


def counted(number: int, what: str) -> str:
    """Return a number with its noun: `1 card`, `2 cards`."""
    return f"{number} {what}{'' if number == 1 else 's'}"


def titled(title: str, text: str) -> str:
    """Return a text after its title: `Deck: 3 cards`."""
    return say("{title}: {text}", title=title, text=text)


def enumerated(parts: Iterable[str]) -> str:
    """Return parts that follow each other: `Jab, tired, 2 damage`."""
    return say(", ").join(parts)


def face_down(cards: int) -> str:
    """Return a number of cards that lie face down, in words."""
    return say("{n} card face down", "{n} cards face down", n=cards)


class Voice:
    """Phrases sentences for the reader at `seat` (from 0; negative for spectators) about seats (from 0)."""

    def __init__(self, seat: int) -> None:
        self.seat = seat

    def text(self, *forms: str, who: int, whom: int = -2, **values: Any) -> Text:
        """Return the form of a sentence about `who` (and `whom`) that fits the reader.

        Two forms: if the reader is `who`, and for all others. Three: for `who`, for `whom`, and for all others.

        >>> forms = "You attack {whom}.", "{who} attacks you.", "{who} attacks {whom}."
        >>> [str(Voice(seat).text(*forms, who=0, whom=1)) for seat in range(3)]
        ['You attack Seat 2.', 'Seat 1 attacks you.', 'Seat 1 attacks Seat 2.']
        """
        others = len(forms) - 1
        form = 0 if self.seat == who else 1 if self.seat == whom and others > 1 else others
        values["who"] = mention(who)
        if whom >= 0:
            values["whom"] = mention(whom)
        return Text(forms[form], **values)

    def item(self, who: int) -> AnyText:
        """Return a seat as an item of a list: `you` or `Seat 2`."""
        return Text("you") if who == self.seat else mention(who)

    def label(self, who: int) -> str:
        """Return a seat as a label of a scene: `You` or `Seat 2`."""
        return say("You") if who == self.seat else mention(who)


def importance_of(line: AnyText) -> str:
    """Return the importance of a line: `result`, `aside` or `turn`; empty for others.

    >>> importance_of(turn(Text("Round 2.")))
    'turn'
    """
    importance: str = getattr(line, "importance", "")
    return importance


def is_result(line: AnyText) -> bool:
    """Return whether a line says what was decided."""
    return importance_of(line) == RESULT


def can_merge(line: AnyText, following: AnyText) -> bool:
    """Return whether two consecutive lines can be merged."""
    if not (isinstance(line, Text) and isinstance(following, Text) and line.importance == ASIDE):
        return False
    items = line.values.get("items")
    listed_twice = isinstance(items, Items) and isinstance(following.values.get("items"), Items)
    return listed_twice and line == following.but(following.importance, items=items)


def merge_asides(lines: Sequence[AnyText]) -> list[AnyText]:
    """Merge consecutive asides that differ only in their items.

    >>> told = [aside(Text("{who} discards {items}.", who="Seat 2", items=[card])) for card in ("Jab", "Hook")]
    >>> [*map(str, merge_asides(told))]
    ['Seat 2 discards Jab and Hook.']
    """
    merged: list[AnyText] = []
    for line in lines:
        last = merged[-1] if merged else ""
        if not can_merge(last, line):
            merged.append(line)
        elif isinstance(line, Text) and isinstance(last, Text):
            merged[-1] = last.but(ASIDE, items=(*last.values["items"], *line.values["items"]))
    return merged
