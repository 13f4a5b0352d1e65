"""What a rated match moved, told when it is over: to every seat its own rating, of others what leaderboards show."""

from sparring.web.storage.rating_store import RatingMove

from .match_results import called, variant_of
from .table import Table

#: What is said where a rated match was broken off too early, or its players may not be rated together.
NOT_COUNTED = "This rated match did not count; all ratings stay as they were."


def moved(table: Table, viewer: int) -> list[str]:
    """In sentences about seats: a viewer's own first."""
    if not table.shown.over or not table.terms.rated:
        return []
    if not table.moves:
        return [NOT_COUNTED]
    own = [_went(move) for move in table.moves if move.seat == viewer]
    others = [
        f"Seat {move.seat}: {_went(move)}"
        for move in table.moves if move.listed and move.seat != viewer
    ]  # fmt: skip
    where = _game(table)
    told = [f"Your rating in {where}: {went}." for went in own]
    if others:
        told.append(f"{'; '.join(others)}." if own else f"Ratings in {where}. {'; '.join(others)}.")
    return told


def _went(move: RatingMove) -> str:
    """How a rating went, as people read it."""
    return f"from {move.before.points:,} to {move.after}{', provisional' if move.provisional else ''}"


def _game(table: Table) -> str:
    """In what they are rated: the game, and the variant where that is not the usual one."""
    variant = variant_of(table.match.box, table.content)
    usual = variant.options == "{}" and not variant.content
    return table.match.game.title + ("" if usual else f" ({called(variant)})")
