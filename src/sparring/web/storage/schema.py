"""The database: people's accounts, tables, who sits where, content and records brought, sets kept, reviews, talk."""

from sqlalchemy import BigInteger, Float, ForeignKey, ForeignKeyConstraint, Index, LargeBinary, String, Text
from sqlalchemy.orm import DeclarativeBase, Mapped, mapped_column, relationship


class Base(DeclarativeBase):
    """All tables of the database."""


class ContentRow(Base):
    """A content file that somebody brought, once however often it is played with."""

    __tablename__ = "contents"
    digest: Mapped[str] = mapped_column(String(32), primary_key=True)
    toml: Mapped[str] = mapped_column(Text)


class TableRow(Base):
    """A match with people at it: all that is needed to deal and replay it."""

    __tablename__ = "tables"
    id: Mapped[str] = mapped_column(String(16), primary_key=True)
    game: Mapped[str] = mapped_column(String(64))
    game_version: Mapped[int]
    #: JSON of the options that differ from the defaults.
    options: Mapped[str] = mapped_column(Text)
    content: Mapped[str | None] = mapped_column(ForeignKey("contents.digest"))
    seed: Mapped[int] = mapped_column(BigInteger)
    #: Every choice made, as little-endian int16.
    choices: Mapped[bytes] = mapped_column(LargeBinary, default=b"")
    #: For spectators and each seat: how often what they see has changed, as little-endian int32.
    versions: Mapped[bytes] = mapped_column(LargeBinary)
    #: How often this row was written; a writer who did not know the last one is refused.
    edition: Mapped[int] = mapped_column(default=0)
    over: Mapped[bool] = mapped_column(default=False)
    #: Seconds since 1970.
    created: Mapped[int] = mapped_column(BigInteger)
    changed: Mapped[int] = mapped_column(BigInteger)
    #: The table at which the same people play again.
    next: Mapped[str | None] = mapped_column(String(16))
    seats: Mapped[list["SeatRow"]] = relationship(order_by="SeatRow.seat", lazy="selectin")

    #: From where it was opened, so that one can count and nobody can read it; empty: by this server itself.
    opener: Mapped[str | None] = mapped_column(String(32))
    #: The person who opened it, and JSON of what was agreed then (`tables/terms.py`).
    host: Mapped[str | None] = mapped_column(String(32))
    terms: Mapped[str] = mapped_column(Text, default="{}")
    #: Since when the seat is asked that is to choose, and when something is to happen if it does nothing: milliseconds
    #: since 1970, in columns of their own, so that time in which no server runs can be added to them.
    since: Mapped[int] = mapped_column(BigInteger, default=0)
    due: Mapped[int | None] = mapped_column(BigInteger, index=True)
    #: JSON of what is left to every seat, who is away, what is proposed (`tables/clocks/timing.py`), and of who left
    #: the match or how it ended besides its rules (`tables/clocks/ended.py`).
    clocks: Mapped[str] = mapped_column(Text, default="{}")
    ended: Mapped[str] = mapped_column(Text, default="{}")
    #: How long after its seat was asked every choice was made: tenths of a second, as little-endian uint32.
    spent: Mapped[bytes] = mapped_column(LargeBinary, default=b"")
    #: JSON of the hints that were taken, and of the one that somebody still looks at (`tables/hints.py`).
    hints: Mapped[str] = mapped_column(Text, default="{}")

    #: Which of several processes has it (`leases.py`).
    owner: Mapped[str | None] = mapped_column(String(24))

    # For lists, which open no table: whether anybody may find it there (which the terms say too), the seat that is to
    # choose (0: it is over; empty: not known), how it stands for who watches (`tables/standing.py`), and when somebody
    # who sits there last looked.
    public: Mapped[bool] = mapped_column(default=False)
    asked: Mapped[int | None]
    standing: Mapped[str] = mapped_column(Text, default="{}")
    attended: Mapped[int] = mapped_column(BigInteger, default=0)

    __table_args__ = (
        Index("ix_tables_changed", "changed"), Index("ix_tables_opener", "opener", "changed"),
        Index("ix_tables_public", "public", "over", "attended"),
    )  # fmt: skip


class HeartbeatRow(Base):
    """When a server was last at work, for as long as clocks run: one row."""

    __tablename__ = "pulse"
    id: Mapped[int] = mapped_column(primary_key=True)
    at: Mapped[int] = mapped_column(BigInteger)


