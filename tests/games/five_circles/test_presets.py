"""The preset for a first match: how long it takes, and whether a lead can be lost."""

import pytest

from sparring.games.five_circles import GAME
from sparring.lab import compare

pytestmark = pytest.mark.compiled("five-circles")


def test_a_first_match_takes_25_to_40_choices_and_leads_change() -> None:
    options = GAME.preset(GAME.recommended)
    found = compare(GAME, options=options, bots=["search:level=gentle", "random"], matches=300, seed=86_000)
    means = dict(zip(found.names, found.means[0], strict=True))
    assert 25 <= means["length/choices"] <= 40
    assert means["comeback/half"] > 0.15
    assert 0.4 <= means["wins/seat 1"] <= 0.6  # 300 matches; docs/balance.md has more


def test_the_default_has_the_life_of_the_document() -> None:
    assert GAME.setup().options["life"] == 2
    assert GAME.preset("standard") == {}
