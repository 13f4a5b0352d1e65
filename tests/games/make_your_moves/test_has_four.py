"""Whether a hand has a four is the same by counting colours as by leaving out each card."""

from itertools import combinations_with_replacement
from typing import Any

import numpy as np
import pytest

from sparring.engine.game import game
from sparring.games.make_your_moves.kit import COLOURS
from sparring.games.make_your_moves.moves import NO_FOUR, has_four, spare_card
from sparring.games.make_your_moves.state import HAND


@pytest.mark.parametrize("wild_fours", ["no", "yes"])
def test_every_hand_with_a_four_has_a_card_to_leave_out(wild_fours: str) -> None:
    kit = game("make-your-moves").box({"wild_fours": wild_fours}).kit
    of = [[card for card in range(kit.cards) if kit.colour[card] == colour] for colour in range(len(COLOURS))]
    found = []
    for size in range(HAND + 1):
        for colours in combinations_with_replacement(range(len(COLOURS)), size):
            cards = [of[colour][colours[:place].count(colour)] for place, colour in enumerate(colours)]
            hand: Any = np.array([size, *cards, *[0] * (HAND - size)], np.int16)
            found.append(bool(has_four(kit, hand)))
            assert found[-1] == (spare_card(kit, hand) != NO_FOUR)
    assert any(found)
    assert not all(found)
