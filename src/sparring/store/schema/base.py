"""The base class of all rows, and the rows about the server itself, which its processes share.

A column that refers to a person says in its `info` what becomes of the row (`personal_data.py`):

* `{"person": "delete"}`: it is deleted with the person.
* `{"person": "move"}`: it is deleted with the person, and a guest's moves to the account that they join.
* `{"person": "anonymize"}`: it moves, too. When the person is deleted it stays, without them and their name, which is
  in the column with `{"name_of": COLUMN}`.
"""

from sqlalchemy import BigInteger, String, Text
from sqlalchemy.orm import DeclarativeBase, Mapped, mapped_column


class Base(DeclarativeBase):
    """The base of all tables of the database."""


class ServerIdRow(Base):
    """The random id of the server, which all its processes share: one row."""

    __tablename__ = "server_id"
    id: Mapped[int] = mapped_column(primary_key=True)
    value: Mapped[str] = mapped_column(String(32))


class RateLimitRow(Base):
    """The used part of a rate limit, over all processes of a server and its restarts (`processes.py`)."""

    __tablename__ = "rate_limits"
    #: The kind of limit, and a digest of the client.
    key: Mapped[str] = mapped_column(String(64), primary_key=True)
    #: When the limit is unused again, and when half full: ms since 1970.
    full_at: Mapped[int] = mapped_column(BigInteger)
    half_at: Mapped[int] = mapped_column(BigInteger, index=True)


class ProcessReportRow(Base):
    """What a process last reported about itself (`processes.py`)."""

    __tablename__ = "process_reports"
    process: Mapped[str] = mapped_column(String(24), primary_key=True)
    #: When, in ms since 1970.
    at: Mapped[int] = mapped_column(BigInteger)
    #: JSON.
    report: Mapped[str] = mapped_column(Text)


class ProcessRow(Base):
    """A process, and who is present at its tables (`processes.py`)."""

    __tablename__ = "processes"
    id: Mapped[str] = mapped_column(String(24), primary_key=True)
    #: When it last wrote, by the database's clock (ms since 1970).
    beat_at: Mapped[int] = mapped_column(BigInteger)
    #: By how much its own clock is ahead of that (ms).
    ahead: Mapped[int] = mapped_column(BigInteger)
    #: JSON with ids of people. Nothing deletes or moves them: they stay for seconds after a person has left.
    people: Mapped[str] = mapped_column(Text)


class JobStateRow(Base):
    """The state of a job, which other processes show too (`processes.py`)."""

    __tablename__ = "job_states"
    #: A digest of the kind of job and its subject.
    id: Mapped[str] = mapped_column(String(32), primary_key=True)
    kind: Mapped[str] = mapped_column(String(12), index=True)
    #: The process that runs or ran it, and when that last wrote, by the database's clock (seconds since 1970).
    process: Mapped[str] = mapped_column(String(24))
    at: Mapped[int] = mapped_column(BigInteger)
    #: None while it runs.
    succeeded: Mapped[bool | None]
    #: MessagePack. It names no person.
    state: Mapped[bytes]
