"""The table's part of a match record: clocks, thinking times, early ending, hints and descriptions of moves.

The rules don't use it, and a program that replays a record may ignore it.
"""

import struct
from typing import Annotated, Any

import msgspec

from sparring.engine.errors import BadRecord
from sparring.engine.game import GameSetup
from sparring.engine.messages import say
from sparring.engine.records import write_record
from sparring.scene.moves import AllDescribed, MoveDescriptions
from sparring.store.schema import TableRow

from .changes import SavedChoices
from .chat_log import ChatFilter
from .clock_events import LONGEST_THINKING_TIME
from .clock_state import EarlyEnding
from .hint_state import AllTaken, HintTaken, TableHints
from .table import NotAllowed, Table
from .table_settings import Days, Minutes, More, TableSettings, start_of

#: The most choices that an uploaded record may contain.
MOST_CHOICES = 1_000_000


class RecordedTable(msgspec.Struct, frozen=True, omit_defaults=True):
    """A table as stored in a record."""

    minutes: Minutes = 0
    more: More = 0
    days: Days = 0
    ended: EarlyEnding = EarlyEnding()
    #: Thinking time of each choice since its seat's turn began, in tenths of a second.
    spent: Annotated[
        tuple[Annotated[int, msgspec.Meta(ge=0, le=LONGEST_THINKING_TIME)], ...], msgspec.Meta(max_length=MOST_CHOICES)
    ] = ()
    #: How players described their moves.
    moves: AllDescribed = ()
    #: Who took hints, and when.
    hints: AllTaken = ()


class _RecordReader(msgspec.Struct):
    table: RecordedTable = RecordedTable()


def table_part(table: Table, moves: tuple[MoveDescriptions, ...] = ()) -> dict[str, Any]:
    """Return the table's part of a record, without names."""
    return _encoded(table.settings, table.ended, table.thinking_times, moves, table.hints.taken)


def _encoded(
    settings: TableSettings,
    ended: EarlyEnding,
    spent: bytes,
    moves: tuple[MoveDescriptions, ...],
    hints: tuple[HintTaken, ...],
) -> dict[str, Any]:
    times = struct.unpack(f"<{len(spent) // 4}I", spent)
    recorded = RecordedTable(settings.minutes, settings.more, settings.days, ended, times, moves, hints)
    return msgspec.to_builtins(recorded)  # type: ignore[no-any-return]


def read(record: str) -> RecordedTable:
    """Return the table's part of a record; raise BadRecord if it is malformed."""
    try:
        return msgspec.json.decode(record, type=_RecordReader).table
    except (msgspec.MsgspecError, RecursionError):
        raise BadRecord(say("The table part of this record is malformed.")) from None


def record_of(table: Table, chat_filter: ChatFilter) -> str:
    """Return the record of a finished match, its seed included, with the descriptions that the viewer hasn't muted."""
    if not table.shown.over:
        raise NotAllowed(
            say("You can download the record when the match is over: its seed would reveal every hidden card.")
        )
    return table.match.record(table_part(table, descriptions_at(table, chat_filter)))


def descriptions_at(table: Table, chat_filter: ChatFilter) -> tuple[MoveDescriptions, ...]:
    """Return the descriptions of moves at a table that a viewer hasn't muted, under the moves' present names."""
    table.exchanges.to_describe()  # names them
    return table.chat.recorded(chat_filter)


def export(table: Table) -> str:
    """Return the record of a table at any time, for the operator: with the whole chat and its authors."""
    chat = [
        {"seat": line.seat, "name": line.name, "person": line.person, "said": line.said, "words": line.text}
        for line in table.chat.lines
    ]
    recorded = table_part(table, descriptions_at(table, ChatFilter()))
    return table.match.record({**recorded, "chat": chat} if chat else recorded)


def record_from_row(setup: GameSetup, row: TableRow) -> str:
    """Return the record of a finished match without descriptions from its row, without replaying it."""
    recorded = _encoded(
        TableSettings.read(row.settings),
        EarlyEnding.read(row.ended),
        row.thinking_times,
        (),
        TableHints.read(row.hints).taken,
    )
    return write_record(start_of(setup, row), SavedChoices.read(row.choices).actions, recorded)
