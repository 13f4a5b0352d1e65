"""Words to type, reasons for refusals, and log lines."""

import pytest

from games.untitled_movement.table import Table, rolled, table
from sparring import AmbiguousChoice, IllegalChoice, InvalidChoice, Match
from wording import says


def log(t: Table, choices: str, seat: int = 1) -> list[str]:
    """Make these choices and return a seat's log lines."""
    lines: list[str] = []
    for words in choices.split("; "):
        t.match.choose(words)
        lines += [str(line) for beat in t.match.beats(seat) for line in beat.lines]
    return lines


@pytest.mark.parametrize("words", ["FL", "fl", "forward-left", "Forward left", "forward_left"])
def test_the_names_of_a_card(words: str) -> None:
    assert rolled(2, ["7,5"], "F FL FR").play(words).match.phase == "token"


def test_forward_does_not_stand_for_forward_left() -> None:
    t = rolled(2, ["4,4"], "F FR L")
    assert t.choices.split(", ")[-1] == "no move"
    with pytest.raises(IllegalChoice, match=r"2 moves.* none of your tokens can move forward"):
        t.match.read("forward")
    with pytest.raises(AmbiguousChoice):
        rolled(2, ["7,5"], "F FL FR").match.read("for")


def test_a_space_does_not_stand_for_a_longer_one() -> None:
    t = rolled(3, ["10,8"], "R L F").play("move; R; 10,8")
    assert t.choices == "to j11, to k11"
    assert t.refuses("to b11", "10,1")
    with pytest.raises(InvalidChoice):
        t.match.read("to 1")


def test_tokens_and_spaces_by_row_and_column() -> None:
    for token in ("token f8", "7,5", "token 7, 5"):
        for space in ("to f7", "6,5", "to 6, 5"):
            assert rolled(1, ["7,5"], "F L R").play(f"F; {token}; {space}").tokens("S") == "6,5"


def test_verbs_before_cards_and_spaces() -> None:
    assert rolled(1, ["7,5"], "L F R").play("card L; token f8; space 7,4").tokens("S") == "7,4"
    placed = rolled(3, ["7,5"], "L F R").play("place; place 11,6; discard L")
    assert (placed.tokens("S"), placed.discards) == ("7,5 11,6", "L")
    assert rolled(1, ["7,5"], "L F R").refuses("discard L", "place 11,6")


@pytest.mark.parametrize(
    ("setting", "words", "parts"),
    [
        ("turn", "F", ["roll", "discard"]),
        ("turn", "place", ["new token", "after", 3]),
        ("turn", "done", ["roll", "discard"]),
        ("card", "B", ["no backward card"]),
        ("card", "discard hand", ["whole hand", "only before", "roll"]),
        ("card", "roll", ["already rolled"]),
        ("card", "place", ["need a 3", "new token"]),
        ("card", "token f8", ["choose a card"]),
        ("card", "done", ["card", "no move", "discard a card"]),
        ("token", "token e1", ["e1", "home"]),
        ("token", "token e5", ["2 moves", "e5", "can't move forward"]),
        ("space", "to f6", ["f6", "closed"]),
        ("space", "to b2", ["can't reach b2", "forward", "2 spaces"]),
    ],
)
def test_reasons_for_refusals(setting: str, words: str, parts: list[object]) -> None:
    t = table(tokens={"S": "7,5 0,4 4,4"}, hands={"S": "F L R"}, dice=[2])
    t.play({"turn": "", "card": "roll", "token": "roll; F", "space": "roll; F; 7,5"}[setting])
    assert says(t.why_not(words), *parts)


def test_reasons_for_refusals_on_a_side_start() -> None:
    t = rolled(3, ["4,2"], "L F F").play("move; L; 4,2")
    assert says(t.why_not("to a5"), "a5", "start", "left or right")


def test_the_log_of_the_first_rolls_has_faces_and_values() -> None:
    t = table(phase="start", options={"die": "d6"}, dice=[4, 2, 1, 5, 6, 1]).play("to e1; to l5; to e12")
    start, first, again, begins = log(t, "to a5")
    assert says(start, "Seat 4", "Seat 2's first token", "a5")
    assert says(first, "you roll 4", 1, "Seat 2 rolls 2", "Seat 3 rolls 1", "Seat 4 rolls 5", 2)
    assert says(again, "tie", "Seat 2 rolls 6", 3, "Seat 4 rolls 1")
    assert says(begins, "Seat 2", "first")