class CheckpointRow(Base):
    """What many choices of a long match did (`chapters.py`). It can be made anew from the seed and the choices."""

    __tablename__ = "chapters"
    table_id: Mapped[str] = mapped_column("table", ForeignKey("tables.id", ondelete="CASCADE"), primary_key=True)
    number: Mapped[int] = mapped_column(primary_key=True)
    courses: Mapped[bytes] = mapped_column(LargeBinary)


class SeatRow(Base):
    """Who sits where: a person, a bot, or nobody yet. Seats count from 1."""

    __tablename__ = "seats"
    table_id: Mapped[str] = mapped_column("table", ForeignKey("tables.id", ondelete="CASCADE"), primary_key=True)
    seat: Mapped[int] = mapped_column(primary_key=True)
    person: Mapped[str | None] = mapped_column(String(32), index=True)
    name: Mapped[str] = mapped_column(String(32), default="")
    bot: Mapped[str | None] = mapped_column(String(64))
    #: Whose bot the person is, if it is a program that comes over HTTP: what its owner was called then.
    bot_of: Mapped[str] = mapped_column(String(32), default="")
    #: At a rated table, a keyed hash of the network from which the person sat down; it ages out (`meetings.py`).
    network: Mapped[str | None] = mapped_column(String(32), index=True)


class AccountRow(Base):
    """How somebody who wants to be known again comes in; without one a person is the cookie of a browser."""

    __tablename__ = "accounts"
    person: Mapped[str] = mapped_column(String(32), primary_key=True)
    #: The name they play under.
    name: Mapped[str] = mapped_column(String(32))
    #: The name they sign in with, as they wrote it and as it is looked for: both are set, or neither is. After the
    #: operator has reset the password they stay without one.
    login: Mapped[str | None] = mapped_column(String(32))
    folded: Mapped[str | None] = mapped_column(String(500), unique=True)
    #: An argon2 hash.
    password: Mapped[str | None] = mapped_column(String(128))
    #: Cookies of another epoch are worth nothing: it goes up when somebody signs out everywhere.
    epoch: Mapped[int] = mapped_column(default=1)
    created: Mapped[int] = mapped_column(BigInteger)
    #: Whether they stand on leaderboards, and the address of their public page, if they want one.
    listed: Mapped[bool] = mapped_column(default=True)
    page: Mapped[str | None] = mapped_column(String(24), unique=True, index=True)


class PreferenceRow(Base):
    """What a person wants of the pages, guest or not, once they have said it."""

    __tablename__ = "preferences"
    person: Mapped[str] = mapped_column(String(32), primary_key=True)
    #: Whether every table, replay and lesson opens as a page of words.
    words: Mapped[bool]


class PasskeyRow(Base):
    """A passkey of an account."""

    __tablename__ = "passkeys"
    #: A digest of the credential's id, which may be long.
    id: Mapped[str] = mapped_column(String(32), primary_key=True)
    person: Mapped[str] = mapped_column(String(32), ForeignKey("accounts.person", ondelete="CASCADE"), index=True)
    #: The credential's id and public key, as an authenticator gives them.
    credential: Mapped[bytes] = mapped_column(LargeBinary)
    #: The name of this server for which it was made, and what its owner calls it.
    site: Mapped[str] = mapped_column(String(255))
    label: Mapped[str] = mapped_column(String(32))
    #: How often the authenticator says that it signed; 0 where it does not count.
    signs: Mapped[int] = mapped_column(BigInteger)
    created: Mapped[int] = mapped_column(BigInteger)
    used: Mapped[int] = mapped_column(BigInteger)


class RecoveryRow(Base):
    """A recovery code of an account: it signs its owner in once. Only its digest is stored."""

    __tablename__ = "recovery_codes"
    digest: Mapped[str] = mapped_column(String(32), primary_key=True)
    person: Mapped[str] = mapped_column(String(32), ForeignKey("accounts.person", ondelete="CASCADE"), index=True)
    #: When it expires (seconds since 1970): a code that the operator made. Empty: one of the owner's own, which stays.
    until: Mapped[int | None] = mapped_column(BigInteger)


