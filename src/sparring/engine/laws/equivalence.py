"""Law 1: compiled and interpreted rules give the same states."""

from collections.abc import Callable
from typing import Any

import numpy as np

from sparring.engine.compilation.drivers import Driver, trace
from sparring.engine.game import Box, Game
from sparring.engine.items import item_rules

from .violations import LawContext, compile_reason, differing


def machine_code(box: Box, make: Callable[[Game], Driver], place: LawContext) -> Driver:
    """Return a compiled driver of the game that reports a rule that cannot be compiled as a violation.

    Raises IndexError for an access out of bounds in a careful driver.
    """
    from sparring.engine.compilation.machine_code import compiled

    def run(*work: Any) -> Any:
        try:
            return compiled(box.game, make)(*work)
        except IndexError:
            raise
        except Exception as problem:
            said = compile_reason(problem, box.game, make(box.game))
            raise place.violation(1, f"a rule doesn't compile: {said}") from problem

    return run


def check_trace(box: Box, choices: list[int], states: list[Any], place: LawContext) -> None:
    """Check that compiled rules give the same states for the same actions."""
    traced = np.zeros(len(states), box.game.rules.STATE)
    traced[0] = states[0]
    machine_code(box, trace, place)(box.kit, traced, np.array(choices, np.int64))
    for number, state in enumerate(states):
        if traced[number].tobytes() != state.tobytes():
            raise place.at(number).violation(1, f"compiled play gives a different {differing(state, traced[number])}")
    told = [
        _told(box, item_driver(box.game), choices, states),
        _told(box, machine_code(box, item_driver, place), choices, states),
    ]
    for what, plain, compiled in zip(("held", "played", "ahead"), *told, strict=True):
        unlike = np.flatnonzero((plain != compiled).reshape(len(choices), -1).any(axis=1))
        place.at(int(unlike[0]) if len(unlike) else 0).require(
            1, not len(unlike), f"compiled, {what} gives a different result"
        )


def item_driver(game: Game) -> Driver:
    """Return a driver that applies the item rules to each state: items held and played, and how far ahead seats are."""
    held, played, ahead = item_rules(game).held, item_rules(game).played, item_rules(game).ahead

    def telling(kit, states, actions, seats, holds, plays, far):  # type: ignore[no-untyped-def]
        for i in range(len(actions)):
            for seat in range(seats):
                held(kit, states[i], seat, holds[i, seat])
                far[i, seat] = ahead(kit, states[i], seat)
            played(kit, states[i], actions[i], plays[i])

    return telling


def _told(box: Box, tell: Driver, choices: list[int], states: list[Any]) -> tuple[Any, Any, Any]:
    """Return the results of `telling` for a match."""
    seats, items, many = int(states[0].seats), len(item_rules(box.game).names(box)), len(choices)
    told = np.zeros((many, seats, items), np.uint16), np.zeros((many, items), np.uint16), np.zeros((many, seats))
    tell(box.kit, np.array(states), np.array(choices, np.int64), seats, *told)
    return told