def test_the_log_of_a_turn() -> None:
    t = table(tokens={"S": "8,4 1,6", "N": "7,4"}, hands={"S": "F L R"}, dice=[3], draw_pile=["FL", "FR", "B"])
    rolled_3, move, end, draw, heading = log(t, "roll; move; F; 8,4; to e7; done")
    assert rolled_3 == "You roll 3."
    assert says(move, "You move forward", "e9", "e7", "over a token")
    assert says(end, "You", "1 move")
    assert draw == "You draw Forward-left."
    assert says(heading, "Seat 2's turn")


def test_the_log_of_coming_home_placing_and_shuffling() -> None:
    t = table(tokens={"S": "1,6"}, hands={"S": "F L R"}, dice=[3], draw_pile=[])
    lines = log(t, "roll; move; F; 1,6; to g1; done", 2)
    assert says(lines[1], "Seat 1 moves forward", "g2", "g1", "1 of 4 home")
    assert says(lines[-3], "discards", "shuffled", "draw pile")
    t = table(tokens={"S": "1,6"}, hands={"S": "F L R"}, dice=[3], draw_pile=["B", "B"])
    placed, discarded, drawn, _ = log(t, "roll; place; to h12; L", 2)[1:]
    assert says(placed, "Seat 1 places", "new token", "h12")
    assert [discarded, drawn] == ["Seat 1 discards Left.", "Seat 1 draws Backward."]


def test_the_log_of_not_moving() -> None:
    t = table(tokens={"S": "1,6"}, hands={"S": "F L R"}, dice=[2])
    assert says(log(t, "roll; no move")[-1], "You don't move")
    t = table(tokens={"S": "1,6"}, hands={"S": "F L R"}, dice=[2])
    assert says(log(t, "roll; no move", 2)[-1], "Seat 1 doesn't move")


def test_the_log_of_the_end() -> None:
    t = table(tokens={"S": "0,4 0,5 0,6 1,7"}, hands={"S": "F L R"}, dice=[1])
    assert log(t, "roll; F; 1,7; to h1")[-1].startswith("You win")
    t = table(2, {"stall_rounds": 1}, tokens={"W": ["4,11"]}, player=2)
    assert says(log(t, "discard hand")[-1], "You win", "1 idle round")
    t = table(2, {"stall_rounds": 1}, player=2)
    assert says(log(t, "discard hand")[-1], "draw", "you and Seat 2", "1 idle round")


def test_picks_can_be_taken_back_until_the_turn_ends() -> None:
    t = rolled(3, ["7,5"], "F L R")
    assert not t.match.can_take_back
    before = t.match.state.tobytes()
    t.play("move; F; 7,5; to f7; L; 6,5")
    for _ in range(6):
        t.match.take_back()
    assert t.match.state.tobytes() == before
    t.play("move; F; 7,5; to f7; done")
    assert not t.match.can_take_back


def test_the_board_is_rotated_to_each_seat() -> None:
    match = Match.new("untitled-movement", seats=4, seed=1)
    assert [match.view(seat).scene.middle[0].turns for seat in range(5)] == [0, 0, 3, 2, 1]


def test_the_board_shows_what_each_card_can_reach() -> None:
    t = rolled(2, ["7,5"], "F FR L")
    scene = t.match.view(1).scene
    lit = {cell.label.partition(", ")[0]: cell for cell in scene.middle[0].cells if cell.lit_by}
    assert {space: cell.text for space, cell in lit.items()} == {
        "f7": "↑", "g7": "↗", "h6": "↗", "d8": "←", "e8": "←",
    }  # fmt: skip
    assert lit["g7"].lit_by == ("card FR",)
    assert [card.label for card in scene.hand[0].cards] == [
        "Forward: f8 to f7", "Left: f8 to e8 or d8", "Forward-right: f8 to g7 or h6",
    ]  # fmt: skip


def test_in_phase_space_a_space_with_a_token_is_read_as_a_space() -> None:
    t = rolled(2, ["7,5", "6,5"], "F L R").play("L; 7,5")
    assert t.match.phase == "space"
    for written in ("7,5", "6,5", "to f7"):
        with pytest.raises(IllegalChoice, match="There is a token on"):
            t.match.read(written)
    with pytest.raises(IllegalChoice, match="First choose a space"):
        t.match.read("token f7")


def test_the_home_track_of_each_seat_names_its_goals() -> None:
    seats = Match.from_position({"game": "untitled-movement", "tokens": ["4,11", "7,5"]}).view(1).scene.seats
    assert [seat.tracks[0].label for seat in seats] == [
        "1 of 4 tokens home, goals on l5, l6, l7 and l8", "0 of 4 tokens home, goals on a5, a6, a7 and a8",
    ]  # fmt: skip
