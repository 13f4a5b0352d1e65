"""What the record of a match tells of its table: clocks, how long every choice took, how it ended besides its rules.

The rules know nothing of it, and whoever replays a record may leave it out.
"""

import struct
from typing import Annotated, Any

import msgspec

from sparring.engine.errors import BadRecord
from sparring.web.tables.table import NotYours, Table
from sparring.web.tables.terms import Days, Minutes, More

from .ended import Ended
from .turns import LONGEST

#: No record that can be brought holds more choices.
MOST_CHOICES = 1_000_000


class AtTable(msgspec.Struct, frozen=True, omit_defaults=True):
    """A table as a record keeps it."""

    minutes: Minutes = 0
    more: More = 0
    days: Days = 0
    ended: Ended = Ended()
    #: How long after its seat was asked every choice was made, in tenths of a second.
    spent: Annotated[
        tuple[Annotated[int, msgspec.Meta(ge=0, le=LONGEST)], ...], msgspec.Meta(max_length=MOST_CHOICES)
    ] = ()


class _Told(msgspec.Struct):
    table: AtTable = AtTable()


def of_table(table: Table) -> dict[str, Any]:
    """What is kept of a table; nobody's name."""
    terms, spent = table.terms, struct.unpack(f"<{len(table.spent) // 4}I", table.spent)
    kept = AtTable(terms.minutes, terms.more, terms.days, table.ended, spent)
    return msgspec.to_builtins(kept)  # type: ignore[no-any-return]


def read(record: str) -> AtTable:
    """What a record tells of its table; BadRecord if that makes no sense."""
    try:
        return msgspec.json.decode(record, type=_Told).table
    except (msgspec.MsgspecError, RecursionError):
        raise BadRecord("What this record tells of its table makes no sense.") from None


def record_of(table: Table) -> str:
    """Everything that happened at a table, the seed included."""
    if not table.shown.over:
        raise NotYours(
            "The record holds the seed, and with it every hidden card: it can be had when the match is over."
        )
    return table.match.record(of_table(table))
