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

from collections.abc import Callable, Mapping, Sequence
from typing import Any, Literal, NamedTuple, Self

import numpy as np
import pyspiel

from sparring.engine import chance
from sparring.engine.errors import BadOption
from sparring.engine.frames import absolute_rule, relative_rule
from sparring.engine.game import Box, Game
from sparring.engine.histories import HISTORY_FIELDS, Recall, extended, recent_actions
from sparring.engine.records import box_of, deal
from sparring.engine.views import View, digest, legal_in, view_of

#: The number of seeds that stand for chance in a game that cannot list its deals.
SEEDS = 1024

#: The longest history in an information state tensor, in actions.
MAX_HISTORY = 32


class _Node(NamedTuple):
    """A full state, the hash of what each seat has observed, and the last actions with the states before them.

    It is never changed, so copies of a `pyspiel.State` share it.
    """

    state: Any
    chains: tuple[bytes, ...]
    recent: tuple[tuple[Any, int], ...]

    def __deepcopy__(self, _memo: Any) -> Self:
        return self


class SparringGame(pyspiel.Game):  # type: ignore[misc]
    """A game with its table; `register` makes a subclass for each short name."""

    box: Box
    seats: int
    deals: Sequence[Any]
    history: int
    type: Any
    info: Any

    def __init__(self, params: Any = None) -> None:
        super().__init__(self.type, self.info, params or {})

    def __reduce__(self) -> Any:
        """Pickle the game as its short name, which the process that loads it must have registered."""
        return pyspiel.load_game, (self.type.short_name,)

    def new_initial_state(self) -> "SparringState":
        """Return the chance node that deals; the dealt state of a game with only one deal."""
        return SparringState(self)

    def make_py_observer(self, iig_obs_type: Any = None, params: Any = None) -> "SparringObserver | None":
        """Return an observer of observations, or of information states if it has perfect recall.

        None for the parts of factored observations, which Sparring does not tell apart.
        """
        kind = iig_obs_type or pyspiel.IIGObservationType(perfect_recall=False)
        if not kind.public_info or kind.private_info != pyspiel.PrivateInfoType.SINGLE_PLAYER:
            return None
        return SparringObserver(self, perfect_recall=kind.perfect_recall)


class SparringState(pyspiel.State):  # type: ignore[misc]
    """A state, with the true positions of everything; actions are in the frame of the seat that must act."""

    def __init__(self, game: SparringGame) -> None:
        super().__init__(game)
        self._sparring = _Table(game)
        self._node = self._sparring.dealt(0) if len(game.deals) == 1 else None

    def current_player(self) -> int:
        """Return the seat that must act, from 0, or the id of chance or of the end."""
        if self._node is None:
            return int(pyspiel.PlayerId.CHANCE)
        return int(pyspiel.PlayerId.TERMINAL if self._node.state.over else self._node.state.player)

    def chance_outcomes(self) -> list[tuple[int, float]]:
        """Return the deals, which are equally likely."""
        count = len(self._sparring.game.deals)
        return [(number, 1 / count) for number in range(count)]

    def _legal_actions(self, player: int) -> list[int]:
        table, node = self._sparring, self._node
        if node is None or node.state.over or player != node.state.player:
            return []
        conceding = table.box.game.conceding
        legal = (action for action in legal_in(table.box, node.state) if action not in conceding)
        return sorted(int(table.to_frame(table.box.kit, node.state, player, action)) for action in legal)

    def _apply_action(self, action: int) -> None:
        self._node = self._sparring.after(self._node, action) if self._node else self._sparring.dealt(action)

    def _action_to_string(self, player: int, action: int) -> str:
        if self._node is None:
            return f"Deal {action}"
        table, state = self._sparring, self._node.state
        absolute = int(table.from_frame(table.box.kit, state, player, action))
        return str(table.box.game.scene.words(table.box, table.view(self._node, player).state, absolute))

    def is_terminal(self) -> bool:
        """Return whether the match is over."""
        return self._node is not None and bool(self._node.state.over)

    def returns(self) -> list[float]:
        """Return the payoffs; 0 before the end."""
        seats = self._sparring.game.seats
        if self._node is None or not self._node.state.over:
            return [0.0] * seats
        return [float(payoff) for payoff in self._node.state.payoff[:seats]]

    def resample_from_infostate(self, player_id: int, probability_sampler: Callable[[], float]) -> "SparringState":
        """Return a random state that the player cannot tell from this one.

        It has no history: what other seats saw before is not sampled. So don't serialize it.
        """
        assert self._node is not None
        table, node = self._sparring, self._node
        state, stream = table.view(node, player_id).state.copy(), np.zeros(4, np.int64)
        chance.seed(stream, int(probability_sampler() * (1 << 53)), chance.BOT)
        table.box.game.rules.determinize(table.box.kit, state, player_id, stream)
        sample = SparringState(table.game)
        chains = (chain if seat == player_id else b"" for seat, chain in enumerate(node.chains))
        sample._node = _Node(state, tuple(chains), ())
        return sample

    def __str__(self) -> str:
        return " ".join(map(str, self.history())) or "before the deal"


