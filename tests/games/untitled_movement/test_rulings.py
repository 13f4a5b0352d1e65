"""The rulings not covered by the worked cases, by number."""

from collections import Counter

import pytest

from games.untitled_movement.table import NAME, Table, rolled, table
from sparring import BadOption, Match
from sparring.games.untitled_movement import GAME, maps
from wording import says

BOARDS = {board.name: board for board in GAME.content.boards}


def spaces(text: str) -> list[str]:
    return [word for word in text.split(", ") if word.startswith("to ")]


@pytest.mark.parametrize("seats", [1, 3, 5])
def test_r1_two_or_four_seats(seats: int) -> None:
    with pytest.raises(BadOption, match="2 or 4 seats"):
        Match.new(NAME, seats=seats)


#: Starting spaces: columns of N and S, rows of W and E (section 1.3).
STARTS = {
    "mirror-gate": ("4 5 6 7", "4 5 6 7", "4 5 6 7", "4 5 6 7"),
    "mirror-ponds": ("2 4 7 9", "2 4 7 9", "2 4 7 9", "2 4 7 9"),
    "pinwheel": ("2 5 6 8", "3 5 6 9", "3 5 6 9", "2 5 6 8"),
    "scree": ("1 4 5 7", "3 5 6 9", "3 4 6 9", "3 5 6 8"),
}


@pytest.mark.parametrize("name", STARTS)
def test_r2_u39_boards(name: str) -> None:
    rows = BOARDS[name].map
    assert [len(row) for row in rows] == [12] * 12
    assert [sum(row[1:-1].count(sign) for row in rows[1:-1]) for sign in ".#o"] == [84, 16, 0]
    for side, expected in zip("NSWE", STARTS[name], strict=True):
        found = maps.starts(rows, "SWNE".index(side))
        assert " ".join(str(space[side in "NS"]) for space in found) == expected
        everywhere = [maps.sign(rows, space) for space in maps.border(rows, "SWNE".index(side))]
        assert Counter(everywhere) == {"#": 8, "o": 4}
        assert everywhere[0] == everywhere[-1] == "#"


@pytest.mark.parametrize("name", STARTS)
def test_r2_u39_every_goal_is_eleven_steps_from_every_start(name: str) -> None:
    rows = BOARDS[name].map
    for side in range(4):
        for start in maps.starts(rows, side):
            assert maps.sign(rows, maps.ahead(start, 2 * side)) == "."
            steps = _steps_from(rows, start)
            for goal in maps.starts(rows, side ^ 2):
                near = [steps[maps.ahead(goal, way)] for way in range(8) if maps.ahead(goal, way) in steps]
                assert min(near) + 1 == 11


def _steps_from(rows: maps.Map, origin: maps.Space) -> dict[maps.Space, int]:
    steps, edge = {origin: 0}, [origin]
    for space in edge:
        for way in range(8):
            neighbour = maps.ahead(space, way)
            if maps.sign(rows, neighbour) == "." and neighbour not in steps:
                steps[neighbour] = steps[space] + 1
                edge.append(neighbour)
    return steps


def test_r3_u39_symmetries() -> None:
    for name in ("mirror-gate", "mirror-ponds"):
        rows = BOARDS[name].map
        assert maps.has_symmetry(rows, "mirror")
        assert not maps.has_symmetry(rows, "half turn")
        assert rows != rows[::-1]
    pinwheel = BOARDS["pinwheel"].map
    assert maps.has_symmetry(pinwheel, "quarter turn")
    assert not maps.has_symmetry(pinwheel, "mirror")
    scree = BOARDS["scree"].map
    images = [scree, scree[::-1]]
    for _ in range(3):
        images += [maps.turned_map(images[-2]), maps.turned_map(images[-1])]
    assert len(set(images)) == 8


@pytest.mark.parametrize(
    ("board", "pair", "sides"),
    [
        ("mirror-gate", "board", "WE"), ("mirror-ponds", "board", "WE"), ("pinwheel", "board", "SN"),
        ("scree", "board", "SN"), ("mirror-gate", "SN", "SN"), ("pinwheel", "WE", "WE"),
    ],
)  # fmt: skip
def test_r4_two_seats_sit_opposite_each_other(board: str, pair: str, sides: str) -> None:
    t = table(2, {"board": board, "two_player_seats": pair}, phase="start")
    assert t.sides == list(sides)


