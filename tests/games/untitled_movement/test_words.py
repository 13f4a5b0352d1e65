"""What can be typed, what is said back, and what is told of a choice."""

import pytest

from games.untitled_movement.table import Table, rolled, table
from sparring import Ambiguous, IllegalChoice, Match, NotUnderstood


def told(t: Table, choices: str, seat: int = 1) -> list[str]:
    """Everything that a seat is told while these choices are made."""
    lines: list[str] = []
    for words in choices.split("; "):
        t.match.choose(words)
        lines += [line for beat in t.match.beats(seat) for line in beat.lines]
    return lines


@pytest.mark.parametrize("words", ["FL", "fl", "forward-left", "Forward left", "forward_left"])
def test_a_card_by_its_names(words: str) -> None:
    assert rolled(2, ["7,5"], "F FL FR").play(words).match.phase == "token"


def test_forward_is_not_the_beginning_of_forward_left() -> None:
    t = rolled(2, ["4,4"], "F FR L")
    assert t.choices.split(", ")[-1] == "no move"
    with pytest.raises(IllegalChoice, match="No token of yours has a space to land on forward within 2 moves"):
        t.match.read("forward")
    with pytest.raises(Ambiguous):
        rolled(2, ["7,5"], "F FL FR").match.read("for")


def test_a_space_is_not_the_beginning_of_another() -> None:
    t = rolled(3, ["10,8"], "R L F").play("move; R; 10,8")
    assert t.choices == "to 10,9, to 10,10"
    assert t.refuses("to 10,1", "10,1")
    with pytest.raises(NotUnderstood):
        t.match.read("to 1")


def test_tokens_and_spaces_by_row_and_column() -> None:
    for token in ("token 7,5", "7,5", "token 7, 5"):
        for space in ("to 6,5", "6,5", "to 6, 5"):
            assert rolled(1, ["7,5"], "F L R").play(f"F; {token}; {space}").tokens("S") == "6,5"


def test_what_is_done_with_a_card_or_a_space_can_be_said_with_it() -> None:
    assert rolled(1, ["7,5"], "L F R").play("card L; token 7,5; space 7,4").tokens("S") == "7,4"
    placed = rolled(3, ["7,5"], "L F R").play("place; place 11,6; discard L")
    assert (placed.tokens("S"), placed.discards) == ("7,5 11,6", "L")
    assert rolled(1, ["7,5"], "L F R").refuses("discard L", "place 11,6")


@pytest.mark.parametrize(
    ("setting", "words", "why"),
    [
        ("turn", "F", "First roll the die, or discard your whole hand."),
        ("turn", "place", "A new token is placed after rolling a 3."),
        ("turn", "done", "First roll the die, or discard your whole hand."),
        ("card", "B", "There is no backward card in your hand."),
        ("card", "discard hand", "The whole hand is discarded before the roll only."),
        ("card", "roll", "The die is thrown already."),
        ("card", "place", "A new token needs a 3."),
        ("card", "token 7,5", "First choose a card."),
        ("card", "done", "You have used no card yet: choose “no move”, which costs a card."),
        ("token", "token 0,4", "The token on 0,4 is home; it is not moved any more."),
        ("token", "token 4,4", "The token on 4,4 has no space to land on forward."),
        ("space", "to 5,5", "Space 5,5 is closed."),
        ("space", "to 1,1", "Your token does not come to 1,1: forward, straight on, with 2 moves at most."),
    ],
)
def test_why_not(setting: str, words: str, why: str) -> None:
    t = table(tokens={"S": "7,5 0,4 4,4"}, hands={"S": "F L R"}, dice=[2])
    t.play({"turn": "", "card": "roll", "token": "roll; F", "space": "roll; F; 7,5"}[setting])
    assert t.why_not(words) == why


def test_why_not_beside() -> None:
    t = rolled(3, ["4,2"], "L F F").play("move; L; 4,2")
    assert t.why_not("to 4,0") == "Space 4,0 is a start of a seat beside you; your tokens do not stop there."


def test_the_throws_are_told_with_face_and_value() -> None:
    t = table(phase="start", options={"die": "d6"}, dice=[4, 2, 1, 5, 6, 1]).play("to 0,4; to 4,11; to 11,4")
    start, first, again, begins = told(t, "to 4,0")
    assert start == "Seat 4 puts Seat 2's first token on 4,0."
    assert first.startswith("For the first turn: you roll 4 (counts 1), Seat 2 rolls 2, Seat 3 rolls 1 and ")
    assert first.endswith("Seat 4 rolls 5 (counts 2).")
    assert again == "Again: Seat 2 rolls 6 (counts 3) and Seat 4 rolls 1."
    assert begins == "Seat 2 begins."


