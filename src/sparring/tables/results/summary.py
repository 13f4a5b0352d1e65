"""Summary of a match as spectators see it, stored with the table so that lists needn't load the table."""

from collections.abc import Sequence
from typing import Any, Self

from sparring.engine.match import Match
from sparring.scene.markup import SeatNames
from sparring.store.tables.json_column import JsonColumn
from sparring.tables.state.early_endings import EarlyEnding

#: A match that ends by its rules.
RULES = EarlyEnding()


class TableSummary(JsonColumn, frozen=True):
    """The state of a match as spectators see it. Every player knows at least this much."""

    #: Progress, such as `Turn 5`, and how the match ended.
    status: str = ""
    ended: str = ""
    #: The seat whose turn it visibly is; 0 if none.
    turn: int = 0
    #: The name of the main counter, and its value for each seat.
    counted: str = ""
    counts: tuple[int | None, ...] = ()

    @classmethod
    def of(cls, match: Match, ended: EarlyEnding = RULES) -> Self:
        """Return the summary of a match, which may have ended early."""
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
        """Return the summary in words, with these players' names."""
        names = SeatNames(people)
        if self.ended:
            return names.text(self.ended)
        scores = [f"{names.of(seat)} {count}" for seat, count in enumerate(self.counts, 1) if count is not None]
        return " · ".join(filter(None, (self.status, f"{self.counted}: {', '.join(scores)}" if scores else "")))


def summary_columns(match: Match, ended: EarlyEnding) -> dict[str, Any]:
    """Return the columns of a table's row that summarize its match for lists."""
    over = match.over or bool(ended.how)
    return {"over": over, "turn_seat": 0 if over else match.seat or 0, "standing": TableSummary.of(match, ended).stored}
