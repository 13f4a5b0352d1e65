"""The laws of the engine, with all options and seats."""

import numpy as np
import pytest

from sparring import Match
from sparring.engine import laws
from sparring.engine.squares import OFF, SQUARES, is_in
from sparring.games.untitled_movement import GAME

pytestmark = pytest.mark.compiled

SETTINGS = laws.configurations(GAME)
#: Every test run checks every fourth setting in detail, `make soak` the others.
SLOW = [pytest.param(i, marks=[pytest.mark.soak] if i % 4 else []) for i in range(len(SETTINGS))]


def test_random_matches_keep_the_laws() -> None:
    for number, (seats, options) in enumerate(SETTINGS):
        laws.check_audit(GAME.setup(options), seats, 30, 1000 * number)


@pytest.mark.parametrize("number", SLOW)
def test_every_law_at_every_choice(number: int) -> None:
    """Interpreted rules are slow, so a low idle round limit keeps the match short."""
    seats, options = SETTINGS[number]
    setup = GAME.setup({**options, "stall_rounds": min(int(options["stall_rounds"]), 3)})
    laws.check_match(setup, seats, number)


def test_the_taken_spaces_are_those_with_tokens() -> None:
    match = Match.new(GAME, seats=4, seed=3, options={"stall_rounds": 8})
    while not match.over:
        match.choose(match.legal()[len(match.history) * 5 % len(match.legal())])
        occupied = sorted(int(square) for row in match.state.token for square in row if square != OFF)
        assert [square for square in range(SQUARES) if is_in(match.state.taken, square)] == occupied


def test_a_state_is_small() -> None:
    assert np.dtype(GAME.rules.State.dtype).itemsize < 1024
