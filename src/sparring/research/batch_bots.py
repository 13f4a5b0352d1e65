"""Bots inside a batch: random play and searches choose actions for many matches in compiled code."""

# mypy: allow-untyped-defs, allow-untyped-calls, allow-incomplete-defs

import numpy as np

from sparring.bots import parse
from sparring.bots.bot import MAX_NODES, Bot, Workspace, nodes_for
from sparring.bots.search import search_rule
from sparring.bots.search_trees import init_trees, most_visited
from sparring.engine import chance
from sparring.engine.compilation.drivers import Driver, without_conceding
from sparring.engine.compilation.machine_code import compiled
from sparring.engine.errors import BadBot
from sparring.engine.frames import is_turned, relative_rule
from sparring.engine.game import Box, Game
from sparring.engine.rule import rule

from .batch_arrays import Array, BatchArrays
from .batch_runner import BatchRunner
from .seeds import match_seed


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

    `work` has three records; `raw`, `out`, `nodes`, `ws` and `params` are as in `search.search_rule`. Without
    `iterations` the bot chooses at random. Actions are in the seat's frame if `seat_frame`.
    """
    legal, redact, keep, search = game.rules.legal, game.rules.redact, without_conceding(game), search_rule(game)
    relative, turned, start = relative_rule(game), is_turned(game), _seed_decision

    def choose(
        first, last, kit, work, raw, out, nodes, ws, params, iterations, seat_frame, states, seeds, length, over, where,
        actions,
    ):  # fmt: skip
        for i in range(first, last):
            if over[i] or not where[i]:
                continue
            s = states[i]
            player = s.player
            n = keep(out, legal(kit, s, out))
            action = int(out[0])
            if n > 1:
                start(ws.g, seeds[i], length[i], player)
                if iterations == 0:
                    action = int(out[chance.below(ws.g, n)])
                else:
                    work[0] = states[i]
                    redact(kit, work[0], player)
                    init_trees(nodes, ws, s.seats)
                    search(kit, work, raw, out, nodes, ws, params, player, iterations)
                    action = int(most_visited(nodes, 1 + player))
            if turned and seat_frame:
                action = int(relative(kit, s, player, action))
            actions[i] = action

    return choose


def compiled_bot(bot: str | Bot, box: Box, seats: int) -> Bot:
    """Return a bot that can play in a batch, with the budget of its level at this table. Raises BadBot."""
    bot = parse(bot) if isinstance(bot, str) else bot
    if not bot.plays_compiled:
        raise BadBot(
            f"{bot.title} can't play in a batch: only random, search and plain with a number of iterations can."
        )
    return bot.at_table(box, seats)


def workspace_for(bot: Bot, box: Box, seats: int) -> Workspace:
    """Return the arrays that one thread needs for a bot's searches."""
    limit = nodes_for(seats, bot.iterations) + len(box.game.rules.ACTIONS)
    workspace = Workspace(box.game, min(limit, MAX_NODES))
    bot.fill_params(workspace.params, box, seats)
    return workspace


class BatchBots:
    """The bots that play in a batch, each with a workspace for every thread."""

    def __init__(self, box: Box, seats: int, threads: int) -> None:
        self._box, self._seats, self._threads = box, seats, threads
        self._bots: dict[str | Bot, tuple[Bot, list[Workspace]]] = {}

    def choose(
        self, chooser: str | Bot, runner: BatchRunner, arrays: BatchArrays, where: Array, seat_frame: int
    ) -> Array:
        """Return the actions of a bot, as int64 of shape (N,); where it does not play, -1. Raises BadBot."""
        if chooser not in self._bots:
            bot = compiled_bot(chooser, self._box, self._seats)
            self._bots[chooser] = bot, [workspace_for(bot, self._box, self._seats) for _ in range(self._threads)]
        bot, workspaces = self._bots[chooser]
        driver, actions = compiled(self._box.game, bot_driver), np.full(arrays.num_envs, -1, np.int64)

        def run(thread: int) -> None:
            ws = workspaces[thread]
            driver(
                *runner.shares[thread], self._box.kit, ws.work, ws.raw, ws.out, ws.nodes, ws.fields, ws.params,
                bot.iterations, seat_frame, arrays.states, arrays.seed, arrays.length, arrays.over, where, actions,
            )  # fmt: skip

        runner.map(run)
        return actions
