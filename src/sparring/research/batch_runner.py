"""Run the compiled loop of a batch, in one thread or several, and the bots inside it."""

# mypy: allow-untyped-defs, allow-untyped-calls, allow-incomplete-defs

import os
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from threading import Lock
from typing import Any

import numpy as np

from sparring.bots import parse
from sparring.bots.bot import MAX_NODES, Bot, Workspace, nodes_for
from sparring.bots.search import search_rule
from sparring.bots.search_trees import init_trees, most_visited
from sparring.engine import chance
from sparring.engine.compilation.drivers import Driver, without_conceding
from sparring.engine.compilation.machine_code import compiled
from sparring.engine.errors import BadBot, SparringError
from sparring.engine.features import is_turned, relative_rule
from sparring.engine.game import Game, GameSetup
from sparring.engine.rule import rule

from .batch_arrays import Array, BatchArrays, match_seed
from .batch_driver import CHECK, ON_ILLEGAL, REFUSE, STEP, batch_driver

#: Unused elements around the scratch space of a thread: no two threads share a cache line.
MARGIN = 64


class BatchRunner:
    """The driver of a batch with its arguments, shared among threads, each with its own scratch space."""

    def __init__(self, setup: GameSetup, settings: Array, arrays: BatchArrays, threads: int) -> None:
        self._arrays, self._settings, size = arrays, settings, arrays.num_envs
        #: The first environment of each thread, and the one after its last.
        self.shares = [(size * k // threads, size * (k + 1) // threads) for k in range(threads)]
        self._scratch = [_scratch(setup) for _ in self.shares]
        self._checks_first = threads > 1 and settings[ON_ILLEGAL] == REFUSE
        self._pool, self._lock, self._process = self._workers(), Lock(), os.getpid()
        self._driver = compiled(setup.game, batch_driver)
        # Built once: for one environment, building them would take longer than the driver.
        self._all_params = np.zeros(1, setup.game.params.Params.dtype)
        self._all_params[0] = setup.params
        self._before_final, self._after_final = arrays.before_final(), arrays.after_final()

    def run(
        self, operation: int, where: Array, count: int = 1, actions: Array | None = None, final_obs: Array | None = None
    ) -> int:  # fmt: skip
        """Run an operation of `batch_driver` in all environments; return what the driver returns.

        Raises SparringError if another thread uses the batch at the same time.
        """
        final_obs = self._arrays.final_obs if final_obs is None else final_obs

        def run_share(operation: int, first: int, last: int, scratch: tuple[Array, ...]) -> int:
            return self._driver(  # type: ignore[no-any-return]
                operation, count, first, last, self._all_params, self._settings, *scratch, self._arrays.actions, where,
                *self._before_final, final_obs, *self._after_final,
            )  # fmt: skip

        self._acquire()
        try:
            if actions is not None:
                self._arrays.actions[:] = actions
            if self._pool is None:
                return run_share(operation, 0, self._arrays.num_envs, self._scratch[0])
            refused = -1
            if operation == STEP and self._checks_first:
                refused = run_share(CHECK, 0, self._arrays.num_envs, self._scratch[0])
            if refused < 0:
                refused = max(self._spread(lambda k: run_share(operation, *self.shares[k], self._scratch[k])))
            return refused
        finally:
            self._lock.release()

    def map(self, call: Callable[[int], Any]) -> list[Any]:
        """Call a function with the number of each thread, in that thread, and return the results.

        Raises SparringError if another thread uses the batch at the same time.
        """
        self._acquire()
        try:
            return self._spread(call)
        finally:
            self._lock.release()

    def _spread(self, call: Callable[[int], Any]) -> list[Any]:
        return list((self._pool.map if self._pool else map)(call, range(len(self.shares))))

    def _acquire(self) -> None:
        """Keep other threads out. After a fork, start threads: the child has none of them, and maybe a held lock."""
        if self._process != os.getpid():
            self._pool, self._lock, self._process = self._workers(), Lock(), os.getpid()
        if not self._lock.acquire(blocking=False):
            raise SparringError("Two threads use one batch at the same time; give each its own, or a lock.")

    def _workers(self) -> ThreadPoolExecutor | None:
        return ThreadPoolExecutor(len(self.shares)) if len(self.shares) > 1 else None


def _scratch(setup: GameSetup) -> tuple[Array, ...]:
    """Return the scratch space of one thread: `work`, `values`, `out` and `g` of the driver."""
    rules = setup.game.rules
    sizes = (2, rules.State.dtype), (rules.FEATURES, np.float64), (len(rules.ACTIONS), np.int16), (4, np.int64)
    return tuple(np.zeros(size + 2 * MARGIN, dtype)[MARGIN : MARGIN + size] for size, dtype in sizes)


def decision_stream(seed: int, length: int, seat: int) -> Array:
    """Return the generator of a bot's decision in a batch: an int64 array of shape (4,).

    It depends on the seed of the match, the number of actions before the decision and the seat (from 1) only.
    """
    words = np.zeros(4, np.int64)
    _seed_decision(words, seed, length, seat - 1)
    return words


@rule
def _seed_decision(g, number, length, seat):
    chance.seed(g, match_seed(number, length, seat), chance.BOT + seat)


def bot_driver(game: Game) -> Driver:
    """Return a driver that writes a bot's action for each environment from `first` to `last` chosen by `where`.

    `work` has three records; `raw`, `out`, `nodes`, `ws` and `settings` are as in `search.search_rule`. Without
    `iterations` the bot chooses at random. Actions are in the seat's frame if `seat_frame`.
    """
    legal, redact, keep, search = game.rules.legal, game.rules.redact, without_conceding(game), search_rule(game)
    relative, turned, start = relative_rule(game), is_turned(game), _seed_decision

    def choose(
        first, last, params, work, raw, out, nodes, ws, settings, iterations, seat_frame, states, seeds, length, over,
        where, actions,
    ):  # fmt: skip
        for i in range(first, last):
            if over[i] or not where[i]:
                continue
            s = states[i]
            player = s.player
            n = keep(out, legal(params, s, out))
            action = int(out[0])
            if n > 1:
                start(ws.g, seeds[i], length[i], player)
                if iterations == 0:
                    action = int(out[chance.below(ws.g, n)])
                else:
                    work[0] = states[i]
                    redact(params, work[0], player)
                    init_trees(nodes, ws, s.seats)
                    search(params, work, raw, out, nodes, ws, settings, player, iterations)
                    action = int(most_visited(nodes, 1 + player))
            if turned and seat_frame:
                action = int(relative(params, s, player, action))
            actions[i] = action

    return choose


def compiled_bot(bot: str | Bot, setup: GameSetup, seats: int) -> Bot:
    """Return a bot that can play in a batch, with the budget of its level at this table. Raises BadBot."""
    bot = parse(bot) if isinstance(bot, str) else bot
    if not bot.plays_compiled:
        raise BadBot(
            f"{bot.title} can't play in a batch: only random, search and plain with a number of iterations can."
        )
    return bot.at_table(setup, seats)


def workspace_for(bot: Bot, setup: GameSetup, seats: int) -> Workspace:
    """Return the arrays that one thread needs for a bot's searches."""
    limit = nodes_for(seats, bot.iterations) + len(setup.game.rules.ACTIONS)
    workspace = Workspace(setup.game, min(limit, MAX_NODES))
    bot.fill_settings(workspace.settings, setup, seats)
    return workspace


class BatchBots:
    """The bots that play in a batch, each with a workspace for every thread."""

    def __init__(self, setup: GameSetup, seats: int, threads: int) -> None:
        self._setup, self._seats, self._threads = setup, seats, threads
        self._bots: dict[str | Bot, tuple[Bot, list[Workspace]]] = {}

    def choose(
        self, chooser: str | Bot, runner: BatchRunner, arrays: BatchArrays, where: Array, seat_frame: int
    ) -> Array:
        """Return the actions of a bot, as int64 of shape (N,); where it does not play, -1. Raises BadBot."""
        if chooser not in self._bots:
            bot = compiled_bot(chooser, self._setup, self._seats)
            self._bots[chooser] = bot, [workspace_for(bot, self._setup, self._seats) for _ in range(self._threads)]
        bot, workspaces = self._bots[chooser]
        driver, actions = compiled(self._setup.game, bot_driver), np.full(arrays.num_envs, -1, np.int64)

        def run(thread: int) -> None:
            ws = workspaces[thread]
            driver(
                *runner.shares[thread], self._setup.params, ws.work, ws.raw, ws.out, ws.nodes, ws.fields, ws.settings,
                bot.iterations, seat_frame, arrays.states, arrays.seed, arrays.length, arrays.over, where, actions,
            )  # fmt: skip

        runner.map(run)
        return actions
