"""The base class of all rows."""

from sqlalchemy.orm import DeclarativeBase


class Base(DeclarativeBase):
    """The base of all tables of the database."""
