"""The base classes of all rows, and of values stored as JSON in one column.

A column that refers to a person says in its `info` what becomes of the row (`personal_data.py`):

* `{"person": "delete"}`: it is deleted with the person.
* `{"person": "move"}`: it is deleted with the person, and a guest's moves to the account that they join.
* `{"person": "anonymize"}`: it moves, too. When the person is deleted it stays, without them and their name, which is
  in the column with `{"name_of": COLUMN}`.
"""

from typing import Self

import msgspec
from sqlalchemy.orm import DeclarativeBase


class Base(DeclarativeBase):
    """The base of all tables of the database."""


class JsonColumn(msgspec.Struct, frozen=True, omit_defaults=True):
    """A value stored as JSON in one column. Defaults are left out, so older rows can be read too."""

    @classmethod
    def read(cls, stored: str) -> Self:
        """Decode a stored value."""
        return msgspec.json.decode(stored, type=cls)

    @property
    def stored(self) -> str:
        """Return the JSON to store, without defaults."""
        return msgspec.json.encode(self).decode()
