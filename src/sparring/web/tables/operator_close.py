"""Close a table from the command line, while a server process may own it."""

from dataclasses import replace as changed

import msgspec
from msgspec.structs import replace

from sparring.engine.errors import SparringError
from sparring.web.storage import NoticeStore, StaleWrite

from .clocks.early_endings import Reason
from .registry import TableRegistry
from .summary import summary_columns
from .table import TableChanged

#: How often to retry while people make choices.
TRIES = 20


async def close(registry: TableRegistry, notices: NoticeStore, table_id: str, why: str = "") -> None:
    """End a match without a winner; raise TableChanged if it is over.

    The reason `why` is shown to the players and stored in the record.
    """
    why = read_reason(why)
    for _ in range(TRIES):
        table = await registry.load_read_only(table_id)
        if table.shown.over:
            raise TableChanged("The match at this table is already over.")
        ended = replace(table.ended, how="closed", why=why)
        timing = replace(table.clocks, due=None, proposal=None, paused=False)
        change = changed(table.public(), timing=timing, ended=ended)
        try:
            await notices.write(table.id, table.edition, **summary_columns(table.match, ended), **change.columns)
        except StaleWrite:
            continue
        return
    raise TableChanged("The match kept moving on while it was being closed. Please try again.")


def read_reason(why: str) -> str:
    """Return the operator's reason as one line without its last full stop."""
    try:
        return msgspec.convert(" ".join(why.split()).rstrip(" .!"), Reason)
    except msgspec.ValidationError:
        raise SparringError(f"A reason must be one line of at most 200 characters, not {len(why)}.") from None
