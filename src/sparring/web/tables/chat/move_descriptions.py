"""How people described their moves, as a record and a replay keep it: told by seats, with nobody's name."""

from collections.abc import Iterable
from typing import Annotated

import msgspec

from sparring.web.settings import Limits

from .chat_log import ChatLine
from .phrases import plain

#: How many signs the name of a move has at most, and how many descriptions a record holds.
LONGEST_NAME, MOST = 400, Limits.lines_at_table


class MoveDescriptions(msgspec.Struct, frozen=True):
    """A move of an exchange of the match, counted from 1, by the name that the game makes of it, and in own words."""

    exchange: Annotated[int, msgspec.Meta(ge=1, le=1_000_000)]
    seat: Annotated[int, msgspec.Meta(ge=1, le=12)]
    move: Annotated[str, msgspec.Meta(max_length=LONGEST_NAME)]
    words: Annotated[str, msgspec.Meta(max_length=Limits.longest_line)]

    @property
    def clean(self) -> "MoveDescriptions":
        """The same as one plain line each: a record may come from anywhere."""
        return msgspec.structs.replace(self, move=plain(self.move), words=plain(self.words))


#: All of a match.
AllDescribed = Annotated[tuple[MoveDescriptions, ...], msgspec.Meta(max_length=MOST)]


def described_in(lines: Iterable[ChatLine]) -> tuple[MoveDescriptions, ...]:
    """The descriptions among what was said at a table."""
    return tuple(
        MoveDescriptions(line.exchange, line.seat, line.about[:LONGEST_NAME], line.words)
        for line in lines
        if line.kind == "move"
    )
