"""What a seat is asked, with what it can work out itself: what will not hold, what is lost, what goes nowhere."""

import pytest

from games.mace.table import Table, beside, table
from sparring.scene import Board, Card, Row, things
from sparring.scene.html import render


def asked(t: Table) -> str:
    return str(t.match.view(t.match.seat or 0).scene.prompt.sentence)


# A defence that cannot hold


@pytest.mark.parametrize(
    ("hand", "question"),
    [
        ("AD AH 2C 3C 4C", "block, dodge or take it."),
        ("6D AH 2C 3C 4C", "block (leaves 7 at best), dodge or take it."),
        ("6D 8D QH 3C 4C", "block (leaves 5 at best), dodge (no card of yours reaches it) or take it."),
        ("QH 9C KC 4C 5C", "dodge (no card of yours reaches it) or take it."),
        ("9C KC 4C 5C 6C", "you hold nothing to block or dodge with, so take it."),
        ("3D 2C 4C", "block (leaves 10 at best) or take it (it costs every card: you are out)."),
        ("3D 2C X1", "block, dodge or take it."),
    ],
)
def test_what_will_not_hold_is_said_before_the_defence(hand: str, question: str) -> None:
    t = beside("KS 2H 2D", hand, discard_pile="5S").play("strike KS; target 2")
    assert asked(t) == f"Seat 1 strikes you with 13: {question}"


def test_what_somebody_holds_is_said_to_nobody_else() -> None:
    told = set()
    for hand in ("AD AH 2C 3C 4C", "9C KC 4C 5C 6C"):
        t = beside("KS 2H 2D", hand, seed=1).play("strike KS; target 2")
        told |= {t.match.view(seat).scene.prompt.sentence for seat in (0, 1)}
    assert told == {"Seat 2 may defend."}


def test_whether_a_card_will_be_left_is_said_before_paying() -> None:
    t = beside("KS 2H 2D", "JC 9C 8C 3C").play("strike KS; target 2; take")
    assert asked(t) == "Pay 13 Damage with cards: 13 to go. With no card left you are out."
    assert asked(t.play("pay 3C")) == "Pay 13 Damage with cards: 3 paid, 10 to go. With no card left you are out."
    t = beside("KS 2H 2D", "JC 2C").play("strike KS; target 2; take")
    assert asked(t) == "Pay 13 Damage with cards: 13 to go. It takes every card: you are out."


# The Turn


def test_a_boost_that_goes_nowhere_is_said() -> None:
    around = ["6,0", "5,0", "5,1", "6,-1"]
    t = table("5C 9S 3D", None, None, None, fighters=around)
    assert asked(t) == "Your Turn: one Action and one Boost (you are hemmed in: it moves you nowhere), in either order."
    t = table("5C 9S 3D", None, None, None, fighters=around, acted=True)
    assert asked(t) == "You may still Boost (you are hemmed in: it moves you nowhere)."
    t = table("5C 9S 3D", None, None, None, fighters=around, momentum=["2C", None, None, None]).play("boost 3D")
    assert asked(t) == "You are hemmed in: there is no hex to move to."


def test_an_action_without_its_suit_is_said() -> None:
    assert asked(beside("5C 9D 3H", None)) == (
        "An Action takes a Spade beside an opponent, and you hold none: you may Boost."
    )
    assert asked(table("5S 9D 3H", None)) == (
        "An Action takes a Club apart from all opponents, and you hold none: you may Boost."
    )
    assert asked(beside("5S 9D 3H", None)) == "Your Turn: one Action and one Boost, in either order."


def test_a_turn_with_nothing_left_is_said() -> None:
    t = beside("5C 9D 3H", None, momentum=["5H", None], boosted=True)
    assert t.choices == ["end"]
    assert asked(t) == "Nothing is left but to end your Turn."


def test_an_attack_that_hurts_nobody_is_said() -> None:
    t = table("X1 2H 2D", None, None, fighters=["0,0", "1,0", "0,1"]).play("strike X1")
    assert asked(t) == "Whom do you strike with 0? It hurts nobody."


# What lies there


def test_every_fighter_is_a_figure_of_its_own() -> None:
    t = table(None, None, None, None, down=[3])
    (board,) = [part for part in things(t.match.view(1).scene) if isinstance(part, Board)]
    drawings = [token.picture.svg for token in board.tokens if token.picture]
    assert len({drawing.split('class="figure"')[1] for drawing in drawings}) == 4
    assert [token.state for token in board.tokens] == ["", "", "down", ""]


def test_cards_say_what_their_suit_does() -> None:
    html = str(render(table("5S 4C 7D 9H X1", None).match.view(1).scene))
    for deed in ("STRIKE", "CHARGE · BLAST", "BLOCK", "DODGE", "ANY SUIT"):
        assert f">{deed}</text>" in html


def test_there_is_always_room_for_charges() -> None:
    t = table("4C 2H 3D", None, fighters=["0,0", "6,0"])

    def lying() -> list[Row]:
        return [part for part in t.match.view(1).scene.hand if isinstance(part, Row) and part.key == "charges"]

    assert [(row.empty, len(row.cards)) for row in lying()] == [("none", 0)]
    t.play("charge 4C")
    assert [card.face.name for row in lying() for card in row.cards if isinstance(card, Card) and card.face] == ["4C"]
