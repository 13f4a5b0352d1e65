"""The laws of every game, in random matches with every option."""

import pytest

from games.world_of_fighters.content_files import read, rows
from games.world_of_fighters.table import NAME
from sparring.engine.game import game
from sparring.engine.laws import check_audit, check_game, check_match, configurations

pytestmark = pytest.mark.compiled

GAME = game(NAME)
SETTINGS = configurations(GAME)
#: Every fourth setting is interpreted in every test run, the others only by `make soak`.
SLOW = [pytest.param(i, marks=[pytest.mark.soak] if i % 4 else []) for i in range(len(SETTINGS))]


def test_laws_in_compiled_matches_with_all_options() -> None:
    check_game(GAME, matches=500, interpreted=0, seed=20)


@pytest.mark.parametrize("number", SLOW)
def test_laws_at_every_choice(number: int) -> None:
    seats, options = SETTINGS[number]
    check_match(GAME.setup(options), seats, seed=number)


def test_laws_with_custom_fighters() -> None:
    weak = [row | {"punch": 0, "kick": 0, "grapple": 0, "block": 9} for row in rows(16)]
    setup = GAME.setup({"round_limit": 1000, "super_call": "reveal"}, read({"fighters": weak}))
    check_audit(setup, 2, 200, seed=9)
    check_match(GAME.setup({"round_limit": 10}, setup.content), 2, seed=9)
