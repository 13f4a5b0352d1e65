"""What several processes of a server share."""

from sqlalchemy import BigInteger, String, Text
from sqlalchemy.orm import Mapped, mapped_column

from .base import Base


class ServerIdRow(Base):
    """The random id of the server, which all its processes share: one row."""

    __tablename__ = "server_id"
    id: Mapped[int] = mapped_column(primary_key=True)
    value: Mapped[str] = mapped_column(String(32))


class RateLimitRow(Base):
    """The used part of a rate limit, over all processes of a server and its restarts (`rate_limit_store.py`)."""

    __tablename__ = "rate_limits"
    #: The kind of limit, and a digest of the client.
    key: Mapped[str] = mapped_column(String(64), primary_key=True)
    #: When the limit is unused again, and when half full: ms since 1970.
    full_at: Mapped[int] = mapped_column(BigInteger)
    half_at: Mapped[int] = mapped_column(BigInteger, index=True)


class ProcessReportRow(Base):
    """What a process last reported about itself (`process_report_store.py`)."""

    __tablename__ = "process_reports"
    process: Mapped[str] = mapped_column(String(24), primary_key=True)
    #: When, in ms since 1970.
    at: Mapped[int] = mapped_column(BigInteger)
    #: JSON.
    report: Mapped[str] = mapped_column(Text)