class EndedSessionRow(Base):
    """A browser that signed out: cookies of this session are refused, also copies of them."""

    __tablename__ = "ended_sessions"
    person: Mapped[str] = mapped_column(String(32), primary_key=True)
    session: Mapped[str] = mapped_column(String(24), primary_key=True)
    #: When those cookies expire anyway, so that the row can go (seconds since 1970).
    until: Mapped[int] = mapped_column(BigInteger, index=True)


class SetRow(Base):
    """A set of content that somebody keeps in the studio: a deck, fighters, boards for a game."""

    __tablename__ = "sets"
    id: Mapped[str] = mapped_column(String(24), primary_key=True)
    #: The name under which others may look at it; nobody can tell the id from it.
    share: Mapped[str] = mapped_column(String(24), unique=True)
    person: Mapped[str] = mapped_column(String(32), index=True)
    game: Mapped[str] = mapped_column(String(64))
    name: Mapped[str] = mapped_column(String(40))
    #: Which of its versions it is at, and which is the newest: between them lies what was undone.
    version: Mapped[int]
    newest: Mapped[int]
    #: How often this row was written; a writer who did not know the last one is refused.
    edition: Mapped[int] = mapped_column(default=0)
    created: Mapped[int] = mapped_column(BigInteger)
    #: When it was last looked at or changed.
    used: Mapped[int] = mapped_column(BigInteger, index=True)
    #: From where it was begun, as with tables.
    opener: Mapped[str | None] = mapped_column(String(32), index=True)


class VersionRow(Base):
    """A set as it was at some time: the file, and the options that it is played with."""

    __tablename__ = "versions"
    set_id: Mapped[str] = mapped_column("set", ForeignKey("sets.id", ondelete="CASCADE"), primary_key=True)
    number: Mapped[int] = mapped_column(primary_key=True)
    toml: Mapped[str] = mapped_column(Text)
    options: Mapped[str] = mapped_column(Text, default="{}")
    #: What was changed, in words, and where: further typing at one place is one change.
    told: Mapped[str] = mapped_column(String(120))
    mark: Mapped[str] = mapped_column(String(200), default="")
    made: Mapped[int] = mapped_column(BigInteger)


class PictureRow(Base):
    """A picture that stands in somebody's sets, by what it is (`pictures.py`)."""

    __tablename__ = "pictures"
    person: Mapped[str] = mapped_column(String(32), primary_key=True)
    name: Mapped[str] = mapped_column(String(32), primary_key=True)
    text: Mapped[str] = mapped_column(Text)


class PictureUseRow(Base):
    """Which version of which set has a picture."""

    __tablename__ = "drawn"
    set_id: Mapped[str] = mapped_column("set", String(24), primary_key=True)
    number: Mapped[int] = mapped_column(primary_key=True)
    name: Mapped[str] = mapped_column(String(32), primary_key=True)
    person: Mapped[str] = mapped_column(String(32))

    __table_args__ = (
        ForeignKeyConstraint(["set", "number"], ["versions.set", "versions.number"], ondelete="CASCADE"),
        Index("ix_drawn_person", "person", "name"),
    )


class RecordRow(Base):
    """A record of a match that somebody brought, to look at it again."""

    __tablename__ = "records"
    id: Mapped[str] = mapped_column(String(24), primary_key=True)
    person: Mapped[str] = mapped_column(String(32), index=True)
    #: What the file was called.
    name: Mapped[str] = mapped_column(String(60))
    record: Mapped[str] = mapped_column(Text)
    game: Mapped[str] = mapped_column(String(64))
    seats: Mapped[int]
    #: How many choices it holds, and whether the match ends with them.
    choices: Mapped[int]
    over: Mapped[bool]
    created: Mapped[int] = mapped_column(BigInteger)
    #: When somebody last looked at it.
    used: Mapped[int] = mapped_column(BigInteger, index=True)
    #: From where it was brought, as with tables.
    opener: Mapped[str | None] = mapped_column(String(32), index=True)


class ReviewRow(Base):
    """What a review found of a match: the same match is reviewed once, at whatever table or file it is found."""

    __tablename__ = "reviews"
    #: A digest of the record, and of what reviewed it.
    id: Mapped[str] = mapped_column(String(32), primary_key=True)
    found: Mapped[bytes] = mapped_column(LargeBinary)
    #: When somebody last looked at it.
    used: Mapped[int] = mapped_column(BigInteger, index=True)


