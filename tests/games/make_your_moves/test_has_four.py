"""Whether a hand has a four is the same by counting colours as by leaving out each card."""

from itertools import combinations_with_replacement
from typing import Any

import numpy as np
import pytest

from sparring.engine.game import game
from sparring.games.make_your_moves.moves import NO_FOUR, has_four, spare_card
from sparring.games.make_your_moves.params import COLOURS
from sparring.games.make_your_moves.state import HAND


@pytest.mark.parametrize("wild_fours", ["no", "yes"])
def test_every_hand_with_a_four_has_a_card_to_leave_out(wild_fours: str) -> None:
    params = game("make-your-moves").setup({"wild_fours": wild_fours}).params
    of = [[card for card in range(params.cards) if params.colour[card] == colour] for colour in range(len(COLOURS))]
    found = []
    for size in range(HAND + 1):
        for colours in combinations_with_replacement(range(len(COLOURS)), size):
            cards = [of[colour][colours[:place].count(colour)] for place, colour in enumerate(colours)]
            hand: Any = np.array([size, *cards, *[0] * (HAND - size)], np.int16)
            found.append(bool(has_four(params, hand)))
            assert found[-1] == (spare_card(params, hand) != NO_FOUR)
    assert any(found)
    assert not all(found)
