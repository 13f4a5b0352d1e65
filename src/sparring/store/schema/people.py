"""People: accounts, ways to sign in, tokens, moderation; friends; notifications."""

from sqlalchemy import BigInteger, ForeignKey, Index, LargeBinary, String, Text
from sqlalchemy.orm import Mapped, mapped_column

from .base import Base


class AccountRow(Base):
    """An account with its sign-in name and password; without one, a person is just a browser's cookie."""

    __tablename__ = "accounts"
    person: Mapped[str] = mapped_column(String(32), primary_key=True, info={"person": "delete"})
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
    #: When API tokens or push notifications of a guest who became or joined the account ended (seconds since 1970).
    guest_access_ended: Mapped[int | None] = mapped_column(BigInteger)
    #: `moderator`, or empty.
    role: Mapped[str] = mapped_column(String(16), default="")


class PreferenceRow(Base):
    """Preferences of a person, guest or not, once they have set any."""

    __tablename__ = "preferences"
    person: Mapped[str] = mapped_column(String(32), primary_key=True, info={"person": "move"})
    #: Whether every table, replay and lesson opens in text mode.
    words: Mapped[bool]


class StreakRow(Base):
    """The longest streak of puzzles that an account has solved in a game."""

    __tablename__ = "streaks"
    person: Mapped[str] = mapped_column(String(32), primary_key=True, info={"person": "delete"})
    game: Mapped[str] = mapped_column(String(64), primary_key=True)
    longest: Mapped[int]


class PasskeyRow(Base):
    """A passkey of an account."""

    __tablename__ = "passkeys"
    #: A digest of the credential's id, which may be long.
    id: Mapped[str] = mapped_column(String(32), primary_key=True)
    person: Mapped[str] = mapped_column(
        String(32), ForeignKey("accounts.person", ondelete="CASCADE"), index=True, info={"person": "delete"}
    )
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
    person: Mapped[str] = mapped_column(
        String(32), ForeignKey("accounts.person", ondelete="CASCADE"), index=True, info={"person": "delete"}
    )
    #: When a code made by the operator expires (seconds since 1970). Empty: one of the owner's codes, which don't
    #: expire.
    until: Mapped[int | None] = mapped_column(BigInteger)


class EndedSessionRow(Base):
    """A session that ended because its browser signed out: all copies of its cookies are refused."""

    __tablename__ = "ended_sessions"
    person: Mapped[str] = mapped_column(String(32), primary_key=True, info={"person": "delete"})
    session: Mapped[str] = mapped_column(String(24), primary_key=True)
    #: When those cookies expire anyway, so that the row can be deleted (seconds since 1970).
    until: Mapped[int] = mapped_column(BigInteger, index=True)


class UsedTicketRow(Base):
    """A ticket of a passkey ceremony that was used: no process of the server accepts it again."""

    __tablename__ = "used_tickets"
    digest: Mapped[str] = mapped_column(String(32), primary_key=True)
    #: When the ticket expires anyway, so that the row can be deleted (seconds since 1970).
    until: Mapped[int] = mapped_column(BigInteger, index=True)


class AddressRow(Base):
    """The e-mail address of an account, which only its owner sees."""

    __tablename__ = "addresses"
    person: Mapped[str] = mapped_column(
        String(32), ForeignKey("accounts.person", ondelete="CASCADE"), primary_key=True, info={"person": "delete"}
    )
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
    person: Mapped[str] = mapped_column(
        String(32), ForeignKey("accounts.person", ondelete="CASCADE"), index=True, info={"person": "delete"}
    )
    #: `reset` or `confirm`, and the address that the e-mail went to.
    purpose: Mapped[str] = mapped_column(String(8))
    address: Mapped[str] = mapped_column(String(254))
    until: Mapped[int] = mapped_column(BigInteger, index=True)


class TokenRow(Base):
    """An API token. Only a digest made with the server's secret is stored."""

    __tablename__ = "tokens"
    id: Mapped[str] = mapped_column(String(16), primary_key=True)
    digest: Mapped[str] = mapped_column(String(32), unique=True)
    #: The owner, and their name when it was made.
    person: Mapped[str] = mapped_column(String(32), index=True, info={"person": "delete"})
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


class BanRow(Base):
    """A ban or a mute (`moderation.py`)."""

    __tablename__ = "bans"
    who: Mapped[str] = mapped_column(String(80), primary_key=True)
    #: Seconds since 1970; empty for ever.
    until: Mapped[int | None] = mapped_column(BigInteger)
    why: Mapped[str] = mapped_column(String(200), default="")


class ModerationRow(Base):
    """An entry of the moderation log. It is never changed, but deleted people lose their names in it."""

    __tablename__ = "moderation_log"
    number: Mapped[int] = mapped_column(primary_key=True)
    at: Mapped[int] = mapped_column(BigInteger, index=True)
    #: The moderator, and their name at that time; both are empty for the operator.
    moderator: Mapped[str | None] = mapped_column(String(32), info={"person": "anonymize"})
    moderator_name: Mapped[str] = mapped_column(String(32), default="", info={"name_of": "moderator"})
    #: What was done (`ACTIONS` in `tables/play/moderation.py`), to whom, and their name at that time; at which table.
    action: Mapped[str] = mapped_column(String(16))
    person: Mapped[str | None] = mapped_column(String(32), info={"person": "anonymize"})
    name: Mapped[str] = mapped_column(String(32), default="", info={"name_of": "person"})
    table: Mapped[str | None] = mapped_column(String(16))
    #: Until when, if it ends (seconds since 1970), and the reason.
    until: Mapped[int | None] = mapped_column(BigInteger)
    why: Mapped[str] = mapped_column(String(200), default="")


class FriendshipRow(Base):
    """How one person is connected to another: has a `pending` request, is a `friend`, has `blocked` or `declined` them.

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


class NotificationChoiceRow(Base):
    """A person wants notifications of a kind (`turn`, `invitation`) by a channel (`mail`, `push`)."""

    __tablename__ = "notification_choices"
    person: Mapped[str] = mapped_column(String(32), primary_key=True, info={"person": "move"})
    kind: Mapped[str] = mapped_column(String(16), primary_key=True)
    channel: Mapped[str] = mapped_column(String(8), primary_key=True)


class PushDeviceRow(Base):
    """A browser that gets push notifications."""

    __tablename__ = "push_devices"
    #: A digest of the endpoint, which may be long.
    id: Mapped[str] = mapped_column(String(32), primary_key=True)
    person: Mapped[str] = mapped_column(String(32), index=True, info={"person": "delete"})
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
    """A message to send (`store/notifications.py`)."""

    __tablename__ = "outbox"
    number: Mapped[int] = mapped_column(primary_key=True)
    #: A kind of notification, `reset`, `confirm` or `warning`; and the channel (`mail`, `push`).
    kind: Mapped[str] = mapped_column(String(16))
    channel: Mapped[str] = mapped_column(String(8))
    #: The person it is for and the table it is about. A request for a reset has no person, only what they typed.
    person: Mapped[str | None] = mapped_column(String(32), index=True, info={"person": "move"})
    table: Mapped[str | None] = mapped_column(String(16))
    text: Mapped[str] = mapped_column(String(254), default="")
    #: When to send it (ms since 1970), and how often that has failed.
    due: Mapped[int] = mapped_column(BigInteger, index=True)
    failures: Mapped[int] = mapped_column(default=0)
