"""The share of deals that can be won (`examples/winnable_deals.py`)."""

import numpy as np
import pytest

from example_scripts import load_script
from sparring import games

pytestmark = pytest.mark.compiled("five-circles")

SETUP = games()["five-circles"].setup({"opening": "hold"})
SCRIPT = load_script("winnable_deals")


def test_more_lines_win_more_deals_and_find_the_same_ones() -> None:
    few, many = SCRIPT.winnable(SETUP, 60, 3), SCRIPT.winnable(SETUP, 60, 300)
    assert sum(line > 0 for line in few) < sum(line > 0 for line in many) < 60
    assert all(line == more for line, more in zip(few, many, strict=True) if line)


def test_a_winning_line_is_playable() -> None:
    slow = SCRIPT.lines(SETUP.game)
    work, out = np.zeros(2, SETUP.game.rules.State.dtype), np.zeros(len(SETUP.game.rules.ACTIONS), np.int16)
    for deal, line in enumerate(SCRIPT.winnable(SETUP, 12, 8)):
        assert slow(SETUP.params, work, out, deal, deal % 2, 8) == line
        assert work[1].over
        assert (work[1].payoff[deal % 2] > 0) == (line > 0)
