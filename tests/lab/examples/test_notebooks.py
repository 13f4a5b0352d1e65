"""The notebooks of `examples/` run and reach the results that they show."""

import pytest

from example_scripts import load_script
from wording import says

pytestmark = pytest.mark.compiled("world-of-fighters")


def test_a_larger_ring_makes_matches_longer(capsys: pytest.CaptureFixture[str]) -> None:
    found = load_script("lab_boards")
    told = capsys.readouterr().out
    assert "board 5x5 minus board 7x7: -4" in told
    assert told.count("which is real") == 3
    assert found.middles["board 5x5"] < found.middles["board 7x5"] < found.middles["board 7x7"]


def test_cards_are_removed_and_changed(capsys: pytest.CaptureFixture[str]) -> None:
    found = load_script("lab_cards").found
    told = capsys.readouterr().out
    usual, without, stronger, _ = found.variants
    assert len(without.content.cards) == len(stronger.content.cards) - 3
    assert without.changes[0].startswith("without ")
    assert usual.changes == ()
    assert says(told, "random", "4 variants of Make Your Moves Lite", "5,000 matches each", "3 seats")
    report = told.rpartition("The report is ")[2].strip()
    assert report.endswith("report.html")
