"""What the record of a match tells of its table: clocks, how long every choice took, how it ended besides its rules.

The rules know nothing of it, and whoever replays a record may leave it out.
"""

import struct
from typing import Annotated, Any

import msgspec
import numpy as np

from sparring.engine.errors import BadRecord
from sparring.engine.game import Box
from sparring.engine.records import dealt, write_record
from sparring.web.storage.schema import TableRow
from sparring.web.tables.chat.chat_log import ChatFilter
from sparring.web.tables.chat.move_descriptions import AllDescribed, MoveDescriptions, described_in
from sparring.web.tables.hint_state import AllTaken, HintTaken, TableHints
from sparring.web.tables.table import NotYours, Table
from sparring.web.tables.table_settings import Days, Minutes, More, TableSettings

from .clock_events import LONGEST
from .early_endings import EarlyEnding

#: No record that can be brought holds more choices.
MOST_CHOICES = 1_000_000


class RecordedTable(msgspec.Struct, frozen=True, omit_defaults=True):
    """A table as a record keeps it."""

    minutes: Minutes = 0
    more: More = 0
    days: Days = 0
    ended: EarlyEnding = EarlyEnding()
    #: How long after its seat was asked every choice was made, in tenths of a second.
    spent: Annotated[
        tuple[Annotated[int, msgspec.Meta(ge=0, le=LONGEST)], ...], msgspec.Meta(max_length=MOST_CHOICES)
    ] = ()
    #: How people described their moves.
    moves: AllDescribed = ()
    #: Who took hints, and when.
    hints: AllTaken = ()


class _RecordReader(msgspec.Struct):
    table: RecordedTable = RecordedTable()


def of_table(table: Table, moves: tuple[MoveDescriptions, ...] = ()) -> dict[str, Any]:
    """What is kept of a table; nobody's name."""
    return _told(table.terms, table.ended, table.spent, moves, table.help.taken)


def _told(
    terms: TableSettings,
    ended: EarlyEnding,
    spent: bytes,
    moves: tuple[MoveDescriptions, ...],
    hints: tuple[HintTaken, ...],
) -> dict[str, Any]:
    times = struct.unpack(f"<{len(spent) // 4}I", spent)
    kept = RecordedTable(terms.minutes, terms.more, terms.days, ended, times, moves, hints)
    return msgspec.to_builtins(kept)  # type: ignore[no-any-return]


def read(record: str) -> RecordedTable:
    """What a record tells of its table; BadRecord if that makes no sense."""
    try:
        return msgspec.json.decode(record, type=_RecordReader).table
    except (msgspec.MsgspecError, RecursionError):
        raise BadRecord("What this record tells of its table makes no sense.") from None


def record_of(table: Table, hearing: ChatFilter) -> str:
    """Everything that happened at a table, the seed included, and how moves were described, as somebody hears it."""
    if not table.shown.over:
        raise NotYours(
            "The record holds the seed, and with it every hidden card: it can be had when the match is over."
        )
    return table.match.record(of_table(table, described_in(table.chat.descriptions(hearing))))


def exported(table: Table) -> str:
    """The record of a table at any time, for whoever runs the server: with all that was said there, and by whom."""
    said = [
        {"seat": line.seat, "name": line.name, "person": line.person, "said": line.said, "words": line.text}
        for line in table.chat.lines
    ]
    kept = of_table(table, described_in(table.chat.lines))
    return table.match.record({**kept, "talk": said} if said else kept)


def record_stored(box: Box, row: TableRow, moves: tuple[MoveDescriptions, ...] = ()) -> str:
    """The same of a match that is over, from what is stored: nothing is carried out again."""
    told = _told(
        TableSettings.read(row.terms), EarlyEnding.read(row.ended), row.spent, moves, TableHints.read(row.hints).taken
    )
    return write_record(dealt(box, len(row.seats), row.seed), np.frombuffer(row.choices, "<i2").tolist(), told)
