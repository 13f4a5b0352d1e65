"""Tables with their seats, content, checkpoints and chat; results and ratings."""

from sqlalchemy import BigInteger, Float, ForeignKey, ForeignKeyConstraint, Index, LargeBinary, String, Text
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
    #: For spectators and each seat, as little-endian int32: how often what they see has changed; then how many choices
    #: these versions count; then since which version they see the match itself unchanged.
    versions: Mapped[bytes] = mapped_column(LargeBinary)
    #: The number of writes to this row; a write based on an older row version is refused.
    row_version: Mapped[int] = mapped_column(default=0)
    #: The number of changes to the chat. A change locks this row, so that they come in order (`chat_store.py`).
    chat_version: Mapped[int] = mapped_column(default=0)
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
    #: JSON of the clocks, and of who left the match or how it ended early (`tables/state/clock_state.py`).
    clocks: Mapped[str] = mapped_column(Text, default="{}")
    ended: Mapped[str] = mapped_column(Text, default="{}")
    #: Thinking time of each choice since its seat's turn began: tenths of a second, as little-endian uint32.
    thinking_times: Mapped[bytes] = mapped_column(LargeBinary, default=b"")
    #: JSON of the hints taken, and of the one that a player still sees (`tables/state/hint_state.py`).
    hints: Mapped[str] = mapped_column(Text, default="{}")
    #: JSON of what the host may know of the deal, and of the new deals (`tables/state/table_settings.py`).
    deals: Mapped[str] = mapped_column(Text, default="{}")

    # For lists, which load no tables: whether the table is public (as in its settings), the seat whose turn it is (0:
    # match over; empty: unknown), the summary for spectators (`tables/play/match_results.py`), and when a player
    # last looked.
    public: Mapped[bool] = mapped_column(default=False)
    turn_seat: Mapped[int | None]
    standing: Mapped[str] = mapped_column(Text, default="{}")
    attended: Mapped[int] = mapped_column(BigInteger, default=0)
    #: The lines of a finished match, for when its rules can't be replayed any more (`tables/play/match_history.py`).
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


class ChangeRow(Base):
    """A change of a table, as other processes apply it (`store/change_store.py`); only in PostgreSQL."""

    __tablename__ = "changes"
    table_id: Mapped[str] = mapped_column("table", ForeignKey("tables.id", ondelete="CASCADE"), primary_key=True)
    #: The row version of the table after it.
    row_version: Mapped[int] = mapped_column(primary_key=True, autoincrement=False)
    #: JSON (`tables/state/changes.py`), and when it was written (seconds since 1970).
    body: Mapped[str] = mapped_column(Text)
    at: Mapped[int] = mapped_column(BigInteger, index=True)


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
    #: At rated tables, a keyed hash of the network from which the person sat down; it expires (`rating_model.py`).
    network: Mapped[str | None] = mapped_column(String(32), index=True)
    #: Whether the player forfeits as soon as the rules allow it, and whether the table makes their only choices.
    forfeits: Mapped[bool] = mapped_column(default=False)
    auto_choices: Mapped[bool] = mapped_column(default=False)
    #: While a shared screen shows this hand: the seat whose turn it was last (0: none). Empty: it is hidden.
    screen_asked: Mapped[int | None]


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


class VariantRow(Base):
    """A variant with a leaderboard: all options, and custom content."""

    __tablename__ = "variants"
    #: A digest of the game, the content, and the options that differ from assumed ones (`play/match_results.py`).
    id: Mapped[str] = mapped_column(String(16), primary_key=True)
    game: Mapped[str] = mapped_column(String(64), index=True)
    options: Mapped[str] = mapped_column(Text)
    content: Mapped[str | None] = mapped_column(String(32))


class RatingRow(Base):
    """A player's rating in a variant. A player is a person, a program of theirs, or `bot:` and a bot's name."""

    __tablename__ = "ratings"
    variant: Mapped[str] = mapped_column(ForeignKey("variants.id"), primary_key=True)
    player: Mapped[str] = mapped_column(String(80), primary_key=True, index=True, info={"person": "delete"})
    mu: Mapped[float] = mapped_column(Float(53))
    sigma: Mapped[float] = mapped_column(Float(53))
    #: The lower bound of the rating; leaderboards are ordered by it.
    sure: Mapped[float] = mapped_column(Float(53))
    matches: Mapped[int]
    won: Mapped[int]
    #: When the last match ended (seconds since 1970).
    last: Mapped[int] = mapped_column(BigInteger)
    #: How many opponents they have met (`rating_model.py`), and whether the rating is no longer provisional, which
    #: leaderboards sort by first.
    opponents: Mapped[int] = mapped_column(default=0)
    established: Mapped[bool] = mapped_column(default=False)

    __table_args__ = (Index("ix_ratings_rank", "variant", "established", "sure"),)


class OpponentRow(Base):
    """Two players who have met in a rated match of a variant, from one player's side."""

    __tablename__ = "opponents"
    variant: Mapped[str] = mapped_column(ForeignKey("variants.id"), primary_key=True)
    player: Mapped[str] = mapped_column(String(80), primary_key=True, index=True, info={"person": "delete"})
    opponent: Mapped[str] = mapped_column(String(80), primary_key=True, index=True, info={"person": "delete"})


class ResultRow(Base):
    """The result of a match for a seat, written with its end: for the history, and rated at most once."""

    __tablename__ = "results"
    table_id: Mapped[str] = mapped_column("table", ForeignKey("tables.id", ondelete="CASCADE"), primary_key=True)
    seat: Mapped[int] = mapped_column(primary_key=True)
    #: The player, as in `ratings`; empty for an open seat, a shared screen or a deleted person.
    player: Mapped[str | None] = mapped_column(String(80), info={"person": "anonymize"})
    game: Mapped[str] = mapped_column(String(64))
    variant: Mapped[str] = mapped_column(ForeignKey("variants.id"))
    #: When it ended and how long it took (seconds), and its number of choices.
    ended: Mapped[int] = mapped_column(BigInteger)
    seconds: Mapped[int] = mapped_column(BigInteger)
    choices: Mapped[int]
    #: 1 for won, 0 for a draw, -1 for lost.
    outcome: Mapped[int]
    #: The rating before and after, if the match was rated.
    mu_before: Mapped[float | None] = mapped_column(Float(53))
    sigma_before: Mapped[float | None] = mapped_column(Float(53))
    mu: Mapped[float | None] = mapped_column(Float(53))
    sigma: Mapped[float | None] = mapped_column(Float(53))

    __table_args__ = (
        Index("ix_results_player", "player", "ended"), Index("ix_results_game", "player", "game", "ended"),
    )  # fmt: skip
