"""Built-in bots: choose an action at random or by tree search, compiled or interpreted."""

import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from functools import cache, cached_property
from typing import Any

import numpy as np

from sparring.engine import chance
from sparring.engine.compilation.drivers import Driver
from sparring.engine.errors import BadBot
from sparring.engine.game import Game, GameSetup
from sparring.engine.hints import Hint
from sparring.engine.views import View

from . import value_models
from .evaluation import TIMED_ITERATIONS, blank_settings, exploration_constant
from .hint_reader import expected_payoff, read_hint, visit_shares
from .parallel import ALL_LEVELS, merge_trees, side_by_side
from .search import search_rule, workspace_dtype
from .search_trees import NODE, add_child, most_visited

#: The time budget of an interpreted search (s). It runs about a hundredth as fast, but needs no compilation.
QUICK_SECONDS = 0.3

#: The interval at which a search with a time budget checks the clock (s), and the maximum number of nodes of a search.
TIME_CHECK = 0.02
MAX_NODES = 2_000_000

#: The number of nodes allocated per iteration and seat.
NODES_PER_ITERATION = 8

#: A visit count so high that an action is never selected.
EXCLUDED = 1 << 30

Array = np.ndarray[Any, Any]


@dataclass(frozen=True)
class Bot:
    """A built-in bot: a search with a budget of `iterations`, `seconds` or a `level`, or random play without one."""

    #: The bot specification that makes this bot (see `bot_specs`), and its title at a table.
    text: str
    title: str
    #: The budget per decision, in iterations or seconds of wall-clock time.
    iterations: int = 0
    seconds: float = 0.0
    #: Whether it evaluates states with a value model, where one was trained. Otherwise it plays simulated matches out.
    evaluates: bool = False
    #: The name of the level in `Game.levels` that sets the budget.
    level: str = ""
    #: The maximum depth of its trees, in actions; 0: no limit.
    max_depth: int = 0
    #: Whether it uses the policy prior, where one was trained.
    prior: bool = True
    #: The number of threads of a compiled search (see `parallel`), which share the iterations.
    threads: int = 1
    #: The depth to which the trees of these threads are merged: `choose` needs only the actions at the root.
    merged_levels: int = ALL_LEVELS

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

    def title_at(self, setup: GameSetup, seats: int) -> str:
        """Return the bot's title at a table. It says so if the table's rules or content have no value model."""
        if not self.evaluates or not value_models.lacks_own_model(setup, seats):
            return self.title
        if value_models.find_model(setup, seats):
            return f"{self.title} (used to the default rules)"
        return f"{self.title} (new to these rules)"

    def at_table(self, setup: GameSetup, seats: int) -> "Bot":
        """Return this bot with its level replaced by the iterations and depth that the game defines for it."""
        if not self.level:
            return self
        level = setup.game.levels[self.level]
        evaluates = self.evaluates and value_models.find_model(setup, seats) is not None
        iterations = level.with_model if evaluates else level.without_model
        prior = self.prior and level.prior
        return replace(self, level="", iterations=iterations, max_depth=level.max_depth, prior=prior)

    def fill_settings(self, settings: Any, setup: GameSetup, seats: int, *, even: bool = False) -> None:
        """Write the bot's search parameters for a table into a record of `blank_settings`; `even` as in `choose`."""
        settings["max_depth"] = self.max_depth
        settings["exploration"] = exploration_constant(setup.game, self.iterations or TIMED_ITERATIONS)
        model = value_models.find_model(setup, seats) if self.evaluates else None
        if model:
            model.fill(settings, prior=self.prior)
            settings["discount"] = setup.game.discount
            settings["stops_early"] = bool(self.iterations) and not even

    def choose(self, view: View, stream: Array, *, quick: bool = False, even: bool = False) -> int:
        """Choose one of the legal actions of a view. The same view, stream and iterations give the same action.

        :param stream: The bot's own generator, int64 of shape (4,); it advances.
        :param quick: Answer within a fraction of a second, without compiling anything.
        :param even: Take as long for a forced action as for any other, so that the time reveals nothing.
        """
        bot = replace(self, merged_levels=1) if self.threads > 1 else self
        return bot.answer(view, stream, quick=quick, even=even).action

    def answer(self, view: View, stream: Array, *, quick: bool = False, even: bool = False) -> "BotChoice":
        """Choose an action as `choose` does, and return it with the search behind it."""
        legal = non_conceding(view.setup.game, view.legal)
        if len(legal) == 1 and not even:
            return BotChoice(legal[0], view)
        bot = self.at_table(view.setup, int(view.state.seats))
        workspace = run_search(bot, view, stream, quick, even) if self.searches else None
        if workspace:
            action = int(most_visited(workspace.nodes, view.seat))
            if action in legal:
                return BotChoice(action, view, workspace)
        return BotChoice(random_action(legal, stream), view, workspace)

    def advise(self, view: View, *, quick: bool = False) -> Hint:
        """Return a hint for a view; the same view gives the same hint. Raises BadBot if the bot does not search.

        The search uses no policy prior, because a hint should also estimate actions that a good player ignores.
        """
        hint = replace(self, prior=False).answer(view, stream(0, view.seat), quick=quick, even=True).hint
        if hint is None:
            raise BadBot(f"{self.title} can't give hints; choose a bot that searches, such as search.")
        return hint


@dataclass(frozen=True)
class BotChoice:
    """The action that a bot chose, with the search trees from which `hint` is read."""

    action: int
    view: View
    workspace: "Workspace | None" = None

    @property
    def shares(self) -> dict[int, float]:
        """The share of each legal action in the visits of the search; empty if the bot did not search."""
        return visit_shares(self.view, self.workspace.nodes) if self.workspace else {}

    @property
    def value(self) -> float | None:
        """The payoff that the search expects for the seat; None if the bot did not search."""
        return expected_payoff(self.view, self.workspace.nodes) if self.workspace else None

    @cached_property
    def hint(self) -> Hint | None:
        """The estimates of all actions and the expected line; None if the bot did not search."""
        return read_hint(self.view, self.workspace.nodes, self.workspace.fields.g.copy()) if self.workspace else None


