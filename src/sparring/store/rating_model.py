"""Skill ratings: the model, the points that people read, and who may be rated together.

The model is Plackett-Luce, as implemented by `openskill`: any number of seats, ranked by place. A skill is a normal
distribution (mu, sigma). For people, 1500 points are the mean of new players, one unit of mu is 24 points, and the ± is
two sigma: new players start at 1,500 ± 400. Leaderboards are ordered by the lower end of that interval.

Accounts are easy to create, networks aren't. So players on one network count as one opponent, and a player's rated
matches against one opponent and one network are limited per day. Networks are keyed hashes (`store/networks.py`),
stored with the seats of rated tables and deleted after `KEPT_DAYS`.
"""

import time
from collections import Counter
from collections.abc import Sequence
from functools import cache
from typing import TYPE_CHECKING, Any, NamedTuple

from sqlalchemy import Connection, and_, func, insert, select, update
from sqlalchemy.orm import aliased

from sparring.settings import DAY, Limits

from .schema import AccountRow, OpponentRow, ResultRow, SeatRow, TableRow, TokenRow

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


#: The prefix of bots among players.
BOT = "bot:"
#: After how many days the networks of rated seats are deleted.
KEPT_DAYS = 30


class RatingLimits(NamedTuple):
    """The most rated matches per day between two players, and of a player against one network."""

    together: int
    network: int

    @classmethod
    def of(cls, limits: Limits) -> "RatingLimits":
        """Return the limits of a server."""
        return cls(limits.rated_together, limits.rated_network)


class Entrant(NamedTuple):
    """A player of a match and their network; empty for a bot or if unknown."""

    player: str
    network: str = ""
    #: Whether they have left the match: their account or token may be gone by now.
    left: bool = False


def why_not_rated(connection: Connection, entrants: Sequence[Entrant], most: RatingLimits) -> str:
    """Return why these players can't be rated together, in one sentence; empty if they can.

    Each plays only for themselves, has an account, and hasn't met the others too often: otherwise two browsers would be
    enough to inflate a rating.
    """
    players = [entrant.player for entrant in entrants]
    if any(count > 1 for player, count in Counter(players).items() if player.startswith(BOT)):
        return "A rated match can have only one bot of each kind."
    people = [one.player for one in entrants if not (one.left or one.player.startswith(BOT))]
    owners = dict(connection.execute(select(TokenRow.bot, TokenRow.person).where(TokenRow.bot.in_(people))).all())
    accounts = [owners.get(player, player) for player in people]
    known = set(connection.scalars(select(AccountRow.person).where(AccountRow.person.in_(accounts))))
    if not known >= set(accounts):
        return "Everyone needs an account to play rated matches. Create one at /me."
    if len(known) < len(accounts):
        return "In a rated match, a person and their bots can have only one seat in total."
    if _met_often(connection, players, most.together):
        return (
            f"These players have reached the limit of {most.together} rated matches with each other in a day. "
            "Play a casual match."
        )
    if any(_met_network_often(connection, entrant, entrants, most.network) for entrant in entrants):
        return (
            f"One of these players has reached the limit of {most.network} rated matches in a day against players on "
            "one network. Play a casual match."
        )
    return ""


def _met_often(connection: Connection, players: Sequence[str], most: int) -> bool:
    """Return whether two of these players have met in `most` rated matches within a day."""
    one, other = aliased(ResultRow), aliased(ResultRow)
    query = (
        select(one.player).join(other, (other.table_id == one.table_id) & (other.player < one.player))
        .where(one.player.in_(players), other.player.in_(players), one.mu.is_not(None))
        .where(one.ended.between(int(time.time()) - DAY, int(time.time()) + DAY))
        .group_by(one.player, other.player).having(func.count() >= most)
    )  # fmt: skip
    return connection.execute(query.limit(1)).first() is not None


def _met_network_often(connection: Connection, one: Entrant, entrants: Sequence[Entrant], most: int) -> bool:
    """Return whether a player has met one of these networks in `most` rated matches within a day.

    Bots are exempt: they meet many people of one network, and have nothing to gain.
    """
    networks = {other.network for other in entrants if other.network and other != one}
    if not networks or one.player.startswith(BOT):
        return False
    met = _met_networks(one.player, networks, time.time() - DAY)
    often = met.group_by(SeatRow.network).having(func.count(ResultRow.table_id.distinct()) >= most)
    return connection.execute(often.limit(1)).first() is not None


def _met_networks(player: str, networks: Any, since: float) -> Any:
    """Select which of some networks a player has met in rated matches since then."""
    other = aliased(ResultRow)
    return (
        select(SeatRow.network)
        .select_from(ResultRow)
        .join(other, and_(other.table_id == ResultRow.table_id, other.seat != ResultRow.seat))
        .join(SeatRow, and_(SeatRow.table_id == other.table_id, SeatRow.seat == other.seat))
        .where(ResultRow.player == player, ResultRow.mu.is_not(None), ResultRow.ended >= int(since))
        .where(ResultRow.ended < int(time.time()) + DAY)
        .where(SeatRow.network.in_(networks))
    )


def record_opponents(connection: Connection, variant: str, entrants: Sequence[Entrant]) -> list[int]:
    """Store whom the players of a rated match have met; return each player's number of new opponents.

    Players on one network count as one opponent, as long as networks are stored.
    """
    return [_meet(connection, variant, one, [other for other in entrants if other != one]) for one in entrants]


def _meet(connection: Connection, variant: str, one: Entrant, others: Sequence[Entrant]) -> int:
    condition = (OpponentRow.variant == variant) & (OpponentRow.player == one.player)
    names = [other.player for other in others]
    known = set(connection.scalars(select(OpponentRow.opponent).where(condition, OpponentRow.opponent.in_(names))))
    new = [other for other in others if other.player not in known]
    if not new:
        return 0
    rows = [{"variant": variant, "player": one.player, "opponent": other.player} for other in new]
    connection.execute(insert(OpponentRow), rows)
    networks = {other.network for other in new if other.network}
    if networks and not one.player.startswith(BOT):
        met = _met_networks(one.player, networks, time.time() - KEPT_DAYS * DAY).where(ResultRow.variant == variant)
        networks -= set(connection.scalars(met.distinct()))
    return len(networks) + sum(not other.network for other in new)


def delete_old_networks(connection: Connection, before: int) -> None:
    """Delete the networks of players at tables that haven't changed since then."""
    old = select(TableRow.id).where(TableRow.changed < before)
    connection.execute(
        update(SeatRow).where(SeatRow.network.is_not(None), SeatRow.table_id.in_(old)).values(network=None)
    )
