"""Views: what a seat knows, its legal choices, and what it sees of an action; views as plain data for programs."""

import hashlib
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, fields, replace
from functools import lru_cache
from typing import Any, NamedTuple

import msgspec
import numpy as np

from sparring.engine.formats.card_pictures import without_pictures

from .game import GameSetup, SeatTable
from .game import game as find_game
from .messages import Text, as_text, property_by_language
from .rule import MarkedBeat, blank
from .types import AnyState


class Choice(NamedTuple):
    """A legal action and the words that name it."""

    action: int
    words: str


class Observation(NamedTuple):
    """A seat's view (the state record) before an action, and what it observed of the action (`observe_action`)."""

    state: Any
    choice: int


#: The beat of a view after the match has moved on.
PAST = "passed"
#: The length of the keys of views and histories, in bytes.
KEY_SIZE = 16


def digest(*parts: bytes) -> bytes:
    """Return the hash (BLAKE2b) of some bytes as a key."""
    return hashlib.blake2b(b"".join(parts), digest_size=KEY_SIZE).digest()


@dataclass(frozen=True)
class View:
    """What one seat knows (seat 0: a spectator). Nothing else about a match reaches that seat."""

    setup: GameSetup
    seat: int
    #: The redacted state.
    state: Any
    #: The legal actions of this seat; empty unless it must act.
    legal: tuple[int, ...] = ()
    #: The name of the beat (one of BEATS); empty if a player must act or the match is over.
    beat: str = ""
    #: The seat's observations of all actions so far, for a bot that needs them; otherwise empty.
    memory: tuple[Observation, ...] = ()

    def __getstate__(self) -> dict[str, Any]:
        """Return what is pickled: the fields, without the cached scene."""
        return {field.name: getattr(self, field.name) for field in fields(self)}

    def key(self) -> bytes:
        """Return 16 bytes that identify what the seat knows now, among all views of this setup.

        Equal keys mean equal seats and equal views. Earlier observations don't count: see
        `Match.history_key`.
        """
        return digest(self.state.tobytes(), bytes([self.seat]))

    def observation(self) -> np.ndarray[Any, Any]:
        """Return the features of the view as float32, shape (FEATURES,), for learning agents.

        The rules compute them in float64, and they are rounded once, so compiled code gives the same bits.
        """
        values = np.zeros(self.setup.game.rules.FEATURES)
        self.setup.rules.features(self.setup.params, self.state, self.seat - 1, values)
        return values.astype(np.float32)

    @property
    def past(self) -> "View":
        """This view after the match has moved on: no choices, and shown like a beat."""
        return self if self.beat else replace(self, legal=(), beat=PAST)

    @property
    def choices(self) -> list[Choice]:
        """The legal choices, with their words."""
        return [Choice(action, self.setup.game.scene.words(self.setup, self.state, action)) for action in self.legal]

    @property_by_language
    def scene(self) -> Any:
        """The table as this seat sees it (`sparring.scene.PrintableScene`); printing it gives text.

        Cached for each language.
        """
        return self.build_scene()

    def build_scene(self) -> Any:
        """Return the scene without caching it."""
        return self._table().scene()

    @property
    def outline(self) -> Any:
        """The spectator's table without its contents; for a seat, the scene."""
        return self.scene if self.seat else self._table().outline()

    def _table(self) -> SeatTable:
        """Return what builds the scene."""
        return self.setup.game.scene.SeatTable(self.setup, self.state, self.seat - 1, list(self.legal), self.beat)

    @property
    def named_moves(self) -> Sequence[Any]:
        """The moves on the table that players can describe (`sparring.scene.NamedMove`)."""
        named_moves = getattr(self.setup.game.scene, "named_moves", None)
        return named_moves(self.setup, self.state, self.beat) if named_moves else ()


class Beat(NamedTuple):
    """A step of an action as a seat sees it: the view, the sentences about what led there, and the effects."""

    view: View
    lines: tuple[Text, ...]
    #: What renderers animate (`sparring.scene.Effect`).
    effects: tuple[Any, ...] = ()


class Transition(NamedTuple):
    """An action with full states: the one before it, the marked beats, and the one after it."""

    before: Any
    action: int
    #: Why it was forced (`Phase.forced_text`); empty if the player had a choice.
    forced_reason: str
    marks: tuple[MarkedBeat, ...]
    after: Any


def legal_in(setup: GameSetup, state: AnyState) -> list[int]:
    """Return the legal actions in a full state or in the view of the player, ascending; none if the match is over."""
    if state.over:
        return []
    out = np.zeros(len(setup.game.rules.ACTIONS), np.int16)
    return out[: setup.rules.legal(setup.params, state, out)].tolist()  # type: ignore[no-any-return]


