"""Copies of matches: clones, pickles, state bytes, keys of views and histories, undoing without limit."""

import copy
import pickle
import random
import sys
from collections.abc import Callable
from dataclasses import replace
from importlib import import_module
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from sparring import BadPosition, BadRecord, Match, UnknownGame
from sparring.engine.errors import ChoiceError
from sparring.engine.game import Game, _unpickled_game, games
from sparring.games.high_card import GAME as HIGH_CARD
from sparring.games.tic_tac_toe import GAME as TIC_TAC_TOE

for example in ("leduc_poker", "kuhn_poker"):
    sys.path.append(str(Path(__file__).parents[2] / "examples" / example))
LEDUC: Game = import_module("leduc_poker").GAME
KUHN: Game = import_module("kuhn_poker").GAME
ALL = [*games().values(), HIGH_CARD, LEDUC]


def played(game: Game, actions: int, seed: int = 3) -> Match:
    """Return a match after some random actions, which stays unfinished."""
    match, rng = Match.new(game, seed=seed), random.Random(seed)
    for _ in range(actions):
        match.choose(rng.choice([action for action in match.legal() if action not in game.conceding]))
    return match


def pickled(value: Any) -> Any:
    return pickle.loads(pickle.dumps(value))


@pytest.mark.parametrize("copied", [Match.clone, copy.deepcopy, copy.copy, pickled])
@pytest.mark.parametrize("game", ALL, ids=lambda game: game.name)
def test_a_copy_of_a_match_is_equal_and_independent(game: Game, copied: Callable[[Match], Match]) -> None:
    match = played(game, 2)
    record, state = match.record(), match.state_bytes()
    twin = copied(match)
    assert (twin.record(), twin.state_bytes(), twin.setup.game) == (record, state, game)
    assert twin.sentences(1) == match.sentences(1)
    assert twin.can_take_back == match.can_take_back
    if copied is copy.copy:  # shares its lists, as every shallow copy does
        return
    twin.choose(twin.legal()[-1])
    assert (match.record(), match.state_bytes()) == (record, state)
    match.choose(match.legal()[-1])
    assert twin.record() == match.record()
    assert twin.state_bytes() == match.state_bytes()


def test_views_setups_and_arrays_of_states_are_pickled() -> None:
    match = played(HIGH_CARD, 1)
    view = match.view(1)
    assert view.scene is not None  # cached, and left out of the pickle
    again = pickled(view)
    assert "scene" not in vars(again)
    assert (again.seat, again.legal, again.key()) == (view.seat, view.legal, view.key())
    assert type(again.state) is type(view.state)
    assert again.setup is match.setup  # setups with the game's own content are cached
    states = np.array([match.state, match.start.state])
    assert pickled(states).dtype == states.dtype
    assert copy.deepcopy(states).tobytes() == pickled(states).tobytes() == states.tobytes()


def test_custom_content_is_pickled_with_the_setup() -> None:
    game = games()["make-your-moves"]
    custom = game.setup({"turn_limit": 40}, game.content_from({**import_toml(game)}, "custom"))
    again = pickled(custom)
    assert again.own_content
    assert again.options == custom.options
    assert again.params.tobytes() == custom.params.tobytes()


def import_toml(game: Game) -> dict[str, Any]:
    import tomllib

    return tomllib.loads(game.content_text)


def test_a_pickle_of_another_version_or_of_a_missing_game_is_refused() -> None:
    with pytest.raises(BadRecord, match="version 7"):
        _unpickled_game("sparring.games.high_card", "high-card", 7)
    with pytest.raises(UnknownGame, match="no game called low-card"):
        _unpickled_game("sparring.games.high_card", "low-card", 1)
    with pytest.raises(pickle.PicklingError, match="no variable"):
        pickle.dumps(replace(HIGH_CARD, title="Another"))


