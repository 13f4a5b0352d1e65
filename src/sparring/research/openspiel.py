"""OpenSpiel: every game as a `pyspiel.Game`, so that its algorithms (CFR, best responses, MCTS, ISMCTS) play them.

>>> import pyspiel
>>> from sparring.research.openspiel import register
>>> game = register("make-your-moves", "make_your_moves", deals=16)
>>> state = pyspiel.load_game("make_your_moves").new_initial_state()
>>> state.is_chance_node(), len(state.chance_outcomes())
(True, 16)
>>> state.apply_action(3)
>>> state.action_to_string(state.legal_actions()[0])
'target 1'

All chance is one node at the root: the deal. Later draws follow from it. Needs the extra `openspiel`.
"""

import re
from collections.abc import Callable, Mapping, Sequence
from functools import cached_property
from threading import RLock
from typing import Any, Literal, Self

import numpy as np
import pyspiel

from sparring.engine import chance
from sparring.engine.compilation.machine_code import compiled
from sparring.engine.errors import BadOption, IllegalChoice, SparringError
from sparring.engine.frames import absolute_rule
from sparring.engine.game import Box, Game
from sparring.engine.records import box_of, deal
from sparring.engine.views import View, digest, view_of

from .information_states import PastActions, advance_driver, knowledge_driver

#: The number of seeds that stand for chance in a game that cannot list its deals.
SEEDS = 1024

#: What OpenSpiel can load: other signs separate a name from its parameters.
LOADABLE = re.compile(r"[\w.-]+")

Array = np.ndarray[Any, Any]


