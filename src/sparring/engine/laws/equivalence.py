"""Check law 1: compiled and interpreted rules give the same states."""

from collections.abc import Callable
from typing import Any

import numpy as np

from sparring.engine.compilation.drivers import Driver, trace
from sparring.engine.game import Box, Game
from sparring.engine.items import item_rules

from .violations import LawContext, compile_reason, differing


def machine_code(box: Box, make: Callable[[Game], Driver], context: LawContext) -> Driver:
    """Return a compiled driver of the game; a rule that does not compile raises LawViolation.

    Raises IndexError for an access out of bounds in a careful driver.
    """
    from sparring.engine.compilation.machine_code import compiled

    def run(*work: object) -> Any:
        try:
            return compiled(box.game, make)(*work)
        except IndexError:
            raise
        except Exception as problem:
            reason = compile_reason(problem, box.game, make(box.game))
            raise context.violation(1, f"a rule doesn't compile: {reason}") from problem

    return run


def check_trace(box: Box, choices: list[int], states: list[Any], context: LawContext) -> None:
    """Check that compiled rules give the same states and item marks for the same actions."""
    traced = np.zeros(len(states), box.game.rules.STATE)
    traced[0] = states[0]
    machine_code(box, trace, context)(box.kit, traced, np.array(choices, np.int64))
    for number, state in enumerate(states):
        if traced[number].tobytes() != state.tobytes():
            raise context.at(number).violation(1, f"compiled play gives a different {differing(state, traced[number])}")
    results = [
        _item_results(box, item_driver(box.game), choices, states),
        _item_results(box, machine_code(box, item_driver, context), choices, states),
    ]
    for name, interpreted, compiled in zip(("held", "played", "ahead"), *results, strict=True):
        differing_rows = np.flatnonzero((interpreted != compiled).reshape(len(choices), -1).any(axis=1))
        context.at(int(differing_rows[0]) if len(differing_rows) else 0).require(
            1, not len(differing_rows), f"compiled, {name} gives a different result"
        )


def item_driver(game: Game) -> Driver:
    """Return a driver that applies the item rules (held, played, ahead) to each state and action."""
    held, played, ahead = item_rules(game).held, item_rules(game).played, item_rules(game).ahead

    def apply_item_rules(kit, states, actions, seats, items_held, items_played, progress):  # type: ignore[no-untyped-def]
        for i in range(len(actions)):
            for seat in range(seats):
                held(kit, states[i], seat, items_held[i, seat])
                progress[i, seat] = ahead(kit, states[i], seat)
            played(kit, states[i], actions[i], items_played[i])

    return apply_item_rules


def _item_results(box: Box, driver: Driver, choices: list[int], states: list[Any]) -> tuple[Any, Any, Any]:
    """Return the results of `apply_item_rules` for a match: items held, items played, and `ahead`."""
    seats, items, n = int(states[0].seats), len(item_rules(box.game).names(box)), len(choices)
    results = np.zeros((n, seats, items), np.uint16), np.zeros((n, items), np.uint16), np.zeros((n, seats))
    driver(box.kit, np.array(states), np.array(choices, np.int64), seats, *results)
    return results
