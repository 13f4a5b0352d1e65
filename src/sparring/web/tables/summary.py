"""How a match stands in a few words: what those see who watch, kept with the table so that lists need not open it."""

from collections.abc import Sequence
from typing import Any, Self

from sparring.engine.match import Match
from sparring.scene.markup import SeatNames
from sparring.web.storage.json_column import JsonColumn

from .clocks.early_endings import EarlyEnding

#: A match that goes by its rules.
RULES = EarlyEnding()


class TableSummary(JsonColumn, frozen=True):
    """How a match stands for who watches. Nobody who plays knows less."""

    #: Where it stands: `Turn 5`; how it ended.
    status: str = ""
    ended: str = ""
    #: The seat that is waited for, as far as can be seen; 0: nobody.
    turn: int = 0
    #: What is counted, and how much of it every seat has.
    counted: str = ""
    counts: tuple[int | None, ...] = ()

    @classmethod
    def of(cls, match: Match, ended: EarlyEnding = RULES) -> Self:
        """How a match stands just now, which may have ended besides its rules."""
        scene = match.view_of(match.state, 0).outline
        tracks = [seat.tracks[0] if seat.tracks else None for seat in scene.seats]
        return cls(
            status=scene.status,
            ended=ended.sentence(match, 0) or (scene.prompt.sentence if scene.over else ""),
            turn=0 if ended.how else next((seat.number for seat in scene.seats if seat.turn), 0),
            counted=next((track.title for track in tracks if track), ""),
            counts=tuple(track.value if track else None for track in tracks) if any(tracks) else (),
        )  # fmt: skip

    def line(self, people: Sequence[str]) -> str:
        """The same in words, for people of these names."""
        names = SeatNames(people)
        if self.ended:
            return names.text(self.ended)
        scores = [f"{names.of(seat)} {count}" for seat, count in enumerate(self.counts, 1) if count is not None]
        return " · ".join(filter(None, (self.status, f"{self.counted}: {', '.join(scores)}" if scores else "")))


def told_in_lists(match: Match, ended: EarlyEnding) -> dict[str, Any]:
    """What a table's row says of its match, for lists that open no table."""
    over = match.over or bool(ended.how)
    return {"over": over, "asked": 0 if over else match.seat or 0, "standing": TableSummary.of(match, ended).stored}
