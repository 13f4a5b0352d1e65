"""Uploaded records, and reviews."""

from sqlalchemy import BigInteger, LargeBinary, String, Text
from sqlalchemy.orm import Mapped, mapped_column

from .base import Base


class RecordRow(Base):
    """An uploaded match record, for replays."""

    __tablename__ = "records"
    id: Mapped[str] = mapped_column(String(24), primary_key=True)
    person: Mapped[str] = mapped_column(String(32), index=True, info={"person": "move"})
    #: The name of the file.
    name: Mapped[str] = mapped_column(String(60))
    record: Mapped[str] = mapped_column(Text)
    game: Mapped[str] = mapped_column(String(64))
    seats: Mapped[int]
    #: The number of choices, and whether the match ends with them.
    choices: Mapped[int]
    over: Mapped[bool]
    created: Mapped[int] = mapped_column(BigInteger)
    #: When it was last viewed.
    used: Mapped[int] = mapped_column(BigInteger, index=True)
    #: Who uploaded it, as for tables.
    creator: Mapped[str | None] = mapped_column(String(32), index=True)
    #: The lines of a finished match, as for tables.
    lines: Mapped[bytes | None] = mapped_column(LargeBinary, deferred=True)


class ReviewRow(Base):
    """The result of a review, shared by all tables and files with the same match."""

    __tablename__ = "reviews"
    #: A digest of the record, and of the reviewer's version.
    id: Mapped[str] = mapped_column(String(32), primary_key=True)
    found: Mapped[bytes] = mapped_column(LargeBinary)
    #: When it was last viewed.
    used: Mapped[int] = mapped_column(BigInteger, index=True)
