"""What is kept of a table as JSON, in one column of its row."""

from typing import Self

import msgspec


class JsonColumn(msgspec.Struct, frozen=True, omit_defaults=True):
    """Something that goes into one column; what is as usual is left out, so older rows can be read as well."""

    @classmethod
    def read(cls, stored: str) -> Self:
        """The same as it was stored."""
        return msgspec.json.decode(stored, type=cls)

    @property
    def stored(self) -> str:
        """As it is stored: JSON of what differs from the usual."""
        return msgspec.json.encode(self).decode()
