"""Search: multi-observer information-set Monte Carlo tree search (Cowling, Powley and Whitehouse 2012).

Each iteration determinizes the bot's view and plays one simulated match. Every seat has its own tree. Its edges are the
actions that the seat observed and its *private observations*: what it learned other than from an action, such as its
first hand, a draw, or a card turned up. So simulated seats use what they know and nothing else. In its tree a seat
selects actions by UCB, or by PUCT with a policy prior (`selection`); each iteration adds one node per tree. Beyond the
trees a value model evaluates the state (`evaluation`), at once or after a few random actions; without a model the match
is played out at random. In games with `is_quiescent`, a search with a policy prior first plays on until the state is
quiescent, so that an unanswered attack is not evaluated.

Private observations come from the game's rule `private_observation`, or else from a hash of the whole view. Finer
observations split the trees further, so each part gets fewer visits. Games with many cards distinguish little or
nothing (docs/strength.md has the measurements); simulated players then play the average over the hands they may hold.
As in all searches of this kind, every decision is a best response to opponents who search in the same way, so the
result is a pure strategy. `mixed_strategy_search` is for games that need a mixed one.

All functions here are rules (see `sparring.engine.rule`): they run interpreted and compiled.
"""

from functools import cache
from typing import Any

import numpy as np

from sparring.engine.chance import BOT, DEAL, below, copy_generator, seed
from sparring.engine.compilation.counters import begin, close_rule, note_rule
from sparring.engine.compilation.drivers import Driver, without_conceding
from sparring.engine.game import Game
from sparring.engine.rule import record_dtype, rule
from sparring.engine.vectors import padded

from . import evaluation
from .evaluation import MAX_HIDDEN_UNITS, evaluation_rule, quiescence_rule, value_features_of
from .search_trees import SLOTS, backpropagate, descend, enter, init_trees, is_decided, most_visited, observe_privately
from .selection import exploration_of, puct_rule, rollout_rule, select_ucb

#: The interval at which a search with `stops_early` checks whether it can stop (iterations).
STOP_CHECK = 64


@cache
def workspace_dtype(game: Game) -> np.dtype[Any]:
    """Return the dtype of a search's workspace.

    * `g`: the search's generator; `used`: the number of nodes in use.
    * `node`: each seat's current node; `in_tree`: whether it is still in its tree; `in_tree_count`: how many seats are.
    * `observed`: each seat's last private observation in this iteration; 0: none.
    * `chosen`: the node of the action selected last; 0 if it has none yet.
    * `children`: the nodes of the legal actions at the current node; `slots`: the hash table of `search_trees`.
    * `returns`: each seat's return of a simulated match, from 0 to 1; `returns_sq`: the sum of their squares at the
      root.
    * `exploration`: each seat's exploration constant.
    * `features`, `hidden`: scratch space for the value model; `policy`, `policy_hidden`: for the policy prior.
    """
    rules = game.rules
    features = padded(value_features_of(game)[0])
    seats = rules.State.dtype["payoff"].shape[0]
    return record_dtype(
        [("g", "i8", 4), ("returns", "f8", seats), ("returns_sq", "f8", seats), ("exploration", "f8", seats),
         ("features", "f8", features), ("inputs", "f4", features), ("hidden", "f4", MAX_HIDDEN_UNITS),
         *evaluation.policy_fields(game), ("used", "i4"), ("chosen", "i4"), ("slots", "i4", SLOTS),
         ("in_tree_count", "i4"), ("node", "i4", seats), ("in_tree", "i4", seats), ("observed", "i4", seats),
         ("children", "i4", len(rules.ACTIONS))]
    )  # fmt: skip


@rule
def discount_returns(s, ws, even, discount):
    """Discount each seat's return toward a draw (`even`) by `discount`."""
    for seat in range(s.seats):
        ws.returns[seat] = even + (ws.returns[seat] - even) * discount


def payoff_bounds_rule(game: Game) -> Driver:
    """Return a rule that returns the lowest payoff for a number of seats, and the highest minus the lowest."""
    if game.payoffs is None:

        def payoff_bounds(seats):
            return -1.0, float(seats)
    else:
        low, width = float(game.payoffs.low), float(game.payoffs.high - game.payoffs.low)

        def payoff_bounds(seats):
            return low, width

    return rule(payoff_bounds)


def private_observation_rule(game: Game) -> Driver:
    """Return a rule for a seat's private observation in a full state: a positive number, or 0 for nothing new.

    It is the game's rule `private_observation`, or else a hash of the seat's view. The view is made in the last record
    of `work`; `raw` is the memory of `work` as bytes.
    """
    private_observation = getattr(game.rules, "private_observation", None)
    if private_observation is not None:

        def observe(params, work, raw, s, seat):
            return private_observation(params, s, seat)
    else:
        redact = game.rules.redact

        def observe(params, work, raw, s, seat):
            last = len(work) - 1
            work[last] = s
            redact(params, work[last], seat)
            digest = 2166136261
            for byte in raw[last]:
                digest = ((digest ^ int(byte)) * 16777619) & 0xFFFFFFFF  # FNV-1a
            return 1 + (digest & 0x3FFFFFFF)

    return rule(observe)


