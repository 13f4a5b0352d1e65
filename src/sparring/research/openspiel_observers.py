"""What OpenSpiel's observers write: all that a seat knows, or its public or private part, as a tensor and as a key."""

from typing import Any

import numpy as np

from sparring.engine.views import digest

from .state_tree import StateTable


class SparringObserver:
    """Writes what a seat knows: its features, and with perfect recall the last actions as it observed them."""

    def __init__(self, table: StateTable, *, perfect_recall: bool) -> None:
        """Allocate the tensor."""
        features, width = table.box.game.rules.FEATURES, table.past_actions.width
        rows = table.history if perfect_recall else 0
        self._table, self._perfect_recall = table, perfect_recall
        self.tensor = np.zeros(features + rows * width, np.float32)
        self.dict = {"observation": self.tensor[:features]}
        if rows:
            self.dict["history"] = self.tensor[features:].reshape(rows, width)

    def set_from(self, state: Any, player: int) -> None:
        """Write what a player knows; all 0 before the deal."""
        if node := state._node:
            self._table.write(node, player, self.tensor)
        else:
            self.tensor.fill(0)

    def string_from(self, state: Any, player: int) -> str:
        """Return what a player knows now as a key, or with perfect recall everything it has observed."""
        if not (node := state._node):
            return f"before the deal, player {player}"
        return self._table.key(node, player + 1, perfect_recall=self._perfect_recall).hex()


class PublicObserver:
    """Writes what everybody knows: the features of a spectator's view, in the frame of the seat."""

    def __init__(self, table: StateTable) -> None:
        """Allocate the tensor."""
        self._table, self.tensor = table, np.zeros(table.box.game.rules.FEATURES, np.float32)
        self.dict = {"public": self.tensor}

    def set_from(self, state: Any, player: int) -> None:
        """Write what everybody knows; all 0 before the deal."""
        if node := state._node:
            self._table.write(node, -1, self.tensor, player)
        else:
            self.tensor.fill(0)

    def string_from(self, state: Any, player: int) -> str:
        """Return what everybody knows as a key, the same for every player."""
        return self._table.key(state._node, 0).hex() if state._node else "before the deal"


class PrivateObserver(PublicObserver):
    """Writes what only a seat knows: the features that differ between its view and a spectator's, and otherwise 0."""

    def __init__(self, table: StateTable) -> None:
        """Allocate the tensor."""
        super().__init__(table)
        self._own, self.dict = np.zeros_like(self.tensor), {"private": self.tensor}

    def set_from(self, state: Any, player: int) -> None:
        """Write what only this player knows; all 0 before the deal."""
        super().set_from(state, player)
        if node := state._node:
            self._table.write(node, player, self._own)
            self.tensor[:] = np.where(self._own == self.tensor, 0, self._own)

    def string_from(self, state: Any, player: int) -> str:
        """Return what only this player knows as a key."""
        self.set_from(state, player)
        return digest(self.tensor.tobytes(), bytes([player])).hex() if state._node else "before the deal"
