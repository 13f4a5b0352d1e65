"""The scene: starts and goals, arrows of other hands, and prompts."""

import pytest

from games.untitled_movement.table import Table, rolled, table
from sparring import Match
from sparring.scene import Board, Card, Cell, Row, things
from sparring.scene.html import render
from wording import says

NAMES = ("Anna", "Bert", "Carla", "Dora")


def board(t: Table, seat: int) -> Board:
    return t.match.view(seat).scene.middle[0]  # type: ignore[no-any-return]


def space(t: Table, seat: int, at: tuple[int, int]) -> Cell:
    """Return the cell of a space."""
    return next(cell for cell in board(t, seat).cells if cell.at == at[::-1])


def names(t: Table, seat: int) -> list[tuple[str, int]]:
    """Return the labels along the bottom, left, top and right side, with their seats."""
    return [(label.text, label.seat) for label in board(t, seat).labels if label.seat]


def test_every_side_is_labelled_in_the_colours_of_its_seats() -> None:
    assert names(table(), 1) == [
        ("Your starts", 1), ("Seat 3's goals", 3), ("Seat 2's starts", 2), ("Seat 4's goals", 4),
        ("Seat 3's starts", 3), ("Your goals", 1), ("Seat 4's starts", 4), ("Seat 2's goals", 2),
    ]  # fmt: skip
    html = str(render(table().match.view(1).scene, names=NAMES))
    assert html.count("Carla's starts".replace("'", "&#39;")) == 1
    assert 'class="label s3"' in html


def test_with_two_seats_the_empty_sides_have_no_labels_and_no_marks() -> None:
    assert names(table(2), 0) == [
        ("Seat 1's starts", 1), ("Seat 2's goals", 2), ("Seat 2's starts", 2), ("Seat 1's goals", 1),
    ]  # fmt: skip
    cell = space(table(2), 0, (0, 4))
    assert (cell.tone, cell.text, cell.seat, cell.goal) == ("floor", "", 0, 0)


@pytest.mark.parametrize("name", ["mirror-gate", "mirror-ponds", "pinwheel", "scree"])
def test_labels_are_on_closed_spaces_of_every_board(name: str) -> None:
    t = table(options={"board": name})
    closed = {cell.at for cell in board(t, 1).cells if cell.label.endswith("closed")}
    for label in board(t, 1).labels:
        for x, y in label.ends:
            assert (round(x), round(y)) in closed
    assert len(names(t, 1)) == 8


def test_a_start_has_the_colour_of_its_seat_and_a_target_for_the_opposite_seat() -> None:
    cell = space(table(), 1, (0, 4))
    assert (cell.tone, cell.seat, cell.goal) == ("goal", 3, 1)
    assert cell.label == "e1, your goal, Seat 3's start"
    cell = space(table(), 2, (0, 4))
    assert (cell.tone, cell.seat, cell.goal) == ("start", 3, 1)
    assert cell.label == "e1, Seat 1's goal, Seat 3's start"
    assert str(render(table().match.view(1).scene)).count('class="goal s1"') == 4


def test_labels_are_never_upside_down_or_longer_than_their_space() -> None:
    for seat in range(1, 5):
        html = str(render(table().match.view(seat).scene, names=["A name that is far too long for it"] * 4))
        turns = [part.partition(")")[0] for part in html.split("rotate(")[1:] if part.partition(")")[0] in TURNS]
        assert {"0.0", "-90.0", "90.0"} >= set(turns)
        assert html.count("textLength") > 8


TURNS = ("0.0", "90.0", "-90.0", "180.0", "-180.0")


def arrows(t: Table, seat: int, of: int) -> list[str]:
    """Return the arrows of another seat's hand: kind, and eighths clockwise from up on the screen."""
    (row,) = [part for part in t.match.view(seat).scene.seats[of - 1].parts if isinstance(part, Row)]
    pictures = [card.face.picture.name for card in row.cards if isinstance(card, Card) and card.face]  # type: ignore[union-attr]
    return [name.removeprefix("arrow ") for name in pictures]


