"""Notifications: what people want, their browsers, and the outbox."""

from sqlalchemy import BigInteger, String, Text
from sqlalchemy.orm import Mapped, mapped_column

from .base import Base


class NotificationChoiceRow(Base):
    """A person wants notifications of a kind (`turn`, `invitation`) in a way (`mail`, `push`)."""

    __tablename__ = "notification_choices"
    person: Mapped[str] = mapped_column(String(32), primary_key=True, info={"person": "move"})
    kind: Mapped[str] = mapped_column(String(16), primary_key=True)
    way: Mapped[str] = mapped_column(String(8), primary_key=True)


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
    """A message to send (`outbox_store.py`)."""

    __tablename__ = "outbox"
    number: Mapped[int] = mapped_column(primary_key=True)
    #: A kind of notification, `reset`, `confirm` or `warning`; and the way (`mail`, `push`).
    kind: Mapped[str] = mapped_column(String(16))
    way: Mapped[str] = mapped_column(String(8))
    #: The person it is for and the table it is about. A request for a reset has no person, only what they typed.
    person: Mapped[str | None] = mapped_column(String(32), index=True, info={"person": "move"})
    table: Mapped[str | None] = mapped_column(String(16))
    text: Mapped[str] = mapped_column(String(254), default="")
    #: When to send it (ms since 1970), and how often that has failed.
    due: Mapped[int] = mapped_column(BigInteger, index=True)
    failures: Mapped[int] = mapped_column(default=0)
