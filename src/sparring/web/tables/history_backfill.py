"""Add results to the history for matches that finished before results were stored, from what is stored of them.

Ratings don't change: they depend on everyone's ratings on the day of the match, which are not known any more.
"""

from collections.abc import Callable
from dataclasses import dataclass, replace

from sqlalchemy import Connection, update

from sparring.engine.errors import SparringError
from sparring.web.storage import ResultStore
from sparring.web.storage.schema import TableRow

from .match_results import result_of
from .registry import TableRegistry
from .summary import summary_columns


@dataclass(frozen=True)
class BackfillResult:
    """How many matches were added to the history, and how many the current rules can't read."""

    kept: int = 0
    unread: int = 0


async def backfill(shelf: TableRegistry, progress: Callable[[int, int], None] = lambda *_: None) -> BackfillResult:
    """Add the results of all finished matches to the history of their players."""
    missing, unread = await ResultStore(shelf.store).missing(), 0
    for done, table in enumerate(missing):
        progress(done, len(missing))
        try:
            await _remember(shelf, table)
        except SparringError:
            unread += 1
    return BackfillResult(len(missing) - unread, unread)


async def _remember(shelf: TableRegistry, number: str) -> None:
    table = await shelf.load_read_only(number)
    row = await shelf.store.load(number)
    if row is None:  # deleted meanwhile
        return
    result = replace(result_of(table, table.ended, shelf.settings.limits), rated=False, ended=row.changed)
    standing = summary_columns(table.match, table.ended)["standing"]

    def work(connection: Connection) -> None:
        result.write(connection)
        connection.execute(update(TableRow).where(TableRow.id == number).values(standing=standing))

    await shelf.store.writer.write(work)
