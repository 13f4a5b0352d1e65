"""Review a finished match: every seat's estimated win probability before each action, and what the action cost.

All estimates come from the view that a seat had, by a search with a fixed budget: the same match gives the same review,
and hidden information plays no part. A view is searched only once while it does not change.
"""

from collections.abc import Sequence
from typing import Any

import msgspec

from sparring.engine.game import Box
from sparring.engine.match import Match
from sparring.engine.records import read_record
from sparring.engine.views import View, view_of

from . import value_models
from .bot import Bot, Workspace, run_search, stream
from .hint_reader import FEW, mean_interval, read_hint
from .search_trees import child_of

#: The iterations per seat and action with a value model, and without one for all seats together.
JUDGING, PLAYING_ON = 1000, 400
#: The factor on iterations for the costliest actions, and how many of them are searched again.
CLOSER, LOOKED_AT = 5, 6
#: How many of the costliest actions are listed, and how many actions of the expected line are shown.
WORST, EXPECTED = 3, 4


class WinEstimate(msgspec.Struct, frozen=True):
    """An estimated win probability from 0 to 1, with its 95% confidence interval."""

    value: float
    low: float
    high: float


UNKNOWN = WinEstimate(0.0, 0.0, 1.0)


class ActionValue(msgspec.Struct, frozen=True):
    """The estimated win probability after an action, for the seat that took it."""

    words: str
    hope: WinEstimate
    tried: int


class ReviewedChoice(msgspec.Struct, frozen=True):
    """An action of a match, every seat's estimated win probability before it, and how it compares with the best one."""

    seat: int
    words: str
    hopes: list[WinEstimate]
    #: The estimates of the chosen and of the best action; None for a forced or conceding action.
    action: int = -1
    chosen: ActionValue | None = None
    best_action: int = -1
    best: ActionValue | None = None
    #: The expected line, as in `Seat 2: counter`.
    line: list[str] = []

    @property
    def cost(self) -> float:
        """How much higher the win probability of the best action was."""
        if self.chosen is None or self.best is None:
            return 0.0
        return max(0.0, self.best.hope.value - self.chosen.hope.value)

    @property
    def surely(self) -> bool:
        """Whether the best action is better with 95% confidence."""
        return self.chosen is not None and self.best is not None and self.best.hope.low > self.chosen.hope.high


class MatchReviewer:
    """Reviews one match; with `quick`, interpreted and with far fewer iterations."""

    def __init__(self, record: str, *, quick: bool = False) -> None:
        start, self.choices = read_record(record, None, None)
        self.box: Box = start.box
        self.seats, self.quick = int(start.state.seats), quick
        self._states = [start.state.copy()]
        match = Match(start)
        for action in self.choices:
            match.choose(action)
            self._states.append(match.state.copy())
        self.over = match.over
        self._estimates: dict[tuple[int, bytes], WinEstimate] = {}
        judges = value_models.find_model(self.box, self.seats) is not None
        self._iterations = JUDGING if judges else max(1, PLAYING_ON // self.seats)

    def choice(self, number: int) -> ReviewedChoice:
        """Return the review of an action, by its number from 0."""
        truth, action = self._states[number], self.choices[number]
        mover = int(truth.player) + 1
        view = view_of(self.box, truth, mover)
        words = self.box.game.scene.words(self.box, view.state, action)
        workspace = self._search(view)
        self._estimates[mover, view.state.tobytes()] = _estimate_at(workspace, mover)
        hopes = [self._estimate(truth, seat) for seat in range(1, self.seats + 1)]
        kept = [each for each in view.legal if each not in self.box.game.conceding]
        if len(kept) < 2 or action not in kept:
            return ReviewedChoice(mover, words, hopes)
        values = {each: self._action_value(view, workspace, each) for each in kept}
        tried = [each for each in kept if values[each].tried >= FEW] or kept
        best = max(tried, key=lambda each: values[each].hope.value)
        return ReviewedChoice(mover, words, hopes, action, values[action], best, values[best])

    def closer(self, number: int, reviewed: ReviewedChoice) -> ReviewedChoice:
        """Return the review with the chosen and the best action searched equally often, and with the expected line."""
        view = view_of(self.box, self._states[number], reviewed.seat)
        workspace = self._search(view)
        line = read_hint(view, workspace.nodes, workspace.fields.g.copy()).line
        told = [f"Seat {step.seat}: {step.words or 'a secret choice'}" for step in line[:EXPECTED]]
        chosen, best = (self._alone(view, action) for action in (reviewed.action, reviewed.best_action))
        return msgspec.structs.replace(reviewed, chosen=chosen, best=best, line=told)

    def _alone(self, view: View, action: int) -> ActionValue:
        """Estimate an action in a search that can take no other."""
        return self._action_value(view, self._search(view, CLOSER, only=action), action)

    def _action_value(self, view: View, workspace: Workspace, action: int) -> ActionValue:
        """Return the estimate of an action from the trees."""
        child = int(child_of(workspace.nodes, view.seat, action))
        words = self.box.game.scene.words(self.box, view.state, action)
        return ActionValue(words, _estimate_at(workspace, child), int(workspace.nodes[child]["visits"]) if child else 0)

    def _search(self, view: View, times: int = 1, only: int | None = None) -> Workspace:
        bot = Bot("review", "Review", iterations=times * self._iterations, evaluates=True, prior=False)
        return run_search(bot, view, stream(0, view.seat), self.quick, True, only=only)

    def _estimate(self, truth: Any, seat: int) -> WinEstimate:
        """Return a seat's estimated win probability from its own view."""
        view = view_of(self.box, truth, seat)
        key = seat, view.state.tobytes()
        if key not in self._estimates:
            self._estimates[key] = _estimate_at(self._search(view), seat)
        return self._estimates[key]


def _estimate_at(workspace: Workspace, number: int) -> WinEstimate:
    """Return the estimate at a node; UNKNOWN for node 0 or an unvisited one."""
    node = workspace.nodes[number]
    if not number or not node["visits"]:
        return UNKNOWN
    mean = min(1.0, max(0.0, float(node["value"]) / int(node["visits"])))
    return WinEstimate(mean, *mean_interval(mean, int(node["visits"])))


def costliest(reviewed: Sequence[ReviewedChoice], many: int) -> list[int]:
    """Return the numbers (from 0) of the `many` costliest actions, worst first."""
    costly = [number for number, each in enumerate(reviewed) if each.cost > 0]
    return sorted(costly, key=lambda number: (-reviewed[number].cost, number))[:many]
