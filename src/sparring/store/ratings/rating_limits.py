"""Rating limits: who may be rated together, and how many opponents a player has met.

Accounts are easy to create, networks aren't. So players on one network count as one opponent, and a player's rated
matches against one opponent and one network are limited per day. Networks are keyed hashes (`store/networks.py`),
stored with the seats of rated tables and deleted after `KEPT_DAYS`.
"""

import time
from collections import Counter
from collections.abc import Sequence
from typing import Any, NamedTuple

from sqlalchemy import Connection, and_, func, insert, select, update
from sqlalchemy.orm import aliased

from sparring.settings import DAY, Limits
from sparring.store.schema import AccountRow, OpponentRow, ResultRow, SeatRow, TableRow, TokenRow

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
