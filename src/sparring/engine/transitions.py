"""Legal actions, their results, and the current moment: the actions that can be taken back."""

from collections.abc import Sequence
from typing import Any, NamedTuple

from .errors import ChoiceError
from .game import GameSetup
from .messages import Text
from .rule import collect_beats
from .types import AnyState
from .views import Transition, legal_in

#: The maximum number of states whose legal actions are cached: the current one, those at the beats, and the next one.
MAX_CACHED = 8

#: The message if no action can be taken back.
NOTHING_TO_TAKE_BACK = Text(
    "You can't take this back: you haven't chosen yet, others have seen your choice, or it is their turn."
)


class Lookahead:
    """The rules of a setup, applied to full states, which stay as they are. The caches are keyed by a state's bytes."""

    def __init__(self, setup: GameSetup) -> None:
        self.setup = setup
        self._legal: dict[bytes, tuple[int, ...]] = {}
        self._result: tuple[bytes, Transition] | None = None

    def copy(self) -> "Lookahead":
        """Return an independent copy, with what is cached."""
        twin = Lookahead(self.setup)
        twin._legal, twin._result = self._legal.copy(), self._result
        return twin

    def legal(self, state: AnyState) -> tuple[int, ...]:
        """Return the legal actions, ascending."""
        key = state.tobytes()
        if key not in self._legal:
            if len(self._legal) == MAX_CACHED:
                self._legal.clear()
            self._legal[key] = tuple(legal_in(self.setup, state))
        return self._legal[key]

    def forced(self, state: AnyState, *, concede: bool = False) -> int | None:
        """Return the action that the table may take for the player (see `Match.forced_action`)."""
        if state.over or int(state.phase) not in self.setup.game.forced_texts:
            return None
        legal = self.legal(state)
        choices = [action for action in legal if action not in self.setup.game.conceding]
        if len(choices) != 1:
            return None
        return next((action for action in legal if action != choices[0]), choices[0]) if concede else choices[0]

    def result(self, state: AnyState, action: int) -> Transition:
        """Return the result of a legal action, without beats if the rules run as machine code."""
        key = state.tobytes()
        if self._result is None or (self._result[0], self._result[1].action) != (key, action):
            self._result = key, self._simulate(state, action)
        return self._result[1]

    def _simulate(self, state: AnyState, action: int) -> Transition:
        before, after = state.copy(), state.copy()
        reason = self.setup.game.forced_texts[int(before.phase)] if action == self.forced(before) else ""
        if not self.setup.marks_beats:
            self.setup.rules.step(self.setup.params, after, action)
            return Transition(before, action, reason, (), after)
        with collect_beats() as marks:
            self.setup.rules.step(self.setup.params, after, action)
        return Transition(before, action, reason, tuple(marks), after)

    def with_beats(self, transition: Transition) -> Transition:
        """Return a transition with its beats: machine code marks none, so the interpreted rules run again."""
        if self.setup.marks_beats:
            return transition
        with collect_beats() as marks:
            self.setup.game.rules.step(self.setup.params, transition.before.copy(), transition.action)
        return transition._replace(marks=tuple(marks))


class UndoStep(NamedTuple):
    """An action that can be taken back: the full state before it, and whether it goes back with the one before it.

    A forced action does, and so does each later action of a shortcut.
    """

    before: Any
    joined: bool


class Moment:
    """The actions of the current moment of a match, the oldest first."""

    def __init__(self, steps: Sequence[UndoStep] = ()) -> None:
        self._steps = list(steps)

    def __len__(self) -> int:
        return len(self._steps)

    def copy(self) -> "Moment":
        """Return an independent copy."""
        return Moment(self._steps)

    def clear(self) -> None:
        """Start a moment without actions."""
        self._steps.clear()

    def add(self, transition: Transition, *, joined: bool = False) -> None:
        """Add an action; if it ends the moment, start the next one instead."""
        if transition.after.moment != transition.before.moment:
            self._steps.clear()
            return
        joined = bool(transition.forced_reason) or (joined and bool(self._steps))
        self._steps.append(UndoStep(transition.before, joined))

    @property
    def steps_to_take_back(self) -> int:
        """The number of actions to take back to undo the last real choice; 0 if there is none in this moment."""
        free = [place for place, step in enumerate(reversed(self._steps), 1) if not step.joined]
        return free[0] if free else 0

    @property
    def joined(self) -> list[bool]:
        """For each action, whether it is undone together with the one before it."""
        return [step.joined for step in self._steps]

    def join(self, joined: Sequence[bool]) -> None:
        """Restore `joined` after the actions were added one by one."""
        joins = zip(self._steps, joined, strict=False)
        self._steps = [step._replace(joined=step.joined or with_last) for step, with_last in joins]

    def take_back(self, steps: int) -> Any:
        """Remove the last `steps` actions; return a copy of the state before them. Raises ChoiceError."""
        if not 0 < steps <= len(self._steps):
            raise ChoiceError(str(NOTHING_TO_TAKE_BACK))
        before = self._steps[-steps].before.copy()
        del self._steps[-steps:]
        return before
