"""A table is closed by whoever runs the server, from the command line: another process may have it meanwhile."""

from dataclasses import replace as changed

import msgspec
from msgspec.structs import replace

from sparring.engine.errors import SparringError
from sparring.web.storage import NoticeStore, StaleWrite

from .clocks.early_endings import Reason
from .registry import TableRegistry
from .summary import told_in_lists
from .table import TooLate

#: How often it is tried again where people choose just then.
TRIES = 20


async def close(shelf: TableRegistry, notices: NoticeStore, number: str, why: str = "") -> None:
    """End a match, so that nobody has won. Who is at the table is told in one sentence, and its record keeps that."""
    why = read_reason(why)
    for _ in range(TRIES):
        table = await shelf.peek(number)
        if table.shown.over:
            raise TooLate("The match at this table is over already.")
        ended = replace(table.ended, how="closed", why=why)
        timing = replace(table.timing, due=None, proposal=None, paused=False)
        change = changed(table.public(), timing=timing, ended=ended)
        try:
            await notices.write(table.id, table.edition, **told_in_lists(table.match, ended), **change.columns)
        except StaleWrite:
            continue
        return
    raise TooLate("People choose there faster than the table can be closed; please try again.")


def read_reason(why: str) -> str:
    """What people are told of it, as one line without its last stop."""
    try:
        return msgspec.convert(" ".join(why.split()).rstrip(" .!"), Reason)
    except msgspec.ValidationError:
        raise SparringError(f"A reason is one line of at most 200 letters; this one has {len(why)}.") from None
