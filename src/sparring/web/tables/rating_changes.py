"""Rating changes of a finished match: each player sees their own, and of others those that leaderboards show."""

from sparring.web.storage.rating_store import RatingChange

from .match_results import variant_name, variant_of
from .table import Table

#: The message for a rated match that ended too early or whose players can't be rated together.
NOT_COUNTED = "This match didn't count. All ratings stay the same."


def change_sentences(table: Table, viewer: int) -> list[str]:
    """Return sentences about seats, the viewer's own first."""
    if not table.shown.over or not table.settings.rated:
        return []
    if not table.rating_changes:
        return [NOT_COUNTED]
    own = [_in_words(move) for move in table.rating_changes if move.seat == viewer]
    others = [
        f"Seat {move.seat}: {_in_words(move)}"
        for move in table.rating_changes if move.listed and move.seat != viewer
    ]  # fmt: skip
    where = _game(table)
    sentences = [f"Your rating in {where}: {change}." for change in own]
    if others:
        sentences.append(f"{'; '.join(others)}." if own else f"Ratings in {where}. {'; '.join(others)}.")
    return sentences


def _in_words(move: RatingChange) -> str:
    """Return a rating change in words."""
    return f"from {move.before.points:,} to {move.after}{', provisional' if move.provisional else ''}"


def _game(table: Table) -> str:
    """Return what is rated: the game, and the variant if it isn't the default one."""
    variant = variant_of(table.match.box, table.content)
    default = variant.options == "{}" and not variant.content
    return table.match.game.title + ("" if default else f" ({variant_name(variant)})")