def test_r5_each_seat_chooses_the_start_of_the_opposite_seat() -> None:
    t = Table(Match.new(NAME, seats=4, seed=1))
    assert t.to_move == "S start"
    assert t.choices == "to e1, to f1, to g1, to h1"
    t.play("S: to g1")
    assert t.tokens("N") == "0,6"
    assert t.choices == "to l5, to l6, to l7, to l8"
    t.play("W: to l5; N: to h12")
    assert t.tokens("S") == "11,7"
    t.play("E: start a6")
    assert t.tokens("W") == "5,0"
    assert t.match.phase == "turn"


def test_r6_ties_roll_again() -> None:
    t = table(phase="start", dice=[2, 1, 2, 2, 1, 3, 3, 1, 2]).play("to e1; to l5; to e12; to a5")
    throws = t.match.position()["throws"]
    assert [seat for seat, _ in throws] == [1, 2, 3, 4, 1, 3, 4, 3, 4]
    assert t.to_move == "E turn"


@pytest.mark.parametrize(("die", "faces"), [("d3", 3), ("d6", 6)])
def test_r7_r8_every_face_comes_up_equally_often(die: str, faces: int) -> None:
    rolls: Counter[int] = Counter()
    for seed in range(300):
        t = table(seed=seed, options={"die": die}, tokens={"S": ["11,4"]}).play("roll")
        rolls[int(t.match.state.face)] += 1
        assert t.moves == (t.match.state.face - 1) % 3 + 1
    assert set(rolls) == set(range(1, faces + 1))
    assert min(rolls.values()) > 150 / faces


def test_r9_a_card_moves_at_least_one_space() -> None:
    t = rolled(2, ["7,5"], "F L R").play("F; 7,5")
    assert t.refuses("to f8")
    assert spaces(t.choices) == ["to f7"]


def test_r10_the_moves_are_shared() -> None:
    t = rolled(2, ["7,5", "9,2"], "F L R").play("L; 7,5; to e8")
    assert t.moves == 1
    assert t.play("R; 9,2").landings == {"9,3 [1]"}


def test_r11_a_player_who_moved_discards_nothing_else() -> None:
    t = rolled(3, ["7,5"], "F L R").play("move; F; 7,5; to f7; done")
    assert t.discards == "F"
    assert t.to_move == "W turn"


def test_r12_placing_and_moving_exclude_each_other() -> None:
    t = rolled(3, ["7,5"], "F L R").play("place; to e12")
    assert t.choices == "F, L, R"
    assert t.moves == 0
    assert t.refuses("no move", "done", "token f8")


def test_r13_a_start_with_any_token_is_not_available() -> None:
    t = rolled(3, ["11,4"], "F L R", others={"N": ["11,6"]}).play("place")
    assert t.choices == "to f12, to h12"
    full = rolled(3, ["11,4", "11,5"], "F L R", others={"N": ["11,6", "11,7"]})
    assert full.to_move == "S card"
    assert says(full.why_not("place"), "none", "starts", "free")


def test_r13_a_start_that_is_left_is_free_again() -> None:
    t = rolled(3, ["11,7"], "F L R", others={"N": ["11,4", "11,5", "11,6"]})
    assert t.to_move == "S card"
    t.play("F; 11,7; to h11; done; discard hand; discard hand; discard hand")
    again = table(tokens={"S": t.tokens("S"), "N": t.tokens("N")}, dice=[3]).play("roll; place")
    assert again.choices == "to h12"


def test_r13_a_token_must_be_off_the_board() -> None:
    assert says(rolled(3, ["f8", "g8", "h8", "i8"], "F L R").why_not("place"), "all", "on the board")


def test_r14_the_whole_hand_or_a_roll() -> None:
    t = table(hands={"S": "F F FL"}).play("discard hand")
    assert t.discards == "F F FL"
    assert t.to_move == "W turn"


