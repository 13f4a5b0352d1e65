"""Store sets and their pictures: each picture once per person, however many versions of sets use it.

In the stored file of a version, the picture's name takes its place, between two characters that no file contains.
Readers get back exactly the same file. A picture that no version uses any more is deleted.
"""

import re
import time
from collections.abc import Mapping, Sequence
from typing import Any

from sqlalchemy import Connection, delete, exists, func, insert, select, update
from sqlalchemy.ext.asyncio import AsyncSession

from sparring.engine.errors import BadContent, SparringError
from sparring.engine.formats.card_pictures import QUOTED, name_of
from sparring.store.database import RATED, Database, insert_first, opened_from, row_values
from sparring.store.group_commit import StaleWrite
from sparring.store.schema import PictureRow, PictureUseRow, SeatRow, SetRow, TableRow, TokenRow, VersionRow
from sparring.store.transactions import Store, transaction

#: A picture's name in a stored file.
NAMED = re.compile("\x1a([0-9a-f]{32})\x1a")
#: A picture hardly longer than its name stays in the file.
SHORT = 200

#: How much of a set's history to keep: versions, and characters in total; the oldest go first.
VERSIONS = 100
CHARACTERS = 1_000_000
#: The most characters of all of a person's pictures together.
ROOM = 20_000_000
#: Continuous typing in one place makes one version, with pauses up to this long (seconds).
PAUSE = 60


def packed(toml: str) -> tuple[str, dict[str, str]]:
    """Return a file with names in place of its pictures, and the pictures by name."""
    pictures: dict[str, str] = {}

    def named(match: re.Match[str]) -> str:
        if len(match[2]) <= SHORT:
            return match[0]
        pictures[name_of(match[2])] = match[2]
        return f"{match[1]}\x1a{name_of(match[2])}\x1a{match[1]}"

    return QUOTED.sub(named, toml), pictures


async def unpacked(session: AsyncSession, person: str, toml: str) -> str:
    """Return the file with its pictures inserted again."""
    names = set(NAMED.findall(toml))
    if not names:
        return toml
    rows = select(PictureRow.name, PictureRow.text).where(PictureRow.person == person, PictureRow.name.in_(names))
    texts = {row.name: row.text for row in await session.execute(rows)}
    return NAMED.sub(lambda match: texts.get(match[1], ""), toml)


def store(connection: Connection, row: SetRow, number: int, pictures: Mapping[str, str], room: int) -> int:
    """Store the pictures of a new version; return how many characters the new ones have.

    Raise BadContent if a person's pictures would exceed `room` together.
    """
    condition = PictureRow.person == row.person
    known = set(connection.scalars(select(PictureRow.name).where(condition, PictureRow.name.in_(list(pictures)))))
    new = [
        {"person": row.person, "name": name, "text": text} for name, text in pictures.items() if name not in known
    ]  # fmt: skip
    if new:
        connection.execute(insert(PictureRow), new)
    if pictures:
        links = [{"set": row.id, "number": number, "name": name, "person": row.person} for name in pictures]
        connection.execute(insert(PictureUseRow), links)
    delete_unused(connection, row.person)
    if new and connection.scalar(select(func.sum(func.length(PictureRow.text))).where(condition)) > room:
        raise BadContent(f"Your pictures can take up {room // 1_000_000} MB at most. Delete a set with pictures first.")
    return sum(len(each["text"]) for each in new)


def delete_unused(connection: Connection, person: str) -> None:
    """Delete a person's pictures that no version uses any more; their links are deleted with the versions."""
    used = exists().where(PictureUseRow.person == PictureRow.person, PictureUseRow.name == PictureRow.name)
    connection.execute(delete(PictureRow).where(PictureRow.person == person, ~used))


class NoSet(SparringError):
    """The set doesn't exist, or isn't visible to this person."""

    status = 404


