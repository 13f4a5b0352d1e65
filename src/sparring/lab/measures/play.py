"""Play and count the matches of a plan: compiled if every bot can be, else in Python, with the same counters."""

from collections.abc import Callable
from functools import partial
from typing import Any

import numpy as np

from sparring.bots import BotFailed, compile_searches, parse, replacement_bot, search_of, stream
from sparring.bots.bot import Workspace, nodes_for
from sparring.bots.evaluation import blank_params
from sparring.bots.search import match_driver as search_matches
from sparring.engine.compilation.counters import begin, blank_counters, close_rule, note_rule
from sparring.engine.compilation.drivers import counted_playouts
from sparring.engine.match import Match
from sparring.engine.tiered_rules import TieredRules
from sparring.lab.measures.match_plan import MatchPlan

from .counts import Array, BotFailures, MatchCounts, MeasuredMatches, row_length

#: A function that plays and counts matches (see `match_player`).
Player = Callable[[int, Any, Array], dict[int, BotFailures]]


def measure(plan: MatchPlan, first: int, count: int, *, compiled: bool = True) -> MeasuredMatches:
    """Play and count `count` matches, starting with match number `first`; with `count` 0, only compile the code.

    Without `compiled` they are played in plain Python, with other random choices than in compiled play.
    """
    counters, rows = blank_counters(plan.box), np.empty((count, row_length(plan)), np.int64)
    if compiled and not count and not all(bot.plays_compiled for bot in plan.bots):
        _compile_for_python(plan)
    failures = match_player(plan, compiled=compiled)(first, counters, rows)
    return MeasuredMatches(MatchCounts.of(plan, counters, rows, failures), rows)


def match_player(plan: MatchPlan, *, compiled: bool = True) -> Player:
    """Return a function that plays `len(rows)` matches from a match number on, and counts them.

    It takes the first match number, the counters and the rows to fill, and returns the bots that failed. Afterwards,
    the counters still describe the last match.
    """
    if not (compiled and all(bot.plays_compiled for bot in plan.bots)):
        return partial(play_interpreted, plan)
    return _search_player(plan) if any(bot.searches for bot in plan.bots) else _random_player(plan)


def _compile_for_python(plan: MatchPlan) -> None:
    """Compile the searches and rules that matches in Python call."""
    compile_searches(plan.game, {search_of(bot.text) for bot in plan.bots if bot.searches})
    match = Match.deal(plan.box, plan.seats, plan.seed)
    TieredRules(plan.game, plan.box.kit).compile(match.state)


def _random_player(plan: MatchPlan) -> Player:
    from sparring.engine.compilation.machine_code import blank_pair, compiled

    out, box = np.zeros(len(plan.game.rules.ACTIONS), np.int16), plan.box
    play, pair = compiled(plan.game, counted_playouts), blank_pair(plan.game)

    def play_matches(first: int, counters: Any, rows: Array) -> dict[int, BotFailures]:
        play(box.kit, pair, out, plan.seed, first, plan.seats, counters, rows)
        return {}

    return play_matches


def _search_player(plan: MatchPlan) -> Player:
    from sparring.engine.compilation.machine_code import compiled

    bots = plan.bots_at_level
    budgets = np.array([bot.iterations for bot in bots])
    ws = Workspace(plan.game, nodes_for(plan.seats, int(budgets.max())), states=4)
    streams = np.zeros((plan.seats, 4), np.int64)
    box, params = plan.box, blank_params(plan.game, plan.seats)
    for bot, bot_params in zip(bots, params, strict=True):
        bot.fill_params(bot_params, box, plan.seats)
    play = compiled(plan.game, search_matches)

    def play_matches(first: int, counters: Any, rows: Array) -> dict[int, BotFailures]:
        play(
            box.kit, ws.work, ws.raw, ws.out, ws.nodes, ws.fields, params, plan.seed, first, plan.seats,
            budgets, plan.random_phase_mask, streams, counters, rows,
        )  # fmt: skip
        return {}

    return play_matches


def play_interpreted(plan: MatchPlan, first: int, counters: Any, rows: Array) -> dict[int, BotFailures]:
    """Play matches in plain Python, as the driver of `bots.search.match_driver` does; return the bots that failed."""
    box, game = plan.box, plan.game
    note, close = note_rule(game), close_rule(game)
    failures: dict[int, BotFailures] = {}
    random_bot = parse("random")
    for i in range(len(rows)):
        number = first + i
        match = Match.deal(box, plan.seats, plan.seed + number)
        streams = [stream(plan.seed + number, bot + 1) for bot in range(plan.seats)]
        players = list(plan.bots)
        begin(match.state, counters)
        while match.seat:
            bot = (match.seat - 1 + number) % plan.seats
            player = random_bot if plan.random_phase_mask >> int(match.state.phase) & 1 else players[bot]
            try:
                view = match.view(match.seat, memory=player.remembers)
                action = player.choose(view, streams[bot])
            except BotFailed as problem:
                earlier = failures.get(bot, BotFailures(0, number, problem.why))
                failures[bot] = earlier._replace(matches=earlier.matches + 1)
                players[bot] = replacement_bot(plan.bots[bot].text)
                continue
            n_choices = sum(choice not in game.conceding for choice in view.legal)
            note(box.kit, match.state, counters, action, n_choices)
            match.choose(action)
        close(box.kit, match.state, counters, number)
        rows[i] = counters.row[: rows.shape[1]]
    return failures
