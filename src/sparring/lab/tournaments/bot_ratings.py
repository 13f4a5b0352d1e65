"""How strong bots are, from who won against whom: ratings with 95% intervals.

Matches of two are rated by the model of Bradley and Terry (1952), fitted by `choix`; a draw is half a win for each.
The unit is that of Elo: 400 points more are ten wins to one, and the mean is 1500. Matches of more are rated by the
model of Plackett and Luce, as `openskill` does it match by match; its ratings begin at 25, its intervals are its own.
"""

from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np

Array = np.ndarray[Any, Any]

#: Elo points of one unit of the model of Bradley and Terry.
ELO = 400 / np.log(10)
MEAN = 1500.0

#: Two bots that met are thought to have won so much against each other besides: who won all is not rated infinitely.
BESIDES = 0.5


class BotRating(NamedTuple):
    """How strong a bot is, with its interval."""

    rating: float
    low: float
    high: float


def bradley_terry(wins: Array) -> list[BotRating]:
    """Ratings from how often each (row) won against each other (column)."""
    import choix

    met = (wins + wins.T) > 0
    counted = np.where(met, wins + BESIDES, 0.0)
    strength = np.asarray(choix.ilsr_pairwise_dense(counted, alpha=1e-9))
    strength = strength - strength.mean()
    odds = 1 / (1 + np.exp(strength[None, :] - strength[:, None]))
    weight = (counted + counted.T) * odds * odds.T
    information = np.diag(weight.sum(axis=1)) - weight
    reach = 1.96 * ELO * np.sqrt(np.diag(np.linalg.pinv(information)))
    middle = MEAN + ELO * strength
    return [BotRating(float(m), float(m - r), float(m + r)) for m, r in zip(middle, reach, strict=True)]


def plackett_luce(bots: int, matches: Sequence[tuple[Sequence[int], Sequence[bool]]]) -> list[BotRating]:
    """Ratings from matches: which bots sat there, and which of them won."""
    from openskill.models import PlackettLuce

    model = PlackettLuce()
    known = [model.rating() for _ in range(bots)]
    for sitting, won in matches:
        rated = model.rate([[known[bot]] for bot in sitting], ranks=[1 if one else 2 for one in won])
        for bot, (after,) in zip(sitting, rated, strict=True):
            known[bot] = after
    return [BotRating(one.mu, one.mu - 1.96 * one.sigma, one.mu + 1.96 * one.sigma) for one in known]
