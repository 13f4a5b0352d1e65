"""The open table of a match that is over: everything that some seat knew, seen together.

It is made from the views of all seats, as everything that leaves a match: a card that lies face down for those who
watch has the face that some seat sees, and every hand lies below, with whose it is.
"""

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from itertools import zip_longest
from typing import Any

from sparring.engine.game import Box
from sparring.engine.match import Match
from sparring.engine.views import Beat, Transition, View, beats_of, view_of
from sparring.scene import Card, Group, Row, Slot, replace, things

#: Who sees the open table, where seats count from 1 and 0 only watches.
OPEN = -1

#: What a card has that only whoever could play it needs.
UNPLAYED: dict[str, Any] = {"action": None, "words": "", "why_not": "", "choices": ()}


@dataclass(frozen=True)
class OpenView(View):
    """What all seats know together; `truth` is the state in which they are asked."""

    truth: Any = None

    @cached_property
    def scene(self) -> Any:
        """The table of those who watch, with the faces that some seat sees, and every hand."""
        box, truth, name = self.box, self.truth, self.beat
        seats = [view_of(box, truth, seat, name) for seat in range(1, int(truth.seats) + 1)]
        return together(super().scene, [(view if name else view.passed).scene for view in seats])


def open_view(box: Box, truth: Any, _: int = 0, beat: str = "") -> OpenView:
    """What all seats know of a state, in truth."""
    return OpenView(**vars(view_of(box, truth, 0, beat)), truth=truth)


class OpenMatch:
    """A match for whoever sees the open table, asked as a match is asked for the views and beats of a seat."""

    def __init__(self, match: Match) -> None:
        self.match, self.state = match, match.state

    def view_of(self, truth: Any, _: int) -> View:
        """What all seats know of a state."""
        return open_view(self.match.box, truth)

    def beats(self, _: int, course: Transition, seen: View) -> list[Beat]:
        """A choice as those who watch saw it; what was chosen in secret is told as well."""
        box, secret = self.match.box, self.secret(course)
        beats = beats_of(box, course, 0, seen, open_view) or [Beat(open_view(box, course.after), ())]
        return [beats[0]._replace(lines=(secret, *beats[0].lines)), *beats[1:]] if secret else beats

    def secret(self, course: Transition) -> str:
        """What was chosen, where those who watched could not see it."""
        box, seat = self.match.box, int(course.before.player) + 1
        if box.game.rules.observe_action(box.kit, course.before, course.action, -1) == course.action:
            return ""
        known = view_of(box, course.before, seat).state
        return f"Seat {seat} chooses in secret: {box.game.scene.words(box, known, course.action)}."


def together(watched: Any, scenes: list[Any]) -> Any:
    """The scene of those who watch with what the scenes of all seats show."""
    known = {row.key: row for row in sorted((row for scene in scenes for row in _rows(scene)), key=_faces)}
    times = Counter(thing.key for scene in scenes for thing in things(scene.hand) if isinstance(thing, Card))
    hands = tuple(
        Group(tuple(_held(area, seat, times) for area in scene.hand), title=f"Seat {seat}", down=True)
        for seat, scene in enumerate(scenes, 1)
        if any(isinstance(thing, Card) for thing in things(scene.hand))
    )
    shown = {name: _revealed(getattr(watched, name), known) for name in ("seats", "left", "middle", "right")}
    return replace(watched, **shown, hand=hands)


def _rows(scene: Any) -> Iterator[Row]:
    """The rows that lie on the table."""
    table = (scene.seats, scene.left, scene.middle, scene.right)
    return (thing for thing in things(table) if isinstance(thing, Row))


def _faces(row: Row) -> int:
    """How many cards of a row lie face up."""
    return sum(isinstance(thing, Card) and thing.face is not None for thing in row.cards)


def _revealed(part: Any, known: dict[str, Row]) -> Any:
    """A part of a scene with its rows as whoever sees most of them sees them."""
    if not isinstance(part, Row):
        return _mapped(part, lambda inner: _revealed(inner, known))
    best = known.get(part.key, part)
    if _faces(best) <= _faces(part):
        return part
    lying = zip_longest(best.cards, part.cards[: len(best.cards)])
    return replace(part, cards=tuple(_turned_up(thing, watched) for thing, watched in lying))


def _turned_up(thing: Card | Slot, watched: Card | Slot | None) -> Card | Slot:
    """What lies in a row as a seat sees it, with what is said of it by those who watch."""
    if not isinstance(thing, Card):
        return thing
    said = {"marks": watched.marks, "origin": watched.origin} if isinstance(watched, Card) else {}
    return replace(thing, **said, **UNPLAYED)


def _held(part: Any, seat: int, times: Counter[str]) -> Any:
    """A part of a hand, which nobody plays from any more; each key is that of one thing."""
    if isinstance(part, Card):
        return replace(part, key=part.key if times[part.key] < 2 else f"seat {seat} {part.key}", **UNPLAYED)
    changed = _mapped(part, lambda inner: _held(inner, seat, times))
    if isinstance(part, Row):  # "Your Charges" are those of the seat whose name stands above
        return replace(changed, key=f"seat {seat} {part.key}", title=part.title.removeprefix("Your ").capitalize())
    return changed


def _mapped(part: Any, change: Any) -> Any:
    """A part with something done to each that it is put together from."""
    if isinstance(part, tuple):
        return tuple(change(each) for each in part)
    held = {name: change(getattr(part, name)) for name in HOLDERS if hasattr(part, name)}
    return replace(part, **held) if held else part


#: Where the things of a scene hold others.
HOLDERS = ("cards", "parts")
