"""A rating: what is believed of somebody's strength, how a match changes that, and the points in which people read it.

The model is that of Plackett and Luce, as `openskill` does it: any number of seats, in the order in which they ended.
A strength is a normal distribution (mu, sigma). People read 1500 for the mean of all who begin, 24 points for a unit of
mu, and behind the ± twice sigma: who begins stands at 1,500 ± 400. Lists are ordered by what somebody is worth at
least, which is the lower end of that.
"""

from collections.abc import Sequence
from functools import cache
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from openskill.models import PlackettLuce

#: The points of who begins, those of one unit of the model, and how many sigma the ± is.
MIDDLE, UNIT, WIDE = 1500, 24, 2
#: A rating is provisional as long as its ± is more than this: for about the first twenty matches of two.
PROVISIONAL = 200
#: And as long as its player has met fewer opponents than this, so that no one makes a rating with a few accounts.
OPPONENTS = 5


class SkillRating(NamedTuple):
    """How strong somebody is, as far as one can say."""

    mu: float
    sigma: float

    @property
    def points(self) -> int:
        """The middle of what is believed."""
        return round(MIDDLE + UNIT * (self.mu - BEGIN.mu))

    @property
    def reach(self) -> int:
        """How far it may be off, to either side."""
        return round(UNIT * WIDE * self.sigma)

    @property
    def sure(self) -> float:
        """What somebody is worth at least, in the units of the model: by this lists are ordered."""
        return self.mu - WIDE * self.sigma

    @property
    def uncertain(self) -> bool:
        """Whether the ± is too wide for a rating that is not provisional."""
        return self.reach > PROVISIONAL

    def __str__(self) -> str:
        """As people read it."""
        return f"{self.points:,} ± {self.reach}"


#: What is believed of who has never played: the usual values of the model.
BEGIN = SkillRating(25.0, 25.0 / 3)


def rated(before: Sequence[SkillRating], places: Sequence[int]) -> list[SkillRating]:
    """What is believed after a match, of those whose places were these (1 is the best, equal ones are a draw)."""
    model = _model()
    teams = [[model.rating(mu=one.mu, sigma=one.sigma)] for one in before]
    after = model.rate(teams, ranks=[float(place) for place in places])
    return [SkillRating(one.mu, one.sigma) for (one,) in after]


@cache
def _model() -> "PlackettLuce":
    """Loaded when the first match is rated, not when a server starts."""
    from openskill.models import PlackettLuce

    return PlackettLuce(mu=BEGIN.mu, sigma=BEGIN.sigma)
