"""Call one rule of a game at a time as machine code, for matches that Python steps.

The rules are those of `GameSetup.rules`. They give the same bytes as the interpreted ones, but mark no beats.
"""

from typing import Any

import numpy as np

from sparring.engine.game import Game
from sparring.engine.types import AnyState, Floats, Numbers

from .drivers import Driver
from .machine_code import compiled

SETUP, LEGAL, STEP, REDACT, FEATURES = range(5)


def single_calls(game: Game) -> Driver:
    """Return a driver that calls one rule: one driver for all of them compiles their common parts once.

    `all_params` and `states` are arrays of one record: Numba recognizes the type of an array ten times as fast as that
    of a record. `number` is the action or the seat; `out` and `values` are for legal actions and features.
    """
    setup, legal, step = game.rules.setup, game.rules.legal, game.rules.step
    redact, features = game.rules.redact, game.rules.features

    def call(rule, all_params, states, number, out, values):
        params = all_params[0]
        s = states[0]
        if rule == LEGAL:
            return int(legal(params, s, out))
        if rule == SETUP:
            setup(params, s)
        elif rule == STEP:
            step(params, s, number)
        elif rule == REDACT:
            redact(params, s, number)
        else:
            features(params, s, number, values)
        return 0

    return call


class CompiledRules:
    """The rules of a game that a match calls, as machine code (see `TieredRules`)."""

    def __init__(self, game: Game, params: object) -> None:
        self._call, self._dtype = compiled(game, single_calls), game.rules.State.dtype
        self._all_params = np.zeros(1, game.params.Params.dtype)
        self._all_params[0] = params
        self._out, self._values = np.zeros(len(game.rules.ACTIONS), np.int16), np.zeros(1)

    def prepare(self, s: AnyState) -> None:
        """Load or compile the code, with a state that stays as it is."""
        self.legal(None, s, self._out)

    def _states(self, s: Any) -> np.ndarray[Any, Any]:
        """Return the memory of a state as an array of one record."""
        return np.ndarray(1, self._dtype, s)

    def setup(self, _params: object, s: AnyState) -> None:
        """Deal a match; see `RulesModule`."""
        self._call(SETUP, self._all_params, self._states(s), 0, self._out, self._values)

    def legal(self, _params: object, s: AnyState, out: Numbers) -> int:
        """Write the legal actions into `out`; see `RulesModule`."""
        return self._call(LEGAL, self._all_params, self._states(s), 0, out, self._values)  # type: ignore[no-any-return]

    def step(self, _params: object, s: AnyState, action: int) -> None:
        """Apply an action; see `RulesModule`."""
        self._call(STEP, self._all_params, self._states(s), action, self._out, self._values)

    def redact(self, _params: object, s: AnyState, seat: int) -> None:
        """Erase what a seat may not know; see `RulesModule`."""
        self._call(REDACT, self._all_params, self._states(s), seat, self._out, self._values)

    def features(self, _params: object, s: AnyState, seat: int, out: Floats) -> None:
        """Encode what a seat knows into `out`, which must be float64; see `RulesModule`."""
        self._call(FEATURES, self._all_params, self._states(s), seat, self._out, out)
