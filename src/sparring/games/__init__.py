"""The built-in games, one package each, with the same files in each package.

`sparring.games()` returns all installed games, including those of other packages. This module makes the package
`sparring.games` callable.
"""

import sys
import types

from sparring.engine.game import Game
from sparring.engine.game import games as installed


class _CallableModule(types.ModuleType):
    def __call__(self) -> dict[str, Game]:
        """Return all installed games by name."""
        return installed()


sys.modules[__name__].__class__ = _CallableModule