class VariantRow(Base):
    """A way to play a game that has a leaderboard: options that differ from the usual, and content of somebody's."""

    __tablename__ = "variants"
    #: A digest of all that stands here.
    id: Mapped[str] = mapped_column(String(16), primary_key=True)
    game: Mapped[str] = mapped_column(String(64), index=True)
    options: Mapped[str] = mapped_column(Text)
    content: Mapped[str | None] = mapped_column(String(32))


class RatingRow(Base):
    """How strong a player is in a variant. A player is a person, a program of theirs, or `bot:` and a bot's words."""

    __tablename__ = "ratings"
    variant: Mapped[str] = mapped_column(ForeignKey("variants.id"), primary_key=True)
    player: Mapped[str] = mapped_column(String(80), primary_key=True, index=True)
    mu: Mapped[float] = mapped_column(Float(53))
    sigma: Mapped[float] = mapped_column(Float(53))
    #: What they are worth at least; lists are ordered by it.
    sure: Mapped[float] = mapped_column(Float(53))
    matches: Mapped[int]
    won: Mapped[int]
    #: When the last of them was over (seconds since 1970).
    last: Mapped[int] = mapped_column(BigInteger)
    #: How many opponents they met (`meetings.py`), and whether their rating is provisional no more: these stand first.
    opponents: Mapped[int] = mapped_column(default=0)
    established: Mapped[bool] = mapped_column(default=False)

    __table_args__ = (Index("ix_ratings_rank", "variant", "established", "sure"),)


class OpponentRow(Base):
    """Two players who met in a rated match of a variant, seen from one of them."""

    __tablename__ = "opponents"
    variant: Mapped[str] = mapped_column(ForeignKey("variants.id"), primary_key=True)
    player: Mapped[str] = mapped_column(String(80), primary_key=True, index=True)
    opponent: Mapped[str] = mapped_column(String(80), primary_key=True, index=True)


class ResultRow(Base):
    """How a match ended for a seat, written with its end: for the history of people, and rated at most once."""

    __tablename__ = "results"
    table_id: Mapped[str] = mapped_column("table", ForeignKey("tables.id", ondelete="CASCADE"), primary_key=True)
    seat: Mapped[int] = mapped_column(primary_key=True)
    #: Who sat there, as in `ratings`; empty: nobody, or somebody who is gone.
    player: Mapped[str | None] = mapped_column(String(80))
    game: Mapped[str] = mapped_column(String(64))
    variant: Mapped[str] = mapped_column(ForeignKey("variants.id"))
    #: When it ended and how long it went on (seconds), and how many choices were made.
    ended: Mapped[int] = mapped_column(BigInteger)
    seconds: Mapped[int] = mapped_column(BigInteger)
    choices: Mapped[int]
    #: 1 for won, 0 for a draw, -1 for lost.
    outcome: Mapped[int]
    #: The rating before and after, where the match was rated.
    mu_before: Mapped[float | None] = mapped_column(Float(53))
    sigma_before: Mapped[float | None] = mapped_column(Float(53))
    mu: Mapped[float | None] = mapped_column(Float(53))
    sigma: Mapped[float | None] = mapped_column(Float(53))

    __table_args__ = (
        Index("ix_results_player", "player", "ended"), Index("ix_results_game", "player", "game", "ended"),
    )  # fmt: skip


class BanRow(Base):
    """Somebody who is kept out by whoever runs the server (`bans.py`)."""

    __tablename__ = "bans"
    who: Mapped[str] = mapped_column(String(80), primary_key=True)
    #: Seconds since 1970; none: for good.
    until: Mapped[int | None] = mapped_column(BigInteger)
    why: Mapped[str] = mapped_column(String(200), default="")


class TokenRow(Base):
    """A token by which programs of a person come in. Its secret is not kept, only a digest made with the server's."""

    __tablename__ = "tokens"
    id: Mapped[str] = mapped_column(String(16), primary_key=True)
    digest: Mapped[str] = mapped_column(String(32), unique=True)
    #: Whose it is, and what they were called when it was made.
    person: Mapped[str] = mapped_column(String(32), index=True)
    owner: Mapped[str] = mapped_column(String(32))
    #: What it is called; a bot sits at tables by that name.
    name: Mapped[str] = mapped_column(String(32))
    #: What it may do, in words.
    scopes: Mapped[str] = mapped_column(String(120))
    #: As whom a bot sits at tables; empty: what comes in by this token acts as the person.
    bot: Mapped[str | None] = mapped_column(String(32), unique=True)
    created: Mapped[int] = mapped_column(BigInteger)
    #: When it ends, if it does; and the day on which it was last used, in days since 1970.
    expires: Mapped[int | None] = mapped_column(BigInteger)
    used: Mapped[int] = mapped_column(default=0)


