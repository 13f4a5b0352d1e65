"""The base class of all rows.

A column that refers to a person says in its `info` what becomes of the row (`personal_data.py`):

* `{"person": "delete"}`: it is deleted with the person.
* `{"person": "move"}`: it is deleted with the person, and a guest's moves to the account that they join.
* `{"person": "anonymize"}`: it moves, too. When the person is deleted it stays, without them and their name, which is
  in the column with `{"name_of": COLUMN}`.
"""

from sqlalchemy.orm import DeclarativeBase


class Base(DeclarativeBase):
    """The base of all tables of the database."""
