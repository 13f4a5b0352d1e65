"""The bots that search: choose an action with compiled code, or interpreted while nothing is compiled yet."""

import time
from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cache, cached_property
from typing import Any

import numpy as np

from sparring.engine import chance
from sparring.engine.compilation.drivers import Driver
from sparring.engine.errors import BadBot
from sparring.engine.game import Box, Game
from sparring.engine.hints import Hint
from sparring.engine.views import View

from . import value_models
from .evaluation import TIMED_ITERATIONS, blank_params, exploration_constant
from .hint_reader import read_hint
from .search import search_rule, workspace_dtype
from .search_trees import NODE, add_child, init_trees, most_visited

#: The time budget of an interpreted search (s). It runs about a hundredth of the iterations, but needs no compilation.
QUICK_SECONDS = 0.3

#: How often a search with a time budget looks at the clock (s), and the maximum number of nodes of any search.
TIME_CHECK = 0.02
MOST_NODES = 2_000_000

#: The number of nodes allocated per iteration and seat.
ROOM = 8

#: A visit count so high that an action is never selected.
EXCLUDED = 1 << 30

Array = np.ndarray[Any, Any]


@dataclass(frozen=True)
class Bot:
    """A built-in bot: a search with a budget of `iterations`, `seconds` or a `level`; without any, it plays at random.

    With `judges`, it evaluates states by a value model where one was trained; otherwise it plays simulated matches to
    the end.
    """

    #: The bot specification that makes this bot, and its title at a table.
    text: str
    title: str
    iterations: int = 0
    seconds: float = 0.0
    evaluates: bool = False
    level: str = ""
    #: The maximum depth of its trees, in actions; 0: no limit.
    max_depth: int = 0
    #: Whether it uses a policy prior, where one was trained.
    prior: bool = True

    @property
    def searches(self) -> bool:
        """Whether the bot searches at all."""
        return bool(self.iterations or self.seconds or self.level)

    @property
    def remembers(self) -> bool:
        """Whether the bot needs views with a memory of earlier observations."""
        return False

    @property
    def plays_compiled(self) -> bool:
        """Whether whole matches with this bot can run in compiled code."""
        return not self.seconds

    def title_at(self, box: Box, seats: int) -> str:
        """Return the bot's title at a table, which says if there is no value model for its rules and content."""
        if not self.evaluates or not value_models.lacks_own_model(box, seats):
            return self.title
        if value_models.find_model(box, seats):
            return f"{self.title} (trained for the default rules)"
        return f"{self.title} (not trained for these rules)"

    def at_table(self, box: Box, seats: int) -> "Bot":
        """Return this bot with the budget that its level stands for at a table."""
        if not self.level:
            return self
        level = box.game.levels[self.level]
        judges = self.evaluates and value_models.find_model(box, seats) is not None
        iterations = level.with_model if judges else level.without_model
        prior = self.prior and level.prior
        return replace(self, level="", iterations=iterations, max_depth=level.max_depth, prior=prior)

    def fill_params(self, params: Any, box: Box, seats: int, *, even: bool = False) -> None:
        """Write the bot's search parameters for a table into a blank record (`blank_params`); `even` as in `choose`."""
        params["max_depth"] = self.max_depth
        params["exploration"] = exploration_constant(box.game, self.iterations or TIMED_ITERATIONS)
        model = value_models.find_model(box, seats) if self.evaluates else None
        if model:
            model.fill(params, prior=self.prior)
            params["discount"] = box.game.discount
            params["stops_early"] = bool(self.iterations) and not even

    def choose(self, view: View, stream: Array, *, quick: bool = False, even: bool = False) -> int:
        """Return one of the legal actions of a view; `stream` is the bot's own generator, which advances.

        The same view, stream and iterations give the same action. With `quick`, the bot answers within a fraction of a
        second, without compiling anything. With `even`, a forced action takes as long as any other, so that the time
        reveals nothing.
        """
        return self.answer(view, stream, quick=quick, even=even).action

    def answer(self, view: View, stream: Array, *, quick: bool = False, even: bool = False) -> "BotChoice":
        """Return the same action with the search behind it."""
        legal = non_conceding(view.box.game, view.legal)
        if len(legal) == 1 and not even:
            return BotChoice(legal[0], view)
        bot = self.at_table(view.box, int(view.state.seats))
        workspace = run_search(bot, view, stream, quick, even) if self.searches else None
        if workspace:
            action = int(most_visited(workspace.nodes, view.seat))
            if action in legal:
                return BotChoice(action, view, workspace)
        return BotChoice(random_action(legal, stream), view, workspace)

    def advise(self, view: View, *, quick: bool = False) -> Hint:
        """Return a hint for a view; the same view gives the same hint.

        It uses no policy prior, because a hint should estimate all actions, also those a good player ignores.
        """
        hint = replace(self, prior=False).answer(view, stream(0, view.seat), quick=quick, even=True).hint
        if hint is None:
            raise BadBot(f"{self.title} can't give hints; choose a bot that searches, such as search.")
        return hint


