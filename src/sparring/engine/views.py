"""Views: what a seat knows, what it may choose, and what an action showed."""

import re
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any, NamedTuple

import numpy as np

from .beats import MarkedBeat
from .game import Box


class Choice(NamedTuple):
    """A legal action with the words that name it."""

    action: int
    words: str


class Observation(NamedTuple):
    """What a seat knew before an action, and what it observed of the action (`observe_action`)."""

    state: Any
    choice: int


#: Where the main clause of a sentence ends: at a colon, or at its full stop.
_CLAUSE_END = re.compile(r"(?=[:.](?: |$))")
#: The beat of a view after the match has moved on.
PASSED = "passed"


@dataclass(frozen=True)
class View:
    """What one seat knows (seat 0: a spectator). Nothing else of a match reaches that seat."""

    box: Box
    seat: int
    state: Any
    #: The legal actions of this seat; empty unless it must act.
    legal: tuple[int, ...] = ()
    #: Which of the game's BEATS this is; empty if a player must act or the match is over.
    beat: str = ""
    #: The seat's observations of all actions so far, for a bot that needs them; otherwise empty.
    memory: tuple[Observation, ...] = ()

    @property
    def passed(self) -> "View":
        """This view after the match has moved on: no choices, and shown like a beat."""
        return self if self.beat else replace(self, legal=(), beat=PASSED)

    @property
    def choices(self) -> list[Choice]:
        """The legal choices, with their words."""
        return [Choice(action, self.box.game.scene.words(self.box, self.state, action)) for action in self.legal]

    @cached_property
    def scene(self) -> Any:
        """The table as this seat sees it (`sparring.scene.Scene`); printing it gives text. Cached."""
        return self.build_scene()

    def build_scene(self) -> Any:
        """Return the scene without caching it."""
        return self.box.game.scene.scene(self.box, self.state, self.seat - 1, list(self.legal), self.beat)

    @property
    def outline(self) -> Any:
        """The table for a spectator without what is on it, where the game can make it for less; otherwise the scene."""
        outline = getattr(self.box.game.scene, "outline", None)
        return outline(self.box, self.state) if outline and not self.seat else self.scene

    @property
    def deeds(self) -> Sequence[Any]:
        """The deeds up to this beat that players can describe (`sparring.scene.NamedMove`)."""
        named = getattr(self.box.game.scene, "deeds", None)
        return named(self.box, self.state, self.beat) if named and self.beat else ()


class Beat(NamedTuple):
    """A state that players see: a seat's view, and the sentences that led there."""

    view: View
    lines: tuple[str, ...]


class Transition(NamedTuple):
    """An action with full states: before it, the beats, and after it."""

    before: Any
    action: int
    #: Why it was the only choice (ONLY); empty if there were others.
    forced_reason: str
    marks: tuple[MarkedBeat, ...]
    after: Any


def legal_in(box: Box, truth: Any) -> list[int]:
    """Return the legal actions in a full state or the player's view, ascending; none when the match is over."""
    if truth.over:
        return []
    out = np.zeros(len(box.game.rules.ACTIONS), np.int16)
    return out[: box.game.rules.legal(box.kit, truth, out)].tolist()  # type: ignore[no-any-return]


#: Finds the legal actions in a state; a match caches them.
Legal = Callable[[Any], Sequence[int]]


def view_of(box: Box, truth: Any, seat: int, beat: str = "", legal: Legal | None = None) -> View:
    """Return a seat's view of a full state; at a beat it has no choices."""
    state = truth.copy()
    box.game.rules.redact(box.kit, state, seat - 1)
    asked = not beat and seat == int(truth.player) + 1
    choices = (legal(truth) if legal else legal_in(box, truth)) if asked else ()
    return View(box, seat, state, tuple(choices), beat)


def memory_of(box: Box, choices: Iterable[tuple[Any, int]], seat: int) -> tuple[Observation, ...]:
    """Return a seat's observations of actions, each with the full state before it."""
    observe_action = box.game.rules.observe_action
    return tuple(
        Observation(view_of(box, truth, seat).state, int(observe_action(box.kit, truth, action, seat - 1)))
        for truth, action in choices
    )


def beats_of(
    box: Box, course: Transition, seat: int, seen: View | None = None, look: Callable[..., View] = view_of
) -> list[Beat]:
    """Return an action as a seat saw it (`seen` before it): the beats, then the state after it.

    A beat in which nothing is said or looks different is left out, so a seat that may not know about an action sees
    none. `look` makes the views, with the parameters of `view_of`.
    """
    before, action, only, marks, after = course
    rules, tell = box.game.rules, box.game.scene.tell
    observe_action: int | None = int(rules.observe_action(box.kit, before, action, seat - 1))
    seen, found = seen or look(box, before, seat), list[Beat]()
    for number, truth in (*marks, MarkedBeat(-1, after)):
        name = rules.BEATS[number] if number >= 0 else ""
        shown = look(box, truth, seat, name)
        lines = tuple(tell(box, seen.state, observe_action, shown.state, seat - 1, name))
        if only and observe_action is not None and seat - 1 == before.player:
            lines = _with_reason(only, lines)
        at_rest_after_beats = not name and bool(found)
        if lines or at_rest_after_beats or shown.legal or shown.state.tobytes() != seen.state.tobytes():
            found.append(Beat(shown, lines))
        seen, observe_action = shown, None
    return found


def _with_reason(only: str, lines: tuple[str, ...]) -> tuple[str, ...]:
    """Return the sentences of an action with the reason why it was the only one; each keeps its kind."""
    if only[-1] not in ":)":
        return (only, *lines)
    if not lines:
        return ()
    first = lines[0]
    if only.endswith(")"):
        return (type(first)(_CLAUSE_END.sub(f" {only}", first, count=1)), *lines[1:])
    if first.startswith(("You ", "The ", "Your ")):
        first = first[0].lower() + first[1:]
    return (type(lines[0])(f"{only} {first}"), *lines[1:])
