"""The open-information view of a finished match: everything that any seat knew.

It combines the views of all seats: cards that are face down for spectators show the face that a seat sees, and all
hands are shown with their owners.
"""

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import zip_longest
from typing import Any

from sparring.engine.game import GameSetup
from sparring.engine.match import Match
from sparring.engine.messages import Text, property_by_language
from sparring.engine.views import Beat, Transition, View, beats_of, view_of
from sparring.scene import Card, Group, Row, Slot, replace, things
from sparring.scene.sentences import mention

#: The viewer number of the open-information view; seats count from 1, and 0 is a spectator.
OPEN = -1

#: Card attributes only needed for choosing, reset in this view.
UNPLAYED: dict[str, Any] = {"action": None, "words": "", "why_not": "", "choices": ()}


@dataclass(frozen=True)
class OpenView(View):
    """The combined view of all seats in the true state `truth`."""

    truth: Any = None

    @property_by_language
    def scene(self) -> Any:
        """Return the spectators' scene with every face that a seat sees, and all hands."""
        setup, truth, name = self.setup, self.truth, self.beat
        seats = [view_of(setup, truth, seat, name) for seat in range(1, int(truth.seats) + 1)]
        return combined_scene(super().scene, [(view if name else view.past).scene for view in seats])


def open_view(setup: GameSetup, truth: Any, _: int = 0, beat: str = "") -> OpenView:
    """Return the open-information view of a state."""
    return OpenView(**vars(view_of(setup, truth, 0, beat)), truth=truth)


class OpenMatch:
    """A match seen with open information, with the interface for views, beats and new deals of a Match."""

    def __init__(self, match: Match) -> None:
        self.match, self.state = match, match.state
        self.dealt_after, self.redraw = match.dealt_after, match.redraw

    def view_of(self, truth: Any, _: int) -> View:
        """Return the open-information view of a state."""
        return open_view(self.match.setup, truth)

    def beats(self, _: int, transition: Transition, seen: View) -> list[Beat]:
        """Return the beats of a choice as spectators saw it, with secret choices revealed."""
        setup, secret = self.match.setup, self.secret(transition)
        beats = beats_of(setup, transition, 0, seen, open_view) or [Beat(open_view(setup, transition.after), ())]
        return [beats[0]._replace(lines=(secret, *beats[0].lines)), *beats[1:]] if secret else beats

    def secret(self, transition: Transition) -> Text | None:
        """Return a sentence that reveals a secret choice; None if spectators saw it."""
        setup, seat = self.match.setup, int(transition.before.player) + 1
        if setup.game.rules.observe_action(setup.params, transition.before, transition.action, -1) == transition.action:
            return None
        known = view_of(setup, transition.before, seat).state
        words = setup.game.scene.words(setup, known, transition.action)
        return Text("{who} chooses in secret: {choice}.", who=mention(seat - 1), choice=words)


def combined_scene(watched: Any, scenes: list[Any]) -> Any:
    """Combine the spectators' scene with the scenes of all seats."""
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
    """Yield the rows on the table, without hands."""
    table = (scene.seats, scene.left, scene.middle, scene.right)
    return (thing for thing in things(table) if isinstance(thing, Row))


def _faces(row: Row) -> int:
    """Count a row's face-up cards."""
    return sum(isinstance(thing, Card) and thing.face is not None for thing in row.cards)


def _revealed(part: Any, known: dict[str, Row]) -> Any:
    """Replace each row of a scene part with the version that shows the most faces."""
    if not isinstance(part, Row):
        return _mapped(part, lambda inner: _revealed(inner, known))
    best = known.get(part.key, part)
    if _faces(best) <= _faces(part):
        return part
    pairs = zip_longest(best.cards, part.cards[: len(best.cards)])
    return replace(part, cards=tuple(_turned_up(thing, watched) for thing, watched in pairs))


def _turned_up(thing: Card | Slot, watched: Card | Slot | None) -> Card | Slot:
    """Return a card as a seat sees it, with the marks and origin that spectators see."""
    if not isinstance(thing, Card):
        return thing
    kept = {"marks": watched.marks, "origin": watched.origin} if isinstance(watched, Card) else {}
    return replace(thing, **kept, **UNPLAYED)


def _held(part: Any, seat: int, times: Counter[str]) -> Any:
    """Return a part of a hand without actions, and with keys made unique across seats."""
    if isinstance(part, Card):
        return replace(part, key=part.key if times[part.key] < 2 else f"seat {seat} {part.key}", **UNPLAYED)
    changed = _mapped(part, lambda inner: _held(inner, seat, times))
    if isinstance(part, Row):  # "Your Charges" belong to the seat named in the heading
        return replace(changed, key=f"seat {seat} {part.key}", title=part.title.removeprefix("Your ").capitalize())
    return changed


def _mapped(part: Any, change: Any) -> Any:
    """Apply a change to each child of a scene part."""
    if isinstance(part, tuple):
        return tuple(change(each) for each in part)
    children = {name: change(getattr(part, name)) for name in HOLDERS if hasattr(part, name)}
    return replace(part, **children) if children else part


#: The attributes in which scene parts hold children.
HOLDERS = ("cards", "parts")
