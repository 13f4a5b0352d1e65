"""The scene: cards, hexes, prompts, log lines and reasons."""

import re
from typing import Any

import pytest

from games.mace.table import NAME, Table, adjacent, table
from sparring.engine.game import game
from sparring.scene import Board, Card, Group, Row, things
from sparring.scene.html import render
from wording import says

GAME = game(NAME)


def board(t: Table, seat: int) -> Board:
    return t.match.view(seat).scene.middle[0]  # type: ignore[no-any-return]


def row(t: Table, seat: int, key: str) -> Row:
    (found,) = [part for part in things(t.match.view(seat).scene) if isinstance(part, Row) and part.key == key]
    return found


def log(t: Table, words: str, seat: int) -> list[str]:
    """Make a choice and return a seat's log lines over all its beats."""
    t.play(words)
    return [str(line) for beat in t.match.beats(seat) for line in beat.lines]


def offers(card: Card) -> list[str]:
    return [choice.words for choice in card.choices] or [card.words]


def test_a_card_offers_every_way_to_use_it() -> None:
    t = adjacent("9S 4C 3D X1", None, momentum=["7H", None], discard_pile="8D")
    hand = {card.face.name: card for card in row(t, 1, "hand").cards if isinstance(card, Card) and card.face}
    assert {name: offers(card) for name, card in hand.items()} == {
        "9S": ["strike 9S", "boost 9S"], "4C": ["boost 4C"], "3D": ["boost 3D"], "X1": ["strike X1"],
    }  # fmt: skip
    assert [choice.text for choice in hand["9S"].choices] == ["Strike", "Boost 2"]
    assert hand["X1"].marks == ("Strike 8",)


def test_the_tooltip_of_the_round_says_what_a_new_round_does() -> None:
    t = table("3C 4D", "5C 6D", fighters=["0,0", "5,0"], momentum=["7H", "5D"])
    shown = t.match.view(1).scene.status
    t.play("S1: end; S2: end; S1: stay; S2: stay")
    assert t.match.view(1).scene.status != shown
    assert (t.to_move, t.momentum(1), t.momentum(2)) == ("S1 turn", "7H", "5D")
    entry = GAME.glossary.find(shown)
    assert entry
    assert "cards stay on the table for the next Round" in entry.text
    assert "picks" not in entry.text


def test_a_card_that_cannot_be_used_says_why() -> None:
    t = adjacent("9S 4C 3D X1", None, momentum=["7H", None]).play("boost 3D; stay")
    club = next(
        card for card in row(t, 1, "hand").cards if isinstance(card, Card) and card.face and card.face.name == "4C"
    )
    assert says(club.why_not, "used", "Boost")


def test_hexes_that_can_be_reached_are_choices_and_reach_is_shown() -> None:
    t = table("3C 4D", None, fighters=["0,0", "3,0"], momentum=["7H", None]).play("boost 3C")
    cells = {cell.at: cell for cell in board(t, 1).cells}
    assert sum(cell.action is not None for cell in cells.values()) == 56
    assert cells[2, 0].words == "to 2,0"
    assert (cells[2, 0].tone, cells[2, 0].seat) == ("reach", 2)
    assert "within Reach of Seat 2" in cells[2, 0].label
    assert says(cells[0, 0].why_not, "already", "stay")
    assert says(cells[-5, 0].why_not, "5 hexes", 4)
    assert all(cell.words or cell.why_not for cell in cells.values())
    assert all(cell.action is None for cell in board(t, 2).cells)


def test_targets_are_the_tokens() -> None:
    t = table("9S 4C", None, None, fighters=["0,0", "1,0", "0,1"]).play("strike 9S")
    assert [token.words for token in board(t, 1).tokens] == ["", "target 2", "target 3"]


def test_a_knock_back_is_drawn_with_its_length() -> None:
    t = adjacent("9S 2H 3H 4C 5D", "JC 7D 5C 3C 2S").play("strike 9S; target 2; take; pay JC")
    (stroke,) = board(t, 2).strokes
    assert stroke.places == ((1, 0), (2, 0), (3, 0), (4, 0), (5, 0))
    assert stroke.text == "4"


def test_a_knock_back_that_was_stopped_says_so() -> None:
    t = table("9S 2H 3H 4C 5D", "JC 7D 5C 3C 2S", fighters=["3,0", "4,0"]).play("strike 9S; target 2; take; pay JC")
    (stroke,) = board(t, 2).strokes
    assert stroke.text == "2 of 4"
    t = table("9S 2H 3H 4C 5D", "JC 7D 5C 3C 2S", fighters=["5,0", "6,0"]).play("strike 9S; target 2; take")
    assert says(log(t, "pay JC", 2)[2], "You", "knocked back", "0 of 4 hexes", "half of 9 Damage", "edge", "you")