#: Finds the legal actions in a state; a match caches them.
Legal = Callable[[Any], Sequence[int]]


def view_of(setup: GameSetup, state: AnyState, seat: int, beat: str = "", legal: Legal | None = None) -> View:
    """Return a seat's view (from 1; 0: a spectator) of a full state; at a `beat` it has no choices.

    `legal` returns the legal actions of a full state, if they are cached.
    """
    view_state = state.copy()
    setup.rules.redact(setup.params, view_state, seat - 1)
    must_act = not beat and seat == int(state.player) + 1
    choices = (legal(state) if legal else legal_in(setup, state)) if must_act else ()
    return View(setup, seat, view_state, tuple(choices), beat)


def memory_of(setup: GameSetup, choices: Iterable[tuple[Any, int]], seat: int) -> tuple[Observation, ...]:
    """Return a seat's observations of past actions, given as pairs of the full state before it and the action."""
    observe_action = setup.game.rules.observe_action
    return tuple(
        Observation(view_of(setup, state, seat).state, int(observe_action(setup.params, state, action, seat - 1)))
        for state, action in choices
    )


def beats_of(
    setup: GameSetup,
    transition: Transition,
    seat: int,
    previous: View | None = None,
    make_view: Callable[..., View] = view_of,
) -> list[Beat]:
    """Return an action as a seat sees it: the beats, then the state after it.

    A beat without sentences in which nothing changes for the seat is left out, so a seat that may not know about an
    action sees none. `previous` is the seat's view before the action, if it is known. `make_view` makes the views; it
    has the parameters of `view_of`.
    """
    before, action, reason, marks, after = transition
    rules = setup.game.rules
    observe_action: int | None = int(rules.observe_action(setup.params, before, action, seat - 1))
    previous, beats = previous or make_view(setup, before, seat), list[Beat]()
    for number, state in (*marks, MarkedBeat(-1, after)):
        name = rules.BEATS[number] if number >= 0 else ""
        view = make_view(setup, state, seat, name)
        table = setup.game.scene.SeatTable(setup, view.state, seat - 1, [], name)
        lines = tuple([as_text(line) for line in table.tell(previous.state, observe_action)])
        if reason and observe_action is not None and seat - 1 == before.player:
            lines = _with_reason(reason, lines)
        at_rest_after_beats = not name and bool(beats)
        if lines or at_rest_after_beats or view.legal or view.state.tobytes() != previous.state.tobytes():
            beats.append(Beat(view, lines, tuple(table.animate(previous.state, observe_action))))
        previous, observe_action = view, None
    return beats


def _with_reason(reason: str, lines: tuple[Text, ...]) -> tuple[Text, ...]:
    """Add the reason why an action was forced to its sentences; each sentence keeps its importance."""
    if "{choice" not in reason:
        return (Text(reason), *lines)
    if not lines:
        return ()
    choice = lines[0]
    return (Text(reason, choice=choice).but(choice.importance, hit=choice.hit), *lines[1:])


def as_data(view: View) -> dict[str, Any]:
    """Return a view as plain data: game, options, content, seat, the fields of the state, and the legal actions."""
    setup, state = view.setup, view.state
    fields = [name for name in state.dtype.names if name != "filler"]
    return {
        "game": setup.game.name, "options": setup.options,
        "content": without_pictures(msgspec.to_builtins(setup.content)) if setup.own_content else None,
        "seat": view.seat, "seats": int(state.seats), "phase": setup.game.rules.PHASES[int(state.phase)],
        "state": {name: state[name].tolist() for name in fields}, "legal": list(view.legal),
    }  # fmt: skip


def in_words(view: View) -> dict[str, Any]:
    """Return the words of the choices and the table as text, which programs in other languages cannot compute."""
    return {"words": [choice.words for choice in view.choices], "table": str(view.scene)}


def from_data(data: dict[str, Any]) -> View:
    """Return the view for plain data from `as_data`, decoded from JSON."""
    setup = decoded_setup(data["game"], msgspec.json.encode(data["options"]), msgspec.json.encode(data["content"]))
    state = blank(setup.game.rules.State.dtype)
    for name, value in data["state"].items():
        state[name] = value
    return View(setup, data["seat"], state, tuple(data["legal"]))


@lru_cache(maxsize=64)
def decoded_setup(name: str, options: bytes, content: bytes) -> GameSetup:
    """Return the setup for a game's name and two JSON texts; content `null` is the game's own."""
    game = find_game(name)
    data = msgspec.json.decode(content)
    own = None if data is None else game.content_from(data, "the table's content")
    return game.setup(msgspec.json.decode(options), own)
