"""Known deals: tables whose host may know hidden cards, and new deals, after which no one does."""

from sparring.engine.game import Box
from sparring.engine.new_deals import NewDeal
from sparring.engine.records import MatchStart, deal
from sparring.store.schema import TableRow
from sparring.store.tables.json_column import JsonColumn

#: The note on a table with a known deal, for people who may sit down there.
KNOWN_DEAL = (
    "The host of this table chose its deal, or may know its hidden cards. Any player can ask for a new deal, which "
    "deals everything hidden again."
)
#: The same beside the question, where there is little room.
BRIEFLY = "The host may know the hidden cards."
#: Why such a table can't be listed or rated.
NOT_FOR_STRANGERS = "A public or rated match is dealt at random; you can't choose its deal, or play on from another."
#: Why a table has no new deal.
IS_RANDOM = "Only a table with a chosen or known deal can have a new deal, and only once."


class TableDeals(JsonColumn, frozen=True, kw_only=True):
    """What the row of a table stores about its deals, besides the seed."""

    #: Whether the host chose the deal or may know hidden cards.
    known: bool = False
    new: tuple[NewDeal, ...] = ()


def start_of(box: Box, row: TableRow) -> MatchStart:
    """Return the start of a table's match, with its new deals."""
    return deal(box, len(row.seats), row.seed)._replace(deals=TableDeals.read(row.deals).new)