def test_r15_discards_of_this_turn_are_shuffled_in() -> None:
    t = table(hands={"S": "F F F", "W": "L L L", "N": "R R R", "E": "B B B"}, draw_pile=[]).play("discard hand")
    cards = t.match.position()
    assert len(cards["draw_pile"]) == 38
    assert sum(pile.count("F") for pile in (*cards["hands"], cards["draw_pile"])) == 10


def test_r15_the_new_draw_pile_is_shuffled() -> None:
    t = table(hands={"S": "F F F"}, draw_pile=[])
    pile = [*t.discards.split(), "F", "F", "F"]
    new = t.play("discard hand").match.position()["draw_pile"]
    assert new not in (pile[3:], pile[:-3], pile[::-1][3:], pile[::-1][:-3])


def test_r16_a_token_hops_over_any_number_of_tokens() -> None:
    t = rolled(3, ["7,2"], "R B B", others={"W": ["7,3"], "E": ["7,4"]}).play("move; R; 7,2")
    assert t.landings == {"7,5 [3]"}
    own = rolled(2, ["7,2", "7,3"], "R B B").play("R; 7,2")
    assert own.landings == {"7,4 [2]"}


def test_r16_a_token_hops_over_tokens_that_are_home() -> None:
    t = rolled(2, ["11,4"], "R F F", others={"N": ["11,5"]}).play("R; 11,4")
    assert t.landings == {"11,6 [2]"}


def test_r17_each_card_ends_on_a_free_space() -> None:
    t = rolled(2, ["8,4"], "F R L", others={"N": ["7,4"]}).play("F; 8,4")
    assert says(t.why_not("to e8"), "token", "e8", "free space")


def test_r18_a_diagonal_step_needs_only_the_space_it_enters_to_be_open() -> None:
    # Between the closed spaces (2,2) and (3,3).
    t = rolled(1, ["3,2"], "FR B B").play("FR; 3,2")
    assert t.landings == {"2,3 [1]"}


def test_r19_closed_spaces_and_the_edge_end_a_move() -> None:
    assert rolled(3, ["11,4"], "B L R").play("move").refuses("B", "L")
    t = rolled(3, ["7,8"], "R L L").play("move; R; 7,8")
    assert t.landings == {"7,9 [1]", "7,10 [2]"}


def test_r20_no_landing_on_side_starts_by_a_diagonal_step() -> None:
    assert rolled(1, ["5,1"], "FL F F").refuses("FL")
    assert rolled(1, ["1,5"], "FR F F", "E").refuses("FR")
    assert rolled(1, ["5,1"], "FL F F", seats=2, options={"two_player_seats": "SN"}).play("FL; 5,1").landings == {
        "4,0 [1]"
    }


def test_r20_starts_of_empty_sides_are_ordinary_spaces() -> None:
    t = rolled(1, ["4,1"], "L F F", seats=2, options={"two_player_seats": "SN"}).play("L; 4,1")
    assert t.landings == {"4,0 [1]"}
    t.play("to a5")
    assert t.tokens("S") == "4,0"


@pytest.mark.parametrize(
    ("side", "token", "goal"), [("S", "f2", "f1"), ("W", "k6", "l6"), ("E", "b7", "a7"), ("N", "f11", "f12")]
)
def test_r21_tokens_stay_on_the_goals_of_every_seat(side: str, token: str, goal: str) -> None:
    t = rolled(2, [token], "F L R", side, idle=3).play(f"F; {token}; to {goal}")
    assert t.choices == "done"
    assert t.idle == 0


def test_r21_tokens_can_leave_other_starts() -> None:
    t = rolled(2, ["4,1"], "L R R", seats=2, options={"two_player_seats": "SN"}).play("L; 4,1; to a5")
    assert t.choices == "R, done"


def test_r22_tokens_enter_and_leave_own_starts() -> None:
    t = rolled(2, ["10,4"], "B F F", idle=3).play("B; 10,4; to e12; F; 11,4; to e11")
    assert t.tokens("S") == "10,4"
    assert t.to_move == "W turn"
    assert t.idle == 3