def non_conceding(game: Game, legal: Sequence[int]) -> list[int]:
    """Return the legal actions that do not concede; all of them if every one does."""
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
    """The arrays that a search needs (see `search.search_rule`).

    * `work`: `states` state records and a spare one; `raw`: the same memory as bytes, shape (states + 1, itemsize).
    * `out`: int16, space for legal actions; `nodes`: the nodes of all trees.
    * `fields`: the record of `search.workspace_dtype`; `settings`: the search parameters.
    """

    def __init__(self, game: Game, nodes: int, states: int = 2) -> None:
        self.work = np.zeros(states + 1, game.rules.State.dtype)
        self.raw = self.work.view(np.uint8).reshape(states + 1, -1)
        self.out = np.zeros(len(game.rules.ACTIONS), np.int16)
        self.nodes = np.empty(nodes, NODE)  # clearing them all would take longer than a short search
        self.fields = np.zeros(1, workspace_dtype(game))[0]
        self.settings = blank_settings(game, 1)[0]

    @property
    def used_nodes(self) -> Array:
        """The nodes in use; the others may hold anything."""
        return self.nodes[: self.fields.used]

    def begin_trees(self, seats: int) -> None:
        """Begin the first trees of a new workspace, as `init_trees` does, but fast in Python."""
        self.nodes[: seats + 1] = 0
        self.fields["used"] = seats + 1


def nodes_for(seats: int, iterations: int) -> int:
    """Return the number of nodes to allocate for a search with this number of iterations.

    An iteration adds up to two nodes to each seat's tree (an action and a private observation), and with a policy prior
    one for every legal action. Once the array is full, the trees stop growing.
    """
    return 1 + seats * (NODES_PER_ITERATION * iterations + 1)


def run_search(
    bot: Bot, view: View, stream: Array, quick: bool, even: bool = False, *, only: int | None = None
) -> Workspace:
    """Run a search from a view and return its workspace, in which node k is the root of seat k's tree (from 1).

    `stream`, `quick` and `even` are as in `Bot.choose`. With `only`, the search never selects another action at the
    root, and uses one thread.
    """
    threads = 1 if quick or only is not None else bot.threads
    parts = [_part_of_search(bot, view, quick, even, (bot.iterations + part) // threads) for part in range(threads)]
    first = parts[0][0]
    for ws, _ in parts[1:]:
        chance.reseed(ws.fields.g, stream)
    first.fields.g[:] = stream
    for other in view.legal if only is not None else ():
        if other != only:
            first.nodes[add_child(first.nodes, first.fields, view.seat, other)]["visits"] = EXCLUDED
    side_by_side([run for _, run in parts], threads)
    stream[:] = first.fields.g
    return merged([ws for ws, _ in parts], int(view.state.seats), bot.merged_levels)


def _part_of_search(
    bot: Bot, view: View, quick: bool, even: bool, iterations: int
) -> tuple[Workspace, Callable[[], None]]:
    """Return the workspace of one thread, and the function that searches in it."""
    seats = int(view.state.seats)
    limit = nodes_for(seats, iterations) + len(view.legal) if bot.iterations else MAX_NODES
    ws = Workspace(view.setup.game, min(limit, MAX_NODES))
    ws.work[0] = view.state
    replace(bot, iterations=0 if quick else iterations).fill_settings(ws.settings, view.setup, seats, even=even)
    ws.begin_trees(seats)
    search = _interpreted(view.setup.game) if quick else _compiled(view.setup.game)

    def search_for(count: int) -> None:
        search(view.setup.params, ws.work, ws.raw, ws.out, ws.nodes, ws.fields, ws.settings, view.seat - 1, count)

    def run() -> None:
        if quick:
            run_timed(search_for, min(QUICK_SECONDS, bot.seconds or QUICK_SECONDS), iterations)
        elif bot.seconds:
            run_timed(search_for, bot.seconds)
        else:
            search_for(iterations)

    return ws, run


def merged(workspaces: Sequence[Workspace], seats: int, levels: int) -> Workspace:
    """Return the first workspace with the trees of all of them (see `merge_trees`), in an array with room for them."""
    first, *others = workspaces
    needed, used = sum(int(ws.fields.used) for ws in workspaces), int(first.fields.used)
    if needed > len(first.nodes):
        nodes = np.empty(needed, NODE)
        nodes[:used] = first.used_nodes
        first.nodes = nodes
    for ws in others:
        used = merge_trees(first.nodes, used, ws.used_nodes, 1 + seats, levels)
        first.fields.returns_sq[:] += ws.fields.returns_sq
    first.fields.used = used
    return first


def run_timed(run: Callable[[int], object], seconds: float, limit: int = 0) -> None:
    """Call `run(iterations)` with growing batches until the time is up or, unless 0, `limit` iterations are done."""
    end = time.perf_counter() + seconds
    step = 1
    done = 0
    while (not limit or done < limit) and (before := time.perf_counter()) < end:
        step = min(step, limit - done) if limit else step
        run(step)
        done += step
        elapsed = time.perf_counter() - before
        step = max(1, min(2 * step, int(step * TIME_CHECK / max(elapsed, 1e-6))))


@cache
def _interpreted(game: Game) -> Driver:
    return search_rule(game)


def _compiled(game: Game) -> Driver:
    from sparring.engine.compilation.machine_code import compiled  # Numba: not needed before a bot thinks

    return compiled(game, search_rule)
