"""Compare Kuhn poker, Leduc poker and Crazy Eights with OpenSpiel's: lengths, payoffs, speed, search.

    make bench-peers [ARGS="--matches 20000 --duels 400 --iterations 1000"]

Random play: ours compiled (`playouts`, the median of five), theirs in C++ (`evaluate_bots` with uniform random bots,
one call per match, the only loop over whole matches that Python can call); counting is not timed. Search: ours against
their information-set search and their ordinary MCTS, which sees all cards, on the same deals, with the same number of
iterations. Times are CPU times of one core.
"""

import argparse
import sys
import time
from importlib import import_module
from itertools import product
from pathlib import Path
from statistics import median
from typing import Any

import numpy as np
import pyspiel
from rich.console import Console
from rich.table import Table

from sparring import Game, Match, bots
from sparring.bots import Bot
from sparring.engine.compilation.drivers import playouts
from sparring.engine.compilation.machine_code import compiled
from sparring.lab.measures import columns, measure
from sparring.lab.measures.match_plan import MatchPlan, line_up
from sparring.lab.speed import MEASUREMENTS, machine
from sparring.lab.stats import mean_and_margin

NAMES = ("kuhn_poker", "leduc_poker", "crazy_eights")
sys.path += [str(Path(__file__).parents[1] / "examples" / name) for name in NAMES]
GAMES = {name: import_module(name).GAME for name in NAMES}

#: Our searches in the duels, and theirs: only the first respects hidden information.
OURS = ("plain", "mix")
THEIRS = ("ISMCTS", "MCTS")

#: The memory for nodes that their MCTS gets, in MB; this many iterations never need so much.
MEMORY = 100

Played = tuple[list[int], list[float], float]


def main() -> None:
    """Print all tables."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--matches", type=int, default=20_000, help="matches of random play on each side")
    parser.add_argument("--duels", type=int, default=400, help="matches between our search and theirs")
    parser.add_argument("--iterations", type=int, default=1000, help="iterations of each search per action")
    arguments = parser.parse_args()
    console = Console(width=110)
    console.print(f"{machine()}, OpenSpiel {import_module('importlib.metadata').version('open-spiel')}", markup=False)
    console.print(random_table(arguments.matches))
    console.print(search_table(arguments.duels, arguments.iterations))


# Random play


def random_table(matches: int) -> Table:
    """Return means with 95% intervals of random play, and its speed."""
    table = Table("game", "seats", "engine", title=f"Random play, {matches} matches each", title_justify="left")
    for head in ("choices per match", "payoff of seat 1", "matches/s", "ratio"):
        table.add_column(head, justify="right")
    for name, game in GAMES.items():
        for seats in (game.seats[0], game.seats[-1])[: len(game.seats)]:
            ours, theirs = our_matches(game, seats, matches), their_matches(name, seats, matches)
            for engine, (lengths, payoffs, seconds) in (("ours", ours), ("OpenSpiel", theirs)):
                means = [mean_and_margin(np.array(values, float)) for values in (lengths, payoffs)]
                shown = [f"{mean:.3f} ± {margin:.3f}" for mean, margin in means]
                times = f"{theirs[2] / ours[2]:.1f}" if engine == "ours" else ""
                table.add_row(name, str(seats), engine, *shown, f"{matches / seconds:,.0f}", times)
    return table


def our_matches(game: Game, seats: int, matches: int) -> Played:
    """Return lengths and payoffs of seat 1 as the lab counts them, and the seconds of play without counting."""
    plan = MatchPlan(game, game.setup().options, None, line_up(game, ["random"], seats), 1)
    rows = measure(plan, 0, matches).rows
    values = {column.name: rows[:, k] / column.unit for k, column in enumerate(columns(plan))}
    work, out = np.zeros(2, game.rules.State.dtype), np.zeros(len(game.rules.ACTIONS), np.int16)
    play, params, times = compiled(game, playouts), game.setup().params, []
    for _ in range(MEASUREMENTS):
        start = time.process_time()
        play(params, work, out, 0, seats, matches)
        times.append(time.process_time() - start)
    return values["length/choices"].tolist(), values["payoff/seat 1"].tolist(), median(times)


def their_matches(name: str, seats: int, matches: int) -> Played:
    """Return the same for OpenSpiel; counting is not timed."""
    game = pyspiel.load_game(name, {"players": seats})
    players = [pyspiel.make_uniform_random_bot(seat, 1 + seat) for seat in range(seats)]
    lengths, payoffs, seconds = [], [], 0.0
    for number in range(matches):
        start = time.process_time()
        state = game.new_initial_state()
        won = pyspiel.evaluate_bots(state, players, number)
        seconds += time.process_time() - start
        lengths.append(sum(step.player >= 0 for step in state.full_history()))
        payoffs.append(won[0])
    return lengths, payoffs, seconds


# Search


def search_table(duels: int, iterations: int) -> Table:
    """Return what our search wins against theirs, and each side's time per action."""
    title = f"{duels} duels, {iterations} iterations per choice on both sides"
    table = Table("game", "ours", "theirs", title=title, title_justify="left")
    for head in ("ours, payoff per match", "ours, ms per choice", "OpenSpiel, ms per choice", "ratio"):
        table.add_column(head, justify="right")
    for name in NAMES[:2]:  # OpenSpiel cannot determinize Crazy Eights
        for kind, rival in product(OURS, THEIRS):
            bot = bots.parse(f"{kind}:iterations={iterations}")
            won, (ours, theirs) = duel(name, GAMES[name], bot, rival, duels, iterations)
            mean, margin = mean_and_margin(np.array(won))
            row = f"{mean:+.3f} ± {margin:.3f}", f"{1000 * ours:.2f}", f"{1000 * theirs:.2f}", f"{theirs / ours:.1f}"
            table.add_row(name, kind, rival, *row)
    return table


