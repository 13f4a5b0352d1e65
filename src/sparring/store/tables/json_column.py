"""JSON columns of a table's row."""

from typing import Self

import msgspec


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