class ChatLineRow(Base):
    """Something that was said at a table. Its row stays when the words are taken away."""

    __tablename__ = "lines"
    table_id: Mapped[str] = mapped_column("table", ForeignKey("tables.id", ondelete="CASCADE"), primary_key=True)
    number: Mapped[int] = mapped_column(primary_key=True)
    #: How often something had changed in what is said here when this line last did.
    edition: Mapped[int]
    #: A quick `word`, by its key; a `text` of somebody's own; a description of a `move`; or it is `gone`.
    kind: Mapped[str] = mapped_column(String(8))
    #: Who said it, from which seat (0: who watches), and what they were called.
    person: Mapped[str | None] = mapped_column(String(32), index=True)
    seat: Mapped[int]
    name: Mapped[str] = mapped_column(String(32))
    words: Mapped[str] = mapped_column(Text)
    #: Of a description: the name of the move, and in which exchange of the match it was made, from 1.
    about: Mapped[str] = mapped_column(Text, default="")
    exchange: Mapped[int] = mapped_column(default=0)
    said: Mapped[int] = mapped_column(BigInteger)


class ApplauseRow(Base):
    """Somebody applauds a description."""

    __tablename__ = "applause"
    table_id: Mapped[str] = mapped_column("table", String(16), primary_key=True)
    number: Mapped[int] = mapped_column(primary_key=True)
    person: Mapped[str] = mapped_column(String(32), primary_key=True, index=True)

    __table_args__ = (
        ForeignKeyConstraint(["table", "number"], ["lines.table", "lines.number"], ondelete="CASCADE"),
    )  # fmt: skip


class MuteRow(Base):
    """Somebody hears nothing of what another one says."""

    __tablename__ = "mutes"
    id: Mapped[str] = mapped_column(String(16), primary_key=True)
    person: Mapped[str] = mapped_column(String(32))
    muted: Mapped[str] = mapped_column(String(32), index=True)
    #: What the other one was called then.
    name: Mapped[str] = mapped_column(String(32))

    __table_args__ = (Index("ix_mutes_person", "person", "muted", unique=True),)


class ReportRow(Base):
    """A line that somebody told whoever runs the server of; it stays when the table is gone."""

    __tablename__ = "reports"
    number: Mapped[int] = mapped_column(primary_key=True)
    table: Mapped[str] = mapped_column(String(16))
    line: Mapped[int]
    #: Who said it and what they were called, and who reported it.
    person: Mapped[str | None] = mapped_column(String(32), index=True)
    name: Mapped[str] = mapped_column(String(32))
    reporter: Mapped[str | None] = mapped_column(String(32), index=True)
    words: Mapped[str] = mapped_column(Text)
    said: Mapped[int] = mapped_column(BigInteger)
    made: Mapped[int] = mapped_column(BigInteger)
    #: When whoever runs the server was done with it.
    settled: Mapped[int | None] = mapped_column(BigInteger)


class NoticeRow(Base):
    """A table that one of several processes has changed, and another may have (`notices.py`)."""

    __tablename__ = "notices"
    number: Mapped[int] = mapped_column(primary_key=True)
    table: Mapped[str] = mapped_column(String(16))


class RateLimitRow(Base):
    """What of somebody's allowance is used up, by all processes of a server (`allowances.py`)."""

    __tablename__ = "allowances"
    #: What is counted, and a digest of who it is.
    key: Mapped[str] = mapped_column(String(32), primary_key=True)
    #: When it is full again, and when half full: milliseconds since 1970.
    full_at: Mapped[int] = mapped_column(BigInteger)
    half_at: Mapped[int] = mapped_column(BigInteger, index=True)


class ServerRow(Base):
    """A process of a server that has several (`leases.py`)."""

    __tablename__ = "servers"
    id: Mapped[str] = mapped_column(String(24), primary_key=True)
    #: Where the others reach it.
    address: Mapped[str] = mapped_column(String(120))
    #: Counted up as long as it lives.
    beat: Mapped[int] = mapped_column(BigInteger)
