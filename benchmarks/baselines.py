"""Baselines to compare bots with; they are not offered as bots.

* `cheat:ITERATIONS`: the same search with full knowledge of the state, deck order included: an upper bound.
* `peek:ITERATIONS`: the same search with knowledge of all hands but not of the deck order: an upper bound on the
  gain from inferring hidden cards.
* `uct:ITERATIONS`: perfect-information Monte Carlo: sample determinizations, search each with open information, and
  let the trees vote.
* `reads:ITERATIONS:BOT`: an approximate best response: like `uct`, but secret choices in the determinizations follow
  the policy of BOT. Its gain over `uct` is a lower bound on how much prediction can exploit BOT. A BOT with memory gets
  the memory that it would have in the determinization, from the earliest moment at which a consistent one is found.
* `greedy:SAMPLES`: one-step lookahead with the value model, averaged over SAMPLES determinizations.
"""

from collections.abc import Callable
from dataclasses import replace
from functools import cache, partial
from types import SimpleNamespace
from typing import Any

import numpy as np

from sparring import bots
from sparring.bots import Bot, value_models
from sparring.bots.bot import Workspace, nodes_for
from sparring.bots.evaluation import evaluation_rule
from sparring.bots.search import payoff_bounds_rule, search_rule
from sparring.bots.search_trees import init_trees, most_visited
from sparring.engine.cards import shuffle
from sparring.engine.chance import below, reseed
from sparring.engine.compilation.drivers import Driver, without_conceding
from sparring.engine.errors import BadBot
from sparring.engine.game import Game, GameSetup
from sparring.engine.match import Match
from sparring.engine.rule import no_private_observation, rule
from sparring.engine.views import Observation, View, legal_in, memory_of, view_of

Array = np.ndarray[Any, Any]

#: The number of determinizations per choice of `uct`.
DETERMINIZATIONS = 20

#: The number of attempts to sample a determinization from one moment that is consistent with the observations.
REPLAYS = 20

#: A player: chooses an action for the seat whose turn it is, from the match and the player's own generator.
Player = Callable[[Match, Array], int]


def player(text: str, setup: GameSetup, seats: int) -> Player:
    """Return the player for the specification of a baseline or a bot; raise BadBot."""
    kind, _, number = text.partition(":")
    if kind not in ("cheat", "peek", "uct", "greedy", "reads"):
        bot = bots.parse(text)
        return lambda match, stream: bot.choose(match.view(match.seat or 0, memory=bot.remembers), stream)
    number, _, policy = number.partition(":")
    if not number.isdecimal() or (kind == "reads") != bool(policy):
        raise BadBot(f"Write {kind}:NUMBER{':BOT' if kind == 'reads' else ''}, not {text}.")
    if kind == "reads":
        return _uct(setup, seats, int(number), partial(_determinized_with_policy, bots.parse(policy)))
    if kind == "greedy":
        return _greedy(setup, seats, int(number))
    return _uct(setup, seats, int(number)) if kind == "uct" else _cheat(setup, seats, int(number), CHEATS[kind])


def with_rules(game: Game, **rules: Any) -> Game:
    """Return a game with some rule functions replaced."""
    return replace(game, rules=SimpleNamespace(**{**vars(game.rules), **rules}))


@rule
def see_all(params, s, seat, g):  # type: ignore[no-untyped-def]
    """Replace determinization: keep the true state, but reseed future chance."""
    reseed(s.rng, g)


@rule
def see_hands(params, s, seat, g):  # type: ignore[no-untyped-def]
    """Replace determinization: keep all hands, but shuffle the deck."""
    reseed(s.rng, g)
    shuffle(g, s.deck)


#: The determinization of each cheating baseline.
CHEATS = {"cheat": see_all, "peek": see_hands}


@rule
def observe_all(params, s, action, seat):  # type: ignore[no-untyped-def]
    """Show every action to every seat."""
    return action


@cache
def cheating_search(game: Game, determinize: Driver) -> Driver:
    """Return the compiled search with another determinization rule."""
    from sparring.engine.compilation.machine_code import compiled

    return compiled(with_rules(game, determinize=determinize), search_rule)


@cache
def perfect_information_search(game: Game) -> Driver:
    """Return the compiled search in which every seat knows the full state."""
    from sparring.engine.compilation.machine_code import compiled

    return compiled(
        with_rules(game, determinize=see_all, observe_action=observe_all, private_observation=no_private_observation),
        search_rule,
    )


def _choices(match: Match) -> list[int]:
    return [action for action in match.view(match.seat or 0).legal if action not in match.game.conceding]


def _cheat(setup: GameSetup, seats: int, iterations: int, determinize: Driver) -> Player:
    ws, bot = Workspace(setup.game, nodes_for(seats, iterations)), Bot("cheat", "", iterations, evaluates=True)
    search = cheating_search(setup.game, determinize)

    def choose(match: Match, stream: Array) -> int:
        choices = _choices(match)
        if len(choices) == 1:
            return choices[0]
        seat = (match.seat or 0) - 1
        ws.work[0] = match.state
        bot.fill_settings(ws.settings, setup, seats)
        ws.fields.g[:] = stream
        init_trees(ws.nodes, ws.fields, seats)
        search(setup.params, ws.work, ws.raw, ws.out, ws.nodes, ws.fields, ws.settings, seat, iterations)
        stream[:] = ws.fields.g
        return int(most_visited(ws.nodes, 1 + seat))

    return choose


