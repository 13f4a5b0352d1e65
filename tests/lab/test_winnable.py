"""How many deals can be won at all (`examples/winnable_deals.py`)."""

import importlib.util
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from sparring import games

BOX = games()["five-circles"].box({"opening": "hold"})


@pytest.fixture(scope="module")
def script() -> Any:
    path = Path(__file__).parents[2] / "examples" / "winnable_deals.py"
    spec = importlib.util.spec_from_file_location("winnable_deals", path)
    assert spec
    assert spec.loader
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def test_more_lines_win_more_deals_and_find_the_same_ones(script: Any) -> None:
    few, many = script.winnable(BOX, 60, 3), script.winnable(BOX, 60, 300)
    assert sum(line > 0 for line in few) < sum(line > 0 for line in many) < 60
    assert all(line == more for line, more in zip(few, many, strict=True) if line)


def test_a_line_that_wins_is_one_that_can_be_played(script: Any) -> None:
    slow = script.lines(BOX.game)
    work, out = np.zeros(2, BOX.game.rules.STATE), np.zeros(len(BOX.game.rules.ACTIONS), np.int16)
    for deal, line in enumerate(script.winnable(BOX, 12, 8)):
        assert slow(BOX.kit, work, out, deal, deal % 2, 8) == line
        assert work[1].over
        assert (work[1].payoff[deal % 2] > 0) == (line > 0)
