"""The database schema: accounts, tables, content, records, studio sets, reviews, ratings, chat and notifications."""

from sqlalchemy import BigInteger, Float, ForeignKey, ForeignKeyConstraint, Index, LargeBinary, String, Text
from sqlalchemy.orm import DeclarativeBase, Mapped, mapped_column, relationship


class Base(DeclarativeBase):
    """The base of all tables of the database."""


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
    #: JSON of the options that differ from the defaults.
    options: Mapped[str] = mapped_column(Text)
    content: Mapped[str | None] = mapped_column(ForeignKey("contents.digest"))
    seed: Mapped[int] = mapped_column(BigInteger)
    #: Every choice, as little-endian int16 (`tables/changes.py`).
    choices: Mapped[bytes] = mapped_column(LargeBinary, default=b"")
    #: For spectators and each seat: how often what they see has changed, as little-endian int32.
    versions: Mapped[bytes] = mapped_column(LargeBinary)
    #: The number of writes to this row; a write based on an older edition is refused.
    edition: Mapped[int] = mapped_column(default=0)
    over: Mapped[bool] = mapped_column(default=False)
    #: Seconds since 1970.
    created: Mapped[int] = mapped_column(BigInteger)
    changed: Mapped[int] = mapped_column(BigInteger)
    #: The id of the rematch.
    next: Mapped[str | None] = mapped_column(String(16))
    seats: Mapped[list["SeatRow"]] = relationship(order_by="SeatRow.seat", lazy="selectin")

    #: A keyed digest of the address that opened the table, good for counting only; empty if the server did.
    opener: Mapped[str | None] = mapped_column(String(32))
    #: The host, and JSON of the table settings (`tables/table_settings.py`).
    host: Mapped[str | None] = mapped_column(String(32))
    terms: Mapped[str] = mapped_column(Text, default="{}")
    #: The start of the turn, and when the next timer fires if the player does nothing: ms since 1970. They are separate
    #: columns, so that downtime can be added to them.
    since: Mapped[int] = mapped_column(BigInteger, default=0)
    due: Mapped[int | None] = mapped_column(BigInteger, index=True)
    #: JSON of the clocks (`tables/clocks/clock_state.py`), and of who left the match or how it ended early
    #: (`tables/clocks/early_endings.py`).
    clocks: Mapped[str] = mapped_column(Text, default="{}")
    ended: Mapped[str] = mapped_column(Text, default="{}")
    #: Thinking time of each choice since its seat's turn began: tenths of a second, as little-endian uint32.
    spent: Mapped[bytes] = mapped_column(LargeBinary, default=b"")
    #: JSON of the hints taken, and of the one that a player still sees (`tables/hint_state.py`).
    hints: Mapped[str] = mapped_column(Text, default="{}")

    #: The process that owns the table (`lease_store.py`).
    owner: Mapped[str | None] = mapped_column(String(24))

    # For lists, which load no tables: whether the table is public (as in its settings), the seat whose turn it is (0:
    # match over; empty: unknown), the summary for spectators (`tables/summary.py`), and when a player last looked.
    public: Mapped[bool] = mapped_column(default=False)
    asked: Mapped[int | None]
    standing: Mapped[str] = mapped_column(Text, default="{}")
    attended: Mapped[int] = mapped_column(BigInteger, default=0)

    __table_args__ = (
        Index("ix_tables_changed", "changed"), Index("ix_tables_opener", "opener", "changed"),
        Index("ix_tables_public", "public", "over", "attended"),
    )  # fmt: skip


class HeartbeatRow(Base):
    """When a server was last running while clocks ran: one row."""

    __tablename__ = "pulse"
    id: Mapped[int] = mapped_column(primary_key=True)
    at: Mapped[int] = mapped_column(BigInteger)


class CheckpointRow(Base):
    """A checkpoint of a long match (`tables/checkpoints.py`), which can be rebuilt from the seed and the choices."""

    __tablename__ = "chapters"
    table_id: Mapped[str] = mapped_column("table", ForeignKey("tables.id", ondelete="CASCADE"), primary_key=True)
    number: Mapped[int] = mapped_column(primary_key=True)
    courses: Mapped[bytes] = mapped_column(LargeBinary)


