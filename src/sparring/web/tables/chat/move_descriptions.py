"""Descriptions of moves in a record or a replay: by seat, without names."""

from collections.abc import Iterable
from typing import Annotated

import msgspec

from sparring.web.settings import Limits

from .chat_log import ChatLine
from .phrases import plain

#: The longest name of a move, in characters, and the most descriptions in a record.
LONGEST_NAME, MOST = 400, Limits.lines_at_table


class MoveDescriptions(msgspec.Struct, frozen=True):
    """A description: the exchange (from 1), the seat, the game's name for the move, and the player's words."""

    exchange: Annotated[int, msgspec.Meta(ge=1, le=1_000_000)]
    seat: Annotated[int, msgspec.Meta(ge=1, le=12)]
    move: Annotated[str, msgspec.Meta(max_length=LONGEST_NAME)]
    words: Annotated[str, msgspec.Meta(max_length=Limits.longest_line)]

    @property
    def clean(self) -> "MoveDescriptions":
        """Return the description as plain one-line texts: a record may come from anywhere."""
        return msgspec.structs.replace(self, move=plain(self.move), words=plain(self.words))


#: All descriptions of a match.
AllDescribed = Annotated[tuple[MoveDescriptions, ...], msgspec.Meta(max_length=MOST)]


def described_in(lines: Iterable[ChatLine]) -> tuple[MoveDescriptions, ...]:
    """Return the descriptions in a chat log."""
    return tuple(
        MoveDescriptions(line.exchange, line.seat, line.about[:LONGEST_NAME], line.words)
        for line in lines
        if line.kind == "move"
    )