@dataclass(frozen=True)
class BotChoice:
    """The action that a bot chose; it keeps the search trees alive for the hint."""

    action: int
    view: View
    workspace: "Workspace | None" = None

    @cached_property
    def hint(self) -> Hint | None:
        """The estimates of all actions and the expected line; None if the bot did not search."""
        return read_hint(self.view, self.workspace.nodes, self.workspace.fields.g.copy()) if self.workspace else None


def non_conceding(game: Game, legal: Sequence[int]) -> list[int]:
    """Return the legal actions that do not concede, or all if there is no other."""
    return [action for action in legal if action not in game.conceding] or list(legal)


def random_action(choices: Sequence[int], stream: Array) -> int:
    """Return a uniformly random element of `choices`."""
    return choices[int(chance.below(stream, len(choices)))]


def stream(seed: int, seat: int) -> Array:
    """Return a new generator for the bot on a seat (from 1): an int64 array of shape (4,)."""
    words = np.zeros(4, np.int64)
    chance.seed(words, seed, chance.BOT + seat - 1)
    return words


class Workspace:
    """The arrays of a search: `states` states and a spare one, the nodes of the trees, and the workspace record."""

    def __init__(self, game: Game, nodes: int, states: int = 2) -> None:
        self.work = np.zeros(states + 1, game.rules.STATE)
        self.raw = self.work.view(np.uint8).reshape(states + 1, -1)
        self.out = np.zeros(len(game.rules.ACTIONS), np.int16)
        self.nodes = np.zeros(nodes, NODE)
        self.fields = np.zeros(1, workspace_dtype(game))[0]
        self.params = blank_params(game, 1)[0]


def nodes_for(seats: int, iterations: int) -> int:
    """Return the number of nodes to allocate for a search.

    An iteration adds one node for an action and one for a private observation to each seat's tree, and with a policy
    prior one for every legal action. Full trees stop growing.
    """
    return 1 + seats * (ROOM * iterations + 1)


def run_search(
    bot: Bot, view: View, stream: Array, quick: bool, even: bool = False, *, only: int | None = None
) -> Workspace:
    """Run a search and return its workspace, in which node k is the root of seat k's tree.

    With `only`, the search never selects another action for the seat at the root.
    """
    seats = int(view.state.seats)
    most = nodes_for(seats, bot.iterations) + len(view.legal) if bot.iterations else MOST_NODES
    ws = Workspace(view.box.game, min(most, MOST_NODES))
    ws.work[0] = view.state
    ws.fields.g[:] = stream
    (replace(bot, iterations=0) if quick else bot).fill_params(ws.params, view.box, seats, even=even)
    init_trees(ws.nodes, ws.fields, seats)
    for other in view.legal if only is not None else ():
        if other != only:
            ws.nodes[add_child(ws.nodes, ws.fields, view.seat, other)]["visits"] = EXCLUDED
    think = _interpreted(view.box.game) if quick else _compiled(view.box.game)
    seat = view.seat - 1

    def spend(iterations: int) -> None:
        think(view.box.kit, ws.work, ws.raw, ws.out, ws.nodes, ws.fields, ws.params, seat, iterations)

    if quick:
        run_timed(spend, min(QUICK_SECONDS, bot.seconds or QUICK_SECONDS), bot.iterations)
    elif bot.seconds:
        run_timed(spend, bot.seconds)
    else:
        spend(bot.iterations)
    stream[:] = ws.fields.g
    return ws


def run_timed(spend: Any, seconds: float, most: int = 0) -> None:
    """Run iterations, few at first, until the time is up or (unless 0) `most` are done."""
    end = time.perf_counter() + seconds
    step = 1
    spent = 0
    while (not most or spent < most) and (before := time.perf_counter()) < end:
        step = min(step, most - spent) if most else step
        spend(step)
        spent += step
        took = time.perf_counter() - before
        step = max(1, min(2 * step, int(step * TIME_CHECK / max(took, 1e-6))))


@cache
def _interpreted(game: Game) -> Driver:
    return search_rule(game)


def _compiled(game: Game) -> Driver:
    from sparring.engine.compilation.machine_code import compiled  # Numba: not needed before a bot thinks

    return compiled(game, search_rule)
