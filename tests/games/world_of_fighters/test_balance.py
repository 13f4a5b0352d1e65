"""The balance measurement of fighters (`examples/fighter_balance.py`), and the evened-out fighters."""

from types import ModuleType

import numpy as np
import pytest

from example_scripts import EXAMPLES, load_script
from games.world_of_fighters.table import NAME, ROSTER
from sparring.bots.bot import Workspace, nodes_for
from sparring.engine.game import game


@pytest.fixture(scope="module")
def balance() -> ModuleType:
    return load_script("fighter_balance")


def test_a_pair_plays_with_seats_swapped(balance: ModuleType) -> None:
    found, iterations = game(NAME), 2
    desk, won = Workspace(found, nodes_for(2, iterations), states=4), np.full(2, 9.0)
    setup = found.setup({"round_limit": 10})
    room = desk.work, desk.raw, desk.out, desk.nodes, desk.fields, desk.settings
    balance.bouts(found)(setup.params, *room, 5, iterations, 6, 1, won)
    assert set(won) <= {-1.0, 0.0, 1.0}
    assert desk.work[2].fighter.tolist() == [1, 6]  # swapped in the second match
    assert desk.work[2].over


def test_the_report_table(balance: ModuleType) -> None:
    # Pair 0-1: 12 won, 4 drawn, seat 1 won 9, of 20; pair 0-2: 5, 0, 10 of 20; pair 1-2: none yet.
    lines = balance.report(
        ["Ann A", "Bo B", "Cy C"], {"0-1": [12, 4, 9, 20], "0-2": [5, 0, 10, 20], "1-2": [10, 0, 10, 20]}
    )
    assert "| Ann A | 47.5 (32.9 to 62.5) |  | 70 | 25 |" in lines
    assert "| Bo B | 40.0 (26.3 to 55.4) | 30 |  | 50 |" in lines
    assert "60 matches, 4 drawn; seat 1 wins 51.7% (" in lines


def test_even_fighters_keep_the_budget() -> None:
    roster = game(NAME).read_content(EXAMPLES / "even_fighters.toml")
    assert [fighter.name for fighter in roster.fighters] == ROSTER
    assert {sum(fighter.stats) for fighter in roster.fighters} == {7}
    changed = [new.name for new, old in zip(roster.fighters, game(NAME).content.fighters, strict=True) if new != old]
    assert changed == ["Milton Brown", "Rosa Quintero"]