class SeatRow(Base):
    """A seat: a person, a bot, or neither while it is open. Seats count from 1."""

    __tablename__ = "seats"
    table_id: Mapped[str] = mapped_column("table", ForeignKey("tables.id", ondelete="CASCADE"), primary_key=True)
    seat: Mapped[int] = mapped_column(primary_key=True)
    person: Mapped[str | None] = mapped_column(String(32), index=True)
    name: Mapped[str] = mapped_column(String(32), default="")
    bot: Mapped[str | None] = mapped_column(String(64))
    #: The owner's name at that time, if the player is a program that uses the HTTP API.
    bot_of: Mapped[str] = mapped_column(String(32), default="")
    #: At rated tables, a keyed hash of the network from which the person sat down; it expires (`rating_limits.py`).
    network: Mapped[str | None] = mapped_column(String(32), index=True)


class AccountRow(Base):
    """An account with its sign-in name and password; without one, a person is just a browser's cookie."""

    __tablename__ = "accounts"
    person: Mapped[str] = mapped_column(String(32), primary_key=True)
    #: The name they play under.
    name: Mapped[str] = mapped_column(String(32))
    #: The sign-in name, as entered and case-folded for lookups: both are set or neither. After an operator's reset of
    #: the password both stay, without a password.
    login: Mapped[str | None] = mapped_column(String(32))
    folded: Mapped[str | None] = mapped_column(String(500), unique=True)
    #: An argon2 hash.
    password: Mapped[str | None] = mapped_column(String(128))
    #: The session generation: cookies of another one are invalid. Signing out everywhere increments it.
    epoch: Mapped[int] = mapped_column(default=1)
    created: Mapped[int] = mapped_column(BigInteger)
    #: Whether leaderboards list the person, and the id of their public profile, if they want one.
    listed: Mapped[bool] = mapped_column(default=True)
    page: Mapped[str | None] = mapped_column(String(24), unique=True, index=True)


class PreferenceRow(Base):
    """Preferences of a person, guest or not, once they have set any."""

    __tablename__ = "preferences"
    person: Mapped[str] = mapped_column(String(32), primary_key=True)
    #: Whether every table, replay and lesson opens in text mode.
    words: Mapped[bool]


class StreakRow(Base):
    """The longest streak of puzzles that an account has solved in a game."""

    __tablename__ = "streaks"
    person: Mapped[str] = mapped_column(String(32), primary_key=True)
    game: Mapped[str] = mapped_column(String(64), primary_key=True)
    longest: Mapped[int]


class PasskeyRow(Base):
    """A passkey of an account."""

    __tablename__ = "passkeys"
    #: A digest of the credential's id, which may be long.
    id: Mapped[str] = mapped_column(String(32), primary_key=True)
    person: Mapped[str] = mapped_column(String(32), ForeignKey("accounts.person", ondelete="CASCADE"), index=True)
    #: The credential's id and public key, as the authenticator sent them.
    credential: Mapped[bytes] = mapped_column(LargeBinary)
    #: The server name that the passkey was made for, and its label.
    site: Mapped[str] = mapped_column(String(255))
    label: Mapped[str] = mapped_column(String(32))
    #: The authenticator's signature counter; 0 if it doesn't count.
    signs: Mapped[int] = mapped_column(BigInteger)
    created: Mapped[int] = mapped_column(BigInteger)
    used: Mapped[int] = mapped_column(BigInteger)


class RecoveryRow(Base):
    """A recovery code of an account: it signs its owner in once. Only its digest is stored."""

    __tablename__ = "recovery_codes"
    digest: Mapped[str] = mapped_column(String(32), primary_key=True)
    person: Mapped[str] = mapped_column(String(32), ForeignKey("accounts.person", ondelete="CASCADE"), index=True)
    #: When a code made by the operator expires (seconds since 1970). Empty: one of the owner's codes, which don't
    #: expire.
    until: Mapped[int | None] = mapped_column(BigInteger)


