"""Law 1: machine code does what plain Python does."""

from collections.abc import Callable
from typing import Any

import numpy as np

from sparring.engine.compilation.drivers import Driver, trace
from sparring.engine.game import Box, Game
from sparring.engine.items import asked

from .violations import LawContext, compile_reason, differing


def machine_code(box: Box, make: Callable[[Game], Driver], place: LawContext) -> Driver:
    """A driver of the game as machine code; where a rule cannot be compiled, that is what the law says.

    Raises IndexError where the driver is a careful one and something lies out of bounds.
    """
    from sparring.engine.compilation.machine_code import compiled

    def run(*work: Any) -> Any:
        try:
            return compiled(box.game, make)(*work)
        except IndexError:
            raise
        except Exception as problem:
            said = compile_reason(problem, box.game, make(box.game))
            raise place.broken(1, f"a rule cannot be compiled: {said}") from problem

    return run


def check_trace(box: Box, choices: list[int], states: list[Any], place: LawContext) -> None:
    """The compiled rules make the same states of the same choices."""
    traced = np.zeros(len(states), box.game.rules.STATE)
    traced[0] = states[0]
    machine_code(box, trace, place)(box.kit, traced, np.array(choices, np.int64))
    for number, state in enumerate(states):
        if traced[number].tobytes() != state.tobytes():
            raise place.at(number).broken(1, f"compiled play makes another {differing(state, traced[number])}")
    told = [
        _told(box, telling(box.game), choices, states),
        _told(box, machine_code(box, telling, place), choices, states),
    ]
    for what, plain, compiled in zip(("held", "played", "ahead"), *told, strict=True):
        unlike = np.flatnonzero((plain != compiled).reshape(len(choices), -1).any(axis=1))
        place.at(int(unlike[0]) if len(unlike) else 0).hold(
            1, not len(unlike), f"compiled, {what} tells something else"
        )


def telling(game: Game) -> Driver:
    """What the rules about items tell of each state: items held by each seat, items played, how far ahead seats are."""
    held, played, ahead = asked(game).held, asked(game).played, asked(game).ahead

    def telling(kit, states, actions, seats, holds, plays, far):  # type: ignore[no-untyped-def]
        for i in range(len(actions)):
            for seat in range(seats):
                held(kit, states[i], seat, holds[i, seat])
                far[i, seat] = ahead(kit, states[i], seat)
            played(kit, states[i], actions[i], plays[i])

    return telling


def _told(box: Box, tell: Driver, choices: list[int], states: list[Any]) -> tuple[Any, Any, Any]:
    """What `telling` says of a match."""
    seats, items, many = int(states[0].seats), len(asked(box.game).names(box)), len(choices)
    told = np.zeros((many, seats, items), np.uint16), np.zeros((many, items), np.uint16), np.zeros((many, seats))
    tell(box.kit, np.array(states), np.array(choices, np.int64), seats, *told)
    return told
