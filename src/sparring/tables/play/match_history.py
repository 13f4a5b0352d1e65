"""Match history of a player, statistics over it, and finished matches that can't be replayed any more.

Of those, their lines and their result are kept. The lines are those of the open view, as every spectator sees it after
a match, with seats instead of names.
"""

import zlib
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from itertools import groupby
from statistics import median
from typing import Annotated

import msgspec

from sparring.engine.errors import BadRecord, UnknownGame
from sparring.engine.game import game as find_game
from sparring.scene.sentences import listed
from sparring.settings.requests import ApiRefusal
from sparring.store.finished_matches import HistoryEntry, PlayerResult
from sparring.store.rating_model import SkillRating
from sparring.store.schema import TableRow
from sparring.tables.state.table_settings import TableSettings

from .match_results import TableSummary, variant_name

#: How many of the latest matches statistics cover, and how many one page of the history shows.
MOST, PAGE = 10_000, 50
OUTCOMES = {1: "won", 0: "draw", -1: "lost"}


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


@dataclass(frozen=True)
class HistoryLine:
    """A match in the history."""

    table: str
    game: str
    variant: str
    seat: int
    #: The opponents' names, and how the match ended.
    others: str
    outcome: str
    how: str
    ended: datetime
    choices: int
    rated: bool
    #: The rating after the match and its change in points, if it was rated.
    rating: SkillRating | None = None
    moved: int = 0

    @property
    def move(self) -> str:
        """Return the change in points: `+12`, `−7`."""
        return f"{self.moved:+d}".replace("-", "−")

    @classmethod
    def of(cls, entry: HistoryEntry) -> "HistoryLine":
        """Return the line of a stored match."""
        result, table = entry.result, entry.table
        names = [seat.name or "open seat" for seat in table.seats]
        after = before = None
        if result.mu is not None and result.sigma is not None and result.mu_before is not None:
            after, before = (
                SkillRating(result.mu, result.sigma),
                SkillRating(result.mu_before, result.sigma_before or 0.0),
            )
        return cls(
            table=table.id, game=result.game, variant=variant_name(entry.variant), seat=result.seat,
            others=listed([name for seat, name in enumerate(names, 1) if seat != result.seat]),
            outcome=OUTCOMES[result.outcome], how=TableSummary.read(table.standing).line(names),
            ended=datetime.fromtimestamp(result.ended, UTC), choices=result.choices,
            rated=TableSettings.read(table.settings).rated, rating=after,
            moved=after.points - before.points if after and before else 0,
        )  # fmt: skip


@dataclass(frozen=True)
class SeatFigures:
    """Results of a player on one seat."""

    seat: int
    matches: int
    won: int


@dataclass(frozen=True)
class PlayerFigures:
    """Results of a player in one game."""

    game: str
    matches: int
    won: int
    drawn: int
    lost: int
    seats: Sequence[SeatFigures]
    #: Medians and extremes: choices of all seats, and seconds.
    choices: int
    seconds: int
    shortest: int
    longest: int
    #: The longest winning and losing streaks.
    best_run: int
    worst_run: int
    #: The length of each match in choices.
    lengths: Sequence[int]
    #: Ratings after each match, in order, in the variant with the most rated matches.
    ratings: Sequence[SkillRating] = ()

    @property
    def best(self) -> SkillRating | None:
        """Return the highest rating."""
        return max(self.ratings, key=lambda rating: rating.mu, default=None)

    @property
    def worst(self) -> SkillRating | None:
        """Return the lowest rating."""
        return min(self.ratings, key=lambda rating: rating.mu, default=None)

    @classmethod
    def of(cls, game: str, results: Sequence[PlayerResult]) -> "PlayerFigures":
        """Return the statistics of a game's results, which are in order of their end."""
        outcomes = [result.outcome for result in results]
        lengths = [result.choices for result in results]
        return cls(
            game=game, matches=len(results), won=outcomes.count(1), drawn=outcomes.count(0), lost=outcomes.count(-1),
            seats=[_at(seat, results) for seat in sorted({result.seat for result in results})],
            choices=round(median(lengths)), seconds=round(median(result.seconds for result in results)),
            shortest=min(lengths), longest=max(lengths), best_run=_run(outcomes, 1), worst_run=_run(outcomes, -1),
            lengths=lengths, ratings=_ratings(results),
        )  # fmt: skip


def figures(results: Sequence[PlayerResult]) -> list[PlayerFigures]:
    """Return the statistics of each game, the most played first."""
    games: dict[str, list[PlayerResult]] = {}
    for result in results:
        games.setdefault(result.game, []).append(result)
    return sorted((PlayerFigures.of(game, played) for game, played in games.items()), key=lambda one: -one.matches)


def _at(seat: int, results: Sequence[PlayerResult]) -> SeatFigures:
    outcomes = [result.outcome for result in results if result.seat == seat]
    return SeatFigures(seat, len(outcomes), outcomes.count(1))


def _run(outcomes: Iterable[int], wanted: int) -> int:
    """Return the length of the longest streak of an outcome."""
    return max((len(list(run)) for outcome, run in groupby(outcomes) if outcome == wanted), default=0)


def _ratings(results: Sequence[PlayerResult]) -> list[SkillRating]:
    """Return the ratings in the variant with the most rated matches."""
    by_variant: dict[str, list[SkillRating]] = {}
    for result in results:
        if result.mu is not None and result.sigma is not None:
            by_variant.setdefault(result.variant, []).append(SkillRating(result.mu, result.sigma))
    return max(by_variant.values(), key=len, default=[])
