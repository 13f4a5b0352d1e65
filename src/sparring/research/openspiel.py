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
from typing import Any, Literal

import numpy as np

from sparring.engine import chance
from sparring.engine.errors import BadOption, SparringError
from sparring.engine.features import absolute_rule
from sparring.engine.game import Game, GameSetup
from sparring.engine.plugins import MissingExtra
from sparring.engine.records import deal, setup_of

try:
    import pyspiel
except ModuleNotFoundError:
    raise MissingExtra("Games for OpenSpiel need its package", "openspiel") from None

from .information_states import PastActions
from .state_tree import PrivateObserver, PublicObserver, SparringObserver, StateTable

#: The number of seeds that stand for chance in a game that cannot list its deals.
SEEDS = 1024

#: What OpenSpiel can load: other signs separate a name from its parameters.
LOADABLE = re.compile(r"[\w.-]+")


class _Table(StateTable):
    """The table of a registered game, with the observers of its tensors."""

    def __init__(self, setup: GameSetup, short_name: str, seats: int, deals: Any, history: int) -> None:
        super().__init__(setup, seats, _deals(setup, seats, deals), history)
        self.short_name, self.given = short_name, deals
        #: The chance outcomes, which are equally likely.
        self.outcomes = [(number, 1 / len(self.deals)) for number in range(len(self.deals))]
        #: What writes observation tensors and information state tensors.
        self.observers = SparringObserver(self, perfect_recall=False), SparringObserver(self, perfect_recall=True)

    def __reduce__(self) -> Any:
        """Pickle the table as the parameters of `register`: the process that loads it registers it, if it must."""
        return _table_again, (self.setup, self.short_name, self.given, self.seats, self.history)

    @property
    def identity(self) -> tuple[Any, ...]:
        """What two registrations of the same table have in common."""
        return self.setup.game, self.setup.params.tobytes(), b"".join(map(bytes, self.deals)), self.seats, self.history


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
    ) -> SparringObserver | PublicObserver | None:
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
        table, game = self._table, self._table.setup.game
        absolute = int(absolute_rule(game)(table.setup.params, self._node.state, player, action))
        return str(game.scene.words(table.setup, table.view(self._node, player).state, absolute))

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

    def _told(self, observer: SparringObserver, player: int | None) -> list[float]:
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
        table.setup.game.rules.determinize(table.setup.params, state, player_id, stream)
        sample = SparringState(self.get_game())
        sample._node = twin = table.node_of(state)
        twin.past, twin.length = node.past, node.length
        twin.chains[player_id + 1] = table.chain(node, player_id + 1)
        return sample

    def __str__(self) -> str:
        return " ".join(map(str, self.history())) or "before the deal"


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
        to which the game is then restricted; or a list of full states, such as `lab.game_tree.subgame` returns.
        Default: all, or 1,024 seeds where the game does not list them.
    :param seats: The number of seats. Default: the smallest one.
    :param options: Options that differ from the defaults or the preset, by name.
    :param content: The path of a content file, its data, or a result of `read_content`. Default: the game's own.
    :param preset: The name of a variant of the game. Default: all options have their default values.
    :param history: The number of actions in an information state tensor. Default: all, up to 16 and as many as fit
        into 1,500 numbers. Information state strings always have perfect recall.
    :raises BadOption: There is no such option, preset or number of seats, the game does not list its deals, or the name
        can't be loaded or is taken.
    """
    setup = setup_of(game, options, content, preset)
    found, count = setup.game, setup.game.check_seats(seats)
    if not LOADABLE.fullmatch(short_name):
        raise BadOption(f"OpenSpiel can't load the name {short_name!r}; use letters, digits, _, - and . only.")
    if history is None:
        history = min(found.max_choices(setup, count), PastActions(found, count).that_fit(found.rules.FEATURES))
    table = _Table(setup, short_name, count, deals, history)
    if short_name in pyspiel.registered_names():
        known = _registered.get(short_name)
        if known is None or known.table.identity != table.identity:
            raise BadOption(f"OpenSpiel already has another game called {short_name}; choose another name.")
        return known()
    kind = _type(found, short_name, count, len(table.deals))
    fields = {"table": table, "type": kind, "info": _info(setup, count, len(table.deals))}
    _registered[short_name] = made = type("SparringGame", (SparringGame,), fields)
    pyspiel.register_game(kind, made)
    return made()  # type: ignore[no-any-return]


#: The registered games, by their short names.
_registered: dict[str, type[SparringGame]] = {}


def _table_again(setup: GameSetup, short_name: str, deals: Any, seats: int, history: int) -> _Table:
    """Return the table of a pickle."""
    table = known.table if (known := _registered.get(short_name)) else None
    if table and (table.setup.params.tobytes(), table.seats, table.history) == (setup.params.tobytes(), seats, history):
        return table
    options = {"options": setup.options, "content": setup.content}
    return register(setup.game, short_name, deals=deals, seats=seats, history=history, **options).table


def _game_of(table: _Table) -> SparringGame:
    """Return the game of a pickle."""
    return _registered[table.short_name]()


def _replayed(game: SparringGame, actions: Sequence[int]) -> SparringState:
    """Return the state of a pickle."""
    state = game.new_initial_state()
    for action in actions:
        state.apply_action(action)
    return state


def _deals(setup: GameSetup, seats: int, deals: int | str | Sequence[Any] | None) -> tuple[Any, ...]:
    """Return the first states for the parameter `deals` of `register`."""
    game = setup.game
    if deals == "all" and game.deals is None:
        raise BadOption(f"{game.title} does not list its deals; say how many seeds to use.")
    if deals is None:
        deals = SEEDS if game.deals is None else "all"
    if isinstance(deals, str):
        assert game.deals
        return tuple(game.deals(setup, seats))
    found = tuple(deal(setup, seats, seed).state for seed in range(deals)) if isinstance(deals, int) else tuple(deals)
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


def _info(setup: GameSetup, seats: int, deals: int) -> Any:
    payoffs = setup.game.payoffs
    low, high = (
        (payoffs.low, payoffs.high) if payoffs else (-1.0, seats - 1.0)
    )  # a single winner gets 1 from each loser
    return pyspiel.GameInfo(
        num_distinct_actions=len(setup.game.rules.ACTIONS), max_chance_outcomes=deals if deals > 1 else 0,
        num_players=seats, min_utility=low, max_utility=high,
        utility_sum=0.0 if payoffs is None or payoffs.zero_sum else None,
        max_game_length=setup.game.max_choices(setup, seats),
    )  # fmt: skip
