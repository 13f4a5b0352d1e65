"""Friends, challenges, and when people were last seen."""

from sqlalchemy import BigInteger, ForeignKey, Index, String
from sqlalchemy.orm import Mapped, mapped_column

from .base import Base


class FriendshipRow(Base):
    """How one person is connected to another: `asked` to be friends, is a `friend`, has `blocked` or `declined` them.

    A `declined` row isn't listed; while it is new, it hides requests of the other person. Two friends have a row each.
    A request for a name that no account has looks the same to the person who asked; only `other` is empty.
    """

    __tablename__ = "friendships"
    id: Mapped[str] = mapped_column(String(16), primary_key=True)
    person: Mapped[str] = mapped_column(String(32), info={"person": "delete"})
    other: Mapped[str | None] = mapped_column(String(32), index=True, info={"person": "delete"})
    #: For a request the name that was entered, otherwise the other's display name at that time.
    name: Mapped[str] = mapped_column(String(32))
    state: Mapped[str] = mapped_column(String(8))
    made: Mapped[int] = mapped_column(BigInteger)

    __table_args__ = (Index("ix_friendships_person", "person", "other", unique=True),)


class ChallengeRow(Base):
    """A challenge to a friend: the table that waits for them."""

    __tablename__ = "challenges"
    id: Mapped[str] = mapped_column(String(16), primary_key=True)
    person: Mapped[str] = mapped_column(String(32), index=True, info={"person": "delete"})
    other: Mapped[str] = mapped_column(String(32), index=True, info={"person": "delete"})
    table_id: Mapped[str] = mapped_column("table", ForeignKey("tables.id", ondelete="CASCADE"), index=True)
    declined: Mapped[bool] = mapped_column(default=False)
    made: Mapped[int] = mapped_column(BigInteger)


class LastSeenRow(Base):
    """When a person with an account last had a page open, and whether they hide that from their friends."""

    __tablename__ = "last_seen"
    person: Mapped[str] = mapped_column(String(32), primary_key=True, info={"person": "delete"})
    seen: Mapped[int] = mapped_column(BigInteger, default=0)
    hidden: Mapped[bool] = mapped_column(default=False)
