"""The machine code that bots need, made before anybody waits for it."""

from collections.abc import Callable, Collection
from multiprocessing import get_context
from multiprocessing.process import BaseProcess

from sparring.engine.compilation.drivers import Driver
from sparring.engine.game import Game
from sparring.engine.game import game as find_game
from sparring.engine.match import Match

from .bot import stream
from .bot_specs import parse, remembers
from .mixed_strategy_search import mixing
from .search import thinking

#: What is compiled, by the words of a bot that thinks with it.
CODE: dict[str, Callable[[Game], Driver]] = {"search": thinking, "mix": mixing}


def code_of(bot: str) -> str:
    """Which of CODE a bot, by its words, thinks with, if it thinks at all."""
    return "mix" if remembers(bot) else "search"


def offered(game: Game) -> tuple[str, ...]:
    """Which of CODE the bots need that are offered at every table of a game."""
    return tuple(CODE) if game.mixes else ("search",)


def is_ready(game: Game, code: Collection[str] = ("search",)) -> bool:
    """Whether bots that think with this code need nothing to be compiled."""
    from sparring.engine.compilation.machine_code import is_cached

    return all(is_cached(game, CODE[each]) for each in code)


def warm(game: Game, code: Collection[str] = ("search",)) -> None:
    """Compile what these need in this game, unless that was done before; returns when it is ready on disk."""
    match = Match.deal(game.box(), game.seats[0], seed=0)
    view = match.view(match.seat or 0, memory=True)
    for each in code:
        parse(f"{each}:iterations=1").choose(view, stream(0, view.seat), even=True)


def start_warming(game: Game, code: Collection[str] = ("search",)) -> BaseProcess:
    """A process of its own that does what `warm` does; it ends when this one ends."""
    process = get_context("spawn").Process(target=_warm_by_name, args=(game.name, code), daemon=True)
    process.start()
    return process


def _warm_by_name(name: str, code: Collection[str]) -> None:
    warm(find_game(name), code)
