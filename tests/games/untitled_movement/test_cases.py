"""The worked cases, by id."""

import pytest

from games.untitled_movement.table import rolled, row_and_column, table

KINDS = {"F", "B", "L", "R", "FR", "FL", "BR", "BL"}


# Components and set-up


@pytest.mark.parametrize(("seats", "deck"), [(2, 44), (4, 38)])
def test_u01_published_deck(seats: int, deck: int) -> None:
    t = table(seats, phase="start")
    position = t.match.position()
    cards = [kind for pile in (*position["hands"], position["draw_pile"]) for kind in pile]
    assert {kind: cards.count(kind) for kind in KINDS} == {
        "L": 10, "R": 10, "F": 10, "FR": 5, "FL": 5, "B": 4, "BR": 3, "BL": 3,
    }  # fmt: skip
    assert len(cards) == 50
    assert t.deck == deck
    assert [len(hand) for hand in position["hands"]] == [3] * seats
    assert t.discards == ""


def test_u03_six_sided_die_as_three_sided() -> None:
    d6 = {"die": "d6"}
    for face, value in enumerate((1, 2, 3, 1, 2, 3), 1):
        t = rolled(face, ["7,5"], "F L R", options=d6)
        assert t.match.state.face == face
        assert t.moves == value
        assert t.to_move == ("S three" if value == 3 else "S card")


def test_u03_first_player_roll_with_six_faces() -> None:
    t = table(phase="start", options={"die": "d6"}, dice=[4, 2, 1, 5, 6, 1])
    t.play("S: to e1; W: to l5; N: to e12; E: to a5")
    assert t.match.position()["throws"] == [[1, 4], [2, 2], [3, 1], [4, 5], [2, 6], [4, 1]]
    assert t.to_move == "W turn"


def test_u05_first_player() -> None:
    t = table(phase="start", dice=[3, 3, 1, 2, 2, 2, 1, 2])
    t.play("S: start e1; W: start l5; N: start e12; E: start a5")
    assert t.match.position()["throws"] == [[1, 3], [2, 3], [3, 1], [4, 2], [1, 2], [2, 2], [1, 1], [2, 2]]
    for side in "WNESW":
        assert t.to_move == f"{side} turn"
        t.play("discard hand")


def test_u05_two_seats_alternate() -> None:
    t = table(2, phase="start").play("W: to l5; E: to a5")
    first = t.seat
    assert [t.play("discard hand").seat for _ in range(2)] == ["WE".replace(first, ""), first]


DIRECTIONS = """
S (6,5) (8,5) (7,4) (7,6) (6,6) (6,4) (8,6) (8,4)
N (8,5) (6,5) (7,6) (7,4) (8,4) (8,6) (6,4) (6,6)
W (7,6) (7,4) (6,5) (8,5) (8,6) (6,6) (8,4) (6,4)
E (7,4) (7,6) (8,5) (6,5) (6,4) (8,4) (6,6) (8,6)
"""


@pytest.mark.parametrize("line", DIRECTIONS.split("\n")[1:-1])
def test_u06_directions_are_relative_to_the_seat(line: str) -> None:
    side, *spaces = line.split()
    for kind, space in zip(("F", "B", "L", "R", "FR", "FL", "BR", "BL"), spaces, strict=True):
        filler = "L L" if kind != "L" else "F F"
        t = rolled(1, ["7,5"], f"{kind} {filler}", side).play(f"{kind}; token f8")
        assert row_and_column(t.choices.removeprefix("to ")) == space.strip("()")


# The document's worked examples


def test_u07_example_1() -> None:
    t = rolled(1, ["7,5"], "L F BR", discard_pile=["B"]).play("L; token f8; to e8")
    assert t.tokens("S") == "7,4"
    assert t.to_move == "W turn"
    assert t.moves == 0
    assert t.discards == "B L"
    assert len(t.hand("S").split()) == 3
    assert t.deck == 50 - 12 - 1 - 1


def test_u08_example_2() -> None:
    t = rolled(3, ["6,6", "7,9"], "FR FR L", "N").play("move; FR; token g7; to e9")
    assert t.moves == 1
    t.play("FR; token j8; to i9")
    assert t.tokens("N") == "8,4 8,8"
    assert t.to_move == "E turn"
    assert t.discards == "FR FR"