@pytest.mark.parametrize(("seat", "turned"), [(1, "F 2"), (3, "F 6"), (4, "F 4"), (0, "F 2")])
def test_arrows_of_other_hands_point_as_on_the_viewers_board(seat: int, turned: str) -> None:
    """Seat 2 sits on the left of seat 1, so its forward points right on seat 1's screen."""
    t = table(hands={"W": "F BL R"})
    kinds = dict(arrow.split() for arrow in arrows(t, seat, 2))
    assert f"F {kinds['F']}" == turned
    assert int(kinds["R"]) == (int(kinds["F"]) + 2) % 8
    assert int(kinds["BL"]) == (int(kinds["F"]) + 5) % 8


def test_arrows_of_the_own_hand_point_forward_as_up() -> None:
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


# Prompts


def question(t: Table) -> str:
    return str(t.match.view(t.match.seat or 0).scene.prompt.sentence)


STUCK = "none of your cards"


def test_the_prompt_before_the_roll_warns_if_no_card_can_move_a_token() -> None:
    useless, useful = (
        table(tokens={"S": "11,4"}, hands={"S": "B BL BR"}),
        table(tokens={"S": "7,5"}, hands={"S": "F L R"}),
    )
    assert says(question(useless), "roll", "discard", STUCK)
    assert says(question(useful), "roll", "discard")
    assert not says(question(useful), STUCK)


def test_the_prompt_for_a_3() -> None:
    assert says(question(rolled(3, ["f8"], "F L R")), 3, "place", "3 moves", "move")
    assert says(question(rolled(3, ["e12"], "B BL BR")), "place", "move", STUCK)


def test_the_prompt_for_a_card() -> None:
    assert says(question(rolled(2, ["f8"], "F L R")), "2 moves", "play a card", "discard one")
    assert says(question(rolled(2, ["e12"], "B BL BR")), "2 moves", STUCK, "discard one")
    t = rolled(3, ["7,5"], "F L R").play("move; L; 7,5; to e8")
    assert says(question(t), "2 moves left", "another card", "end your turn", "lose")


def test_the_prompt_when_no_card_can_use_the_moves_left() -> None:
    t = rolled(2, ["10,9"], "R BR BL").play("R; 10,9; to k11")
    assert says(question(t), "1 move left", STUCK)


def test_the_prompt_warns_of_moves_that_no_card_could_use() -> None:
    t = rolled(2, ["10,9"], "R BR BL").play("R; 10,9")
    assert t.choices == "to k11"
    assert says(question(t), "1 space", "1 move", STUCK)
    assert t.play("to k11").choices == "done"
    t = rolled(2, ["10,9"], "R L BL").play("R; 10,9")
    assert not says(question(t), STUCK)
    assert "L" in t.play("to k11").choices


def test_the_prompt_warns_that_a_token_stays_on_a_goal() -> None:
    t = rolled(1, ["1,6"], "F L R").play("F; 1,6")
    assert says(question(t), "goal", "stays")
    assert not says(question(rolled(1, ["f8"], "F L R").play("F; 7,5")), "goal")


def test_every_space_can_be_chosen_or_says_why_not() -> None:
    t = Table(Match.new("untitled-movement", seats=4))
    assert all(cell.words or cell.why_not for cell in board(t, t.match.seat or 0).cells)
    assert says(space(t, t.match.seat or 0, (0, 0)).why_not, "a1", "closed")
    assert not any(cell.why_not for cell in board(t, 0).cells)


def test_only_the_player_to_choose_reads_the_prompt() -> None:
    t = table(tokens={"S": "11,4"}, hands={"S": "B BL BR"})
    assert t.match.view(2).scene.prompt.sentence == "Seat 1 is deciding whether to roll or discard their hand."
    assert Match.from_record(t.match.record()).view(1).scene.prompt.sentence == question(t)


def test_a_waiting_player_reads_whose_first_token_is_being_placed() -> None:
    t = table(phase="start")
    for seat, whose in ((3, "your"), (2, "Seat 3's"), (0, "Seat 3's")):
        assert says(t.match.view(seat).scene.prompt.sentence, "Seat 1", whose, "first token")
