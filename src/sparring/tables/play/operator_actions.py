"""What is done to tables from outside: close one, and add missing results to the match history.

A server process may own the tables meanwhile.
"""

from collections.abc import Callable
from dataclasses import dataclass, replace

import msgspec

from sparring.engine.errors import SparringError
from sparring.scene.plain_text import one_line
from sparring.store.group_commit import Work
from sparring.store.ratings.result_store import ResultStore
from sparring.tables.results.match_results import result_of
from sparring.tables.results.summary import summary_columns
from sparring.tables.state.clock_events import closing
from sparring.tables.state.early_endings import Reason

from .commits import TableCommits
from .registry import TableRegistry


async def close(commits: TableCommits, table_id: str, why: str = "", also: Work | None = None) -> None:
    """End a match without a winner; raise TableChanged if it is over.

    The reason `why` is shown to the players and stored in the record. `also` is written in the same transaction.
    """
    why = read_reason(why)
    await commits.commit_anywhere(table_id, lambda table: closing(table, why=why), also)


def read_reason(why: str) -> str:
    """Return the reason for a closing, a ban or a mute as one line without its last full stop."""
    try:
        return msgspec.convert(one_line(why).rstrip(" .!"), Reason)
    except msgspec.ValidationError:
        raise SparringError(f"A reason must have at most 200 characters, not {len(why)}.") from None


@dataclass(frozen=True)
class BackfillResult:
    """How many matches were added to the history, and how many the current rules can't read."""

    kept: int = 0
    unread: int = 0


async def backfill(registry: TableRegistry, progress: Callable[[int, int], None] = lambda *_: None) -> BackfillResult:
    """Add the results of matches that finished before results were stored.

    Ratings don't change: they depend on everyone's ratings on the day of the match, which are no longer known.
    `progress` is called with the number of matches done and of all.
    """
    missing, unread = await ResultStore(registry.store).missing(), 0
    for done, table in enumerate(missing):
        progress(done, len(missing))
        try:
            await _add_result(registry, table)
        except SparringError:
            unread += 1
    return BackfillResult(len(missing) - unread, unread)


async def _add_result(registry: TableRegistry, table_id: str) -> None:
    table = await registry.load_read_only(table_id)
    row = await registry.store.load(table_id)
    if row is None:  # deleted meanwhile
        return
    result = replace(
        result_of(table, table.match, table.ended, registry.settings.limits), rated=False, ended=row.changed
    )
    await ResultStore(registry.store).add(result, summary_columns(table.match, table.ended)["standing"])
