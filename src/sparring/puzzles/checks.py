"""Decide by independent searches whether a position is a puzzle.

*Return*: the win probability from 0 to 1, or in a game with `Payoffs` the share of the payoff range. *Margin*: the
difference in return between the best action and the second one. Each of `SEARCHES` searches has its own random stream
and gives every compared action the same number of iterations, so it yields one difference; the interval is Student's
for their mean. A position is a puzzle if

* at least half of the shallow searches, which look one action ahead, prefer another action;
* free searches of the strong and of the master level choose the same action;
* the interval lies above `MIN_MARGIN`, against every rival;
* a search without the value model, if the game has one, also finds the action better than the second one;
* in a game with mixed strategies (`Game.needs_mixed_strategies`), the mixed-strategy search plays the action nearly
  always.
"""

from collections import Counter
from dataclasses import dataclass, replace
from math import sqrt
from typing import Any

import numpy as np

from sparring.bots import non_conceding, stream
from sparring.bots.bot import Bot, Workspace, run_search
from sparring.bots.mixed_strategy_bot import average_strategy
from sparring.bots.search_trees import MIN_VISITS, child_of, most_visited
from sparring.bots.value_models import find_model
from sparring.engine.views import View

#: The smallest difference in return that counts as clear.
MIN_MARGIN = 0.05
#: The independent searches, and after how many of them a hopeless position is rejected and hopeless rivals are dropped.
SEARCHES, FIRST_LOOK = 8, 2
#: The share of the strong level's iterations in a first, short search of each compared action.
SHORT_SHARE = 0.1
#: The 97.5% quantile of Student's distribution with SEARCHES - 1 degrees of freedom.
QUANTILE = 2.365
#: The shallow searches: their iterations per legal action, and how many pick candidates and how many measure the
#: difficulty. Other searches measure than those that picked, because these were lucky to miss the action.
SHALLOW_ITERATIONS, PICKING, MEASURING = 20, 5, 20
#: The largest share of the shallow searches that may find the action.
MAX_FOUND = 0.5
#: The number of rivals of the best action that are searched as often.
RIVALS = 2
#: Positions with fewer actions are no puzzles.
MIN_ACTIONS = 3
#: The smallest probability of the action in the average strategy of a mixed-strategy search, and its iterations.
MIN_SHARE, MIXED_ITERATIONS = 0.8, 2000

STRONG = Bot("strong", "Strong", level="strong", evaluates=True)
MASTER = Bot("master", "Master", level="master", evaluates=True)

Array = np.ndarray[Any, Any]


@dataclass(frozen=True)
class ShallowResult:
    """What shallow searches choose: how often each action, from 0 to 1."""

    shares: dict[int, float]

    @property
    def favourite(self) -> int:
        """The action chosen most often."""
        return max(self.shares, key=lambda action: self.shares[action])


@dataclass(frozen=True)
class CheckedPosition:
    """The result of all searches: mean returns by action, and the margin with its interval."""

    best: int
    second: int
    values: dict[int, float]
    margin: float
    low: float
    high: float


def candidates_in(view: View) -> list[int]:
    """Return the actions that a puzzle compares: all but conceding ones."""
    return non_conceding(view.setup.game, view.legal)


def look_shallowly(view: View, seed: int, searches: int) -> ShallowResult:
    """Run shallow searches, each with its own stream."""
    iterations = SHALLOW_ITERATIONS * len(view.legal)
    bot = Bot("shallow", "Shallow", iterations=iterations, evaluates=True, max_depth=1, prior=False)
    chosen = Counter(free_choice(bot, view, stream(seed + number, view.seat)) for number in range(searches))
    return ShallowResult({action: count / searches for action, count in chosen.items()})


def free_choice(bot: Bot, view: View, g: Array) -> int:
    """Return the action that a bot's search visits most."""
    bot = bot.at_table(view.setup, int(view.state.seats))
    return int(most_visited(run_search(bot, view, g, False).nodes, view.seat))


def forced_search(view: View, action: int, g: Array, *, evaluates: bool = True, share: float = 0.5) -> Workspace:
    """Run a search with a `share` of the strong level's iterations, all of them for one action."""
    bot = Bot("forced", "Forced", level="strong", evaluates=evaluates, prior=evaluates)
    strong = bot.at_table(view.setup, int(view.state.seats))
    return run_search(replace(strong, iterations=round(share * strong.iterations)), view, g, False, True, only=action)