class EndedSessionRow(Base):
    """A session that ended because its browser signed out: all copies of its cookies are refused."""

    __tablename__ = "ended_sessions"
    person: Mapped[str] = mapped_column(String(32), primary_key=True)
    session: Mapped[str] = mapped_column(String(24), primary_key=True)
    #: When those cookies expire anyway, so that the row can be deleted (seconds since 1970).
    until: Mapped[int] = mapped_column(BigInteger, index=True)


class UsedTicketRow(Base):
    """A ticket of a passkey ceremony that was used: no process of the server accepts it again."""

    __tablename__ = "used_tickets"
    digest: Mapped[str] = mapped_column(String(32), primary_key=True)
    #: When the ticket expires anyway, so that the row can be deleted (seconds since 1970).
    until: Mapped[int] = mapped_column(BigInteger, index=True)


class SetRow(Base):
    """A studio set: custom content for a game, such as a deck, fighters or boards."""

    __tablename__ = "sets"
    id: Mapped[str] = mapped_column(String(24), primary_key=True)
    #: The id of the share link, from which the set's id can't be derived.
    share: Mapped[str] = mapped_column(String(24), unique=True)
    person: Mapped[str] = mapped_column(String(32), index=True)
    game: Mapped[str] = mapped_column(String(64))
    name: Mapped[str] = mapped_column(String(40))
    #: The current version and the newest one; those in between were undone.
    version: Mapped[int]
    newest: Mapped[int]
    #: The number of writes to this row; a write based on an older edition is refused.
    edition: Mapped[int] = mapped_column(default=0)
    created: Mapped[int] = mapped_column(BigInteger)
    #: When it was last viewed or changed.
    used: Mapped[int] = mapped_column(BigInteger, index=True)
    #: Who created it, as for tables.
    opener: Mapped[str | None] = mapped_column(String(32), index=True)


class VersionRow(Base):
    """A version of a set: its file, and the options to play it with."""

    __tablename__ = "versions"
    set_id: Mapped[str] = mapped_column("set", ForeignKey("sets.id", ondelete="CASCADE"), primary_key=True)
    number: Mapped[int] = mapped_column(primary_key=True)
    toml: Mapped[str] = mapped_column(Text)
    options: Mapped[str] = mapped_column(Text, default="{}")
    #: What was changed, and where: continuous typing in one place is one change.
    told: Mapped[str] = mapped_column(String(120))
    mark: Mapped[str] = mapped_column(String(200), default="")
    made: Mapped[int] = mapped_column(BigInteger)


class PictureRow(Base):
    """A picture in a person's sets, stored by its digest (`picture_store.py`)."""

    __tablename__ = "pictures"
    person: Mapped[str] = mapped_column(String(32), primary_key=True)
    name: Mapped[str] = mapped_column(String(32), primary_key=True)
    text: Mapped[str] = mapped_column(Text)


class PictureUseRow(Base):
    """Which version of which set uses a picture."""

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
    """An uploaded match record, for replays."""

    __tablename__ = "records"
    id: Mapped[str] = mapped_column(String(24), primary_key=True)
    person: Mapped[str] = mapped_column(String(32), index=True)
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
    opener: Mapped[str | None] = mapped_column(String(32), index=True)


class ReviewRow(Base):
    """The result of a review, shared by all tables and files with the same match."""

    __tablename__ = "reviews"
    #: A digest of the record, and of the reviewer's version.
    id: Mapped[str] = mapped_column(String(32), primary_key=True)
    found: Mapped[bytes] = mapped_column(LargeBinary)
    #: When it was last viewed.
    used: Mapped[int] = mapped_column(BigInteger, index=True)


class VariantRow(Base):
    """A variant with a leaderboard: options that differ from the defaults, and custom content."""

    __tablename__ = "variants"
    #: A digest of the other columns.
    id: Mapped[str] = mapped_column(String(16), primary_key=True)
    game: Mapped[str] = mapped_column(String(64), index=True)
    options: Mapped[str] = mapped_column(Text)
    content: Mapped[str | None] = mapped_column(String(32))