def their_search(peers: Any, kind: str, iterations: int) -> Any:
    """Return OpenSpiel's search of this kind, with one random rollout per iteration."""
    rollouts, exploration = pyspiel.RandomRolloutEvaluator(1, 1), 2.0 * peers.max_utility()
    if kind == "ISMCTS":
        return pyspiel.ISMCTSBot(1, rollouts, exploration, iterations)
    return pyspiel.MCTSBot(peers, rollouts, exploration, iterations, MEMORY, solve=False, seed=1, verbose=False)


def duel(
    name: str, game: Game, bot: Bot, rival: str, matches: int, iterations: int
) -> tuple[list[float], tuple[float, float]]:
    """Return our bot's payoffs match by match, and each side's CPU seconds per action."""
    peers, took, chosen = pyspiel.load_game(name), [0.0, 0.0], [0, 0]
    other = their_search(peers, rival, iterations)
    first = Match.deal(game.setup(), 2, 0)
    bot.choose(first.view(1, memory=bot.remembers), bots.stream(0, 1))  # compiles
    won = []
    for number in range(matches):
        match, state, seat = Match.deal(game.setup(), 2, number), peers.new_initial_state(), 1 + number % 2
        stream, drawn = bots.stream(number, seat), dealt(match)
        while not match.over:
            while state.is_chance_node():
                state.apply_action(drawn.pop(0))
            mine = match.seat == seat
            start = time.process_time()
            action = bot.choose(match.view(seat, memory=bot.remembers), stream) if mine else other.step(state)
            took[not mine] += time.process_time() - start
            chosen[not mine] += 1
            match.choose(action)
            state.apply_action(action)
        assert list((match.payoffs or {}).values()) == state.returns()
        won.append((match.payoffs or {})[seat])
    return won, (took[0] / chosen[0], took[1] / chosen[1])


def dealt(match: Match) -> list[int]:
    """Return the cards of a poker match in the order in which OpenSpiel deals them."""
    s: Any = match.state
    return [int(card) for card in (*s.card[:2], *([s.deck[s.deck[0]]] if "deck" in s.dtype.names else []))]


if __name__ == "__main__":
    main()
