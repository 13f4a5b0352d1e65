"""The engine's laws for games, checked over random matches with every option."""

import pytest

from games.mace.content_files import VALUES, read
from games.mace.table import NAME
from sparring.engine.game import game
from sparring.engine.laws import check_audit, check_game, check_match, configurations

pytestmark = pytest.mark.compiled

GAME = game(NAME)
SETTINGS = configurations(GAME)
#: Every test run checks two settings in plain Python; `make soak` checks the others.
SLOW = [pytest.param(i, marks=[pytest.mark.soak] if i % 7 != 5 else []) for i in range(len(SETTINGS))]


def test_every_option_value_occurs() -> None:
    assert {seats for seats, _ in SETTINGS} == {2, 3, 4}
    assert {options["radius"] for _, options in SETTINGS} >= {5, 6, 10}
    assert {options["jokers"] for _, options in SETTINGS} >= {0, 2, 4}


def test_thousands_of_matches_with_all_options() -> None:
    check_game(GAME, matches=300, interpreted=0, seed=20)


@pytest.mark.parametrize("number", SLOW)
def test_every_law_at_every_choice(number: int) -> None:
    seats, options = SETTINGS[number]
    check_match(GAME.setup({**options, "stall_rounds": min(int(options["stall_rounds"]), 3)}), seats, seed=number)


def test_a_pack_with_few_ranks_never_leaves_a_hand_empty() -> None:
    values = {rank: value for rank, value in VALUES.items() if value > 5}
    for options in ({"jokers": 0, "discard_timing": "after_attack"}, {"jokers": 4, "blast_cost": "reveal_only"}):
        check_audit(GAME.setup(options, read(values=values)), 4, 300, seed=9)