class RatingRow(Base):
    """A player's rating in a variant. A player is a person, a program of theirs, or `bot:` and a bot's name."""

    __tablename__ = "ratings"
    variant: Mapped[str] = mapped_column(ForeignKey("variants.id"), primary_key=True)
    player: Mapped[str] = mapped_column(String(80), primary_key=True, index=True)
    mu: Mapped[float] = mapped_column(Float(53))
    sigma: Mapped[float] = mapped_column(Float(53))
    #: The lower bound of the rating; leaderboards are ordered by it.
    sure: Mapped[float] = mapped_column(Float(53))
    matches: Mapped[int]
    won: Mapped[int]
    #: When the last match ended (seconds since 1970).
    last: Mapped[int] = mapped_column(BigInteger)
    #: How many opponents they have met (`rating_limits.py`), and whether the rating is no longer provisional, which
    #: leaderboards sort by first.
    opponents: Mapped[int] = mapped_column(default=0)
    established: Mapped[bool] = mapped_column(default=False)

    __table_args__ = (Index("ix_ratings_rank", "variant", "established", "sure"),)


class OpponentRow(Base):
    """Two players who have met in a rated match of a variant, from one player's side."""

    __tablename__ = "opponents"
    variant: Mapped[str] = mapped_column(ForeignKey("variants.id"), primary_key=True)
    player: Mapped[str] = mapped_column(String(80), primary_key=True, index=True)
    opponent: Mapped[str] = mapped_column(String(80), primary_key=True, index=True)


class ResultRow(Base):
    """The result of a match for a seat, written with its end: for the history, and rated at most once."""

    __tablename__ = "results"
    table_id: Mapped[str] = mapped_column("table", ForeignKey("tables.id", ondelete="CASCADE"), primary_key=True)
    seat: Mapped[int] = mapped_column(primary_key=True)
    #: The player, as in `ratings`; empty for an open seat, a shared screen or a deleted person.
    player: Mapped[str | None] = mapped_column(String(80))
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


class BanRow(Base):
    """A ban by the operator (`ban_store.py`)."""

    __tablename__ = "bans"
    who: Mapped[str] = mapped_column(String(80), primary_key=True)
    #: Seconds since 1970; empty for ever.
    until: Mapped[int | None] = mapped_column(BigInteger)
    why: Mapped[str] = mapped_column(String(200), default="")


class TokenRow(Base):
    """An API token. Only a digest made with the server's secret is stored."""

    __tablename__ = "tokens"
    id: Mapped[str] = mapped_column(String(16), primary_key=True)
    digest: Mapped[str] = mapped_column(String(32), unique=True)
    #: The owner, and their name when it was made.
    person: Mapped[str] = mapped_column(String(32), index=True)
    owner: Mapped[str] = mapped_column(String(32))
    #: Its name, under which a bot plays.
    name: Mapped[str] = mapped_column(String(32))
    #: Its scopes.
    scopes: Mapped[str] = mapped_column(String(120))
    #: The person that the bot plays as; empty if the token acts as its owner.
    bot: Mapped[str | None] = mapped_column(String(32), unique=True)
    created: Mapped[int] = mapped_column(BigInteger)
    #: When it expires, if it does; and the day of its last use, in days since 1970.
    expires: Mapped[int | None] = mapped_column(BigInteger)
    used: Mapped[int] = mapped_column(default=0)


class ChatLineRow(Base):
    """A chat line. Its row stays when its text is removed."""

    __tablename__ = "lines"
    table_id: Mapped[str] = mapped_column("table", ForeignKey("tables.id", ondelete="CASCADE"), primary_key=True)
    number: Mapped[int] = mapped_column(primary_key=True)
    #: The edition of the chat log in which this line last changed.
    edition: Mapped[int]
    #: A preset phrase by its key (`word`), free `text`, a description of a `move`, or `gone`.
    kind: Mapped[str] = mapped_column(String(8))
    #: The author, their seat (0: spectator), and their name at that time.
    person: Mapped[str | None] = mapped_column(String(32), index=True)
    seat: Mapped[int]
    name: Mapped[str] = mapped_column(String(32))
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
    person: Mapped[str] = mapped_column(String(32), primary_key=True, index=True)

    __table_args__ = (
        ForeignKeyConstraint(["table", "number"], ["lines.table", "lines.number"], ondelete="CASCADE"),
    )  # fmt: skip


