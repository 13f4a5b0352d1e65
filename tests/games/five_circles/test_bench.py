"""The bench: the card as it stands, what does not fit any more, and what a deck asks for and can pay."""

from itertools import permutations
from typing import Any

import pytest

from sparring.engine.game import Game
from sparring.engine.toml import read_toml
from sparring.games.five_circles import GAME
from sparring.games.five_circles.bench import beside, calm, chance_to_pay
from sparring.scene import Face
from sparring.scene.bench import Bars, Curves, Said, Sheet

OPTIONS = GAME.box().options
ASH = {"name": "Ash", "stat": ["Red", "Red"], "attack": 3, "health": 2, "abilities": ["Defender"]}


def own(game: Game = GAME) -> dict[str, Any]:
    return read_toml(game.content_text, "own")


def test_a_card_is_drawn_with_its_circles_its_cost_and_its_notes() -> None:
    face, cost, effect, *more = beside({"cards": [ASH]}, OPTIONS, ("cards", 0, "attack"))
    assert isinstance(face, Face)
    assert [circle and circle.word for circle in face.circles] == ["Red", "Red", "Blue", None, None]
    assert cost == Said("Costs 2 Red, 1 Blue.")
    assert effect.text.startswith("Defender, 1 Blue: ")
    assert [said.text for said in more] == ["1 point left over; it is lost.", "2 circles left empty."]


@pytest.mark.parametrize("changed", [{"attack": "x"}, {"stat": [["Red"], 3]}, {"abilities": ["No such"]}, {"name": 7}])
def test_a_card_with_faults_is_drawn_as_far_as_it_can_be(changed: dict[str, Any]) -> None:
    assert isinstance(next(beside({"cards": [ASH | changed]}, OPTIONS, ("cards", 0))), Face)


def test_what_has_no_circles_left_is_calm_and_says_why() -> None:
    full = ASH | {"abilities": ["Defender", "Sleep"]}
    told = {name: words for _, name, words in calm({"cards": [full]}, OPTIONS, ("cards", 0))}
    assert told["Long Range"] == "Needs 3 circles; 1 left."
    assert "Fast" not in told
    assert "Sleep" not in told
    assert list(calm({"cards": [full]}, OPTIONS, ("decks", 0))) == []


def test_a_deck_tells_its_costs_its_colours_and_its_chances() -> None:
    said, costs, colours, *_, chances = beside(own(), OPTIONS, ("decks", 0, "name"))
    assert said.text == "Half A: 14 characters, 16 resources"
    assert isinstance(costs, Bars)
    assert sum(bar.value for bar in costs.bars) == 14
    assert isinstance(colours, Sheet)
    assert [row[0] for row in colours.rows] == ["Red", "Blue", "Green"]
    assert [row[2] for row in colours.rows] == ["5", "6", "5"]
    assert isinstance(chances, Curves)
    assert len(chances.curves) == 14
    assert "both decks mixed" in chances.title
    alone = [*beside(own(), {**OPTIONS, "decks": "own"}, ("decks", 0))][-1]
    assert "this deck alone" in alone.title


def test_the_chance_to_pay_is_the_share_of_all_orders() -> None:
    pack = "RRRBBGccc"
    orders = list(permutations(range(len(pack)), 6))
    for cost in [(1, 0, 0), (2, 1, 0), (1, 1, 0), (1, 1, 1), (0, 0, 2)]:
        paid = sum(
            all([pack[place] for place in order].count(sign) >= count for sign, count in zip("RBG", cost, strict=True))
            for order in orders
        )
        expected = paid / len(orders) if sum(cost) <= 2 else 0.0
        assert chance_to_pay(cost, 1, len(pack), (3, 2, 1)) == pytest.approx(expected)
