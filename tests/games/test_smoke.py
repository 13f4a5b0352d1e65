"""A match of each game keeps the laws; `test_laws.py` of each game checks all options, also in compiled code."""

import pytest

from sparring.engine.game import games
from sparring.engine.laws import check_match

#: Options that keep random matches short.
SHORT = {"mace": {"radius": 5, "stall_rounds": 2}, "untitled-movement": {"stall_rounds": 10}}


@pytest.mark.parametrize("name", games())
def test_a_random_match_keeps_the_laws(name: str) -> None:
    game = games()[name]
    check_match(game.setup(SHORT.get(name, {})), game.seats[0], seed=1, compiled=False)