def forced_value(view: View, action: int, g: Array, *, evaluates: bool = True, share: float = 0.5) -> float:
    """Return the mean return of a forced search."""
    nodes = forced_search(view, action, g, evaluates=evaluates, share=share).nodes
    child = nodes[int(child_of(nodes, view.seat, action))]
    return float(child["value"]) / max(1, int(child["visits"]))


def check_position(view: View, tempting: int, seed: int) -> CheckedPosition | None:
    """Run all other searches; None as soon as one of them rejects the position.

    `tempting` is the favourite of the shallow searches; streams start from `seed`.
    """
    g = stream(seed, view.seat)
    workspace = run_search(STRONG.at_table(view.setup, int(view.state.seats)), view, g, False, True)
    best = int(most_visited(workspace.nodes, view.seat))
    if best == tempting:
        return None
    rivals = _rivals(view, workspace.nodes, best, tempting)
    if _looks_close(view, best, rivals, seed):
        return None
    compared = compare(view, best, rivals, seed + 1)
    if compared is None or free_choice(MASTER, view, g) != best:
        return None
    return compared if _holds_without_model(view, compared, g) and _holds_mixed(view, best, g) else None


def compare(view: View, best: int, rivals: list[int], seed: int) -> CheckedPosition | None:
    """Compare an action with its rivals in independent searches; None if it isn't clearly best."""
    returns: dict[int, list[float]] = {action: [] for action in (best, *rivals)}
    for number in range(SEARCHES):
        for action, values in returns.items():
            values.append(forced_value(view, action, stream(seed + number, view.seat)))
        means = {action: float(np.mean(each)) for action, each in returns.items()}
        second = max((action for action in returns if action != best), key=lambda rival: means[rival])
        if number + 1 >= FIRST_LOOK and means[best] - means[second] < MIN_MARGIN:
            return None
        if number + 1 == FIRST_LOOK:
            values_so_far = means
            returns = {action: each for action, each in returns.items() if means[action] > means[second] - MIN_MARGIN}
    differences = np.array(returns[best]) - np.array(returns[second])
    margin, half = float(differences.mean()), QUANTILE * float(differences.std(ddof=1)) / sqrt(SEARCHES)
    if margin - half < MIN_MARGIN:
        return None
    return CheckedPosition(best, second, {**values_so_far, **means}, margin, margin - half, margin + half)


def _looks_close(view: View, best: int, rivals: list[int], seed: int) -> bool:
    """Return whether short searches find a rival nearly as good, so that long ones would be wasted."""
    values = {
        action: forced_value(view, action, stream(seed, view.seat), share=SHORT_SHARE) for action in (best, *rivals)
    }
    return values.pop(best) - max(values.values()) < MIN_MARGIN / 2


def estimates(view: View, nodes: Array) -> dict[int, float]:
    """Return the mean returns of the actions that a search from a view tried often enough."""
    children = {action: nodes[int(child_of(nodes, view.seat, action))] for action in candidates_in(view)}
    return {
        action: float(child["value"]) / int(child["visits"])
        for action, child in children.items()
        if child["visits"] >= MIN_VISITS
    }


def _rivals(view: View, nodes: Array, best: int, tempting: int) -> list[int]:
    """Return the tempting action, and the others with the highest estimates in a free search."""
    values = estimates(view, nodes)
    others = sorted((action for action in values if action != best), key=lambda action: -values[action])
    return list(dict.fromkeys([tempting, *others[:RIVALS]]))


def _holds_without_model(view: View, checked: CheckedPosition, g: Array) -> bool:
    """Return whether played-out matches also favour the best action; true without a value model."""
    if find_model(view.setup, int(view.state.seats)) is None:
        return True
    best, second = (forced_value(view, action, g, evaluates=False) for action in (checked.best, checked.second))
    return best > second


def _holds_mixed(view: View, best: int, g: Array) -> bool:
    """Return whether the mixed-strategy search nearly always plays the action; true in games without mixing."""
    if not view.setup.game.needs_mixed_strategies:
        return True
    shares = dict(zip(view.legal, average_strategy(view, MIXED_ITERATIONS, g), strict=True))
    return shares[best] >= MIN_SHARE
