"""The engine's laws, checked over random matches with every option."""

import pytest

from sparring.engine.laws import check_audit, check_game, check_match, configurations
from sparring.games.five_circles import GAME

pytestmark = pytest.mark.compiled

SETTINGS = [options for _, options in configurations(GAME)]


def test_the_laws_over_all_options() -> None:
    check_game(GAME, matches=300, interpreted=0, seed=3)


@pytest.mark.parametrize("number", range(5))
def test_every_law_at_every_choice(number: int) -> None:
    for place in range(number, len(SETTINGS), 5):
        check_match(GAME.setup({**SETTINGS[place], "life": 2 + number}), 2, seed=place)


def test_long_matches_keep_the_laws() -> None:
    for number, options in enumerate(SETTINGS):
        check_audit(GAME.setup({**options, "life": 50}), 2, 40, seed=100 * number)
