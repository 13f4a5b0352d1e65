"""What is agreed when a table is opened besides game, options and seats. It stays, and goes along to a rematch."""

from typing import Self

import msgspec


class Terms(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True, forbid_unknown_fields=True):
    """The terms of a table. What is left out when they are stored is as it was before there were terms."""

    #: Whether everybody finds it among the open tables, or only who has the link.
    public: bool = False

    @classmethod
    def read(cls, stored: str) -> Self:
        """Terms as they were stored."""
        return msgspec.json.decode(stored, type=cls)

    @property
    def stored(self) -> str:
        """As they are stored: JSON of what differs from the usual."""
        return msgspec.json.encode(self).decode()