class SetStore(Store):
    """The sets in the database of a server."""

    def __init__(self, store: Database, room: int = ROOM) -> None:
        super().__init__(store)
        self._room = room

    @transaction
    def add(self, connection: Connection, row: SetRow, version: VersionRow) -> int:
        """Insert a new set with its first version; return by how many characters the database grew.

        Raise AlreadyCreated if there is a set with this id.
        """
        row.created = row.used = version.made = int(time.time())
        version.toml, pictures = packed(version.toml)
        insert_first(connection, row)
        connection.execute(insert(VersionRow).values(row_values(version)))
        return len(version.toml) + store(connection, row, version.number, pictures, self._room)

    async def load(self, **known: str) -> SetRow | None:
        """Return a set by its id or its share id."""
        return await self._first(select(SetRow).filter_by(**known))

    async def of(self, person: str) -> Sequence[SetRow]:
        """Return a person's sets, the last used first."""
        return await self._all(select(SetRow).filter_by(person=person).order_by(SetRow.used.desc(), SetRow.id))

    async def count(self, creator: str) -> int:
        """Return how many sets creators that begin with these digits have made."""
        return await self._store.count(SetRow, opened_from(SetRow.creator, creator))

    async def version(self, row: SetRow, number: int) -> VersionRow | None:
        """Return one version of a set."""
        async with self._store.reading() as session:
            version = await session.get(VersionRow, (row.id, number))
            if version is not None:
                version.toml = await unpacked(session, row.person, version.toml)
                session.expunge(version)
            return version

    async def history(self, row: SetRow) -> Sequence[VersionRow]:
        """Return the stored versions of a set, newest first, without their files."""
        query = select(VersionRow).where(VersionRow.set_id == row.id).order_by(VersionRow.number.desc())
        return await self._all(query)

    @transaction
    def change(self, connection: Connection, /, row: SetRow, version: VersionRow, **values: Any) -> int:
        """Add a version and change other columns; delete versions that were undone. Raise StaleWrite like `write`.

        Return by how many characters the database grew.
        """
        now = version.made = int(time.time())
        version.toml, pictures = packed(version.toml)
        before = _length(connection, row.id)
        condition = (VersionRow.set_id == row.id) & (VersionRow.number == row.version)
        last = connection.execute(select(VersionRow.mark, VersionRow.made).where(condition)).first()
        typing = last is not None and last.mark == version.mark != "" and now - last.made <= PAUSE
        version.number = row.version if typing else row.version + 1
        _write(connection, row, version=version.number, newest=version.number, **values)
        connection.execute(delete(VersionRow).where(VersionRow.set_id == row.id, VersionRow.number >= version.number))
        connection.execute(insert(VersionRow).values(row_values(version)))
        _forget(connection, row.id, version.number)
        added = store(connection, row, version.number, pictures, self._room)
        return added + max(0, _length(connection, row.id) - before)

    async def write(self, row: SetRow, **values: Any) -> None:
        """Change a set's row, such as its name or current version; raise StaleWrite if it was changed meanwhile."""
        await self._store.transaction(_write, row, **values)

    async def use(self, row: SetRow) -> None:
        """Record that the set was viewed."""
        statement = update(SetRow).where(SetRow.id == row.id).values(used=int(time.time()))
        await self._store.execute(statement)

    @transaction
    def remove(self, connection: Connection, row: SetRow) -> None:
        """Delete a set with all its versions; raise StaleWrite while its owner plays a rated match with it."""
        programs = select(TokenRow.bot).where(TokenRow.person == row.person)
        plays = (SeatRow.person == row.person) | SeatRow.person.in_(programs)
        rated = RATED & (TableRow.set_id == row.id) & TableRow.over.is_(False)
        if connection.scalar(select(TableRow.id).join(SeatRow).where(rated, plays).limit(1)):
            raise StaleWrite("You are playing a rated match with this set. Finish the match first.")
        remove_sets(connection, [row.id])


def _write(connection: Connection, /, row: SetRow, **values: Any) -> None:
    statement = update(SetRow).where(SetRow.id == row.id, SetRow.row_version == row.row_version)
    changed = {**values, "row_version": row.row_version + 1, "used": int(time.time())}
    if not connection.execute(statement.values(changed)).rowcount:
        raise StaleWrite("This set has been changed in another window.")


def remove_sets(connection: Connection, sets: Sequence[str]) -> None:
    """Delete sets with their versions, and the pictures that no other set uses."""
    people = connection.scalars(select(SetRow.person).where(SetRow.id.in_(sets)).distinct()).all()
    connection.execute(delete(VersionRow).where(VersionRow.set_id.in_(sets)))
    connection.execute(delete(SetRow).where(SetRow.id.in_(sets)))
    for person in people:
        delete_unused(connection, person)


def _length(connection: Connection, set_id: str) -> int:
    """Return how many characters all versions of a set have together."""
    query = select(func.coalesce(func.sum(func.length(VersionRow.toml)), 0)).where(VersionRow.set_id == set_id)
    return int(connection.execute(query).scalar_one())


def _forget(connection: Connection, set_id: str, newest: int) -> None:
    """Delete the oldest versions of a set that has too many, or too long ones."""
    lengths = select(VersionRow.number, func.length(VersionRow.toml)).where(VersionRow.set_id == set_id)
    kept, characters = newest, 0
    for number, length in connection.execute(lengths.order_by(VersionRow.number.desc())).all():
        characters += length
        if newest - number >= VERSIONS or (characters > CHARACTERS and number < newest):
            break
        kept = number
    connection.execute(delete(VersionRow).where(VersionRow.set_id == set_id, VersionRow.number < kept))
