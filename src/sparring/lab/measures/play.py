"""Play and count the matches of a plan: compiled if every bot can be, else in Python, with the same counters."""

from typing import Any

import numpy as np

from sparring.bots import BotFailed, parse, stand_in, stream
from sparring.bots.bot import Workspace, nodes_for
from sparring.bots.evaluation import blank_params
from sparring.bots.search import match_driver as search_matches
from sparring.engine.compilation.counters import begin, blank_counters, close_rule, note_rule
from sparring.engine.compilation.drivers import counted_playouts
from sparring.engine.match import Match
from sparring.lab.measures.match_plan import MatchPlan

from .counts import Array, BotFailures, MatchCounts, MeasuredMatches, row_length


def measure(plan: MatchPlan, first: int, count: int, *, compiled: bool = True) -> MeasuredMatches:
    """Play `count` matches from number `first` on; with `count` 0 only compile the code.

    Without `compiled` they are played in plain Python; random choices then differ from compiled play.
    """
    sheet, rows = blank_counters(plan.box), np.empty((count, row_length(plan)), np.int64)
    lost: dict[int, BotFailures] = {}
    if not (compiled and all(bot.plays_compiled for bot in plan.bots)):
        lost = play_interpreted(plan, first, sheet, rows)
    elif any(bot.searches for bot in plan.bots):
        _search(plan, first, sheet, rows)
    else:
        _random(plan, first, sheet, rows)
    return MeasuredMatches(MatchCounts.of(plan, sheet, rows, lost), rows)


def _random(plan: MatchPlan, first: int, sheet: Any, rows: Array) -> None:
    from sparring.engine.compilation.machine_code import blank_pair, compiled

    out = np.zeros(len(plan.game.rules.ACTIONS), np.int16)
    play = compiled(plan.game, counted_playouts)
    play(plan.box.kit, blank_pair(plan.game), out, plan.seed, first, plan.seats, sheet, rows)


def _search(plan: MatchPlan, first: int, sheet: Any, rows: Array) -> None:
    from sparring.engine.compilation.machine_code import compiled

    thinkers = plan.bots_at_level
    budgets = np.array([bot.iterations for bot in thinkers])
    desk = Workspace(plan.game, nodes_for(plan.seats, int(budgets.max())), states=4)
    streams = np.zeros((plan.seats, 4), np.int64)
    box, minds = plan.box, blank_params(plan.game, plan.seats)
    for bot, mind in zip(thinkers, minds, strict=True):
        bot.fill_params(mind, box, plan.seats)
    compiled(plan.game, search_matches)(
        box.kit, desk.work, desk.raw, desk.out, desk.nodes, desk.fields, minds, plan.seed, first, plan.seats,
        budgets, plan.random_phase_mask, streams, sheet, rows,
    )  # fmt: skip


def play_interpreted(plan: MatchPlan, first: int, sheet: Any, rows: Array) -> dict[int, BotFailures]:
    """Play choice by choice in Python, as the compiled driver `matches` does; return the bots that failed."""
    box, game = plan.box, plan.game
    note, close = note_rule(game), close_rule(game)
    lost: dict[int, BotFailures] = {}
    by_lot = parse("random")
    for i in range(len(rows)):
        number = first + i
        match = Match.deal(box, plan.seats, plan.seed + number)
        streams = [stream(plan.seed + number, bot + 1) for bot in range(plan.seats)]
        playing = list(plan.bots)
        begin(match.state, sheet)
        while match.seat:
            bot = (match.seat - 1 + number) % plan.seats
            who = by_lot if plan.random_phase_mask >> int(match.state.phase) & 1 else playing[bot]
            try:
                view = match.view(match.seat, memory=who.remembers)
                action = who.choose(view, streams[bot])
            except BotFailed as problem:
                earlier = lost.get(bot, BotFailures(0, number, problem.why))
                lost[bot] = earlier._replace(matches=earlier.matches + 1)
                playing[bot] = stand_in(plan.bots[bot].text)
                continue
            shown = sum(choice not in game.conceding for choice in view.legal)
            note(box.kit, match.state, sheet, action, shown)
            match.choose(action)
        close(box.kit, match.state, sheet, number)
        rows[i] = sheet.row[: rows.shape[1]]
    return lost
