"""Measure random play through OpenSpiel, beside OpenSpiel's own Python Kuhn poker in the same run; print a table.

    python -m benchmarks.openspiel_adapter

Each figure is the median of five measurements of the actions per second of CPU time of this process, which alternate
between all games. *Plain* calls `legal_actions` and `apply_action`; *tensors* also calls `observation_tensor` and
`information_state_tensor` before each action. Needs the extra `openspiel`.
"""

import random
import time
from statistics import median
from typing import Any

import pyspiel
from open_spiel.python.games import kuhn_poker  # registers `python_kuhn_poker`

from benchmarks.batch_env import example
from sparring.engine.game import games
from sparring.lab.speed import machine
from sparring.research.openspiel import register

#: The duration of one measurement in seconds of CPU time, how many there are, and the deals of a game that lists none.
SECONDS, ROUNDS, DEALS = 0.5, 5, 16


def rate(game: Any, *, tensors: bool, seconds: float = SECONDS) -> float:
    """Return the actions per CPU second of random matches."""
    rng, start, actions = random.Random(1), time.process_time(), 0
    while (elapsed := time.process_time() - start) < seconds:
        state = game.new_initial_state()
        while not state.is_terminal():
            if tensors and not state.is_chance_node():
                state.observation_tensor()
                state.information_state_tensor()
            legal = state.legal_actions()
            state.apply_action(legal[int(rng.random() * len(legal))])
            actions += 1
    return actions / elapsed


def main() -> None:
    """Measure all games and print the table."""
    small = [example(name) for name in ("kuhn_poker", "leduc_poker", "tic_tac_toe")]
    entrants = {"OpenSpiel's Python Kuhn poker": pyspiel.load_game(kuhn_poker._GAME_TYPE.short_name)}
    for game in (*small, *games().values()):
        deals = "all" if game.deals else DEALS
        entrants[game.title] = register(game, f"bench-{game.name}", deals=deals)
    rates: dict[tuple[str, bool], list[float]] = {}
    for number in range(ROUNDS + 1):
        for name, entrant in entrants.items():
            for tensors in (False, True):
                found = rate(entrant, tensors=tensors, seconds=SECONDS if number else 0.05)
                if number:  # the first round compiles
                    rates.setdefault((name, tensors), []).append(found)
    print(f"{machine()}\n\n| Game | Numbers | Plain | Ratio | Tensors | Ratio |\n|---|---:|---:|---:|---:|---:|")
    base = median(next(iter(rates.values())))
    for name, entrant in entrants.items():
        plain, both = (median(rates[name, each]) for each in (False, True))
        size = entrant.information_state_tensor_size() + entrant.observation_tensor_size()
        print(f"| {name} | {size:,} | {plain:,.0f} | {plain / base:.2f} | {both:,.0f} | {both / base:.2f} |")


if __name__ == "__main__":
    main()