class _Node:
    """A full state in the tree of a game. Copies of a `pyspiel.State` share it: only `chains` changes, and grows."""

    __slots__ = ("action", "chains", "legal", "length", "over", "parent", "past", "player", "states", "table")

    def __init__(
        self, table: "_Table", past: Array, length: int, parent: "_Node | None" = None, action: int = -1
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
        return _replayed_node, (self.table, node.states, node.past, node.length, node.chains, actions)

    @property
    def state(self) -> Any:
        """The full state."""
        return self.states[0]


class _Table:
    """A game's table with its compiled drivers, shared by all states of the game."""

    def __init__(self, box: Box, short_name: str, seats: int, deals: Any, history: int) -> None:
        rules = box.game.rules
        self.box, self.short_name, self.seats, self.history = box, short_name, seats, history
        self.given, self.deals = deals, _deals(box, seats, deals)
        self.past_actions = PastActions(box.game, seats)
        #: The chance outcomes, which are equally likely.
        self.outcomes = [(number, 1 / len(self.deals)) for number in range(len(self.deals))]
        self.dealt_nodes: dict[int, _Node] = {}
        self.dtype, self._kits = rules.STATE, np.zeros(1, rules.KIT)
        self._kits[0] = box.kit
        self._settings = np.array([seats, 0, 0, 0, False, True, True, history], np.int64)
        self._past = np.zeros((1, max(history, 1), 3 + seats), np.int32)
        self._rows = np.zeros((max(history, 1), 4), np.int32)
        self._work, self._values = np.zeros(1, rules.STATE), np.zeros(rules.FEATURES)
        self._out, self._told = np.zeros(len(rules.ACTIONS), np.int16), np.zeros(2, np.int64)
        self._nothing = np.zeros(0, np.float32)
        #: Compiled code runs in several threads at once, but the scratch space is shared.
        self.lock = RLock()
        #: What writes observation tensors and information state tensors.
        self.observers = SparringObserver(self, perfect_recall=False), SparringObserver(self, perfect_recall=True)

    @cached_property
    def _advance(self) -> Any:
        return compiled(self.box.game, advance_driver)

    @cached_property
    def _write_knowledge(self) -> Any:
        return compiled(self.box.game, knowledge_driver)

    def __deepcopy__(self, _memo: Any) -> Self:
        return self

    def __reduce__(self) -> Any:
        """Pickle the table as the parameters of `register`: the process that loads it registers it, if it must."""
        return _table_again, (self.box, self.short_name, self.given, self.seats, self.history)

    @property
    def identity(self) -> tuple[Any, ...]:
        """What two registrations of the same table have in common."""
        return self.box.game, self.box.kit.tobytes(), b"".join(map(bytes, self.deals)), self.seats, self.history

    def dealt(self, number: int) -> _Node:
        """Return the node after a deal."""
        if number not in self.dealt_nodes:
            self.dealt_nodes[number] = self.node_of(self.deals[number])
        return self.dealt_nodes[number]

    def node_of(self, state: Any) -> _Node:
        """Return a node without a past."""
        before = np.zeros(1, self.dtype)
        before[0] = state
        node = _Node(self, self._past, 0)
        node.chains = dict.fromkeys(range(self.seats + 1), b"")
        return self._acted(node, before)

    def after(self, node: _Node, action: int) -> _Node:
        """Return the node after an action in the frame of its seat. Raises IllegalChoice."""
        if action not in node.legal:
            raise IllegalChoice(f"Action {action} is illegal for player {node.player}; legal are {node.legal}.")
        return self._acted(_Node(self, node.past.copy(), node.length, node, action), node.states)

    def _acted(self, node: _Node, before: Array) -> _Node:
        with self.lock:
            count = self._advance(
                self._kits, self._settings, before, node.states, node.past, node.length, node.action, self._out,
                self._told,
            )  # fmt: skip
            node.legal = self._out[:count].tolist()
            node.player, node.over = self._told.tolist()
        node.length += node.action >= 0
        return node

    def write(self, node: _Node, viewer: int, tensor: Array, seat: int | None = None) -> bytes:
        """Write what a viewer (from 0; -1: a spectator) knows, in the frame of a seat; return the view as bytes.

        Raises SparringError if there is no such player: compiled code doesn't check it.
        """
        if not (0 <= (viewer if seat is None else seat) < self.seats or (viewer == -1 and not len(tensor))):
            raise SparringError(f"player must be 0 to {self.seats - 1}, not {viewer if seat is None else seat}.")
        with self.lock:
            self._write_knowledge(
                self._kits, self._settings, node.states, node.past, node.length, self._work, self._values, self._rows,
                self.past_actions.places, self.past_actions.width, tensor, viewer if seat is None else seat, viewer,
            )  # fmt: skip
            return self._work.tobytes()

    def key(self, node: _Node, seat: int, *, perfect_recall: bool = False) -> bytes:
        """Return `View.key` of a seat (from 1; 0: a spectator), or with perfect recall `Match.history_key`."""
        chain = (self._chain(node, seat),) if perfect_recall else ()
        return digest(*chain, self.write(node, seat - 1, self._nothing), bytes([seat]))

    def _chain(self, node: _Node, seat: int) -> bytes:
        """Return the hash of what a seat observed before: each view, and what it saw of the action that followed."""
        later = []
        while seat not in node.chains and node.parent:
            later.append(node)
            node = node.parent
        chain = node.chains[seat]
        for child in reversed(later):
            assert child.parent
            seen = self.write(child.parent, seat - 1, self._nothing)
            game, kit, before = self.box.game, self.box.kit, child.parent
            action = int(absolute_rule(game)(kit, before.state, before.player, child.action))
            observed = int(game.rules.observe_action(kit, before.state, action, seat - 1))
            chain = digest(chain, seen, observed.to_bytes(8, "little", signed=True))
            child.chains[seat] = chain
        return chain

    def view(self, node: _Node, player: int) -> View:
        """Return the view of a player, from 0."""
        return view_of(self.box, node.state, player + 1)


class SparringGame(pyspiel.Game):  # type: ignore[misc]
    """A game with its table; `register` makes a subclass for each short name."""

    table: _Table
    type: Any
    info: Any

    def __init__(self, params: Any = None) -> None:
        super().__init__(self.type, self.info, params or {})

    def __reduce__(self) -> Any:
        """Pickle the game as its table."""
        return _game_of, (self.table,)

    def new_initial_state(self) -> "SparringState":
        """Return the chance node that deals; the dealt state of a game with only one deal."""
        return SparringState(self)

    def make_py_observer(
        self, iig_obs_type: Any = None, params: Any = None
    ) -> "SparringObserver | PublicObserver | None":
        """Return an observer of observations, or of information states if it has perfect recall.

        Observations also have a public and a private part; of information states there is only the whole (None).
        """
        kind = iig_obs_type or pyspiel.IIGObservationType(perfect_recall=False)
        single = kind.private_info == pyspiel.PrivateInfoType.SINGLE_PLAYER
        if kind.private_info == pyspiel.PrivateInfoType.ALL_PLAYERS or not (kind.public_info or single):
            return None
        if kind.public_info and single:
            return SparringObserver(self.table, perfect_recall=kind.perfect_recall)
        if kind.perfect_recall:
            return None
        return PublicObserver(self.table) if kind.public_info else PrivateObserver(self.table)


class SparringState(pyspiel.State):  # type: ignore[misc]
    """A state, with the true positions of everything; actions are in the frame of the seat that must act."""

    def __init__(self, game: SparringGame) -> None:
        super().__init__(game)
        self._table = table = game.table
        self._node = table.dealt(0) if len(table.deals) == 1 else None

    def __reduce__(self) -> Any:
        """Pickle the state as its game and its actions."""
        root = self._node
        while root and root.parent:
            root = root.parent
        if root and root not in self._table.dealt_nodes.values():
            raise SparringError("A sampled state can't be pickled: it has no history.")
        return _replayed, (self.get_game(), self.history())

    def __deepcopy__(self, _memo: Any) -> Any:
        return self.clone()

    def current_player(self) -> int:
        """Return the seat that must act, from 0, or the id of chance or of the end."""
        if self._node is None:
            return int(pyspiel.PlayerId.CHANCE)
        return int(pyspiel.PlayerId.TERMINAL) if self._node.over else self._node.player

    def chance_outcomes(self) -> list[tuple[int, float]]:
        """Return the deals, which are equally likely."""
        return self._table.outcomes.copy()

    def _legal_actions(self, player: int) -> list[int]:
        node = self._node
        return node.legal if node and player == node.player else []

    def _apply_action(self, action: int) -> None:
        self._node = self._table.after(self._node, action) if self._node else self._table.dealt(action)

    def _action_to_string(self, player: int, action: int) -> str:
        if self._node is None:
            return f"Deal {action}"
        table, game = self._table, self._table.box.game
        absolute = int(absolute_rule(game)(table.box.kit, self._node.state, player, action))
        return str(game.scene.words(table.box, table.view(self._node, player).state, absolute))

    def is_terminal(self) -> bool:
        """Return whether the match is over."""
        return self._node is not None and bool(self._node.over)

    def returns(self) -> list[float]:
        """Return the payoffs; 0 before the end."""
        seats = self._table.seats
        if self._node is None or not self._node.over:
            return [0.0] * seats
        return self._node.state.payoff[:seats].tolist()  # type: ignore[no-any-return]

    # OpenSpiel's own methods would copy the tensors number by number, which takes longer than all the rest.

    def observation_tensor(self, player: int | None = None) -> list[float]:
        """Return the observation of a player, by default of the one that must act."""
        return self._told(self._table.observers[0], player)

    def information_state_tensor(self, player: int | None = None) -> list[float]:
        """Return the information state of a player, by default of the one that must act."""
        return self._told(self._table.observers[1], player)

    def _told(self, observer: "SparringObserver", player: int | None) -> list[float]:
        with self._table.lock:
            observer.set_from(self, self.current_player() if player is None else player)
            return observer.tensor.tolist()

    def resample_from_infostate(self, player_id: int, probability_sampler: Callable[[], float]) -> "SparringState":
        """Return a random state that the player cannot tell from this one.

        It has no history: what other seats saw before is not sampled. So don't serialize it.
        """
        assert self._node is not None
        table, node = self._table, self._node
        state, stream = table.view(node, player_id).state, np.zeros(4, np.int64)
        chance.seed(stream, int(probability_sampler() * (1 << 53)), chance.BOT)
        table.box.game.rules.determinize(table.box.kit, state, player_id, stream)
        sample = SparringState(self.get_game())
        sample._node = twin = table.node_of(state)
        twin.past, twin.length = node.past, node.length
        twin.chains[player_id + 1] = table._chain(node, player_id + 1)
        return sample

    def __str__(self) -> str:
        return " ".join(map(str, self.history())) or "before the deal"


class SparringObserver:
    """Writes what a seat knows: its features, and with perfect recall the last actions as it observed them."""

    def __init__(self, table: _Table, *, perfect_recall: bool) -> None:
        """Allocate the tensor."""
        features, width = table.box.game.rules.FEATURES, table.past_actions.width
        rows = table.history if perfect_recall else 0
        self._table, self._perfect_recall = table, perfect_recall
        self.tensor = np.zeros(features + rows * width, np.float32)
        self.dict = {"observation": self.tensor[:features]}
        if rows:
            self.dict["history"] = self.tensor[features:].reshape(rows, width)

    def set_from(self, state: SparringState, player: int) -> None:
        """Write what a player knows; all 0 before the deal."""
        if node := state._node:
            self._table.write(node, player, self.tensor)
        else:
            self.tensor.fill(0)

    def string_from(self, state: SparringState, player: int) -> str:
        """Return what a player knows now as a key, or with perfect recall everything it has observed."""
        if not (node := state._node):
            return f"before the deal, player {player}"
        return self._table.key(node, player + 1, perfect_recall=self._perfect_recall).hex()


class PublicObserver:
    """Writes what everybody knows: the features of a spectator's view, in the frame of the seat."""

    def __init__(self, table: _Table) -> None:
        """Allocate the tensor."""
        self._table, self.tensor = table, np.zeros(table.box.game.rules.FEATURES, np.float32)
        self.dict = {"public": self.tensor}

    def set_from(self, state: SparringState, player: int) -> None:
        """Write what everybody knows; all 0 before the deal."""
        if node := state._node:
            self._table.write(node, -1, self.tensor, player)
        else:
            self.tensor.fill(0)

    def string_from(self, state: SparringState, player: int) -> str:
        """Return what everybody knows as a key, the same for every player."""
        return self._table.key(state._node, 0).hex() if state._node else "before the deal"


class PrivateObserver(PublicObserver):
    """Writes what only a seat knows: the features that differ between its view and a spectator's, and otherwise 0."""

    def __init__(self, table: _Table) -> None:
        """Allocate the tensor."""
        super().__init__(table)
        self._own, self.dict = np.zeros_like(self.tensor), {"private": self.tensor}

    def set_from(self, state: SparringState, player: int) -> None:
        """Write what only this player knows; all 0 before the deal."""
        super().set_from(state, player)
        if node := state._node:
            self._table.write(node, player, self._own)
            self.tensor[:] = np.where(self._own == self.tensor, 0, self._own)

    def string_from(self, state: SparringState, player: int) -> str:
        """Return what only this player knows as a key."""
        self.set_from(state, player)
        return digest(self.tensor.tobytes(), bytes([player])).hex() if state._node else "before the deal"


def register(
    game: str | Game, short_name: str, *, deals: int | Literal["all"] | Sequence[Any] | None = None,
    seats: int | None = None, options: Mapping[str, Any] | None = None, content: Any = None, preset: str | None = None,
    history: int | None = None,
) -> SparringGame:  # fmt: skip
    """Register a table with OpenSpiel, for `pyspiel.load_game(short_name)`, and return it.

    :param game: The game, or its name or title.
    :param short_name: OpenSpiel's name for it: letters, digits, `_`, `-` and `.`. A name can be registered again only
        for the same table.
    :param deals: `all`: every deal, for a game that lists them (`Game.deals`); a number: the deals of the seeds from 0,
        to which the game is then restricted; or a list of full states, such as `lab.subgames.subgame` returns. Default:
        all, or 1,024 seeds where the game does not list them.
    :param seats: The number of seats. Default: the smallest one.
    :param options: Options that differ from the defaults or the preset, by name.
    :param content: The path of a content file, its data, or a result of `read_content`. Default: the game's own.
    :param preset: The name of a variant of the game. Default: all options have their default values.
    :param history: The number of actions in an information state tensor. Default: all, up to 16 and as many as fit
        into 1,500 numbers. Information state strings always have perfect recall.
    :raises BadOption: There is no such option, preset or number of seats, the game does not list its deals, or the name
        can't be loaded or is taken.
    """
    box = box_of(game, options, content, preset)
    found, count = box.game, box.game.check_seats(seats)
    if not LOADABLE.fullmatch(short_name):
        raise BadOption(f"OpenSpiel can't load the name {short_name!r}; use letters, digits, _, - and . only.")
    if history is None:
        history = min(found.longest(box, count), PastActions(found, count).that_fit(found.rules.FEATURES))
    table = _Table(box, short_name, count, deals, history)
    if short_name in pyspiel.registered_names():
        known = _registered.get(short_name)
        if known is None or known.table.identity != table.identity:
            raise BadOption(f"OpenSpiel already has another game called {short_name}; choose another name.")
        return known()
    kind = _type(found, short_name, count, len(table.deals))
    fields = {"table": table, "type": kind, "info": _info(box, count, len(table.deals))}
    _registered[short_name] = made = type("SparringGame", (SparringGame,), fields)
    pyspiel.register_game(kind, made)
    return made()  # type: ignore[no-any-return]


#: The registered games, by their short names.
_registered: dict[str, type[SparringGame]] = {}


def _table_again(box: Box, short_name: str, deals: Any, seats: int, history: int) -> _Table:
    """Return the table of a pickle."""
    table = known.table if (known := _registered.get(short_name)) else None
    if table and (table.box.kit.tobytes(), table.seats, table.history) == (box.kit.tobytes(), seats, history):
        return table
    options = {"options": box.options, "content": box.content}
    return register(box.game, short_name, deals=deals, seats=seats, history=history, **options).table


def _game_of(table: _Table) -> SparringGame:
    """Return the game of a pickle."""
    return _registered[table.short_name]()


def _replayed_node(
    table: _Table, states: Array, past: Array, length: int, chains: dict[int, bytes], actions: Sequence[int]
) -> _Node:  # fmt: skip
    """Return the node of a pickle."""
    node = table.node_of(states[0])
    node.past, node.length, node.chains = past, length, chains
    for action in actions:
        node = table.after(node, action)
    return node


def _replayed(game: SparringGame, actions: Sequence[int]) -> SparringState:
    """Return the state of a pickle."""
    state = game.new_initial_state()
    for action in actions:
        state.apply_action(action)
    return state


def _deals(box: Box, seats: int, deals: int | str | Sequence[Any] | None) -> tuple[Any, ...]:
    """Return the first states for the parameter `deals` of `register`."""
    game = box.game
    if deals == "all" and game.deals is None:
        raise BadOption(f"{game.title} does not list its deals; say how many seeds to use.")
    if deals is None:
        deals = SEEDS if game.deals is None else "all"
    if isinstance(deals, str):
        assert game.deals
        return tuple(game.deals(box, seats))
    found = tuple(deal(box, seats, seed).state for seed in range(deals)) if isinstance(deals, int) else tuple(deals)
    if not found:
        raise BadOption("deals must be at least 1.")
    return found


def _type(game: Game, short_name: str, seats: int, deals: int) -> Any:
    kinds = pyspiel.GameType
    open_game = not game.hidden and deals == 1
    zero_sum = game.payoffs is None or game.payoffs.zero_sum
    return kinds(
        short_name=short_name, long_name=game.title, dynamics=kinds.Dynamics.SEQUENTIAL,
        chance_mode=kinds.ChanceMode.DETERMINISTIC if deals == 1 else kinds.ChanceMode.EXPLICIT_STOCHASTIC,
        information=kinds.Information.PERFECT_INFORMATION if open_game else kinds.Information.IMPERFECT_INFORMATION,
        utility=kinds.Utility.ZERO_SUM if zero_sum else kinds.Utility.GENERAL_SUM,
        reward_model=kinds.RewardModel.TERMINAL, max_num_players=seats, min_num_players=seats,
        provides_information_state_string=True, provides_information_state_tensor=True,
        provides_observation_string=True, provides_observation_tensor=True,
        provides_factored_observation_string=True,
    )  # fmt: skip


def _info(box: Box, seats: int, deals: int) -> Any:
    payoffs = box.game.payoffs
    low, high = (
        (payoffs.low, payoffs.high) if payoffs else (-1.0, seats - 1.0)
    )  # a single winner gets 1 from each loser
    return pyspiel.GameInfo(
        num_distinct_actions=len(box.game.rules.ACTIONS), max_chance_outcomes=deals if deals > 1 else 0,
        num_players=seats, min_utility=low, max_utility=high,
        utility_sum=0.0 if payoffs is None or payoffs.zero_sum else None, max_game_length=box.game.longest(box, seats),
    )  # fmt: skip
