"""Tables with their seats, content and checkpoints."""

from sqlalchemy import BigInteger, ForeignKey, Index, LargeBinary, String, Text
from sqlalchemy.orm import Mapped, mapped_column, relationship

from .base import Base


class ContentRow(Base):
    """An uploaded content file, stored once however many tables use it."""

    __tablename__ = "contents"
    digest: Mapped[str] = mapped_column(String(32), primary_key=True)
    toml: Mapped[str] = mapped_column(Text)


class TableRow(Base):
    """A table: everything needed to deal and replay its match."""

    __tablename__ = "tables"
    id: Mapped[str] = mapped_column(String(16), primary_key=True)
    game: Mapped[str] = mapped_column(String(64))
    game_version: Mapped[int]
    #: JSON of all options.
    options: Mapped[str] = mapped_column(Text)
    content: Mapped[str | None] = mapped_column(ForeignKey("contents.digest"), index=True)
    #: The studio set that the table was created with. Its match ends when the set is deleted.
    set_id: Mapped[str | None] = mapped_column("set", String(24))
    seed: Mapped[int] = mapped_column(BigInteger)
    #: Every choice, as little-endian int16 (`tables/state/changes.py`).
    choices: Mapped[bytes] = mapped_column(LargeBinary, default=b"")
    #: For spectators and each seat: how often what they see has changed, as little-endian int32.
    versions: Mapped[bytes] = mapped_column(LargeBinary)
    #: The number of writes to this row; a write based on an older row version is refused.
    row_version: Mapped[int] = mapped_column(default=0)
    over: Mapped[bool] = mapped_column(default=False)
    #: Seconds since 1970.
    created: Mapped[int] = mapped_column(BigInteger)
    changed: Mapped[int] = mapped_column(BigInteger)
    #: The id of the rematch.
    next: Mapped[str | None] = mapped_column(String(16))
    seats: Mapped[list["SeatRow"]] = relationship(order_by="SeatRow.seat", lazy="selectin")

    #: A keyed digest of the address that opened the table, good for counting only; empty if the server did.
    creator: Mapped[str | None] = mapped_column(String(32))
    #: The host, and JSON of the table settings (`tables/state/table_settings.py`).
    host: Mapped[str | None] = mapped_column(String(32), info={"person": "anonymize"})
    settings: Mapped[str] = mapped_column(Text, default="{}")
    #: The start of the turn, and when the next timer fires if the player does nothing: ms since 1970. They are separate
    #: columns, so that downtime can be added to them.
    since: Mapped[int] = mapped_column(BigInteger, default=0)
    due: Mapped[int | None] = mapped_column(BigInteger, index=True)
    #: JSON of the clocks (`tables/state/clock_state.py`), and of who left the match or how it ended early
    #: (`tables/state/early_endings.py`).
    clocks: Mapped[str] = mapped_column(Text, default="{}")
    ended: Mapped[str] = mapped_column(Text, default="{}")
    #: Thinking time of each choice since its seat's turn began: tenths of a second, as little-endian uint32.
    thinking_times: Mapped[bytes] = mapped_column(LargeBinary, default=b"")
    #: JSON of the hints taken, and of the one that a player still sees (`tables/state/hint_state.py`).
    hints: Mapped[str] = mapped_column(Text, default="{}")
    #: JSON of what the host may know of the deal, and of the new deals (`tables/state/known_deals.py`).
    deals: Mapped[str] = mapped_column(Text, default="{}")

    #: The process that owns the table (`lease_store.py`).
    owner: Mapped[str | None] = mapped_column(String(24))

    # For lists, which load no tables: whether the table is public (as in its settings), the seat whose turn it is (0:
    # match over; empty: unknown), the summary for spectators (`tables/results/summary.py`), and when a player last
    # looked.
    public: Mapped[bool] = mapped_column(default=False)
    turn_seat: Mapped[int | None]
    standing: Mapped[str] = mapped_column(Text, default="{}")
    attended: Mapped[int] = mapped_column(BigInteger, default=0)
    #: The lines of a finished match, for when its rules can't be replayed any more (`tables/results/kept_match.py`).
    lines: Mapped[bytes | None] = mapped_column(LargeBinary, deferred=True)

    __table_args__ = (
        Index("ix_tables_changed", "changed"), Index("ix_tables_creator", "creator", "changed"),
        Index("ix_tables_public", "public", "over", "attended"),
    )  # fmt: skip