def test_u09_example_3() -> None:
    t = rolled(3, ["4,10"], "F L R", "E").play("move; F; 4,10")
    assert t.landings == {"4,9 [1]", "4,8 [2]", "4,7 [3]"}
    t.play("to j5")
    assert t.moves == 2
    t.play("L; 4,9")
    assert t.landings == {"5,9 [1]", "6,9 [2]"}
    t.play("to j6")
    assert t.moves == 1
    assert t.choices == "R, done"
    assert t.refuses("no move")
    t.play("R; 5,9")
    assert t.landings == {"4,9 [1]"}
    t.match.take_back()
    t.match.take_back()
    deck = t.deck
    t.play("done")
    assert t.tokens("E") == "5,9"
    assert t.deck == deck - 2
    assert t.discards == "F L"


# Turn


def test_u11_not_moving() -> None:
    t = rolled(2, ["7,5"], "F F L")
    assert t.refuses("done")
    t.play("no move")
    assert t.choices == "F, L"
    deck = t.deck
    t.play("L")
    assert t.discards == "L"
    assert t.deck == deck - 1
    assert t.to_move == "W turn"
    assert t.refuses("F")


def test_u13_discarding_the_hand() -> None:
    t = table(hands={"S": "B BL BR"})
    assert t.choices == "roll, discard hand"
    deck = t.deck
    t.play("discard hand")
    assert t.discards == "B BR BL"
    assert t.deck == deck - 3
    assert t.to_move == "W turn"
    assert t.match.state.face == 0


def test_u13_not_after_the_roll() -> None:
    assert rolled(1, ["7,5"], "F L R").refuses("discard hand", "roll")


def test_u14_placing_on_a_3() -> None:
    t = rolled(3, ["11,4", "7,5"], "F L R", idle=5)
    assert t.choices == "place, move"
    t.play("place")
    assert t.choices == "to f12, to g12, to h12"
    assert t.refuses("to e12", "to e1", "to a5")
    t.play("to g12")
    assert t.choices == "F, L, R"
    assert t.refuses("no move", "done", "roll")
    assert t.idle == 0
    t.play("L")
    assert t.tokens("S") == "11,4 7,5 11,6"
    assert t.discards == "L"
    assert {"F", "R"} <= set(t.hand("S").split())
    assert t.to_move == "W turn"


def test_u15_placing_needs_a_3() -> None:
    assert rolled(2, ["11,4", "7,5"], "F L R").to_move == "S card"
    assert rolled(5, ["11,4", "7,5"], "F L R", options={"die": "d6"}).to_move == "S card"
    assert rolled(6, ["11,4", "7,5"], "F L R", options={"die": "d6"}).to_move == "S three"


def test_u17_nothing_left_to_place() -> None:
    t = rolled(3, ["11,4", "7,5", "9,1", "9,2"], "F L R")
    assert t.to_move == "S card"
    assert t.moves == 3


def test_u17_the_choice_on_a_3_is_final() -> None:
    t = rolled(3, ["11,4", "7,5"], "F L R").play("move; no move")
    assert t.refuses("place")
    deck = t.deck
    t.play("F")
    assert t.deck == deck - 1
    assert t.to_move == "W turn"


def test_u19_three_cards() -> None:
    t = rolled(3, ["7,5"], "L F R").play("move; L; 7,5; to e8; F; 7,4; to e7; R; 6,4")
    deck = t.deck
    t.play("to f7")
    assert t.tokens("S") == "6,5"
    assert t.discards == "L F R"
    assert t.deck == deck - 3
    assert t.to_move == "W turn"


# Movement


def test_u21_hop_with_one_card() -> None:
    t = rolled(2, ["8,4"], "F B BL", others={"N": ["7,4"]}).play("F; 8,4")
    assert t.landings == {"6,4 [2]"}
    t.play("to e7")
    assert t.tokens("N") == "7,4"
    assert t.moves == 0
    assert "F" not in rolled(1, ["8,4"], "F B BL", others={"N": ["7,4"]}).choices.split(", ")


def test_u23_no_hop_with_two_cards() -> None:
    t = rolled(2, ["8,4"], "F R L", others={"N": ["7,4"]}).play("F; 8,4")
    assert t.landings == {"6,4 [2]"}
    assert t.refuses("to e8")


