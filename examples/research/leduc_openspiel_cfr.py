"""Run OpenSpiel's CFR+ on our Leduc poker, and print its exact exploitability.

    pip install ".[openspiel]"         # in the project's folder
    python leduc_openspiel_cfr.py

Nothing here is written for Sparring: a registered game is a `pyspiel.Game`, so every algorithm of OpenSpiel runs on it.
"""

import argparse

import pyspiel
from example_games import load_game
from open_spiel.python.algorithms.cfr import CFRPlusSolver
from open_spiel.python.algorithms.exploitability import exploitability

from sparring.engine.game import Game
from sparring.research.openspiel import register


def solve(game: Game, iterations: int) -> list[float]:
    """Return the exploitability, in chips per match, before and after each iteration of CFR+."""
    register(game, f"example-{game.name}")
    spiel = pyspiel.load_game(f"example-{game.name}")
    solver = CFRPlusSolver(spiel)
    curve = [exploitability(spiel, solver.average_policy())]
    for _ in range(iterations):
        solver.evaluate_and_update_policy()
        curve.append(exploitability(spiel, solver.average_policy()))
    return curve


def main() -> None:
    """Print the curve."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--iterations", type=int, default=10)
    parser.add_argument("--game", default="leduc_poker")
    chosen = parser.parse_args()
    for iteration, chips in enumerate(solve(load_game(chosen.game), chosen.iterations)):
        print(f"{iteration:4} iterations: exploitable by {chips:.4f} chips per match")


if __name__ == "__main__":
    main()
