"""The board as people see it: whose starts and goals, which way the arrows of others point, and what is asked."""

import pytest

from games.untitled_movement.table import Table, rolled, table
from sparring import Match
from sparring.scene import Board, Card, Cell, Row, things
from sparring.scene.html import render

NAMES = ("Anna", "Bert", "Carla", "Dora")


def board(t: Table, seat: int) -> Board:
    return t.match.view(seat).scene.middle[0]  # type: ignore[no-any-return]


def space(t: Table, seat: int, at: tuple[int, int]) -> Cell:
    """A space by its row and column."""
    return next(cell for cell in board(t, seat).cells if cell.at == at[::-1])


def names(t: Table, seat: int) -> list[tuple[str, int]]:
    """What is written along the sides, bottom, left, top, right."""
    return [(label.text, label.seat) for label in board(t, seat).labels if label.seat]


def test_every_side_bears_its_names_in_the_colours_of_its_seats() -> None:
    assert names(table(), 1) == [
        ("Your starts", 1), ("Seat 3's goals", 3), ("Seat 2's starts", 2), ("Seat 4's goals", 4),
        ("Seat 3's starts", 3), ("Your goals", 1), ("Seat 4's starts", 4), ("Seat 2's goals", 2),
    ]  # fmt: skip
    html = str(render(table().match.view(1).scene, names=NAMES))
    assert html.count("Carla's starts".replace("'", "&#39;")) == 1
    assert 'class="label s3"' in html


def test_with_two_seats_the_other_sides_have_no_names() -> None:
    assert names(table(2), 0) == [
        ("Seat 1's starts", 1), ("Seat 2's goals", 2), ("Seat 2's starts", 2), ("Seat 1's goals", 1),
    ]  # fmt: skip
    cell = space(table(2), 0, (0, 4))
    assert (cell.tone, cell.text, cell.seat, cell.goal) == ("floor", "○", 0, 0)


@pytest.mark.parametrize("name", ["mirror-gate", "mirror-ponds", "pinwheel", "scree"])
def test_names_stand_on_closed_spaces_of_every_board(name: str) -> None:
    t = table(options={"board": name})
    closed = {cell.at for cell in board(t, 1).cells if cell.label.endswith("closed")}
    for label in board(t, 1).labels:
        for x, y in label.ends:
            assert (round(x), round(y)) in closed
    assert len(names(t, 1)) == 8
    assert sum(not label.seat for label in board(t, 1).labels) == 4 * 6


def test_a_start_is_tinted_for_its_seat_and_a_target_for_the_one_across() -> None:
    cell = space(table(), 1, (0, 4))
    assert (cell.tone, cell.seat, cell.goal) == ("goal", 3, 1)
    assert cell.label == "0,4, your goal, a start of Seat 3"
    cell = space(table(), 2, (0, 4))
    assert (cell.tone, cell.seat, cell.goal) == ("start", 3, 1)
    assert cell.label == "0,4, a goal of Seat 1, a start of Seat 3"
    assert str(render(table().match.view(1).scene)).count('class="goal s1"') == 4


def test_writing_is_never_upside_down_or_longer_than_its_stretch() -> None:
    for seat in range(1, 5):
        html = str(render(table().match.view(seat).scene, names=["A name that is far too long for it"] * 4))
        turns = [part.partition(")")[0] for part in html.split("rotate(")[1:] if part.partition(")")[0] in TURNS]
        assert {"0.0", "-90.0", "90.0"} >= set(turns)
        assert html.count("textLength") > 8


TURNS = ("0.0", "90.0", "-90.0", "180.0", "-180.0")


def arrows(t: Table, seat: int, of: int) -> list[str]:
    """The arrows of somebody's open hand: kind, and eighths clockwise from straight up on the screen."""
    (row,) = [part for part in t.match.view(seat).scene.seats[of - 1].parts if isinstance(part, Row)]
    pictures = [card.face.picture.name for card in row.cards if isinstance(card, Card) and card.face]  # type: ignore[union-attr]
    return [name.removeprefix("arrow ") for name in pictures]