def test_a_turn_is_told() -> None:
    t = table(tokens={"S": "8,4 1,6", "N": "7,4"}, hands={"S": "F L R"}, dice=[3], draw_pile=["FL", "FR", "B"])
    assert told(t, "roll; move; F; 8,4; to 6,4; done") == [
        "You roll 3.", "You move from 8,4 to 6,4 (forward), over a token.", "You leave 1 move unused.", "You draw FL.",
    ]  # fmt: skip


def test_arriving_placing_and_shuffling_are_told() -> None:
    t = table(tokens={"S": "1,6"}, hands={"S": "F L R"}, dice=[3], draw_pile=[])
    lines = told(t, "roll; move; F; 1,6; to 0,6; done", 2)
    assert lines[1] == "Seat 1 moves from 1,6 to 0,6 (forward): 1 of 4 home."
    assert lines[-2] == "The discards are shuffled into a new deck."
    t = table(tokens={"S": "1,6"}, hands={"S": "F L R"}, dice=[3], draw_pile=["B", "B"])
    assert told(t, "roll; place; to 11,7; L", 2)[1:] == [
        "Seat 1 places a new token on 11,7.", "Seat 1 discards L.", "Seat 1 draws B.",
    ]  # fmt: skip


def test_the_end_is_told() -> None:
    t = table(tokens={"S": "0,4 0,5 0,6 1,7"}, hands={"S": "F L R"}, dice=[1])
    assert told(t, "roll; F; 1,7; to 0,7")[-1] == "You win: all four tokens are home."
    t = table(2, {"stall_rounds": 1}, tokens={"W": ["4,11"]}, player=2)
    assert told(t, "discard hand")[-1] == "You win, ahead after 1 idle round."
    t = table(2, {"stall_rounds": 1}, player=2)
    assert told(t, "discard hand")[-1] == "A draw between you and Seat 2 after 1 idle round."


def test_picks_are_taken_back_until_somebody_learns_something() -> None:
    t = rolled(3, ["7,5"], "F L R")
    assert not t.match.can_take_back
    before = t.match.state.tobytes()
    t.play("move; F; 7,5; to 6,5; L; 6,5")
    for _ in range(6):
        t.match.take_back()
    assert t.match.state.tobytes() == before
    t.play("move; F; 7,5; to 6,5; done")
    assert not t.match.can_take_back


def test_the_board_is_turned_to_each_seat() -> None:
    match = Match.new("untitled-movement", seats=4, seed=1)
    assert [match.view(seat).scene.middle[0].turns for seat in range(5)] == [0, 0, 3, 2, 1]


def test_what_a_card_reaches_is_shown_before_it_is_chosen() -> None:
    t = rolled(2, ["7,5"], "F FR L")
    scene = t.match.view(1).scene
    lit = {cell.label.partition(", ")[0]: cell for cell in scene.middle[0].cells if cell.lit_by}
    assert {space: cell.text for space, cell in lit.items()} == {
        "6,5": "↑", "6,6": "↗", "5,7": "↗", "7,3": "←", "7,4": "←",
    }  # fmt: skip
    assert lit["6,6"].lit_by == ("card FR",)
    assert [card.label for card in scene.hand[0].cards] == [
        "Forward: 7,5 to 6,5", "Left: 7,5 to 7,4 or 7,3", "Forward-right: 7,5 to 6,6 or 5,7",
    ]  # fmt: skip


def test_a_space_is_a_space_where_a_space_is_asked_also_with_a_token_on_it() -> None:
    t = rolled(2, ["7,5", "6,5"], "F L R").play("L; 7,5")
    assert t.match.phase == "space"
    for written in ("7,5", "6,5", "to 6,5"):
        with pytest.raises(IllegalChoice, match="A token stands on"):
            t.match.read(written)
    with pytest.raises(IllegalChoice, match="First choose where the token goes"):
        t.match.read("token 6,5")


def test_each_seat_says_where_its_goals_are() -> None:
    seats = Match.from_position({"game": "untitled-movement", "tokens": ["4,11", "7,5"]}).view(1).scene.seats
    assert [seat.tracks[0].label for seat in seats] == [
        "1 of 4 tokens home, goals on 4,11, 5,11, 6,11 and 7,11", "0 of 4 tokens home, goals on 4,0, 5,0, 6,0 and 7,0",
    ]  # fmt: skip
