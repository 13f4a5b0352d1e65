"""Baselines to compare bots with; they are not offered as bots.

* `cheat:ITERATIONS`: the same search with full knowledge of the state, deck order included: an upper bound.
* `peek:ITERATIONS`: the same search with knowledge of all hands but not of the deck order: an upper bound on the
  gain from inferring hidden cards.
* `uct:ITERATIONS`: perfect-information Monte Carlo: sample determinizations, search each with open information, and
  let the trees vote.
* `reads:ITERATIONS:BOT`: an approximate best response: like `uct`, but secret choices in the determinizations follow
  the policy of BOT. Its gain over `uct` is a lower bound on exploitability by prediction. A BOT with memory gets the
  memory it would have in the determinization, from the earliest moment at which a consistent one can be sampled.
* `greedy:SAMPLES`: one-step lookahead with the value model, averaged over this many determinizations.
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
from sparring.engine.game import Box, Game
from sparring.engine.match import Match
from sparring.engine.rule import no_private_observation, rule
from sparring.engine.views import Observation, View, legal_in, memory_of, view_of

Array = np.ndarray[Any, Any]

#: The number of determinizations per choice of `uct`.
DETERMINIZATIONS = 20

#: Attempts from one moment to sample a determinization that is consistent with the observations.
REPLAYS = 20

#: A player: chooses an action from a match for the seat to choose, with its own random stream.
Player = Callable[[Match, Array], int]


def player(text: str, box: Box, seats: int) -> Player:
    """Return the player for a specification: a baseline or a bot; raise BadBot."""
    kind, _, number = text.partition(":")
    if kind not in ("cheat", "peek", "uct", "greedy", "reads"):
        bot = bots.parse(text)
        return lambda match, stream: bot.choose(match.view(match.seat or 0, memory=bot.remembers), stream)
    number, _, read = number.partition(":")
    if not number.isdecimal() or (kind == "reads") != bool(read):
        raise BadBot(f"Write {kind}:NUMBER{':BOT' if kind == 'reads' else ''}, not {text}.")
    if kind == "reads":
        return _uct(box, seats, int(number), partial(_predicted, bots.parse(read)))
    if kind == "greedy":
        return _greedy(box, seats, int(number))
    return _uct(box, seats, int(number)) if kind == "uct" else _cheat(box, seats, int(number), SEES[kind])


def with_rules(game: Game, **rules: Any) -> Game:
    """Return a game with some rule functions replaced."""
    return replace(game, rules=SimpleNamespace(**{**vars(game.rules), **rules}))


@rule
def see_all(kit, s, seat, g):  # type: ignore[no-untyped-def]
    """Replace determinization: keep the true state, but reseed future chance."""
    reseed(s.rng, g)


@rule
def see_hands(kit, s, seat, g):  # type: ignore[no-untyped-def]
    """Replace determinization: keep all hands, but shuffle the deck."""
    reseed(s.rng, g)
    shuffle(g, s.deck)


#: The determinization of each cheating baseline.
SEES = {"cheat": see_all, "peek": see_hands}


@rule
def seen_by_all(kit, s, action, seat):  # type: ignore[no-untyped-def]
    """Show every action to every seat."""
    return action


@cache
def cheating_search(game: Game, sight: Driver) -> Driver:
    """Return the compiled search with this determinization."""
    from sparring.engine.compilation.machine_code import compiled

    return compiled(with_rules(game, determinize=sight), search_rule)


@cache
def perfect_information_search(game: Game) -> Driver:
    """Return the compiled search under perfect information."""
    from sparring.engine.compilation.machine_code import compiled

    return compiled(
        with_rules(game, determinize=see_all, observe_action=seen_by_all, private_observation=no_private_observation),
        search_rule,
    )


def _choices(match: Match) -> list[int]:
    return [action for action in match.view(match.seat or 0).legal if action not in match.game.conceding]


def _cheat(box: Box, seats: int, iterations: int, sight: Driver) -> Player:
    desk, bot = Workspace(box.game, nodes_for(seats, iterations)), Bot("cheat", "", iterations, evaluates=True)
    think = cheating_search(box.game, sight)

    def choose(match: Match, stream: Array) -> int:
        choices = _choices(match)
        if len(choices) == 1:
            return choices[0]
        seat = (match.seat or 0) - 1
        desk.work[0] = match.state
        bot.fill_params(desk.params, box, seats)
        desk.fields.g[:] = stream
        init_trees(desk.nodes, desk.fields, seats)
        think(box.kit, desk.work, desk.raw, desk.out, desk.nodes, desk.fields, desk.params, seat, iterations)
        stream[:] = desk.fields.g
        return int(most_visited(desk.nodes, 1 + seat))

    return choose


def _determinized(view: View, g: Array) -> Any:
    """Sample a determinization of a view."""
    truth = view.state.copy()
    view.box.game.rules.determinize(view.box.kit, truth, view.seat - 1, g)
    return truth


def _predicted(bot: Bot, view: View, g: Array) -> Any:
    """Sample a determinization of a view in which `bot` made the secret choices since its last own choice."""
    memory, secret = view.memory, len(view.memory)
    for moment in reversed(range(len(memory))):
        state, choice = memory[moment]
        if choice < 0:
            secret = moment
        elif int(state.player) != view.seat - 1:
            break
    if secret == len(memory):
        return _determinized(view, g)
    first = 0 if bot.remembers else secret
    while True:
        for _ in range(REPLAYS if first < secret else 1):
            truth = _replayed(bot, view, first, secret, g)
            if truth is not None:
                return truth
        if first == secret:
            return _determinized(view, g)
        first += (secret - first + 1) // 2


def _replayed(bot: Bot, view: View, first: int, secret: int, g: Array) -> Any:
    """Replay a determinization from a remembered moment; return None if it contradicts the observations.

    From the moment `secret` on, the bot makes the secret choices; before that they are random.
    """
    box, memory = view.box, (*view.memory, Observation(view.state, 0))
    past: list[tuple[Any, int]] = []
    truth = _determinized(replace(view, state=memory[first].state), g)
    for moment in range(first, len(view.memory)):
        mover, choice, legal = int(truth.player) + 1, memory[moment].choice, legal_in(box, truth)
        if choice < 0:
            asked = replace(view_of(box, truth, mover), memory=memory_of(box, past, mover) if bot.remembers else ())
            choice = bot.choose(asked, g) if moment >= secret else legal[int(below(g, len(legal)))]
        if choice not in legal:
            return None
        past.append((truth.copy(), choice))
        box.game.rules.step(box.kit, truth, choice)
        if first < secret and view_of(box, truth, view.seat).state.tobytes() != memory[moment + 1].state.tobytes():
            return None
    return truth


def _uct(box: Box, seats: int, iterations: int, imagined: Callable[[View, Array], Any] = _determinized) -> Player:
    each = max(1, iterations // DETERMINIZATIONS)
    desk, think = Workspace(box.game, nodes_for(seats, each)), perfect_information_search(box.game)

    def choose(match: Match, stream: Array) -> int:
        choices = _choices(match)
        if len(choices) == 1:
            return choices[0]
        seat = (match.seat or 0) - 1
        view = match.view(seat + 1, memory=imagined is not _determinized)
        votes = dict.fromkeys(choices, 0)
        desk.fields.g[:] = stream
        for _ in range(DETERMINIZATIONS):
            desk.work[0] = imagined(view, desk.fields.g)
            init_trees(desk.nodes, desk.fields, seats)
            think(box.kit, desk.work, desk.raw, desk.out, desk.nodes, desk.fields, desk.params, seat, each)
            child = desk.nodes[1 + seat]["child"]
            while child:
                votes[int(desk.nodes[child]["label"])] += int(desk.nodes[child]["visits"])
                child = desk.nodes[child]["next"]
        stream[:] = desk.fields.g
        return max(choices, key=votes.__getitem__)

    return choose


def lookahead_driver(game: Game) -> Driver:
    """Make a driver that adds to `sums` the value of each of the `n` actions in `out`, over determinizations."""
    step, determinize, judge, span = (
        game.rules.step,
        game.rules.determinize,
        evaluation_rule(game),
        payoff_bounds_rule(game),
    )

    def look(kit, work, out, n, desk, mind, seat, truths, sums):  # type: ignore[no-untyped-def]
        low, width = span(work[0].seats)
        s = work[1]
        for _ in range(truths):
            work[2] = work[0]
            determinize(kit, work[2], seat, desk.g)
            for i in range(n):
                work[1] = work[2]
                step(kit, s, out[i])
                if s.over:
                    sums[i] += (s.payoff[seat] - low) / width
                else:
                    judge(kit, work, s, desk, mind)
                    sums[i] += desk.returns[seat]

    return look


def _greedy(box: Box, seats: int, truths: int) -> Player:
    from sparring.engine.compilation.machine_code import compiled

    desk, look = Workspace(box.game, 1, states=3), compiled(box.game, lookahead_driver)
    learned, keep = value_models.find_model(box, seats), without_conceding(box.game)
    if learned is None:
        raise BadBot(f"greedy needs a value model, and {box.game.title} has none for these options and seats.")
    learned.fill(desk.params)

    def choose(match: Match, stream: Array) -> int:
        seat = (match.seat or 0) - 1
        desk.work[0] = match.view(seat + 1).state
        n = keep(desk.out, box.game.rules.legal(box.kit, desk.work[0], desk.out))
        sums = np.zeros(n)
        desk.fields.g[:] = stream
        if n > 1:
            look(box.kit, desk.work, desk.out, n, desk.fields, desk.params, seat, truths, sums)
        stream[:] = desk.fields.g
        return int(desk.out[int(sums.argmax())])

    return choose