def test_u23_nothing_to_land_on() -> None:
    t = rolled(2, ["8,4"], "F R L", others={"N": ["7,4", "6,4"]})
    assert t.choices == "L, R, no move"
    assert t.play("R; 8,4").landings == {"8,5 [1]", "8,6 [2]"}
    t.match.take_back()
    t.match.take_back()
    assert t.play("L; 8,4").landings == {"8,3 [1]"}
    assert t.refuses("to c9")


def test_u25_closed_space_ahead() -> None:
    t = rolled(3, ["5,4"], "F B L").play("move; F; 5,4")
    assert t.landings == {"4,4 [1]"}
    assert t.refuses("to e4", "to e3")
    assert "F" not in rolled(3, ["4,4"], "F B L").play("move").choices.split(", ")


@pytest.mark.parametrize(
    ("face", "token", "card", "landings"),
    [
        (1, "4,2", "FR", set()),
        (1, "4,5", "FL", set()),
        (1, "4,5", "FR", {"3,6 [1]"}),
        (1, "7,4", "FL", set()),
        (2, "7,3", "FR", {"6,4 [1]"}),
    ],
)
def test_u27_diagonals_and_closed_spaces(face: int, token: str, card: str, landings: set[str]) -> None:
    t = rolled(face, [token], f"{card} B B" if card != "B" else "B L L")
    if landings:
        assert t.play(f"{card}; {token}").landings == landings
    else:
        assert t.refuses(card)


def test_u29_side_starts() -> None:
    assert rolled(1, ["1,4"], "L F F", "W").refuses("L")
    assert rolled(1, ["4,1"], "L F F").refuses("L")
    assert rolled(1, ["4,10"], "R F F").refuses("R")


def test_u31_frozen_goal_token() -> None:
    t = rolled(3, ["1,4"], "F R L", idle=7).play("move; F; 1,4")
    assert t.choices == "to e1"
    t.play("to e1")
    assert t.moves == 2
    assert t.choices == "done"
    assert t.idle == 0
    assert t.refuses("R", "L")


# End


def test_u33_win() -> None:
    t = rolled(3, ["0,4", "0,5", "0,6", "2,7"], "F L R").play("F; 2,7")
    assert t.landings == {"1,7 [1]", "0,7 [2]"}
    deck = t.deck
    t.play("to h1")
    assert t.match.over
    assert t.match.ending == "all tokens home"
    assert t.wins == {"S": 3, "W": -1, "N": -1, "E": -1}
    assert t.hand("S") == "L R"
    assert t.deck == deck
    assert t.moves == 0


def test_u33_not_yet() -> None:
    t = rolled(3, ["0,4", "0,5", "0,6", "2,7"], "F L R").play("F; 2,7; to h2")
    assert not t.match.over
    assert t.moves == 2


HANDS = {"S": "L R B", "W": "L L L", "N": "R R R", "E": "BR BR BR"}


def test_u35_deck_runs_out_while_drawing() -> None:
    t = table(hands=HANDS, draw_pile=["F"])
    assert len(t.discards.split()) == 37
    t.play("discard hand")
    assert t.deck == 38
    assert t.discards == ""
    assert "F" in t.hand("S").split()
    assert len(t.hand("S").split()) == 3


def test_u35_empty_deck() -> None:
    t = table(hands=HANDS, draw_pile=[], tokens={"S": ["7,5"]}, dice=[1])
    assert len(t.discards.split()) == 38
    t.play("roll; L; 7,5; to e8")
    assert t.deck == 38
    assert t.discards == ""
    assert len(t.hand("S").split()) == 3


def test_u35_the_last_three_cards() -> None:
    t = table(hands=HANDS, draw_pile=["F", "FL", "FR"]).play("discard hand")
    assert t.hand("S") == "F FR FL"
    assert t.deck == 0
    assert len(t.discards.split()) == 38
    t.play("W: discard hand")
    assert t.deck == 38


def test_u37_visibility() -> None:
    t = table(tokens={"S": ["7,5"]}, discard_pile=["F", "B"])
    views = [t.match.view(seat).state for seat in range(5)]
    assert len({view.tobytes() for view in views}) == 1
    view, truth = views[0], t.match.state
    for field in ("hand", "discard", "token", "face", "moves", "idle", "player", "phase"):
        assert (view[field] == truth[field]).all()
    assert view.deck[0] == truth.deck[0]
    assert set(view.deck[1 : view.deck[0] + 1].tolist()) == {-1}
    assert not view.rng.any()