def test_r23_only_the_seat_to_move_wins() -> None:
    t = rolled(1, ["0,4", "0,5", "0,6", "1,7"], "F L R", others={"N": ["11,4", "11,5", "11,6", "10,7"]})
    t.play("F; 1,7; to h1")
    assert t.wins == {"S": 3, "W": -1, "N": -1, "E": -1}


@pytest.mark.parametrize(("home", "over"), [(2, True), (3, False)])
def test_r23_in_the_short_form_fewer_tokens_win(home: int, over: bool) -> None:
    t = rolled(1, ["0,4", "1,5"], "F L R", options={"home": home}).play("F; 1,5; to f1")
    assert t.match.over == over
    assert ("You win: two tokens are home." in t.match.log(1)) == over


def idle_round(t: Table) -> Table:
    """Let every seat discard its hand once."""
    for _ in t.sides:
        if not t.match.over:
            t.play("discard hand")
    return t


def test_r25_idle_rounds_end_the_match() -> None:
    t = table(options={"stall_rounds": 3}, tokens={"S": ["11,4"]})
    assert [idle_round(t).idle for _ in range(2)] == [1, 2]
    assert t.to_move == "S turn"
    assert idle_round(t).match.over
    assert t.match.ending == "stalled"


def test_r25_a_round_starts_with_the_first_player() -> None:
    t = table(first="N", player="W", options={"stall_rounds": 1}, tokens={"S": ["11,4"]})
    t.play("W: discard hand")
    assert t.match.over
    t = table(2, {"stall_rounds": 1}, first="E", player="E").play("E: discard hand")
    assert not t.match.over
    assert t.play("W: discard hand").match.over
    t = table(first="N", player="N", options={"stall_rounds": 1}).play(
        "N: discard hand; E: discard hand; S: discard hand"
    )
    assert not t.match.over


def test_r25_placing_and_coming_home_reset_the_count() -> None:
    t = rolled(3, ["11,4"], "F L R", idle=5).play("place; to f12; F; discard hand; discard hand; discard hand")
    assert t.to_move == "S turn"
    assert t.idle == 0
    assert idle_round(t).idle == 1
    t = rolled(1, ["1,4"], "F L R", idle=5, first="W").play("F; 1,4; to e1")
    assert t.idle == 0
    assert t.to_move == "W turn"
    t.play("discard hand; discard hand; discard hand; discard hand")
    assert t.idle == 1


def test_r25_a_round_with_progress_resets_the_count() -> None:
    t = table(options={"stall_rounds": 3}, tokens={"S": ["11,4"]}, idle=2, stirred=True)
    assert [idle_round(t).idle for _ in range(3)] == [0, 1, 2]
    assert not t.match.over


def test_r25_the_first_tokens_do_not_count() -> None:
    t = table(phase="start").play("to e1; to l5; to e12; to a5")
    assert idle_round(t).idle == 1


STALL = {"stall_rounds": 1, "two_player_seats": "SN"}


@pytest.mark.parametrize(
    ("south", "north", "wins"),
    [
        ("0,4 0,5", "e12", {"S": 1, "N": -1}),  # more tokens home
        ("0,4 11,6", "e12", {"S": -1, "N": 1}),  # as many, but one on an own start
        ("0,4 0,5 11,6", "e12", {"S": 1, "N": -1}),  # tokens home come first
        ("e1", "11,4 5,4", {"S": 0, "N": 0}),
        ("0,4 7,1 7,2 7,4", "e12", {"S": 0, "N": 0}),  # tokens on the way don't count
        ("e12", "", {"S": -1, "N": 1}),
    ],
)
def test_r26_leader(south: str, north: str, wins: dict[str, float]) -> None:
    t = table(2, STALL, tokens={"S": south, "N": north})
    assert idle_round(t).wins == wins


def test_r26_tied_leaders_share_the_win() -> None:
    t = table(options={"stall_rounds": 1}, tokens={"S": ["0,4"], "W": ["4,11"], "N": ["5,4"], "E": ["4,0", "5,11"]})
    assert idle_round(t).wins == {"S": 1, "W": 1, "N": -1, "E": -1}