class SparringObserver:
    """Writes what a seat knows: its features, and with perfect recall the last actions as it observed them."""

    def __init__(self, game: SparringGame, *, perfect_recall: bool) -> None:
        """Allocate the tensor."""
        features = game.box.game.rules.FEATURES
        rows = game.history if perfect_recall else 0
        self._perfect_recall = perfect_recall
        self.tensor = np.zeros(features + rows * HISTORY_FIELDS, np.float32)
        self.dict = {"observation": self.tensor[:features]}
        if rows:
            self.dict["history"] = self.tensor[features:].reshape(rows, HISTORY_FIELDS)

    def set_from(self, state: SparringState, player: int) -> None:
        """Write what a player knows; all 0 before the deal."""
        self.tensor.fill(0)
        if (node := state._node) is None:
            return
        table = state._sparring
        self.dict["observation"][:] = table.view(node, player).observation()
        if "history" in self.dict:
            recent = self.dict["history"]
            recent[:] = recent_actions(table.box, iter(node.recent), player + 1, len(recent), relative=True)

    def string_from(self, state: SparringState, player: int) -> str:
        """Return what a player knows now as a key, or with perfect recall everything it has observed."""
        if (node := state._node) is None:
            return f"before the deal, player {player}"
        view = state._sparring.view(node, player)
        if self._perfect_recall:
            return digest(node.chains[player], view.state.tobytes(), bytes([player + 1])).hex()
        return view.key().hex()


class _Table:
    """What all states of a game share."""

    def __init__(self, game: SparringGame) -> None:
        self.game, self.box = game, game.box
        self.to_frame, self.from_frame = relative_rule(self.box.game), absolute_rule(self.box.game)

    def __deepcopy__(self, _memo: Any) -> Self:
        return self

    def dealt(self, number: int) -> _Node:
        """Return the node after a deal."""
        return _Node(self.game.deals[number], (b"",) * self.game.seats, ())

    def after(self, node: _Node, action: int) -> _Node:
        """Return the node after an action in the frame of its seat."""
        state, kit = node.state.copy(), self.box.kit
        absolute = int(self.from_frame(kit, state, int(state.player), action))
        moved = ((node.state, absolute),)
        chains = (
            extended(self.box, Recall(0, chain, state), lambda *_: iter(moved), seat).chain
            for seat, chain in enumerate(node.chains, 1)
        )
        self.box.game.rules.step(kit, state, absolute)
        history = self.game.history
        return _Node(state, tuple(chains), (*node.recent, *moved)[-history:] if history else ())

    def view(self, node: _Node, player: int) -> View:
        """Return the view of a player, from 0."""
        return view_of(self.box, node.state, player + 1)


def register(
    game: str | Game, short_name: str, *, deals: int | Literal["all"] | Sequence[Any] | None = None,
    seats: int | None = None, options: Mapping[str, Any] | None = None, content: Any = None, preset: str | None = None,
    history: int | None = None,
) -> SparringGame:  # fmt: skip
    """Register a table with OpenSpiel, for `pyspiel.load_game(short_name)`, and return it.

    :param game: The game, or its name or title.
    :param short_name: OpenSpiel's name for it.
    :param deals: `all`: every deal, for a game that lists them (`Game.deals`); a number: the deals of the seeds from 0,
        to which the game is then restricted; or a list of full states, such as `lab.subgames.subgame` returns. Default:
        all, or 1,024 seeds where the game does not list them.
    :param seats: The number of seats. Default: the smallest one.
    :param options: Options that differ from the defaults or the preset, by name.
    :param content: The path of a content file, its data, or a result of `read_content`. Default: the game's own.
    :param preset: The name of a variant of the game. Default: all options have their default values.
    :param history: The number of actions in an information state tensor. Default: all, up to 32. Information state
        strings always have perfect recall.
    :raises BadOption: There is no such option, preset or number of seats, or the game does not list its deals.
    """
    box = box_of(game, options, content, preset)
    found, count = box.game, box.game.check_seats(seats)
    dealt = _deals(box, count, deals)
    kept = min(found.longest(box, count), MAX_HISTORY) if history is None else history
    fields = {
        "box": box, "seats": count, "deals": dealt, "history": kept,
        "type": _type(found, short_name, count, len(dealt)), "info": _info(box, count, len(dealt)),
    }  # fmt: skip
    made = type("SparringGame", (SparringGame,), fields)
    pyspiel.register_game(fields["type"], made)
    return made()  # type: ignore[no-any-return]


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
