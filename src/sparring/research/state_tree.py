"""States in the tree of a game, stepped by compiled code, and what OpenSpiel's observers write of them.

A node never changes, so copies of a state share it. What seats have observed is only hashed where a key is asked for.
"""

from collections.abc import Sequence
from functools import cached_property
from threading import RLock
from typing import Any, Self

import numpy as np

from sparring.engine.compilation.machine_code import compiled
from sparring.engine.errors import IllegalChoice, SparringError
from sparring.engine.features import absolute_rule
from sparring.engine.game import GameSetup
from sparring.engine.views import View, digest, view_of

from .batch_arrays import Array
from .information_states import PastActions, advance_driver, knowledge_driver


class StateNode:
    """A full state in the tree of a game. Only `chains` changes: it grows."""

    __slots__ = ("action", "chains", "legal", "length", "over", "parent", "past", "player", "states", "table")

    def __init__(
        self, table: "StateTable", past: Array, length: int, parent: "StateNode | None" = None, action: int = -1
    ) -> None:  # fmt: skip
        self.table, self.past, self.length, self.parent, self.action = table, past, length, parent, action
        self.states = np.empty(1, table.dtype)
        self.legal: list[int] = []
        self.player, self.over = 0, 0
        #: The hash of what each seat (from 1) has observed, where it was asked for.
        self.chains: dict[int, bytes] = {}

    def __deepcopy__(self, _memo: Any) -> Self:
        return self

    def __reduce__(self) -> Any:
        """Pickle the node as its first ancestor and the actions since then: OpenSpiel serializes states that way."""
        node, actions = self, list[int]()
        while node.parent:
            actions.insert(0, node.action)
            node = node.parent
        return _replayed, (self.table, node.states, node.past, node.length, node.chains, actions)

    @property
    def state(self) -> Any:
        """The full state."""
        return self.states[0]


class StateTable:
    """A game's table with its compiled drivers, shared by all states of the game."""

    def __init__(self, setup: GameSetup, seats: int, deals: Sequence[Any], history: int) -> None:
        rules = setup.game.rules
        self.setup, self.seats, self.deals, self.history = setup, seats, deals, history
        self.past_actions = PastActions(setup.game, seats)
        self.dealt_nodes: dict[int, StateNode] = {}
        self.dtype, self._all_params = rules.State.dtype, np.zeros(1, setup.game.params.Params.dtype)
        self._all_params[0] = setup.params
        self._settings = np.array([seats, 0, 0, 0, False, True, True, history], np.int64)
        self._past = np.zeros((1, max(history, 1), 3 + seats), np.int32)
        self._rows = np.zeros((max(history, 1), 4), np.int32)
        self._work, self._values = np.zeros(1, rules.State.dtype), np.zeros(rules.FEATURES)
        self._out, self._told = np.zeros(len(rules.ACTIONS), np.int16), np.zeros(2, np.int64)
        self._nothing = np.zeros(0, np.float32)
        #: Compiled code runs in several threads at once, but the scratch space is shared.
        self.lock = RLock()

    @cached_property
    def _advance(self) -> Any:
        return compiled(self.setup.game, advance_driver)

    @cached_property
    def _write_knowledge(self) -> Any:
        return compiled(self.setup.game, knowledge_driver)

    def __deepcopy__(self, _memo: Any) -> Self:
        return self

    def dealt(self, number: int) -> StateNode:
        """Return the node after a deal."""
        if number not in self.dealt_nodes:
            self.dealt_nodes[number] = self.node_of(self.deals[number])
        return self.dealt_nodes[number]

    def node_of(self, state: Any) -> StateNode:
        """Return a node without a past."""
        before = np.zeros(1, self.dtype)
        before[0] = state
        node = StateNode(self, self._past, 0)
        node.chains = dict.fromkeys(range(self.seats + 1), b"")
        return self._acted(node, before)

    def after(self, node: StateNode, action: int) -> StateNode:
        """Return the node after an action in the frame of its seat. Raises IllegalChoice."""
        if action not in node.legal:
            raise IllegalChoice(f"Action {action} is illegal for player {node.player}; legal are {node.legal}.")
        return self._acted(StateNode(self, node.past.copy(), node.length, node, action), node.states)

    def _acted(self, node: StateNode, before: Array) -> StateNode:
        with self.lock:
            count = self._advance(
                self._all_params, self._settings, before, node.states, node.past, node.length, node.action, self._out,
                self._told,
            )  # fmt: skip
            node.legal = self._out[:count].tolist()
            node.player, node.over = self._told.tolist()
        node.length += node.action >= 0
        return node

    def write(self, node: StateNode, viewer: int, tensor: Array, seat: int | None = None) -> bytes:
        """Write what a viewer (from 0; -1: a spectator) knows, in the frame of a seat; return the view as bytes.

        Raises SparringError if there is no such player: compiled code doesn't check it.
        """
        if not (0 <= (viewer if seat is None else seat) < self.seats or (viewer == -1 and not len(tensor))):
            raise SparringError(f"player must be 0 to {self.seats - 1}, not {viewer if seat is None else seat}.")
        with self.lock:
            self._write_knowledge(
                self._all_params, self._settings, node.states, node.past, node.length, self._work, self._values,
                self._rows, self.past_actions.places, self.past_actions.width, tensor,
                viewer if seat is None else seat, viewer,
            )  # fmt: skip
            return self._work.tobytes()

    def key(self, node: StateNode, seat: int, *, perfect_recall: bool = False) -> bytes:
        """Return `View.key` of a seat (from 1; 0: a spectator), or with perfect recall `Match.history_key`."""
        chain = (self.chain(node, seat),) if perfect_recall else ()
        return digest(*chain, self.write(node, seat - 1, self._nothing), bytes([seat]))

    def chain(self, node: StateNode, seat: int) -> bytes:
        """Return the hash of what a seat observed before: each view, and what it saw of the action that followed."""
        later = []
        while seat not in node.chains and node.parent:
            later.append(node)
            node = node.parent
        chain = node.chains[seat]
        for child in reversed(later):
            assert child.parent
            seen = self.write(child.parent, seat - 1, self._nothing)
            game, params, before = self.setup.game, self.setup.params, child.parent
            action = int(absolute_rule(game)(params, before.state, before.player, child.action))
            observed = int(game.rules.observe_action(params, before.state, action, seat - 1))
            chain = digest(chain, seen, observed.to_bytes(8, "little", signed=True))
            child.chains[seat] = chain
        return chain

    def view(self, node: StateNode, player: int) -> View:
        """Return the view of a player, from 0."""
        return view_of(self.setup, node.state, player + 1)


def _replayed(
    table: StateTable, states: Array, past: Array, length: int, chains: dict[int, bytes], actions: Sequence[int]
) -> StateNode:  # fmt: skip
    """Return the node of a pickle."""
    node = table.node_of(states[0])
    node.past, node.length, node.chains = past, length, chains
    for action in actions:
        node = table.after(node, action)
    return node


class SparringObserver:
    """Writes what a seat knows: its features, and with perfect recall the last actions as it observed them."""

    def __init__(self, table: StateTable, *, perfect_recall: bool) -> None:
        """Allocate the tensor."""
        features, width = table.setup.game.rules.FEATURES, table.past_actions.width
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
        self._table, self.tensor = table, np.zeros(table.setup.game.rules.FEATURES, np.float32)
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
