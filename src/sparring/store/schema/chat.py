"""The chat of tables: lines, applause, mutes and reports."""

from sqlalchemy import BigInteger, ForeignKey, ForeignKeyConstraint, Index, String, Text
from sqlalchemy.orm import Mapped, mapped_column

from .base import Base


class ChatLineRow(Base):
    """A chat line. Its row stays when its text is removed."""

    __tablename__ = "chat_lines"
    table_id: Mapped[str] = mapped_column("table", ForeignKey("tables.id", ondelete="CASCADE"), primary_key=True)
    number: Mapped[int] = mapped_column(primary_key=True)
    #: The version of the chat in which this line last changed.
    chat_version: Mapped[int]
    #: A preset phrase by its key (`word`), free `text`, a description of a `move`, or `gone`.
    kind: Mapped[str] = mapped_column(String(8))
    #: The author, their seat (0: spectator), and their name at that time.
    person: Mapped[str | None] = mapped_column(String(32), index=True, info={"person": "anonymize"})
    seat: Mapped[int]
    name: Mapped[str] = mapped_column(String(32), info={"name_of": "person"})
    words: Mapped[str] = mapped_column(Text)
    #: For a description: the name of the move, and the number of its exchange in the match, from 1.
    about: Mapped[str] = mapped_column(Text, default="")
    exchange: Mapped[int] = mapped_column(default=0)
    said: Mapped[int] = mapped_column(BigInteger)


class ApplauseRow(Base):
    """A person's applause for a description."""

    __tablename__ = "applause"
    table_id: Mapped[str] = mapped_column("table", String(16), primary_key=True)
    number: Mapped[int] = mapped_column(primary_key=True)
    person: Mapped[str] = mapped_column(String(32), primary_key=True, index=True, info={"person": "move"})

    __table_args__ = (
        ForeignKeyConstraint(["table", "number"], ["chat_lines.table", "chat_lines.number"], ondelete="CASCADE"),
    )  # fmt: skip


class MuteRow(Base):
    """One person has muted another."""

    __tablename__ = "mutes"
    id: Mapped[str] = mapped_column(String(16), primary_key=True)
    person: Mapped[str] = mapped_column(String(32), info={"person": "move"})
    muted: Mapped[str] = mapped_column(String(32), index=True, info={"person": "move"})
    #: The muted person's name at that time.
    name: Mapped[str] = mapped_column(String(32))

    __table_args__ = (Index("ix_mutes_person", "person", "muted", unique=True),)


class ReportRow(Base):
    """A reported chat line; it stays when the table is deleted."""

    __tablename__ = "reports"
    number: Mapped[int] = mapped_column(primary_key=True)
    table: Mapped[str] = mapped_column(String(16))
    line: Mapped[int]
    #: The author and their name, and the reporter.
    person: Mapped[str | None] = mapped_column(String(32), index=True, info={"person": "anonymize"})
    name: Mapped[str] = mapped_column(String(32), info={"name_of": "person"})
    reporter: Mapped[str | None] = mapped_column(String(32), index=True, info={"person": "anonymize"})
    words: Mapped[str] = mapped_column(Text)
    said: Mapped[int] = mapped_column(BigInteger)
    made: Mapped[int] = mapped_column(BigInteger)
    #: When it was settled.
    settled: Mapped[int | None] = mapped_column(BigInteger)
