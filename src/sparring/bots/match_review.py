"""Review a finished match: every seat's estimated win probability before each action, and what the action cost.

Every estimate comes from a search of the seat's own view with a fixed budget, so a review reveals nothing else and the
same match gives the same review. An unchanged view is searched once.
"""

import os
from collections.abc import Sequence
from functools import partial

import msgspec

from sparring.engine.game import GameSetup
from sparring.engine.hints import ExpectedChoice
from sparring.engine.match import Match
from sparring.engine.records import read_record
from sparring.engine.views import View, view_of
from sparring.scene.locations import text_of_choice

from . import value_models
from .bot import Bot, Workspace, run_search, stream
from .hint_reader import mean_interval, read_hint
from .parallel import side_by_side
from .search_trees import MIN_VISITS, child_of

#: The iterations per seat and action with a value model, and for all seats together without one.
ITERATIONS, ROLLOUT_ITERATIONS = 1000, 400
#: The factor on iterations when the costliest actions are searched again, and how many of each seat are.
REFINE_FACTOR, REFINED_CHOICES = 5, 4
#: The iterations for a glance at an action, and how many of them must try it for an estimate.
GLANCE_ITERATIONS, GLANCE_VISITS = 120, 4
#: The maximum number of searches side by side, so that a review leaves the other cores of a server alone.
MAX_THREADS = 2
#: The maximum number of costly actions listed, and of actions in an expected line.
MAX_LISTED, MAX_LINE = 3, 4
#: The least cost of a costly action: smaller differences teach nothing.
MIN_COST = 0.02


class WinEstimate(msgspec.Struct, frozen=True):
    """An estimated win probability from 0 to 1, with its 95% confidence interval."""

    value: float
    low: float
    high: float


UNKNOWN = WinEstimate(0.0, 0.0, 1.0)


class ActionValue(msgspec.Struct, frozen=True):
    """An action in words, the estimated win probability after it for the acting seat, and its number of visits."""

    words: str
    hope: WinEstimate
    tried: int


class ReviewedChoice(msgspec.Struct, frozen=True):
    """An action of a match, every seat's estimated win probability before it, and the comparison with the best one."""

    seat: int
    words: str
    hopes: list[WinEstimate]
    #: The estimates of the chosen and of the best action; None for a forced or conceding action.
    action: int = -1
    chosen: ActionValue | None = None
    best_action: int = -1
    best: ActionValue | None = None
    #: The expected line.
    line: list[ExpectedChoice] = []

    @property
    def cost(self) -> float:
        """The win probability of the best action minus that of the chosen one, at least 0."""
        if self.chosen is None or self.best is None:
            return 0.0
        return max(0.0, self.best.hope.value - self.chosen.hope.value)

    @property
    def is_certain(self) -> bool:
        """Whether the confidence intervals of the best and the chosen action do not overlap."""
        return self.chosen is not None and self.best is not None and self.best.hope.low > self.chosen.hope.high


