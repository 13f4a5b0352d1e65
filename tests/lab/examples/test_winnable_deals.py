"""The share of deals that can be won (`examples/winnable_deals.py`)."""

import numpy as np
import pytest

from example_scripts import load_script
from sparring import games

pytestmark = pytest.mark.compiled("five-circles")

BOX = games()["five-circles"].box({"opening": "hold"})
SCRIPT = load_script("winnable_deals")


def test_more_lines_win_more_deals_and_find_the_same_ones() -> None:
    few, many = SCRIPT.winnable(BOX, 60, 3), SCRIPT.winnable(BOX, 60, 300)
    assert sum(line > 0 for line in few) < sum(line > 0 for line in many) < 60
    assert all(line == more for line, more in zip(few, many, strict=True) if line)


def test_a_winning_line_is_playable() -> None:
    slow = SCRIPT.lines(BOX.game)
    work, out = np.zeros(2, BOX.game.rules.STATE), np.zeros(len(BOX.game.rules.ACTIONS), np.int16)
    for deal, line in enumerate(SCRIPT.winnable(BOX, 12, 8)):
        assert slow(BOX.kit, work, out, deal, deal % 2, 8) == line
        assert work[1].over
        assert (work[1].payoff[deal % 2] > 0) == (line > 0)
