"""What a seat knows of a match: the table as it is, what it may choose, and what a choice showed on the way."""

import re
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any, NamedTuple

import numpy as np

from .beats import MarkedBeat
from .game import Box


class Choice(NamedTuple):
    """A choice that can be made now: its number, and the words that name it."""

    action: int
    words: str


class Observation(NamedTuple):
    """What a seat knew when something was chosen, and what it saw of that choice (as `observe_action` tells it)."""

    state: Any
    choice: int


#: Where the main clause of a sentence ends: at a colon, or at its full stop.
_CLAUSE_END = re.compile(r"(?=[:.](?: |$))")
#: What a table at rest is called when it rests no more.
PASSED = "passed"


@dataclass(frozen=True)
class View:
    """What one seat knows (seat 0: what everybody knows). Nothing else leaves a match for that seat."""

    box: Box
    seat: int
    state: Any
    #: What this seat may choose now; empty unless it is to choose.
    legal: tuple[int, ...] = ()
    #: Which of the game's BEATS it is; empty if the table is at rest.
    beat: str = ""
    #: All that this seat saw being chosen so far, for a bot that remembers; empty for anybody else.
    memory: tuple[Observation, ...] = ()

    @property
    def passed(self) -> "View":
        """The same after the match has gone on: it asks nothing any more, and is told like a beat."""
        return self if self.beat else replace(self, legal=(), beat=PASSED)

    @property
    def choices(self) -> list[Choice]:
        """The same with words."""
        return [Choice(action, self.box.game.scene.words(self.box, self.state, action)) for action in self.legal]

    @cached_property
    def scene(self) -> Any:
        """The table as this seat sees it (`sparring.scene.Scene`); printing it gives text."""
        return self.laid_out()

    def laid_out(self) -> Any:
        """The same, which is not kept with the view."""
        return self.box.game.scene.scene(self.box, self.state, self.seat - 1, list(self.legal), self.beat)

    @property
    def outline(self) -> Any:
        """The table for somebody who watches, without what lies on it, where its game can say so much for less."""
        outline = getattr(self.box.game.scene, "outline", None)
        return outline(self.box, self.state) if outline and not self.seat else self.scene

    @property
    def deeds(self) -> Sequence[Any]:
        """What was done up to this beat that people may describe (`sparring.scene.Deed`); most games name none."""
        named = getattr(self.box.game.scene, "deeds", None)
        return named(self.box, self.state, self.beat) if named and self.beat else ()


class Beat(NamedTuple):
    """Something to be seen: the table as a seat sees it then, and the sentences of what led there."""

    view: View
    lines: tuple[str, ...]


class Transition(NamedTuple):
    """What a choice did, in truth: the state it was made in, the choice, the beats, and the state at rest."""

    before: Any
    action: int
    #: Why it was the only choice, as everybody could see; empty if there was another.
    only: str
    marks: tuple[MarkedBeat, ...]
    after: Any


def legal_in(box: Box, truth: Any) -> list[int]:
    """The numbers of the choices that can be made in a state, ascending; none when the match is over."""
    if truth.over:
        return []
    out = np.zeros(len(box.game.rules.ACTIONS), np.int16)
    return out[: box.game.rules.legal(box.kit, truth, out)].tolist()  # type: ignore[no-any-return]


#: Finds the choices that can be made in a state; a match remembers them.
Legal = Callable[[Any], Sequence[int]]


def view_of(box: Box, truth: Any, seat: int, beat: str = "", legal: Legal | None = None) -> View:
    """What a seat knows of a state, in truth; at a beat nobody may choose."""
    state = truth.copy()
    box.game.rules.redact(box.kit, state, seat - 1)
    asked = not beat and seat == int(truth.player) + 1
    choices = (legal(truth) if legal else legal_in(box, truth)) if asked else ()
    return View(box, seat, state, tuple(choices), beat)


def memory_of(box: Box, choices: Iterable[tuple[Any, int]], seat: int) -> tuple[Observation, ...]:
    """What a seat saw of choices, each made in a state, in truth."""
    observe_action = box.game.rules.observe_action
    return tuple(
        Observation(view_of(box, truth, seat).state, int(observe_action(box.kit, truth, action, seat - 1)))
        for truth, action in choices
    )


def beats_of(
    box: Box, course: Transition, seat: int, seen: View | None = None, look: Callable[..., View] = view_of
) -> list[Beat]:
    """A choice as a seat saw it (`seen` before it): what was to be seen in between, then the table at rest.

    Where nothing is told and nothing looks different there is no beat; so somebody who may not know that there was
    a choice has none. `look` makes the views, from what `view_of` is handed.
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
    """The sentences of a choice, with the reason why there was no other; each stays worth what it is."""
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
