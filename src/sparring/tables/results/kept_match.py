"""Finished matches that the installed rules can't replay any more: their lines and their result are kept.

The lines are those of the open view, as every spectator sees it after a match, with seats instead of names.
"""

import zlib
from collections.abc import Sequence
from typing import Annotated

import msgspec

from sparring.engine.errors import BadRecord, UnknownGame
from sparring.engine.game import game as find_game
from sparring.settings.refusals import ApiRefusal
from sparring.store.schema import TableRow

from .summary import TableSummary


class KeptLine(msgspec.Struct, frozen=True):
    """A line of the log."""

    kind: Annotated[str, msgspec.Meta(description="`result`, `aside`, `turn`, or empty.")]
    text: Annotated[str, msgspec.Meta(description="The line, with seats instead of names.")]


class KeptMatch(msgspec.Struct, frozen=True):
    """What is left of a finished match whose rules can't be replayed any more."""

    game: Annotated[str, msgspec.Meta(description="The game's name.")]
    version: Annotated[int, msgspec.Meta(description="The version of the rules.")]
    names: Annotated[list[str], msgspec.Meta(description="The names of the players, by seat.")]
    result: Annotated[str, msgspec.Meta(description="How it ended; empty if only the lines say so.")]
    lines: Annotated[
        list[KeptLine] | None,
        msgspec.Meta(description="What happened, as spectators see it after a match; null: not stored in time."),
    ]

    @classmethod
    def of_table(cls, row: TableRow, lines: bytes | None) -> "KeptMatch":
        """Return what is left of the match of a table."""
        names = [seat.name or f"Seat {seat.seat}" for seat in row.seats]
        return cls(row.game, row.game_version, names, TableSummary.read(row.standing).line(names), unpacked(lines))

    @property
    def title(self) -> str:
        """The title of the game, or its name if it isn't installed."""
        try:
            return find_game(self.game).title
        except UnknownGame:
            return self.game


class GoneRefusal(ApiRefusal):
    """The installed rules can't replay this match. Nothing was changed."""

    match: Annotated[KeptMatch | None, msgspec.Meta(description="What is left of it, if it is finished.")] = None


class CannotReplay(BadRecord):
    """The installed rules can't replay a finished match; `match` is what is left of it."""

    def __init__(self, match: KeptMatch) -> None:
        super().__init__(
            f"This match was played by version {match.version} of {match.title}. The rules on this server can't replay "
            "it, so only its result and its lines are left."
        )
        self.match = match


def packed_lines(lines: Sequence[KeptLine]) -> bytes:
    """Encode lines for the database."""
    return zlib.compress(msgspec.json.encode(lines))


def unpacked(stored: bytes | None) -> list[KeptLine] | None:
    """Decode stored lines."""
    return None if stored is None else msgspec.json.decode(zlib.decompress(stored), type=list[KeptLine])
