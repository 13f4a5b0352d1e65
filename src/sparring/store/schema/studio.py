"""Studio sets, their versions and pictures; uploaded records, and reviews."""

from sqlalchemy import BigInteger, ForeignKey, ForeignKeyConstraint, Index, LargeBinary, String, Text
from sqlalchemy.orm import Mapped, mapped_column

from .base import Base


class SetRow(Base):
    """A studio set: custom content for a game, such as a deck, fighters or boards."""

    __tablename__ = "sets"
    id: Mapped[str] = mapped_column(String(24), primary_key=True)
    #: The id of the share link, from which the set's id can't be derived.
    share: Mapped[str] = mapped_column(String(24), unique=True)
    person: Mapped[str] = mapped_column(String(32), index=True, info={"person": "move"})
    game: Mapped[str] = mapped_column(String(64))
    name: Mapped[str] = mapped_column(String(40))
    #: The current version and the newest one; those in between were undone.
    version: Mapped[int]
    newest: Mapped[int]
    #: The number of writes to this row; a write based on an older row version is refused.
    row_version: Mapped[int] = mapped_column(default=0)
    created: Mapped[int] = mapped_column(BigInteger)
    #: When it was last viewed or changed.
    used: Mapped[int] = mapped_column(BigInteger, index=True)
    #: Who created it, as for tables.
    creator: Mapped[str | None] = mapped_column(String(32), index=True)


class VersionRow(Base):
    """A version of a set: its file, and the options to play it with."""

    __tablename__ = "versions"
    set_id: Mapped[str] = mapped_column("set", ForeignKey("sets.id", ondelete="CASCADE"), primary_key=True)
    number: Mapped[int] = mapped_column(primary_key=True)
    toml: Mapped[str] = mapped_column(Text)
    options: Mapped[str] = mapped_column(Text, default="{}")
    #: What was changed, and where: continuous typing in one place is one change.
    description: Mapped[str] = mapped_column(String(120))
    mark: Mapped[str] = mapped_column(String(200), default="")
    made: Mapped[int] = mapped_column(BigInteger)


class PictureRow(Base):
    """A picture in a person's sets, stored by its digest (`studio.py`)."""

    __tablename__ = "pictures"
    person: Mapped[str] = mapped_column(String(32), primary_key=True, info={"person": "move"})
    name: Mapped[str] = mapped_column(String(32), primary_key=True)
    text: Mapped[str] = mapped_column(Text)


class PictureUseRow(Base):
    """Which version of which set uses a picture."""

    __tablename__ = "picture_uses"
    set_id: Mapped[str] = mapped_column("set", String(24), primary_key=True)
    number: Mapped[int] = mapped_column(primary_key=True)
    name: Mapped[str] = mapped_column(String(32), primary_key=True)
    person: Mapped[str] = mapped_column(String(32), info={"person": "move"})

    __table_args__ = (
        ForeignKeyConstraint(["set", "number"], ["versions.set", "versions.number"], ondelete="CASCADE"),
        Index("ix_picture_uses_person", "person", "name"),
    )


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