def test_a_knock_back_into_a_fighter_says_so() -> None:
    t = table("9S 2H 3H 4C 5D", "JC 7D 5C 3C 2S", None, fighters=["0,0", "1,0", "3,0"]).play(
        "strike 9S; target 2; take"
    )
    assert says(log(t, "pay JC", 1), "Seat 2", "1 of 4 hexes", "another Fighter", "Seat 2")


def test_a_lost_charge_says_why() -> None:
    t = adjacent("2S 2H 3H", "5C 7D 3D", charges=["", "9C 4C"]).play("strike 2S; target 2; take; pay 5C")
    assert says(t.match.view(2).scene.prompt.sentence, "any Damage", "breaks a Charge")
    assert says(log(t, "drop 4C", 2), "You lose", "4♣", "any Damage", "breaks one")


def test_momentum_cards_are_in_turn_order() -> None:
    t = table(None, None, None, momentum=["5C", "KH", "KS"], active=3, down=[1])
    parts = t.match.view(1).scene.right[0].parts
    assert [part.title for part in parts] == ["Seat 2", "Seat 3", "Seat 1"]
    assert [card.face.name for part in parts for card in part.cards] == ["KH", "KS", "5C"]
    assert [card.marks for part in parts for card in part.cards] == [("done",), ("now",), ("misses",)]


def test_charges_are_face_down_for_others() -> None:
    t = table("4C 2H", None, fighters=["0,0", "5,0"], charges=["9C X1", "7C"])
    assert [card.face.name for card in row(t, 1, "charges").cards if isinstance(card, Card) and card.face] == [
        "9C",
        "X1",
    ]
    others = [card for card in row(t, 2, "charges of 0").cards if isinstance(card, Card)]
    assert [card.face for card in others] == [None, None]
    assert "7C" not in str(t.match.view(1).scene)
    assert not any(
        part.key.startswith("charges of 0") for part in things(t.match.view(1).scene) if isinstance(part, Row)
    )


STRIKE: list[tuple[str, tuple[object, ...]]] = [
    ("strike KS", ("Seat 1", "strikes", "K♠", 13)),
    ("target 2", ("Strike", 13, "you")),
    ("block 6D", ("You", "block", "6♦")),
    ("pay 8C", ("You", "pay", "8♣", "8 for 7")),
]


def test_the_log_of_a_strike() -> None:
    t = adjacent("KS 2H 2D 4C 5D", "6D 8C 2C 4H 9H", draw_pile="3H 10C ...")
    for words, parts in STRIKE:
        assert says(log(t, words, 2)[0], *parts)
    t = adjacent("KS 2H 2D 4C 5D", "6D 8C 2C 4H 9H").play("strike KS; target 2; block 6D")
    assert says(log(t, "pay 8C", 2), "You", "knocked back", "3 hexes")


def test_banner_and_question_show_the_numbers() -> None:
    t = adjacent("KS 2H 2D 4C 5D", "6D 8C 2C 4H 9H").play("strike KS; target 2")
    scene = t.match.view(2).scene
    assert scene.banner.text == "Strike 13"
    assert says(scene.prompt.sentence, "Seat 1", "strikes", 13, "block", 7)
    assert says(t.match.view(1).scene.prompt.sentence, "Seat 2", "defence")


@pytest.mark.parametrize("seat", [0, 1, 2])
def test_a_finished_combat(seat: int) -> None:
    t = adjacent("AS 2H", "5C 4H").play("strike AS; target 2; take; pay 5C; pay 4H")
    scene = t.match.view(seat).scene
    assert scene.over
    assert says(scene.prompt.sentence, "You win" if seat == 1 else "Seat 1 wins")
    assert scene.banner is None
    assert not scene.actions()
    assert [(token.seat, token.state) for token in scene.middle[0].tokens] == [(2, "out"), (1, "")]


def test_a_fallen_fighter_stays_on_its_hex_without_reach() -> None:
    t = table("AS 2H", "5C 4H", "7D 8D", fighters=["0,0", "1,0", "-3,0"]).play("strike AS; target 2; take; pay 5C")
    board = t.play("pay 4H").match.view(3).scene.middle[0]
    fallen = board.tokens[0]
    assert (fallen.seat, fallen.at, fallen.state, fallen.action, fallen.shortcuts) == (2, (1, 0), "out", None, ())
    assert says(fallen.label, "Seat 2", "1,0", "Out")
    assert next(cell for cell in board.cells if cell.at == (2, 0)).tone == "floor"


def fight(t: Table, seat: int) -> list[tuple[str, list[str]]]:
    groups = [part for part in t.match.view(seat).scene.middle if isinstance(part, Group)]
    return [
        (row.title, [card.face.name for card in row.cards if isinstance(card, Card) and card.face])
        for group in groups for row in group.parts if isinstance(row, Row)
    ]  # fmt: skip