def test_r26_draw() -> None:
    t = table(2, {**STALL, "stall_result": "draw"}, tokens={"S": ["0,4", "0,5"], "N": ["11,4"]})
    assert idle_round(t).wins == {"S": 0, "N": 0}


def test_r27_r28_the_deck_from_a_pack_of_52() -> None:
    for seats, left in ((2, 36), (4, 30)):
        t = table(seats, {"deck": "pnp"}, phase="start")
        position = t.match.position()
        cards = Counter(kind for pile in (*position["hands"], position["draw_pile"]) for kind in pile)
        assert cards == {"L": 9, "R": 9, "F": 9, "B": 3, "FR": 4, "FL": 4, "BR": 2, "BL": 2}
        assert t.deck == left


def test_r29_r30_hands_and_discards_are_open() -> None:
    t = table(tokens={"S": ["7,5"]}, discard_pile=["F", "B"])
    for seat in range(5):
        scene = t.match.view(seat).scene
        shown = [card.face for other in scene.seats for row in other.parts for card in row.cards]
        assert len(shown) == (12 if seat == 0 else 9)
        assert all(shown)
        assert [card.face.value for card in scene.left[0].parts[1].cards] == ["F", "B"]


def test_r31_clockwise_seen_from_above() -> None:
    t = table(player="S")
    assert [t.play("discard hand").seat for _ in range(4)] == ["W", "N", "E", "S"]


def test_r32_the_same_token_again() -> None:
    t = rolled(2, ["7,5"], "F L R").play("F; 7,5; to f7; R; 6,5; to g7")
    assert t.tokens("S") == "6,6"


def test_r33_not_moving_is_always_legal() -> None:
    assert rolled(1, ["7,5"], "F L R").choices == "F, L, R, no move"
    assert rolled(1, [], "F L R").choices == "no move"


def test_r34_no_placing_on_the_starts_of_other_sides() -> None:
    t = rolled(3, ["7,5"], "F L R", seats=2, options={"two_player_seats": "SN"}).play("place")
    assert t.choices == "to e12, to f12, to g12, to h12"
    assert says(t.why_not("to a5"), "a5", "not one of your starts")


@pytest.mark.parametrize("starts", ["W a5 a6 a7 a8", "N e1 f1 g1 h1", "E l5 l6 l7 l8"])
def test_r34_every_seat_places_on_its_own_side(starts: str) -> None:
    side, *own = starts.split()
    assert spaces(rolled(3, ["7,5"], "F L R", side).play("place").choices) == [f"to {space}" for space in own]


@pytest.mark.parametrize("board", STARTS)
def test_r35_the_deck_from_a_pack_is_played_on_any_board(board: str) -> None:
    match = Match.new(NAME, seats=2, seed=1, options={"board": board, "deck": "pnp"})
    assert match.setup.params.count.sum() == 42


def test_r36_one_left_card_one_space() -> None:
    t = rolled(1, ["5,9"], "L F F", "E").play("L; 5,9; to j7")
    assert t.tokens("E") == "6,9"


def test_r37_a_rotationally_symmetrical_board_equals_itself_after_a_half_turn() -> None:
    t = table(2, {"board": "pinwheel"})
    closed = {cell.at for cell in t.match.view(0).scene.middle[0].cells if cell.tone == "wall"}
    assert closed == {(11 - row, 11 - column) for row, column in closed}


@pytest.mark.parametrize(
    ("board", "sides"), [("mirror-gate", "WE"), ("mirror-ponds", "WE"), ("pinwheel", "SN"), ("scree", "SN")]
)
def test_r38_on_mirrored_boards_two_players_sit_left_and_right(board: str, sides: str) -> None:
    t = table(2, {"board": board}, phase="start")
    assert {t.seat, t.play(t.choices.split(", ")[0]).seat} == set(sides)


def test_r39_tokens_have_the_colours_of_their_seats() -> None:
    board = table(4, tokens={"S": ["4,4"], "N": ["4,6"]}).match.view(1).scene.middle[0]
    assert [(token.label, token.picture.name) for token in board.tokens] == [
        ("e5, your token", "meeple 1"), ("g5, Seat 3's token", "meeple 3"),
    ]  # fmt: skip