class HalfInvitationRow(Base):
    """A host's half of a match that waits for another player's half. Its id becomes that of the table."""

    __tablename__ = "half_invitations"
    id: Mapped[str] = mapped_column(String(16), primary_key=True)
    game: Mapped[str] = mapped_column(String(64))
    person: Mapped[str] = mapped_column(String(32), index=True, info={"person": "move"})
    name: Mapped[str] = mapped_column(String(32))
    #: JSON of all options, JSON of the table settings, and the content file of the half.
    options: Mapped[str] = mapped_column(Text)
    settings: Mapped[str] = mapped_column(Text, default="{}")
    toml: Mapped[str] = mapped_column(Text)
    #: Who created it, as for tables.
    creator: Mapped[str | None] = mapped_column(String(32), index=True)
    #: Seconds since 1970.
    made: Mapped[int] = mapped_column(BigInteger)


class HeartbeatRow(Base):
    """When a server was last running: one row."""

    __tablename__ = "heartbeats"
    id: Mapped[int] = mapped_column(primary_key=True)
    at: Mapped[int] = mapped_column(BigInteger)


class ServerDayRow(Base):
    """A day on which the server ran (without a kind), and how many rows of a kind it deleted that day."""

    __tablename__ = "server_days"
    #: Days since 1970.
    day: Mapped[int] = mapped_column(primary_key=True, autoincrement=False)
    kind: Mapped[str] = mapped_column(String(32), primary_key=True, default="")
    deleted: Mapped[int] = mapped_column(default=0)


class CheckpointRow(Base):
    """A checkpoint of a long match (`tables/state/checkpoints.py`); seed and choices can rebuild it."""

    __tablename__ = "checkpoints"
    table_id: Mapped[str] = mapped_column("table", ForeignKey("tables.id", ondelete="CASCADE"), primary_key=True)
    number: Mapped[int] = mapped_column(primary_key=True)
    courses: Mapped[bytes] = mapped_column(LargeBinary)


class SeatRow(Base):
    """A seat: a person, a bot, or neither while it is open. Seats count from 1."""

    __tablename__ = "seats"
    table_id: Mapped[str] = mapped_column("table", ForeignKey("tables.id", ondelete="CASCADE"), primary_key=True)
    seat: Mapped[int] = mapped_column(primary_key=True)
    person: Mapped[str | None] = mapped_column(String(32), index=True, info={"person": "anonymize"})
    name: Mapped[str] = mapped_column(String(32), default="", info={"name_of": "person"})
    bot: Mapped[str | None] = mapped_column(String(64))
    #: The person for whom an open seat is kept, until they sit down: they played the match before this one.
    offered: Mapped[str | None] = mapped_column(String(32), info={"person": "anonymize"})
    #: The owner's name at that time, if the player is a program that uses the HTTP API.
    bot_of: Mapped[str] = mapped_column(String(32), default="")
    #: At rated tables, a keyed hash of the network from which the person sat down; it expires (`rating_limits.py`).
    network: Mapped[str | None] = mapped_column(String(32), index=True)
    #: Whether the player forfeits as soon as the rules allow it, and whether the table makes their only choices.
    forfeits: Mapped[bool] = mapped_column(default=False)
    auto_choices: Mapped[bool] = mapped_column(default=False)
    #: While a shared screen shows this hand: the seat whose turn it was last (0: none). Empty: it is hidden.
    screen_asked: Mapped[int | None]
