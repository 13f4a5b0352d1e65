"""Laws of all games, over random matches with every option."""

import pytest

from games.make_your_moves.content_files import read, rows
from games.make_your_moves.table import NAME
from sparring.engine.game import game
from sparring.engine.laws import check_audit, check_game, check_match, configurations

pytestmark = pytest.mark.compiled

GAME = game(NAME)
SETTINGS = configurations(GAME)
#: Every fourth setting is checked at each choice in every test run, the others only by `make soak`.
SLOW = [pytest.param(i, marks=[pytest.mark.soak] if i % 4 else []) for i in range(len(SETTINGS))]


def test_thousands_of_matches_with_all_options() -> None:
    assert {seats for seats, _ in SETTINGS} == {2, 3, 4, 5, 6}
    check_game(GAME, matches=500, interpreted=0, seed=20)


@pytest.mark.parametrize("number", SLOW)
def test_every_law_at_every_choice(number: int) -> None:
    seats, options = SETTINGS[number]
    check_match(GAME.setup(options), seats, seed=number)


@pytest.mark.parametrize("options", [{}, {"match": "elimination", "wild_fours": "yes", "turn_limit": 1000}])
def test_a_deck_that_runs_dry(options: dict[str, str | int]) -> None:
    setup = GAME.setup(options, read({"cards": rows()}))
    check_audit(setup, 6, 300, seed=9)
    check_match(GAME.setup({**options, "turn_limit": 20}, setup.content), 6, seed=9)
