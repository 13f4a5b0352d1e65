"""Skill ratings: the model, its update after a match, and the points that people read.

The model is Plackett-Luce, as implemented by `openskill`: any number of seats, ranked by place. A skill is a normal
distribution (mu, sigma). For people, 1500 points are the mean of new players, one unit of mu is 24 points, and the ± is
two sigma: new players start at 1,500 ± 400. Leaderboards are ordered by the lower end of that interval.
"""

from collections.abc import Sequence
from functools import cache
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from openskill.models import PlackettLuce

#: The points of new players, the points per unit of the model, and how many sigma the ± is.
MEAN_POINTS, UNIT, SIGMAS = 1500, 24, 2
#: A rating is provisional while its ± is above this: for about twenty matches of two players.
PROVISIONAL = 200
#: A rating is also provisional while its player has met fewer opponents: a few accounts aren't enough for a rating.
OPPONENTS = 5


class SkillRating(NamedTuple):
    """A player's skill, with its uncertainty."""

    mu: float
    sigma: float

    @property
    def points(self) -> int:
        """Return the estimate in points."""
        return round(MEAN_POINTS + UNIT * (self.mu - NEW_PLAYER.mu))

    @property
    def uncertainty(self) -> int:
        """Return the uncertainty to either side, in points."""
        return round(UNIT * SIGMAS * self.sigma)

    @property
    def lower_bound(self) -> float:
        """Return the lower bound in units of the model, by which leaderboards are ordered."""
        return self.mu - SIGMAS * self.sigma

    @property
    def uncertain(self) -> bool:
        """Return whether the uncertainty alone makes the rating provisional."""
        return self.uncertainty > PROVISIONAL

    def __str__(self) -> str:
        """Return the rating as people read it."""
        return f"{self.points:,} ± {self.uncertainty}"


#: The rating of new players: the defaults of the model.
NEW_PLAYER = SkillRating(25.0, 25.0 / 3)


def update_ratings(before: Sequence[SkillRating], places: Sequence[int]) -> list[SkillRating]:
    """Return the ratings after a match with these places (1 is best, equal places are a draw)."""
    model = _model()
    teams = [[model.rating(mu=one.mu, sigma=one.sigma)] for one in before]
    after = model.rate(teams, ranks=[float(place) for place in places])
    return [SkillRating(one.mu, one.sigma) for (one,) in after]


@cache
def _model() -> "PlackettLuce":
    """Return the model, which is loaded when the first match is rated, not when a server starts."""
    from openskill.models import PlackettLuce

    return PlackettLuce(mu=NEW_PLAYER.mu, sigma=NEW_PLAYER.sigma)
