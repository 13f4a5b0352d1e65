"""Prompts: what won't stop an attack, what is lost, and what leads nowhere."""

import pytest

from games.mace.table import Table, adjacent, table
from sparring.engine.match import Match
from sparring.scene import Board, Card, Row, things
from sparring.scene.html import render
from wording import says


def question(t: Table) -> str:
    return str(t.match.view(t.match.seat or 0).scene.prompt.sentence)


# A defence that can't stop the attack


@pytest.mark.parametrize(
    ("hand", "parts", "missing"),
    [
        ("AD AH 2C 3C 4C", ["block", "dodge", "take it"], "at least"),
        ("6D AH 2C 3C 4C", ["block", "at least 7", "dodge", "take it"], "too low"),
        ("6D 8D QH 3C 4C", ["block", "at least 5", "dodge", "best, 12", "too low", "take it"], "all your cards"),
        ("QH 9C KC 4C 5C", ["dodge", "12", "too low", "take it"], "block"),
        ("9C KC 4C 5C 6C", ["nothing to block or dodge with", "take it"], "best"),
        ("3D 2C 4C", ["block", "at least 10", "take it", "all your cards", "out"], "dodge"),
        ("3D 2C X1", ["block", "dodge", "take it"], "at least"),
    ],
)
def test_the_defence_question_says_what_will_not_stop_the_attack(hand: str, parts: list[str], missing: str) -> None:
    t = adjacent("KS 2H 2D", hand, discard_pile="5S").play("strike KS; target 2")
    assert says(question(t), "Seat 1", "strikes", "you", 13, *parts)
    assert not says(question(t), missing)


def test_the_defence_question_reveals_no_hand_to_others() -> None:
    prompts = set()
    for hand in ("AD AH 2C 3C 4C", "9C KC 4C 5C 6C"):
        t = adjacent("KS 2H 2D", hand, seed=1).play("strike KS; target 2")
        prompts |= {t.match.view(seat).scene.prompt.sentence for seat in (0, 1)}
    assert len(prompts) == 1
    assert says(prompts, "Seat 2")


def test_the_pay_question_warns_of_an_empty_hand() -> None:
    t = adjacent("KS 2H 2D", "JC 9C 8C 3C").play("strike KS; target 2; take")
    assert says(question(t), "pay 13 Damage", "13 to go", "if", "you are out")
    assert says(question(t.play("pay 3C")), "pay 13 Damage", "3 paid", "10 to go", "if", "you are out")
    t = adjacent("KS 2H 2D", "JC 2C").play("strike KS; target 2; take")
    assert says(question(t), "pay 13 Damage", "13 to go", "all your cards", "you will be out")


# The Turn


def test_the_question_says_when_a_boost_cannot_move() -> None:
    corner = ["6,0", "5,0", "5,1", "6,-1"]
    t = table("5C 9S 3D", None, None, None, fighters=corner)
    assert says(question(t), "one Action", "one Boost", "hemmed in")
    t = table("5C 9S 3D", None, None, None, fighters=corner, acted=True)
    assert says(question(t), "Boost", "hemmed in")
    t = table("5C 9S 3D", None, None, None, fighters=corner, momentum=["2C", None, None, None]).play("boost 3D")
    assert says(question(t), "hemmed in", "can't move")


def test_the_question_says_which_suit_an_action_lacks() -> None:
    assert says(question(adjacent("5C 9D 3H", None)), "next to an opponent", "Spade", "none", "Boost")
    assert says(question(table("5S 9D 3H", None)), "no opponent next to you", "Club", "none", "Boost")
    assert not says(question(adjacent("5S 9D 3H", None)), "none")


def test_the_question_if_only_ending_the_turn_is_left() -> None:
    t = adjacent("5C 9D 3H", None, momentum=["5H", None], boosted=True)
    assert t.choices == ["end"]
    assert says(question(t), "only end your Turn")


def test_the_question_says_that_an_attack_of_0_does_no_damage() -> None:
    t = table("X1 2H 2D", None, None, fighters=["0,0", "1,0", "0,1"]).play("strike X1")
    assert says(question(t), "target", "Strike", 0, "no Damage")


# Things on the table


def test_every_fighter_has_a_different_figure() -> None:
    t = table(None, None, None, None, down=[3])
    (board,) = [part for part in things(t.match.view(1).scene) if isinstance(part, Board)]
    drawings = [token.picture.svg for token in board.tokens if token.picture]
    assert len({drawing.split('class="figure"')[1] for drawing in drawings}) == 4
    assert [token.state for token in board.tokens] == ["", "", "down", ""]


def test_cards_say_what_their_suit_does() -> None:
    html = str(render(table("5S 4C 7D 9H X1", None).match.view(1).scene))
    for use in ("STRIKE", "CHARGE · BLAST", "BLOCK", "DODGE", "ANY SUIT"):
        assert f">{use}</text>" in html


def test_space_for_charges_is_always_reserved() -> None:
    t = table("4C 2H 3D", None, fighters=["0,0", "6,0"])

    def rows() -> list[Row]:
        return [part for part in t.match.view(1).scene.hand if isinstance(part, Row) and part.key == "charges"]

    assert [(row.empty, len(row.cards)) for row in rows()] == [("none", 0)]
    t.play("charge 4C")
    assert [card.face.name for row in rows() for card in row.cards if isinstance(card, Card) and card.face] == ["4C"]


def test_stay_is_the_main_button_only_if_nothing_else_can_be_done() -> None:
    position = {"game": "mace", "seats": 2, "phase": "move", "player": 1, "steps": 2, "fighters": ["0,0", "4,0"]}
    (stay,) = Match.from_position(position).view(1).scene.prompt.buttons
    assert (stay.text, stay.main) == ("Stay", False)