@pytest.mark.parametrize("game", ALL, ids=lambda game: game.name)
def test_a_match_starts_from_the_bytes_of_a_state(game: Game) -> None:
    match = played(game, 2)
    again = Match.from_state_bytes(game, match.state_bytes())
    assert again.state_bytes() == match.state_bytes()
    again.choose(again.legal()[0])
    match.choose(match.legal()[0])
    assert again.state_bytes() == match.state_bytes()
    assert Match.from_record(again.record(), game=game).state_bytes() == again.state_bytes()
    with pytest.raises(BadPosition, match="bytes, not 3"):
        Match.from_state_bytes(game, b"abc")


def test_a_view_key_is_what_a_seat_knows_now() -> None:
    ends: dict[tuple[int, ...], set[bytes]] = {}
    for seed in range(60):
        match = Match.new(KUHN, seed=seed)
        ends.setdefault((int(match.state.card[0]),), set()).add(match.view(1).key())
    assert sorted(map(len, ends.values())) == [1, 1, 1]  # one key per own card: the other cards are hidden
    assert len(set().union(*ends.values())) == 3
    match = Match.new(KUHN, seed=1)
    assert len({match.view(seat).key() for seat in range(3)}) == 3


def test_a_history_key_distinguishes_what_a_view_forgets() -> None:
    """The same board, reached in another order."""
    keys = []
    for line in ("a1; b2; c3", "c3; b2; a1"):
        match = Match.new(TIC_TAC_TOE, seed=5)
        match.play(line)
        keys.append((match.view(1).key(), match.history_key(1)))
    assert keys[0][0] == keys[1][0]
    assert keys[0][1] != keys[1][1]


@pytest.mark.parametrize("game", [KUHN, HIGH_CARD, games()["world-of-fighters"]], ids=lambda game: game.name)
def test_a_history_key_is_the_same_however_it_was_reached(game: Game) -> None:
    match = Match.new(game, seed=4)
    often = []
    while not match.over and len(match.history) < 12:
        often.append([match.history_key(seat) for seat in range(match.seats + 1)])
        match.choose(match.legal()[0])
    again = Match.from_record(match.record(), game=game)
    assert [again.history_key(seat) for seat in range(3)] == [match.history_key(seat) for seat in range(3)]
    for keys in reversed(often):
        again.back()
        assert [again.history_key(seat) for seat in range(len(keys))] == keys


def test_a_history_key_hides_what_a_seat_may_not_know() -> None:
    """Seat 2's key does not depend on which card seat 1 has laid face down."""
    matches = [Match.new(HIGH_CARD, seed=2) for _ in range(2)]
    for place, match in enumerate(matches):
        match.choose(match.legal()[place])
    one, other = matches
    assert one.history_key(2) == other.history_key(2)
    assert one.history_key(1) != other.history_key(1)


@pytest.mark.parametrize("game", ALL, ids=lambda game: game.name)
def test_back_undoes_any_number_of_actions(game: Game) -> None:
    match = Match.new(game, seed=6)
    states, undoable = [], []
    while not match.over and len(match.history) < 10:
        states.append(match.state_bytes())
        undoable.append(match.can_take_back)
        match.choose(match.legal()[0])
    for steps in (1, 3, len(states)):
        twin = match.clone()
        twin.back(steps)
        assert twin.state_bytes() == states[-steps]
        assert twin.can_take_back == undoable[-steps]
        assert twin.history == match.history[:-steps]
    with pytest.raises(ChoiceError, match="Can't undo"):
        match.back(len(states) + 1)


def test_observed_actions_are_relative_and_hidden_where_the_seat_may_not_know() -> None:
    match = Match.new(HIGH_CARD, seats=3, seed=2)
    first = match.legal()[0]
    match.choose(first)
    second = match.legal()[0]
    match.choose(second)
    assert match.observed_actions(1, 3).tolist() == [[-1] * 4, [0, first, 0, 0], [1, -1, 0, 0]]
    assert match.observed_actions(2, 2).tolist() == [[2, -1, 0, 0], [0, second, 0, 0]]
    assert match.observed_actions(3, 1).tolist() == [[2, -1, 0, 0]]
    assert match.observed_actions(3, 0).shape == (0, 4)
