"""Law 1: machine code does what plain Python does."""

from collections.abc import Callable
from typing import Any

import numpy as np

from sparring.engine.drivers import Driver, trace
from sparring.engine.game import Box, Game

from .broken import Place, compile_reason, differing


def machine_code(box: Box, make: Callable[[Game], Driver], place: Place) -> Driver:
    """A driver of the game as machine code; where a rule cannot be compiled, that is what the law says."""
    from sparring.engine.compiled import compiled

    def run(*work: Any) -> Any:
        try:
            return compiled(box.game, make)(*work)
        except Exception as problem:
            said = compile_reason(problem, box.game, make(box.game))
            raise place.broken(1, f"a rule cannot be compiled: {said}") from problem

    return run


def check_trace(box: Box, choices: list[int], states: list[Any], place: Place) -> None:
    """The compiled rules make the same states of the same choices."""
    traced = np.zeros(len(states), box.game.rules.STATE)
    traced[0] = states[0]
    machine_code(box, trace, place)(box.kit, traced, np.array(choices, np.int64))
    for number, state in enumerate(states):
        if traced[number].tobytes() != state.tobytes():
            raise place.at(number).broken(1, f"compiled play makes another {differing(state, traced[number])}")