class MatchReviewer:
    """Reviews one match, given as a record; with `quick`, interpreted and with far fewer iterations."""

    def __init__(self, record: str, *, quick: bool = False) -> None:
        start, self.choices = read_record(record, None, None)
        self.setup: GameSetup = start.setup
        self.seats, self.quick = int(start.state.seats), quick
        self._states = [start.state.copy()]
        match = Match(start)
        for action in self.choices:
            match.choose(action)
            self._states.append(match.state.copy())
        self.over = match.over
        self._estimates: dict[tuple[int, bytes], WinEstimate] = {}
        evaluates = value_models.find_model(self.setup, self.seats) is not None
        self._iterations = ITERATIONS if evaluates else max(1, ROLLOUT_ITERATIONS // self.seats)

    def choice(self, number: int) -> ReviewedChoice:
        """Return the review of the action with this number (from 0)."""
        state = self._states[number]
        views = [view_of(self.setup, state, seat) for seat in range(1, self.seats + 1)]
        view = views[state.player]
        needed = [view, *(each for each in views if each is not view and _key(each) not in self._estimates)]
        found = side_by_side([partial(self._search, each) for each in needed], self._threads)
        for each, workspace in zip(needed, found, strict=True):
            self._estimates[_key(each)] = _estimate_at(workspace, each.seat)
        return self._compare(number, view, found[0], [self._estimates[_key(each)] for each in views])

    def glance(self, number: int) -> ReviewedChoice:
        """Return a first impression of an action, by a short, interpreted search.

        The other seats' estimates are unknown. There is a comparison only if the search tried both actions often.
        """
        state = self._states[number]
        view = view_of(self.setup, state, int(state.player) + 1)
        workspace = self._run(view, GLANCE_ITERATIONS, quick=True)
        estimates = [UNKNOWN] * self.seats
        estimates[view.seat - 1] = _estimate_at(workspace, view.seat)
        found = self._compare(number, view, workspace, estimates)
        tried = [each.tried for each in (found.chosen, found.best) if each]
        return found if tried and min(tried) >= GLANCE_VISITS else ReviewedChoice(found.seat, found.words, estimates)

    def _compare(self, number: int, view: View, workspace: Workspace, estimates: list[WinEstimate]) -> ReviewedChoice:
        """Compare an action with the best one in the trees, unless it was forced or conceded."""
        player, action = view.seat, self.choices[number]
        words = self._text(view, action)
        candidates = [candidate for candidate in view.legal if candidate not in self.setup.game.conceding]
        if len(candidates) < 2 or action not in candidates:
            return ReviewedChoice(player, words, estimates)
        values = {candidate: self._estimate_of(view, workspace, candidate) for candidate in candidates}
        tried = [candidate for candidate in candidates if values[candidate][1] >= MIN_VISITS] or candidates
        best = max(tried, key=lambda candidate: values[candidate][0].value)
        chosen_value, best_value = (ActionValue(self._text(view, each), *values[each]) for each in (action, best))
        return ReviewedChoice(player, words, estimates, action, chosen_value, best, best_value)

    def refine(self, number: int, reviewed: ReviewedChoice) -> ReviewedChoice:
        """Refine a review: search the chosen and the best action equally often, and add the expected line."""
        view = view_of(self.setup, self._states[number], reviewed.seat)
        workspace = self._search(view)
        line = read_hint(view, workspace.nodes, workspace.fields.g.copy()).line
        searches = [partial(self._alone, view, action) for action in (reviewed.action, reviewed.best_action)]
        chosen, best = side_by_side(searches, self._threads)
        return msgspec.structs.replace(reviewed, chosen=chosen, best=best, line=[*line[:MAX_LINE]])

    def _alone(self, view: View, action: int) -> ActionValue:
        """Estimate an action by a search that takes no other at the root."""
        found = self._estimate_of(view, self._search(view, REFINE_FACTOR, only=action), action)
        return ActionValue(self._text(view, action), *found)

    def _estimate_of(self, view: View, workspace: Workspace, action: int) -> tuple[WinEstimate, int]:
        """Read the estimate of an action and its number of visits from the trees."""
        child = int(child_of(workspace.nodes, view.seat, action))
        return _estimate_at(workspace, child), int(workspace.nodes[child]["visits"]) if child else 0

    def _text(self, view: View, action: int) -> str:
        """Return what an action is called on the table."""
        return text_of_choice(view.scene, action, self.setup.game.scene.words(self.setup, view.state, action))

    def _search(self, view: View, factor: int = 1, only: int | None = None) -> Workspace:
        return self._run(view, factor * self._iterations, self.quick, only)

    def _run(self, view: View, iterations: int, quick: bool, only: int | None = None) -> Workspace:
        bot = Bot("review", "Review", iterations=iterations, evaluates=True, prior=False)
        return run_search(bot, view, stream(0, view.seat), quick, True, only=only)

    @property
    def _threads(self) -> int:
        """The number of searches that run side by side; interpreted ones would only wait for each other."""
        return 1 if self.quick else min(MAX_THREADS, os.cpu_count() or 1)


def _key(view: View) -> tuple[int, bytes]:
    return view.seat, view.state.tobytes()


def _estimate_at(workspace: Workspace, number: int) -> WinEstimate:
    """Return the estimate at a node; UNKNOWN for node 0 or an unvisited one."""
    node = workspace.nodes[number]
    if not number or not node["visits"]:
        return UNKNOWN
    mean = min(1.0, max(0.0, float(node["value"]) / int(node["visits"])))
    return WinEstimate(mean, *mean_interval(mean, int(node["visits"])))


def costliest(reviewed: Sequence[ReviewedChoice], count: int) -> list[int]:
    """Return the numbers (from 0) of the `count` costliest actions that matter (`MIN_COST`), worst first."""
    costly = [number for number, each in enumerate(reviewed) if each.cost >= MIN_COST]
    return sorted(costly, key=lambda number: (-reviewed[number].cost, number))[:count]
