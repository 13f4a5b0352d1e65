"""Ratings, and the results that they come from."""

from sqlalchemy import BigInteger, Float, ForeignKey, Index, String, Text
from sqlalchemy.orm import Mapped, mapped_column

from .base import Base


class VariantRow(Base):
    """A variant with a leaderboard: all options, and custom content."""

    __tablename__ = "variants"
    #: A digest of the game, the content, and the options that differ from assumed ones (`results/match_results.py`).
    id: Mapped[str] = mapped_column(String(16), primary_key=True)
    game: Mapped[str] = mapped_column(String(64), index=True)
    options: Mapped[str] = mapped_column(Text)
    content: Mapped[str | None] = mapped_column(String(32))


class RatingRow(Base):
    """A player's rating in a variant. A player is a person, a program of theirs, or `bot:` and a bot's name."""

    __tablename__ = "ratings"
    variant: Mapped[str] = mapped_column(ForeignKey("variants.id"), primary_key=True)
    player: Mapped[str] = mapped_column(String(80), primary_key=True, index=True, info={"person": "delete"})
    mu: Mapped[float] = mapped_column(Float(53))
    sigma: Mapped[float] = mapped_column(Float(53))
    #: The lower bound of the rating; leaderboards are ordered by it.
    sure: Mapped[float] = mapped_column(Float(53))
    matches: Mapped[int]
    won: Mapped[int]
    #: When the last match ended (seconds since 1970).
    last: Mapped[int] = mapped_column(BigInteger)
    #: How many opponents they have met (`rating_limits.py`), and whether the rating is no longer provisional, which
    #: leaderboards sort by first.
    opponents: Mapped[int] = mapped_column(default=0)
    established: Mapped[bool] = mapped_column(default=False)

    __table_args__ = (Index("ix_ratings_rank", "variant", "established", "sure"),)


class OpponentRow(Base):
    """Two players who have met in a rated match of a variant, from one player's side."""

    __tablename__ = "opponents"
    variant: Mapped[str] = mapped_column(ForeignKey("variants.id"), primary_key=True)
    player: Mapped[str] = mapped_column(String(80), primary_key=True, index=True, info={"person": "delete"})
    opponent: Mapped[str] = mapped_column(String(80), primary_key=True, index=True, info={"person": "delete"})


class ResultRow(Base):
    """The result of a match for a seat, written with its end: for the history, and rated at most once."""

    __tablename__ = "results"
    table_id: Mapped[str] = mapped_column("table", ForeignKey("tables.id", ondelete="CASCADE"), primary_key=True)
    seat: Mapped[int] = mapped_column(primary_key=True)
    #: The player, as in `ratings`; empty for an open seat, a shared screen or a deleted person.
    player: Mapped[str | None] = mapped_column(String(80), info={"person": "anonymize"})
    game: Mapped[str] = mapped_column(String(64))
    variant: Mapped[str] = mapped_column(ForeignKey("variants.id"))
    #: When it ended and how long it took (seconds), and its number of choices.
    ended: Mapped[int] = mapped_column(BigInteger)
    seconds: Mapped[int] = mapped_column(BigInteger)
    choices: Mapped[int]
    #: 1 for won, 0 for a draw, -1 for lost.
    outcome: Mapped[int]
    #: The rating before and after, if the match was rated.
    mu_before: Mapped[float | None] = mapped_column(Float(53))
    sigma_before: Mapped[float | None] = mapped_column(Float(53))
    mu: Mapped[float | None] = mapped_column(Float(53))
    sigma: Mapped[float | None] = mapped_column(Float(53))

    __table_args__ = (
        Index("ix_results_player", "player", "ended"), Index("ix_results_game", "player", "game", "ended"),
    )  # fmt: skip
