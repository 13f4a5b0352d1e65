"""Solve Kuhn poker by counterfactual regret minimization, written out in full.

    python kuhn_cfr.py

CFR (Zinkevich et al. 2007) plays against itself and follows its regrets; its *average* strategy converges to an
equilibrium, in which seat 1 loses 1/18 of a chip per match. A match can be cloned, and `history_key` names what a seat
knows, so the algorithm works for any small game that lists its deals.
"""

from collections import defaultdict

import numpy as np
from example_games import load_game

from sparring import Match
from sparring.engine.game import Game


class Solver:
    """Regrets and summed strategies of every information set, by the key of its history."""

    def __init__(self, game: Game) -> None:
        self.regrets = defaultdict[bytes, np.ndarray](lambda: np.zeros(len(game.rules.ACTIONS)))
        self.sums = defaultdict[bytes, np.ndarray](lambda: np.zeros(len(game.rules.ACTIONS)))
        setup = game.setup()
        self.deals = [
            Match.from_state_bytes(game, state.tobytes(), options=setup.options) for state in game.deals(setup, 2)
        ]

    def iterate(self) -> float:
        """Visit the whole tree once; return the value of the current strategies for seat 1."""
        return float(np.mean([self._visit(deal, np.ones(2))[0] for deal in self.deals]))

    def _visit(self, match: Match, reach: np.ndarray) -> np.ndarray:
        """Update all information sets below; return both seats' expected payoffs.

        `reach` is the probability with which each seat plays to this point.
        """
        if match.over:
            return np.array([match.payoffs[1], match.payoffs[2]], float)
        legal, actor = match.legal(), match.seat - 1
        key = match.history_key(match.seat)
        strategy = positive_share(self.regrets[key], legal)
        values = np.zeros((len(legal), 2))
        for k, action in enumerate(legal):
            after, reached = match.clone(), reach.copy()
            after.choose(action)
            reached[actor] *= strategy[k]
            values[k] = self._visit(after, reached)
        expected = strategy @ values
        # Counterfactual: weighted as if the actor had done everything to come here.
        self.regrets[key][legal] += reach[1 - actor] * (values[:, actor] - expected[actor])
        self.sums[key][legal] += reach[actor] * strategy
        return expected

    def average(self, view_key: bytes, legal: list[int]) -> np.ndarray:
        """Return the average strategy over the legal actions of an information set."""
        return positive_share(self.sums[view_key], legal)


def positive_share(amounts: np.ndarray, legal: list[int]) -> np.ndarray:
    """Return the positive amounts of these actions as probabilities; uniform if there are none."""
    positive = np.maximum(amounts[legal], 0)
    return positive / positive.sum() if positive.any() else np.full(len(legal), 1 / len(legal))


def value(solver: Solver) -> float:
    """Return the value of the average strategies for seat 1."""

    def below(match: Match) -> float:
        if match.over:
            return float(match.payoffs[1])
        legal = match.legal()
        total = 0.0
        for action, probability in zip(legal, solver.average(match.history_key(match.seat), legal), strict=True):
            after = match.clone()
            after.choose(action)
            total += probability * below(after)
        return total

    return float(np.mean([below(deal) for deal in solver.deals]))


def main() -> None:
    """Print the value of the average strategies as it converges."""
    solver = Solver(load_game("kuhn_poker"))
    for iteration in range(1, 1001):
        solver.iterate()
        if iteration in (1, 10, 100, 1000):
            print(f"{iteration:5} iterations: seat 1 wins {value(solver):+.4f} chips per match")
    print(f"the exact value is    {-1 / 18:+.4f}")


if __name__ == "__main__":
    main()