class MuteRow(Base):
    """One person has muted another."""

    __tablename__ = "mutes"
    id: Mapped[str] = mapped_column(String(16), primary_key=True)
    person: Mapped[str] = mapped_column(String(32))
    muted: Mapped[str] = mapped_column(String(32), index=True)
    #: The muted person's name at that time.
    name: Mapped[str] = mapped_column(String(32))

    __table_args__ = (Index("ix_mutes_person", "person", "muted", unique=True),)


class ReportRow(Base):
    """A chat line reported to the operator; it stays when the table is deleted."""

    __tablename__ = "reports"
    number: Mapped[int] = mapped_column(primary_key=True)
    table: Mapped[str] = mapped_column(String(16))
    line: Mapped[int]
    #: The author and their name, and the reporter.
    person: Mapped[str | None] = mapped_column(String(32), index=True)
    name: Mapped[str] = mapped_column(String(32))
    reporter: Mapped[str | None] = mapped_column(String(32), index=True)
    words: Mapped[str] = mapped_column(Text)
    said: Mapped[int] = mapped_column(BigInteger)
    made: Mapped[int] = mapped_column(BigInteger)
    #: When the operator settled it.
    settled: Mapped[int | None] = mapped_column(BigInteger)


class FriendshipRow(Base):
    """How one person is connected to another: `asked` to be friends, is a `friend`, has `blocked` or `declined` them.

    A `declined` row isn't listed; while it is new, it hides requests of the other person. Two friends have a row each.
    A request for a name that no account has looks the same to the person who asked; only `other` is empty.
    """

    __tablename__ = "friendships"
    id: Mapped[str] = mapped_column(String(16), primary_key=True)
    person: Mapped[str] = mapped_column(String(32))
    other: Mapped[str | None] = mapped_column(String(32), index=True)
    #: For a request the name that was entered, otherwise the other's display name at that time.
    name: Mapped[str] = mapped_column(String(32))
    state: Mapped[str] = mapped_column(String(8))
    made: Mapped[int] = mapped_column(BigInteger)

    __table_args__ = (Index("ix_friendships_person", "person", "other", unique=True),)


class ChallengeRow(Base):
    """A challenge to a friend: the table that waits for them."""

    __tablename__ = "challenges"
    id: Mapped[str] = mapped_column(String(16), primary_key=True)
    person: Mapped[str] = mapped_column(String(32), index=True)
    other: Mapped[str] = mapped_column(String(32), index=True)
    table_id: Mapped[str] = mapped_column("table", ForeignKey("tables.id", ondelete="CASCADE"), index=True)
    declined: Mapped[bool] = mapped_column(default=False)
    made: Mapped[int] = mapped_column(BigInteger)


class SightingRow(Base):
    """When a person with an account last had a page open, and whether they hide that from their friends."""

    __tablename__ = "sightings"
    person: Mapped[str] = mapped_column(String(32), primary_key=True)
    seen: Mapped[int] = mapped_column(BigInteger, default=0)
    hidden: Mapped[bool] = mapped_column(default=False)


class NoticeRow(Base):
    """A table that was changed by a process which may not own it (`notice_store.py`)."""

    __tablename__ = "notices"
    number: Mapped[int] = mapped_column(primary_key=True)
    table: Mapped[str] = mapped_column(String(16))


class RateLimitRow(Base):
    """The used part of a rate limit, over all processes of a server (`rate_limit_store.py`)."""

    __tablename__ = "allowances"
    #: The kind of limit, and a digest of the client.
    key: Mapped[str] = mapped_column(String(32), primary_key=True)
    #: When the allowance is full again, and when half full: ms since 1970.
    full_at: Mapped[int] = mapped_column(BigInteger)
    half_at: Mapped[int] = mapped_column(BigInteger, index=True)


