"""The lines of finished matches in the database, at tables and uploaded records."""

from typing import NamedTuple

from sqlalchemy import select, tuple_, update

from sparring.store.schema import RecordRow, TableRow
from sparring.store.transactions import Store

#: What has a finished match.
MatchRow = type[TableRow] | type[RecordRow]


class MatchPlace(NamedTuple):
    """When a match was stored last (seconds since 1970), and its id: the order in which lines are added."""

    when: int = 0
    id: str = ""


class LineStore(Store):
    """The lines in the database of a server."""

    async def next_missing(self, kind: MatchRow, after: MatchPlace, before: float) -> MatchPlace | None:
        """Return the first finished match without lines after a place, stored last before a time."""
        when = TableRow.changed if kind is TableRow else RecordRow.created
        missing = kind.over.is_(True) & kind.lines.is_(None) & (when < int(before))
        query = select(when, kind.id).where(missing, tuple_(when, kind.id) > after).order_by(when, kind.id).limit(1)
        async with self._store.reading() as session:
            row = (await session.execute(query)).first()
        return MatchPlace(*row) if row else None

    async def of(self, kind: MatchRow, match: str) -> bytes | None:
        """Return the lines of a match."""
        async with self._store.reading() as session:
            return await session.scalar(select(kind.lines).where(kind.id == match))

    async def save(self, kind: MatchRow, match: str, lines: bytes) -> None:
        """Store the lines of a match."""
        await self._store.execute(update(kind).where(kind.id == match).values(lines=lines))