def search_rule(game: Game) -> Driver:
    """Return a rule that runs `iterations` iterations from `work[0]`, the view of `seat`, and adds to the trees.

    * `work`: at least three state records; the last one is scratch space. `raw`: the same memory as bytes, shape
      (len(work), itemsize).
    * `out`: int16, with room for all actions; `nodes`: an array of `search_trees.NODE`, set up by `init_trees`.
    * `ws`, `settings`: single records of `workspace_dtype` and `evaluation.settings_dtype`.
    """
    legal, step, determinize, observe_action = (
        game.rules.legal,
        game.rules.step,
        game.rules.determinize,
        game.rules.observe_action,
    )
    keep, observe = without_conceding(game), private_observation_rule(game)
    payoff_bounds, evaluate = payoff_bounds_rule(game), evaluation_rule(game)
    select_puct, sample_rollout, quiescent = puct_rule(game), rollout_rule(game), quiescence_rule(game)

    def search(params, work, raw, out, nodes, ws, settings, seat, iterations):
        s = work[1]
        low, width = payoff_bounds(work[0].seats)
        for iteration in range(iterations):
            check = settings.stops_early and iteration % STOP_CHECK == 0
            if check and is_decided(nodes, 1 + seat, iterations - iteration):
                break
            work[1] = work[0]
            determinize(params, s, seat, ws.g)
            for other in range(s.seats):
                ws.exploration[other] = exploration_of(nodes[1 + other], settings, ws.returns_sq[other])
                ws.node[other] = 1 + other
                ws.in_tree[other] = 1
                ws.observed[other] = 0
                if other != seat:
                    observation = observe(params, work, raw, s, other)
                    observe_privately(nodes, ws, other, observation)
            ws.in_tree_count = s.seats
            rollout = settings.rollout
            depth = 0
            discount = 1.0
            while not s.over:
                if depth == settings.max_depth and depth > 0:
                    for other in range(s.seats):
                        ws.in_tree[other] = 0
                    ws.in_tree_count = 0
                depth += 1
                discount *= settings.discount
                n = keep(out, legal(params, s, out))
                player = s.player
                if ws.in_tree[player] and settings.has_prior:
                    action = select_puct(params, work, s, nodes, ws, settings, out, n, player)
                elif ws.in_tree[player]:
                    action = select_ucb(nodes, ws, out, n, player, settings.per_action)
                elif settings.evaluates and rollout == 0 and quiescent(params, s, n, settings):
                    break
                else:
                    if rollout > 0 and n > 1:
                        rollout -= 1
                    action = sample_rollout(params, work, s, ws, settings, out, n, player)
                if ws.in_tree_count > 0:
                    for other in range(s.seats):
                        if ws.in_tree[other] and other == player:
                            enter(nodes, ws, other, action, ws.chosen)
                        elif ws.in_tree[other]:
                            descend(nodes, ws, other, observe_action(params, s, action, other))
                step(params, s, action)
                if ws.in_tree_count > 0 and not s.over:
                    for other in range(s.seats):
                        if ws.in_tree[other]:
                            observation = observe(params, work, raw, s, other)
                            observe_privately(nodes, ws, other, observation)
            if s.over:
                for other in range(s.seats):
                    ws.returns[other] = (s.payoff[other] - low) / width
            else:
                evaluate(params, work, s, ws, settings)
            if discount < 1.0:
                discount_returns(s, ws, -low / width, discount)
            backpropagate(s, nodes, ws)

    return rule(search)


def match_driver(game: Game) -> Driver:
    """Return a driver that plays whole matches between bots and counts them (see `engine.compilation.counters`).

    Row i of `rows` gets the results of match number `first + i`, which is dealt from seed `first_seed + first + i`.
    Bot (k + first + i) modulo `seats` plays seat k.

    * `work`: five records, the fourth one blank; the rest as in `search_rule` and `drivers.counted_playouts`.
    * `budgets`: the iterations of each bot (0: random play); `settings`: their search parameters; `streams`: space for
      their generators, shape (seats, 4).
    * `random_phases`: a bit set of phases in which all bots choose at random.
    """
    setup, legal, step, redact = game.rules.setup, game.rules.legal, game.rules.step, game.rules.redact
    keep, search, note, close = without_conceding(game), search_rule(game), note_rule(game), close_rule(game)

    def play_matches(
        params, work, raw, out, nodes, ws, settings, first_seed, first, seats, budgets, random_phases, streams,
        counters, rows,
    ):  # fmt: skip
        s = work[2]
        for match in range(len(rows)):
            number = first_seed + first + match
            work[2] = work[3]
            seed(s.rng, number, DEAL)
            for bot in range(seats):
                seed(streams[bot], number, BOT + bot)
            s.seats = seats
            setup(params, s)
            begin(s, counters)
            while not s.over:
                player = s.player
                bot = (player + first + match) % seats
                g = streams[bot]
                n = keep(out, legal(params, s, out))
                action = out[0]
                if n > 1 and (budgets[bot] == 0 or random_phases >> s.phase & 1):
                    action = out[below(g, n)]
                elif n > 1:
                    work[0] = work[2]
                    redact(params, work[0], player)
                    init_trees(nodes, ws, seats)
                    copy_generator(ws.g, g)
                    search(params, work, raw, out, nodes, ws, settings[bot], player, budgets[bot])
                    copy_generator(g, ws.g)
                    action = most_visited(nodes, 1 + player)
                note(params, s, counters, action, n)
                step(params, s, action)
            close(params, s, counters, first + match)
            for k in range(rows.shape[1]):
                rows[match, k] = counters.row[k]

    return play_matches
