"""The studio preview: a card as designed, abilities that no longer fit, and a deck's costs, colours and chances."""

from itertools import permutations
from typing import Any

import pytest

from sparring.engine.formats.toml import read_toml
from sparring.engine.game import Game
from sparring.games.five_circles import GAME
from sparring.games.five_circles.params import chance_to_pay, misfits, preview
from sparring.scene import Face
from sparring.scene.components import PreviewBars, PreviewCurves, StatSheet
from wording import says

OPTIONS = GAME.setup().options
ASH = {"name": "Ash", "stat": ["Red", "Red"], "attack": 3, "health": 2, "abilities": ["Defender"]}


def own(game: Game = GAME) -> dict[str, Any]:
    return read_toml(game.content_text, "own")


def test_a_card_has_circles_cost_and_notes() -> None:
    face, cost, effect, *more = preview({"cards": [ASH]}, OPTIONS, ("cards", 0, "attack"))
    assert isinstance(face, Face)
    assert [circle and circle.word for circle in face.circles] == ["Red", "Red", "Blue", None, None]
    assert says(cost.text, "2 Red", "1 Blue")
    assert says(effect.text, "Defender", "1 Blue")
    assert says(more[0].text, "1 point")
    assert says(more[1].text, "2 circles")


@pytest.mark.parametrize("changed", [{"attack": "x"}, {"stat": [["Red"], 3]}, {"abilities": ["No such"]}, {"name": 7}])
def test_a_card_with_faults_is_drawn_as_far_as_possible(changed: dict[str, Any]) -> None:
    assert isinstance(next(preview({"cards": [ASH | changed]}, OPTIONS, ("cards", 0))), Face)


def test_abilities_that_do_not_fit_say_why() -> None:
    full = ASH | {"abilities": ["Defender", "Sleep"]}
    reasons = {name: words for _, name, words in misfits({"cards": [full]}, OPTIONS, ("cards", 0))}
    assert says(reasons["Long Range"], "3 circles", 1)
    assert "Fast" not in reasons
    assert "Sleep" not in reasons
    assert list(misfits({"cards": [full]}, OPTIONS, ("decks", 0))) == []


def test_a_deck_has_costs_colours_and_chances() -> None:
    said, costs, colours, *_, chances = preview(own(), OPTIONS, ("decks", 0, "name"))
    assert says(said.text, "Half A", "14 characters", "16 resources")
    assert isinstance(costs, PreviewBars)
    assert sum(bar.value for bar in costs.bars) == 14
    assert isinstance(colours, StatSheet)
    assert [row[0] for row in colours.rows] == ["Red", "Blue", "Green"]
    assert [row[2] for row in colours.rows] == ["5", "6", "5"]
    assert isinstance(chances, PreviewCurves)
    assert len(chances.curves) == 14
    assert says(chances.title, "both decks")
    alone = [*preview(own(), {**OPTIONS, "decks": "own"}, ("decks", 0))][-1]
    assert says(alone.title, "this deck")


def test_the_chance_to_pay_equals_the_share_of_all_orders() -> None:
    pack = "RRRBBGccc"
    orders = list(permutations(range(len(pack)), 6))
    for cost in [(1, 0, 0), (2, 1, 0), (1, 1, 0), (1, 1, 1), (0, 0, 2)]:
        paid = sum(
            all(
                [pack[place] for place in order].count(letter) >= count
                for letter, count in zip("RBG", cost, strict=True)
            )
            for order in orders
        )
        expected = paid / len(orders) if sum(cost) <= 2 else 0.0
        assert chance_to_pay(cost, 1, len(pack), (3, 2, 1)) == pytest.approx(expected)