@pytest.mark.parametrize("timing", ["at_once", "after_attack"])
@pytest.mark.parametrize("seat", [0, 1, 2])
def test_the_cards_of_an_attack_meet_on_the_table_until_it_is_over(seat: int, timing: str) -> None:
    options = {"discard_timing": timing}
    t = table("QC 2H", "6D 8C 3H", fighters=["0,0", "0,4"], charges=["9C", ""], options=options)
    attack = "You blast" if seat == 1 else "Seat 1 blasts"
    defence = "You block" if seat == 2 else "Seat 2 blocks"
    assert not fight(t, seat)
    assert fight(t.play("blast 9C"), seat) == [(attack, ["9C"])]
    assert fight(t.play("QC; target 2"), seat) == [(attack, ["9C", "QC"])]
    assert fight(t.play("block 6D"), seat) == [(attack, ["9C", "QC"]), (defence, ["6D"])]
    assert not fight(t.play("pay 8C"), seat)


def test_pointing_at_a_charge_lights_up_its_range() -> None:
    t = table("2C 3D", None, fighters=["0,0", "5,0"], charges=["4C", "7C"])
    board = t.match.view(1).scene.middle[0]
    lit = {key: {cell.at for cell in board.cells if key in cell.lit_by} for key in ("card 8", "card 0")}
    assert [len(places) for places in lit.values()] == [60, 18]  # the hexes within 4 and within 2
    assert (4, 0) in lit["card 8"]
    assert (5, 0) not in lit["card 8"]
    assert not any(cell.lit_by for seat in (0, 2) for cell in t.match.view(seat).scene.middle[0].cells
                   if "card 8" in cell.lit_by)  # fmt: skip


def test_cards_in_sentences_show_their_suit_in_colour_and_words() -> None:
    t = adjacent("KS 2H 2D", "6D 8C 3H", draw_pile="10D ...").play("strike KS; target 2")
    html = str(render(t.match.view(2).scene, events=log(t, "block 6D", 2)))
    assert '<span class="suit tone-red" role="img" aria-label="6 of diamonds">6&#9830;</span>' in html
    assert GAME.spoken_forms["K♠"] == "King of spades"
    t = adjacent("KS 2H 2D", "6D 8C 3H").play("strike KS; target 2")
    assert "block 6D" in t.choices


def test_every_card_has_a_drawing() -> None:
    t = table("2C 10D JS QH KC", "AS X1 3H", None, charges=["", "", ""])
    html = str(render(t.match.view(1).scene))
    assert html.count('class="playing"') >= 5 + 3
    drawn = re.sub('aria-label="[^"]*"', "", html)  # the label names the card
    assert "king" not in drawn.lower()


@pytest.mark.parametrize(
    ("words", "parts"),
    [
        ("strike KS", ["not in your hand"]),
        ("strike 4C", ["Spade", "Joker", "strike"]),
        ("charge 4C", ["Charge", "opponent next to you"]),
        ("blast 9C", ["Blast", "opponent next to you"]),
        ("blast 8C", ["no such Charge"]),
        ("boost X1", ["Joker", "Momentum"]),
        ("forfeit", ["forfeit", "end of a Round", "options"]),
        ("target 2", ["your Turn", "play a card", "end"]),
        ("take", ["your Turn", "play a card", "end"]),
    ],
)
def test_reasons_for_refusals(words: str, parts: list[str]) -> None:
    position: dict[str, Any] = {"charges": ["9C", ""]}
    assert says(adjacent("9S 4C 3D X1", None, **position).refusal(words), *parts)


def test_the_log_of_a_move() -> None:
    t = table("9C 2H", None, fighters=["0,0", "6,0"], momentum=["6C", None]).play("boost 9C")
    (line,) = log(t, "to 3,0", 2)
    assert says(line, "Seat 1", "moves", "3 hexes right")


def test_the_log_of_a_missed_turn() -> None:
    t = adjacent("10S 2H 3D", "KC 9S 9H QH", momentum=["AC", "KD"], boosted=True).play("strike 10S; target 2; take")
    knocked, down, up = log(t, "pay KC", 2)[2:5]
    assert says(knocked, "You", "knocked back", "5 hexes")
    assert says(down, "You", "Down", 5, "3 cards")
    assert says(up, "You", "miss", "Turn")
    t = adjacent("10S 2H 3D", "KC 9S 9H QH", momentum=["AC", "KD"]).play("strike 10S; target 2; take")
    assert len(log(t, "pay KC", 2)) == 4
    assert says(log(t, "end", 2)[0], "You", "miss", "Turn")
