"""Rules that a match calls: interpreted at first, as machine code when many actions show that speed matters.

So a single match starts at once, and a loop over matches becomes fast without being told to.
"""

import logging
from collections.abc import Callable
from typing import Any, ClassVar

from .types import AnyState

#: The actions that matches of one setup take interpreted, in about 0.2 seconds, before the rules are compiled.
WARM_UP = 1_000

log = logging.getLogger(__name__)


class TieredRules:
    """The rules of a setup; interpreted and machine code give the same bytes, but machine code marks no beats.

    Rules that can't be compiled stay interpreted, with a warning; `sparring check` says why.
    """

    #: Makes the machine code for a game and params; set by `match`, because the compiler imports games.
    compile_rules: ClassVar[Callable[[Any, Any], Any]]

    def __init__(self, game: Any, params: Any) -> None:
        self._game, self._params, self._actions = game, params, 0
        #: Whether `step` marks beats: not as machine code.
        self.marks_beats = True
        # Attributes instead of methods, so that no call takes longer than before.
        self.setup: Callable[[Any, Any], None] = game.rules.setup
        self.legal: Callable[[Any, Any, Any], int] = game.rules.legal
        self.redact: Callable[[Any, Any, int], None] = game.rules.redact
        self.features: Callable[[Any, Any, int, Any], None] = game.rules.features
        self.step: Callable[[Any, Any, int], None] = self._counted_step

    def _counted_step(self, params: Any, s: AnyState, action: int) -> None:
        """Apply an action, interpreted or as the first one in machine code."""
        self._actions += 1
        if self._actions > WARM_UP:
            self.compile(s)
            self.step(params, s, action)
        else:
            self._game.rules.step(params, s, action)

    def compile(self, s: AnyState) -> None:
        """Load or compile the rules, and call them from now on; `s` is a state of the game."""
        try:
            code = TieredRules.compile_rules(self._game, self._params)
            code.prepare(s)
        except Exception as problem:  # noqa: BLE001 - broken rules and foreign compilers may raise anything
            reason = f"{type(problem).__name__}: {problem}".partition("\n")[0]
            log.warning("Matches of %s stay interpreted: %s", self._game.title, reason)
            self.step = self._game.rules.step
            return
        self.marks_beats = False
        self.setup, self.legal, self.step = code.setup, code.legal, code.step
        self.redact, self.features = code.redact, code.features
