"""Find everything that makes a content file unplayable, each fault with its path."""

from collections.abc import Mapping
from typing import Any

from .errors import BadContent, ContentFault, SparringError
from .game import Game
from .match import Match


def content_faults(game: Game, data: Mapping[str, Any], options: Mapping[str, Any], where: str) -> list[ContentFault]:
    """Return all faults of a content file `where` with these options, in the words of the command line."""
    try:
        content = game.content_from(dict(data), where)
        Match.deal(game.setup(options, content), game.seats[0], seed=0)
    except BadContent as problem:
        return [_with_path(fault, where) for fault in problem.faults]
    except SparringError as problem:
        return [_with_path(str(problem), where)]
    return []


def _with_path(fault: str, where: str) -> ContentFault:
    return fault if isinstance(fault, ContentFault) else ContentFault(fault, (), fault.removeprefix(f"{where}: "))
