"""Pictures of sets: each is stored once per person, however many versions of sets use it.

In the stored file of a version, the picture's name takes its place, between two characters that no file contains.
Readers get back exactly the same file. A picture that no version uses any more is deleted.
"""

import re
from collections.abc import Mapping

from sqlalchemy import Connection, delete, exists, func, insert, select
from sqlalchemy.ext.asyncio import AsyncSession

from sparring.engine.errors import BadContent
from sparring.engine.formats.card_pictures import QUOTED, name_of
from sparring.store.schema import PictureRow, PictureUseRow, SetRow

#: A picture's name in a stored file.
NAMED = re.compile("\x1a([0-9a-f]{32})\x1a")
#: A picture hardly longer than its name stays in the file.
SHORT = 200


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