def _determinized(view: View, g: Array) -> Any:
    """Sample a determinization of a view."""
    state = view.state.copy()
    view.setup.game.rules.determinize(view.setup.params, state, view.seat - 1, g)
    return state


def _determinized_with_policy(bot: Bot, view: View, g: Array) -> Any:
    """Sample a determinization of a view in which `bot` made the other seats' secret choices.

    These are the choices since the last public choice of another seat.
    """
    memory, first_secret = view.memory, len(view.memory)
    for index in reversed(range(len(memory))):
        state, choice = memory[index]
        if choice < 0:
            first_secret = index
        elif int(state.player) != view.seat - 1:
            break
    if first_secret == len(memory):
        return _determinized(view, g)
    first = 0 if bot.remembers else first_secret
    while True:
        for _ in range(REPLAYS if first < first_secret else 1):
            state = _replayed(bot, view, first, first_secret, g)
            if state is not None:
                return state
        if first == first_secret:
            return _determinized(view, g)
        first += (first_secret - first + 1) // 2


def _replayed(bot: Bot, view: View, first: int, first_secret: int, g: Array) -> Any:
    """Determinize a remembered view and replay all choices since; return None if this contradicts the observations.

    `first` is the index of the view in the memory. From index `first_secret` on, the bot makes the secret choices;
    before that they are random.
    """
    setup, memory = view.setup, (*view.memory, Observation(view.state, 0))
    history: list[tuple[Any, int]] = []
    state = _determinized(replace(view, state=memory[first].state), g)
    for index in range(first, len(view.memory)):
        player, choice, legal = int(state.player) + 1, memory[index].choice, legal_in(setup, state)
        if choice < 0:
            seen = view_of(setup, state, player)
            seen = replace(seen, memory=memory_of(setup, history, player) if bot.remembers else ())
            choice = bot.choose(seen, g) if index >= first_secret else legal[int(below(g, len(legal)))]
        if choice not in legal:
            return None
        history.append((state.copy(), choice))
        setup.game.rules.step(setup.params, state, choice)
        if (
            first < first_secret
            and view_of(setup, state, view.seat).state.tobytes() != memory[index + 1].state.tobytes()
        ):
            return None
    return state


def _uct(
    setup: GameSetup, seats: int, iterations: int, determinized: Callable[[View, Array], Any] = _determinized
) -> Player:
    iterations_each = max(1, iterations // DETERMINIZATIONS)
    ws, search = Workspace(setup.game, nodes_for(seats, iterations_each)), perfect_information_search(setup.game)

    def choose(match: Match, stream: Array) -> int:
        choices = _choices(match)
        if len(choices) == 1:
            return choices[0]
        seat = (match.seat or 0) - 1
        view = match.view(seat + 1, memory=determinized is not _determinized)
        votes = dict.fromkeys(choices, 0)
        ws.fields.g[:] = stream
        for _ in range(DETERMINIZATIONS):
            ws.work[0] = determinized(view, ws.fields.g)
            init_trees(ws.nodes, ws.fields, seats)
            search(setup.params, ws.work, ws.raw, ws.out, ws.nodes, ws.fields, ws.settings, seat, iterations_each)
            child = ws.nodes[1 + seat]["child"]
            while child:
                votes[int(ws.nodes[child]["label"])] += int(ws.nodes[child]["visits"])
                child = ws.nodes[child]["next"]
        stream[:] = ws.fields.g
        return max(choices, key=votes.__getitem__)

    return choose


def lookahead_driver(game: Game) -> Driver:
    """Return a driver that adds the value of each of the `n` actions in `out` to `sums`, for each determinization."""
    step, determinize, evaluate, payoff_bounds = (
        game.rules.step,
        game.rules.determinize,
        evaluation_rule(game),
        payoff_bounds_rule(game),
    )

    def lookahead(params, work, out, n, ws, settings, seat, determinizations, sums):  # type: ignore[no-untyped-def]
        low, width = payoff_bounds(work[0].seats)
        s = work[1]
        for _ in range(determinizations):
            work[2] = work[0]
            determinize(params, work[2], seat, ws.g)
            for i in range(n):
                work[1] = work[2]
                step(params, s, out[i])
                if s.over:
                    sums[i] += (s.payoff[seat] - low) / width
                else:
                    evaluate(params, work, s, ws, settings)
                    sums[i] += ws.returns[seat]

    return lookahead


def _greedy(setup: GameSetup, seats: int, determinizations: int) -> Player:
    from sparring.engine.compilation.machine_code import compiled

    ws, lookahead = Workspace(setup.game, 1, states=3), compiled(setup.game, lookahead_driver)
    model, keep = value_models.find_model(setup, seats), without_conceding(setup.game)
    if model is None:
        raise BadBot(f"greedy needs a value model, and {setup.game.title} has none for these options and seats.")
    model.fill(ws.settings)

    def choose(match: Match, stream: Array) -> int:
        seat = (match.seat or 0) - 1
        ws.work[0] = match.view(seat + 1).state
        n = keep(ws.out, setup.game.rules.legal(setup.params, ws.work[0], ws.out))
        sums = np.zeros(n)
        ws.fields.g[:] = stream
        if n > 1:
            lookahead(setup.params, ws.work, ws.out, n, ws.fields, ws.settings, seat, determinizations, sums)
        stream[:] = ws.fields.g
        return int(ws.out[int(sums.argmax())])

    return choose
