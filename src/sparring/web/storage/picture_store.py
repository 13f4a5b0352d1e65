"""The pictures of sets: each is kept once for whoever made it, however many versions of however many sets have it.

In the file of a version stands its name where it would stand, between two signs that no file has. Whoever reads a
version gets the file as it was, to the last byte. A picture that no version has any more goes.
"""

import re
from collections.abc import Mapping

from sqlalchemy import Connection, delete, exists, func, insert, select
from sqlalchemy.ext.asyncio import AsyncSession

from sparring.engine.errors import BadContent
from sparring.engine.formats.card_pictures import QUOTED, name_of

from .schema import PictureRow, PictureUseRow, SetRow

#: Where a picture stands in a file that is kept.
NAMED = re.compile("\x1a([0-9a-f]{32})\x1a")
#: A picture that is hardly longer than its name stands in the file itself.
SHORT = 200


def packed(toml: str) -> tuple[str, dict[str, str]]:
    """A file with the names of its pictures in their places, and the pictures by their names."""
    pictures: dict[str, str] = {}

    def named(found: re.Match[str]) -> str:
        if len(found[2]) <= SHORT:
            return found[0]
        pictures[name_of(found[2])] = found[2]
        return f"{found[1]}\x1a{name_of(found[2])}\x1a{found[1]}"

    return QUOTED.sub(named, toml), pictures


async def unpacked(session: AsyncSession, person: str, toml: str) -> str:
    """The file with its pictures again."""
    names = set(NAMED.findall(toml))
    if not names:
        return toml
    rows = select(PictureRow.name, PictureRow.text).where(PictureRow.person == person, PictureRow.name.in_(names))
    texts = {row.name: row.text for row in await session.execute(rows)}
    return NAMED.sub(lambda found: texts.get(found[1], ""), toml)


def keep(connection: Connection, row: SetRow, number: int, pictures: Mapping[str, str], room: int) -> None:
    """The pictures of a new version; BadContent if all of a person's together would be longer than `room`."""
    mine = PictureRow.person == row.person
    known = set(connection.scalars(select(PictureRow.name).where(mine, PictureRow.name.in_(list(pictures)))))
    new = [
        {"person": row.person, "name": name, "text": text} for name, text in pictures.items() if name not in known
    ]  # fmt: skip
    if new:
        connection.execute(insert(PictureRow), new)
    if pictures:
        links = [{"set": row.id, "number": number, "name": name, "person": row.person} for name in pictures]
        connection.execute(insert(PictureUseRow), links)
    forget(connection, row.person)
    if new and connection.scalar(select(func.sum(func.length(PictureRow.text))).where(mine)) > room:
        raise BadContent(
            f"Your pictures take more than {room // 1_000_000} MB, for which there is no room; "
            "let go of a set with pictures first."
        )


def forget(connection: Connection, person: str) -> None:
    """Let go of the pictures of a person that no version has any more; with a version goes what it says of them."""
    used = exists().where(PictureUseRow.person == PictureRow.person, PictureUseRow.name == PictureRow.name)
    connection.execute(delete(PictureRow).where(PictureRow.person == person, ~used))
