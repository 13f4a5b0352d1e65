"""Rate bots from match results, with 95% intervals.

Two-seat matches use the Bradley-Terry model (1952), fitted with `choix`; a draw is half a win for each side. Ratings
are in Elo points (400 points are odds of 10 to 1) with mean 1500. Larger matches use the Plackett-Luce model of
`openskill`, updated match by match; ratings start at 25, and their intervals come from that model.
"""

from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np

from sparring.engine.extras import MissingExtra

Array = np.ndarray[Any, Any]

#: Elo points per unit of the Bradley-Terry model.
ELO = 400 / np.log(10)
MEAN = 1500.0

#: Virtual wins for each side of a pair that met, so that a bot that won every match gets a finite rating.
VIRTUAL_WINS = 0.5


class BotRating(NamedTuple):
    """A rating with its 95% interval."""

    rating: float
    low: float
    high: float


def bradley_terry(wins: Array) -> list[BotRating]:
    """Return Bradley-Terry ratings in Elo points.

    `wins` has shape (bots, bots): how often the row bot beat the column bot, with draws as half a win.
    """
    try:
        import choix
    except ModuleNotFoundError:
        raise MissingExtra("Ratings need choix", "lab") from None

    have_met = (wins + wins.T) > 0
    counted = np.where(have_met, wins + VIRTUAL_WINS, 0.0)
    strength = np.asarray(choix.ilsr_pairwise_dense(counted, alpha=1e-9))
    strength = strength - strength.mean()
    odds = 1 / (1 + np.exp(strength[None, :] - strength[:, None]))
    weight = (counted + counted.T) * odds * odds.T
    information = np.diag(weight.sum(axis=1)) - weight
    half_width = 1.96 * ELO * np.sqrt(np.diag(np.linalg.pinv(information)))
    centre = MEAN + ELO * strength
    return [BotRating(float(m), float(m - r), float(m + r)) for m, r in zip(centre, half_width, strict=True)]


def plackett_luce(bots: int, matches: Sequence[tuple[Sequence[int], Sequence[bool]]]) -> list[BotRating]:
    """Return Plackett-Luce ratings from matches in order: the bots of each match, and which of them won."""
    from openskill.models import PlackettLuce

    model = PlackettLuce()
    ratings = [model.rating() for _ in range(bots)]
    for line_up, won in matches:
        rated = model.rate([[ratings[bot]] for bot in line_up], ranks=[1 if has_won else 2 for has_won in won])
        for bot, (after,) in zip(line_up, rated, strict=True):
            ratings[bot] = after
    return [
        BotRating(rating.mu, rating.mu - 1.96 * rating.sigma, rating.mu + 1.96 * rating.sigma) for rating in ratings
    ]