@pytest.mark.parametrize(("seat", "turned"), [(1, "F 2"), (3, "F 6"), (4, "F 4"), (0, "F 2")])
def test_the_arrows_of_others_point_as_they_lead_on_the_board_before_one(seat: int, turned: str) -> None:
    """Seat 2 sits on the left of seat 1: its forward is to the right there."""
    t = table(hands={"W": "F BL R"})
    kinds = dict(arrow.split() for arrow in arrows(t, seat, 2))
    assert f"F {kinds['F']}" == turned
    assert int(kinds["R"]) == (int(kinds["F"]) + 2) % 8
    assert int(kinds["BL"]) == (int(kinds["F"]) + 5) % 8


def test_ones_own_arrows_stay_as_one_sees_them() -> None:
    for seat in range(1, 5):
        hand = table(hands={"SWNE"[seat - 1]: "F R L"}).match.view(seat).scene.hand[0]
        pictures = {card.face.name: card.face.picture.name for card in hand.cards}
        assert pictures["Forward"] == "arrow F 0"
        assert pictures["Right"] == "arrow R 2"


def test_the_die_is_drawn_with_its_pips() -> None:
    for face in range(1, 7):
        t = rolled(face, ["7,5"], "F L R", options={"die": "d6"})
        (die,) = [part for part in things(t.match.view(2).scene) if isinstance(part, Row) and part.key == "die"]
        assert [card.face.picture.svg.count("<circle") for card in die.cards if isinstance(card, Card)] == [face]  # type: ignore[union-attr]


# What is asked


def asked(t: Table) -> str:
    return str(t.match.view(t.match.seat or 0).scene.prompt.sentence)


def test_a_hand_that_moves_nothing_is_said_before_the_roll() -> None:
    assert asked(table(tokens={"S": "11,4"}, hands={"S": "B BL BR"})) == (
        "Roll, or discard your whole hand. No card of yours can move a token."
    )
    assert asked(table(tokens={"S": "7,5"}, hands={"S": "F L R"})) == "Roll, or discard your whole hand."


def test_what_a_three_is_spent_on() -> None:
    assert asked(rolled(3, ["7,5"], "F L R")) == "A 3: place a new token, which takes all of it, or move."
    assert asked(rolled(3, ["11,4"], "B BL BR")).endswith("or move. No card of yours can move a token.")


def test_what_becomes_of_moves() -> None:
    assert asked(rolled(2, ["7,5"], "F L R")) == "2 moves: use a card, or move nothing and discard one."
    assert asked(rolled(2, ["11,4"], "B BL BR")) == "2 moves: no card can be used, so one is discarded."
    t = rolled(3, ["7,5"], "F L R").play("move; L; 7,5; to 7,4")
    assert asked(t) == "2 moves left: use a card, or end your turn and lose the rest."


def test_a_space_from_which_no_card_leads_on_is_said() -> None:
    t = rolled(2, ["10,9"], "R BR BL").play("R; 10,9")
    assert t.choices == "to 10,10"
    assert asked(t) == "How far does it go? Going 1 leaves 1 move that no card of yours can use."
    assert t.play("to 10,10").choices == "done"
    t = rolled(2, ["10,9"], "R L BL").play("R; 10,9")
    assert asked(t) == "How far does it go?"
    assert "L" in t.play("to 10,10").choices


def test_that_a_goal_is_for_good_is_said() -> None:
    t = rolled(1, ["1,6"], "F L R").play("F; 1,6")
    assert asked(t) == "How far does it go? On a goal it stays for good."


def test_where_a_space_is_asked_for_each_is_one_or_says_why_not() -> None:
    t = Table(Match.new("untitled-movement", seats=4))
    assert all(cell.words or cell.why_not for cell in board(t, t.match.seat or 0).cells)
    assert space(t, t.match.seat or 0, (0, 0)).why_not == "Space 0,0 is closed."
    assert not any(cell.why_not for cell in board(t, 0).cells)


def test_nobody_else_reads_what_only_concerns_the_one_who_is_asked() -> None:
    t = table(tokens={"S": "11,4"}, hands={"S": "B BL BR"})
    assert t.match.view(2).scene.prompt.sentence == "Seat 1 is to roll, or discards the hand."
    assert Match.from_record(t.match.record()).view(1).scene.prompt.sentence == asked(t)
