"""Layouts of observations: law 12, the same bits compiled and interpreted, the frames of actions, the table."""

import random
from dataclasses import replace
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest

from research.games_under_test import ALL
from sparring import Match
from sparring.cli import main
from sparring.cli.training import observation_table
from sparring.engine.features import absolute_rule, bounds_of, is_turned, layout, layout_of, relative_rule
from sparring.engine.game import Game, games
from sparring.engine.laws import LawViolation, check_match, configurations
from sparring.games.high_card import GAME as HIGH_CARD


def with_layout(*fields: Any) -> Game:
    """Return High Card with another layout."""
    return replace(HIGH_CARD, rules=SimpleNamespace(**{**vars(HIGH_CARD.rules), "LAYOUT": layout(*fields)}))


@pytest.mark.parametrize("game", ALL, ids=lambda game: game.name)
def test_every_game_describes_its_observations(game: Game) -> None:
    fields = layout_of(game)
    assert len(fields) > 1
    assert fields[-1].start + fields[-1].size == game.rules.FEATURES
    assert all(field.meaning for field in fields)
    low, high = bounds_of(game)
    assert low.shape == high.shape == (game.rules.FEATURES,)


@pytest.mark.parametrize(
    ("fields", "message"),
    [
        ([("tricks", 4, 0, 1, "")], "LAYOUT has 4 values; FEATURES is 25"),
        ([("tricks", 4, 0, 1, ""), ("tricks", 21, 0, 1, "")], "names in LAYOUT must be unique"),
        ([("tricks", 4, 1, 0, ""), ("rest", 21, 0, 1, "")], "tricks in LAYOUT has no values"),
        ([("tricks", 4, 0, 1, ""), ("rest", 21, 0, 0.5, "")], "has rest from 0 to 1, outside 0 to 0.5"),
    ],
)
def test_law_12_finds_a_wrong_layout(fields: Any, message: str) -> None:
    game = with_layout(*fields)
    with pytest.raises(LawViolation, match=f"law 12.*{message}"):
        check_match(game.setup(), 2, 1, compiled=False)


def test_a_field_is_a_view_of_an_observation() -> None:
    _, board = layout(("phase", 2, 0, 1, ""), ("board", (2, 2), 0, 1, ""))
    batch = np.arange(12.0).reshape(2, 6)
    assert board.of(batch).tolist() == [[[2, 3], [4, 5]], [[8, 9], [10, 11]]]
    assert np.shares_memory(board.of(batch), batch)


@pytest.mark.parametrize("name", ["make-your-moves", "mace", "untitled-movement"])
def test_actions_are_turned_and_back_on_every_board_and_seat(name: str) -> None:
    game = games()[name]
    assert is_turned(game)
    relative, absolute, moved = relative_rule(game), absolute_rule(game), 0
    for number, (seats, options) in enumerate(configurations(game)):
        match = Match.new(game, seats=seats, options=options, seed=number)
        params = match.setup.params
        rng = random.Random(number)
        for _ in range(40):
            for seat in range(seats):
                turned = [int(relative(params, match.state, seat, action)) for action in match.legal()]
                assert [absolute(params, match.state, seat, action) for action in turned] == match.legal()
                assert all(0 <= action < len(game.rules.ACTIONS) for action in turned)
                moved += turned != match.legal()
            if match.over:
                break
            match.choose(rng.choice(match.legal()))
    assert moved


def test_untitled_movement_turns_the_board_and_the_actions_alike() -> None:
    """A free start where a token can be placed is an open space at the same place of the turned board."""
    game = games()["untitled-movement"]
    match = Match.new(game, seats=4, seed=1)
    board, _, starts = layout_of(game)[0], 0, game.rules.ACTIONS.starts[6]
    sides = set()
    for _ in range(4):
        seat = int(match.state.player)
        layers = board.of(match.view(seat + 1).observation())
        for action in match.legal():
            square = relative_rule(game)(match.setup.params, match.state, seat, action) - starts
            assert layers[0].ravel()[square] == 1
            assert layers[1].ravel()[square] == 1  # the seat starts on its goals' side
        sides.add(int(match.state.side[seat]))
        while int(match.state.player) == seat:
            match.choose(match.legal()[0])
    assert len(sides) > 1


def test_make_your_moves_counts_targets_from_the_seat() -> None:
    game = games()["make-your-moves"]
    match = Match.new(game, seats=4, seed=1)
    seat = int(match.state.player)
    targets = [action for action in match.legal() if action < game.rules.ACTIONS.starts[2]]
    turned = [relative_rule(game)(match.setup.params, match.state, seat, action) for action in targets]
    first = game.rules.ACTIONS.starts[1]
    assert sorted(int(action) - first for action in turned) == [1, 2, 3]


def test_the_command_prints_every_field(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit, match="0"):
        main(["observe", "world-of-fighters", "--actions", "3"])
    lines = capsys.readouterr().out.splitlines()
    table = lines[lines.index("") + 1 :]
    assert len(table) == 2 + len(layout_of(games()["world-of-fighters"]))
    assert table[3].startswith("| `hand` | ")


def test_the_example_in_the_table_is_an_observation() -> None:
    table = observation_table(HIGH_CARD.setup(), actions=0)
    hand = Match.new(HIGH_CARD, seed=1).state.hand[0]
    values = [1 if card in hand[1 : hand[0] + 1] else 0 for card in range(6)]
    assert f"| {' '.join(map(str, values))} ... |" in table
