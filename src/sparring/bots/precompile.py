"""Compile the searches of bots ahead of time, so that no player waits for it."""

from collections.abc import Callable, Collection
from multiprocessing import get_context
from multiprocessing.process import BaseProcess

from sparring.engine.compilation.drivers import Driver
from sparring.engine.game import Game
from sparring.engine.game import game as find_game
from sparring.engine.match import Match

from .bot import stream
from .bot_specs import parse, remembers
from .mixed_strategy_search import mixed_search_rule
from .search import search_rule

#: The compiled searches, by the kind of bot that uses them.
SEARCH_DRIVERS: dict[str, Callable[[Game], Driver]] = {"search": search_rule, "mix": mixed_search_rule}


def search_of(bot: str) -> str:
    """Return the key in CODE of the search that a bot uses."""
    return "mix" if remembers(bot) else "search"


def needed_searches(game: Game) -> tuple[str, ...]:
    """Return the keys in CODE of the searches used by the bots that a game offers."""
    return tuple(SEARCH_DRIVERS) if game.mixes else ("search",)


def is_ready(game: Game, code: Collection[str] = ("search",)) -> bool:
    """Return whether these searches are compiled and cached on disk; `code` are keys in CODE."""
    from sparring.engine.compilation.machine_code import is_cached

    return all(is_cached(game, SEARCH_DRIVERS[name]) for name in code)


def compile_searches(game: Game, code: Collection[str] = ("search",)) -> None:
    """Compile these searches for a game unless they are cached, and return when they are on disk."""
    match = Match.deal(game.box(), game.seats[0], seed=0)
    view = match.view(match.seat or 0, memory=True)
    for name in code:
        parse(f"{name}:iterations=1").choose(view, stream(0, view.seat), even=True)


def start_compiling(game: Game, code: Collection[str] = ("search",)) -> BaseProcess:
    """Start a daemon process that runs `compile_searches`."""
    process = get_context("spawn").Process(target=_warm_by_name, args=(game.name, code), daemon=True)
    process.start()
    return process


def _warm_by_name(name: str, code: Collection[str]) -> None:
    compile_searches(find_game(name), code)
