"""Beats: what everybody sees on the way from one choice to the next, one thing after the other."""

from typing import Any

import pytest

from games.untitled_movement.table import Table, rolled, table
from sparring import Match
from sparring.scene import Board, Card, Group, Pile, Row, things
from sparring.scene.html import render
from sparring.scene.sentences import Aside, Result


def seen(t: Table, words: str, seat: int = 0) -> dict[str, list[str]]:
    """Make a choice; what a seat is told at each beat, and last (with no name) at rest."""
    t.play(words)
    return {beat.view.beat: list(beat.lines) for beat in t.match.beats(seat)}


def at(t: Table, name: str, seat: int = 0) -> Any:
    """The scene of a beat of the last choice."""
    (found,) = [beat.view.scene for beat in t.match.beats(seat) if beat.view.beat == name]
    return found


def standing(scene: Any, seat: int) -> list[tuple[str, str]]:
    """Where the tokens of a seat stand, and how."""
    board = next(part for part in things(scene) if isinstance(part, Board))
    return [(token.label.partition(", ")[0], token.state) for token in board.tokens if token.seat == seat]


def piles(scene: Any) -> list[int]:
    return [part.count for part in things(scene) if isinstance(part, Pile)]


# The throws for the first turn


def test_every_round_of_throws_is_seen() -> None:
    t = table(2, phase="start", dice=[2, 2, 1, 3]).play("to 4,11")
    t.play(t.choices.split(", ")[0])
    assert [(beat.view.beat, beat.lines[-1]) for beat in t.match.beats(1)] == [
        ("thrown", "For the first turn: you roll 2 and Seat 2 rolls 2."),
        ("thrown", "Again: you roll 1 and Seat 2 rolls 3."),
        ("", "Seat 2 begins."),
    ]
    first, second, _ = t.match.beats(0)
    assert [dice(beat.view.scene) for beat in (first, second)] == [["2", "2"], ["1", "3"]]
    assert first.view.scene.right[0] == first.view.scene.exchange
    assert first.view.scene.prompt.sentence == ""


def dice(scene: Any) -> list[str]:
    """What the dice of an exchange show."""
    assert isinstance(scene.exchange, Group)
    cards = [card for part in scene.exchange.parts if isinstance(part, Row) for card in part.cards]
    return [card.label.removeprefix("the die shows ") for card in cards]


def test_the_die_lies_there_as_long_as_it_counts() -> None:
    t = rolled(5, ["7,5"], "F L R", options={"die": "d6"})
    (die,) = [part for part in things(t.match.view(2).scene) if isinstance(part, Row) and part.key == "die"]
    assert [card.face.lines for card in die.cards if isinstance(card, Card) and card.face] == [("counts 2",)]
    t.play("L; 7,5; to 7,3")
    assert not [part for part in things(t.match.view(2).scene) if isinstance(part, Row) and part.key == "die"]


# The turn


def test_the_last_move_is_seen_before_cards_are_drawn() -> None:
    t = rolled(1, ["7,5"], "F L R", draw_pile=["B", "..."]).play("F; 7,5")
    assert seen(t, "to 6,5", 2) == {
        "moved": ["Seat 1 moves from 7,5 to 6,5 (forward)."], "": ["Seat 1 draws B."],
    }  # fmt: skip
    moved = at(t, "moved", 2)
    assert ("6,5", "picked") in standing(moved, 1)
    assert moved.exchange is None
    assert [len(part.cards) for part in moved.seats[0].parts] == [2]
    assert isinstance(t.match.beats(2)[-1].lines[0], Aside)


def test_a_move_with_moves_left_is_seen_at_rest_and_can_be_taken_back() -> None:
    t = rolled(3, ["7,5"], "F L R").play("move; F; 7,5")
    assert seen(t, "to 6,5", 2) == {"": ["Seat 1 moves from 7,5 to 6,5 (forward)."]}
    assert t.match.can_take_back


def test_what_leads_to_a_move_is_told_as_one_with_it() -> None:
    t = rolled(2, ["7,5"], "F FR L")
    assert seen(t, "FR", 2) == seen(t, "7,5", 2) == {"": []}
    assert t.match.view(2).scene.prompt.sentence == "Seat 1 is on the move."
    assert seen(t, "to 5,7", 2)["moved"] == ["Seat 1 moves from 7,5 to 5,7 (forward-right)."]


def test_a_token_that_comes_home_is_seen_with_its_card() -> None:
    t = rolled(1, ["1,6"], "F L R").play("F; 1,6")
    assert seen(t, "to 0,6", 2)["moved"] == ["Seat 1 moves from 1,6 to 0,6 (forward): 1 of 4 home."]
    assert isinstance(t.match.beats(2)[0].lines[0], Result)
    shown = at(t, "moved", 2).exchange
    assert (shown.title, [card.face.name for card in shown.cards]) == ("Seat 1: 1 of 4 home", ["Forward"])


def test_the_last_token_home_is_seen_before_the_end() -> None:
    t = table(tokens={"S": "0,4 0,5 0,6 1,7"}, hands={"S": "F L R"}, dice=[3]).play("roll; F; 1,7")
    assert seen(t, "to 0,7") == {
        "moved": ["Seat 1 moves from 1,7 to 0,7 (forward): 4 of 4 home."],
        "": ["Seat 1 wins: all four tokens are home."],
    }
    assert not at(t, "moved").over
    assert t.match.over


@pytest.mark.parametrize(
    ("play", "words", "told", "drawn", "many"),
    [
        ("", "discard hand", "You discard the whole hand: F, L and R.", "You draw F, B and FL.", 3),
        ("roll; no move", "L", "You discard L.", "You draw F.", 1),
    ],
)
def test_discards_are_seen_before_cards_are_drawn(play: str, words: str, told: str, drawn: str, many: int) -> None:
    t = table(tokens={"S": "7,5"}, hands={"S": "F L R"}, dice=[1], draw_pile=["F", "B", "FL", "..."], discard_pile=[])
    t.play(play)
    before = piles(t.match.view(1).scene)[1]
    assert seen(t, words, 1) == {"discarded": [told], "": [drawn]}
    assert piles(at(t, "discarded", 1))[1] == before + many


def test_a_reshuffle_is_seen() -> None:
    t = table(tokens={"S": "7,5"}, hands={"S": "F L R"}, draw_pile=[])
    told = seen(t, "discard hand")
    assert list(told) == ["discarded", "reshuffled", ""]
    assert told["reshuffled"] == ["The discards are shuffled into a new deck."]
    deck, discards = piles(at(t, "reshuffled"))
    assert (deck > 30, discards) == (True, 0)


# Nothing hidden in between


@pytest.mark.parametrize("seed", [1, 2])
def test_no_beat_tells_the_deck_or_the_generator(seed: int) -> None:
    match = Match.new("untitled-movement", seats=2 * seed, seed=seed, options={"stall_rounds": 3})
    beats = 0
    while not match.over:
        match.choose(match.legal()[len(match.history) * 7 % len(match.legal())])
        for seat in range(match.seats + 1):
            for beat in match.beats(seat):
                state = beat.view.state
                assert not state.rng.any()
                assert set(state.deck[1 : state.deck[0] + 1].tolist()) <= {-1}
                beats += bool(beat.view.beat)
    assert beats >= 20


def test_every_beat_can_be_drawn() -> None:
    t = rolled(1, ["1,6"], "F L R").play("F; 1,6; to 0,6")
    for seat in range(5):
        assert [len(str(render(beat.view.scene))) > 5000 for beat in t.match.beats(seat)] == [True, True]