class ServerRow(Base):
    """A process in a cluster (`lease_store.py`)."""

    __tablename__ = "servers"
    id: Mapped[str] = mapped_column(String(24), primary_key=True)
    #: The address at which the others reach it.
    address: Mapped[str] = mapped_column(String(120))
    #: A heartbeat counter.
    beat: Mapped[int] = mapped_column(BigInteger)


class AddressRow(Base):
    """The e-mail address of an account, which only its owner sees."""

    __tablename__ = "addresses"
    person: Mapped[str] = mapped_column(String(32), ForeignKey("accounts.person", ondelete="CASCADE"), primary_key=True)
    #: The confirmed address, as entered and case-folded for lookups.
    address: Mapped[str | None] = mapped_column(String(254))
    folded: Mapped[str | None] = mapped_column(String(254), index=True)
    #: A new address that its owner hasn't confirmed yet.
    pending: Mapped[str | None] = mapped_column(String(254))
    #: The random id of the links that stop e-mails.
    stop: Mapped[str] = mapped_column(String(24), index=True)


class MailTokenRow(Base):
    """The secret of a link in an e-mail, which works once. Only its digest is stored."""

    __tablename__ = "mail_tokens"
    digest: Mapped[str] = mapped_column(String(32), primary_key=True)
    person: Mapped[str] = mapped_column(String(32), ForeignKey("accounts.person", ondelete="CASCADE"), index=True)
    #: `reset` or `confirm`, and the address that the e-mail went to.
    purpose: Mapped[str] = mapped_column(String(8))
    address: Mapped[str] = mapped_column(String(254))
    until: Mapped[int] = mapped_column(BigInteger, index=True)


class NotificationChoiceRow(Base):
    """A person wants notifications of a kind (`turn`, `invitation`) in a way (`mail`, `push`)."""

    __tablename__ = "notification_choices"
    person: Mapped[str] = mapped_column(String(32), primary_key=True)
    kind: Mapped[str] = mapped_column(String(16), primary_key=True)
    way: Mapped[str] = mapped_column(String(8), primary_key=True)


class PushDeviceRow(Base):
    """A browser that gets push notifications."""

    __tablename__ = "push_devices"
    #: A digest of the endpoint, which may be long.
    id: Mapped[str] = mapped_column(String(32), primary_key=True)
    person: Mapped[str] = mapped_column(String(32), index=True)
    label: Mapped[str] = mapped_column(String(32))
    #: The address at the push service, and the keys with which messages are encrypted for the browser.
    endpoint: Mapped[str] = mapped_column(Text)
    p256dh: Mapped[str] = mapped_column(String(128))
    auth: Mapped[str] = mapped_column(String(32))
    created: Mapped[int] = mapped_column(BigInteger)


class PushKeyRow(Base):
    """The private key with which the server signs push notifications (VAPID): one row."""

    __tablename__ = "push_key"
    id: Mapped[int] = mapped_column(primary_key=True)
    key: Mapped[str] = mapped_column(String(64))


class OutboxRow(Base):
    """A message to send (`outbox_store.py`)."""

    __tablename__ = "outbox"
    number: Mapped[int] = mapped_column(primary_key=True)
    #: A kind of notification, `reset`, `confirm` or `warning`; and the way (`mail`, `push`).
    kind: Mapped[str] = mapped_column(String(16))
    way: Mapped[str] = mapped_column(String(8))
    #: The person it is for and the table it is about. A request for a reset has no person, only what they typed.
    person: Mapped[str | None] = mapped_column(String(32), index=True)
    table: Mapped[str | None] = mapped_column(String(16))
    text: Mapped[str] = mapped_column(String(254), default="")
    #: When to send it (ms since 1970), and how often that has failed.
    due: Mapped[int] = mapped_column(BigInteger, index=True)
    failures: Mapped[int] = mapped_column(default=0)
