"""The games of the house, one folder each, all of the same shape.

`sparring.games()` lists every installed game, those of other packages too; that a folder of that name can be called
is what this module arranges.
"""

import sys
import types

from sparring.engine.game import Game
from sparring.engine.game import games as installed


class _Shelf(types.ModuleType):
    def __call__(self) -> dict[str, Game]:
        """All installed games by name."""
        return installed()


sys.modules[__name__].__class__ = _Shelf
