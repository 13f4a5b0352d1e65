"""The current moment: the actions that can be taken back, because no other seat has learnt anything from them."""

from collections.abc import Sequence
from typing import Any, NamedTuple

from .errors import ChoiceError
from .messages import Text
from .views import Transition

#: The message if no action can be taken back.
NOTHING_TO_TAKE_BACK = Text(
    "You can't take this back: you haven't chosen yet, others have seen your choice, or it is their turn."
)


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
