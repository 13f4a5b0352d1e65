"""Boards and decks of one's own, and what is said about those that cannot be played on."""

from pathlib import Path

import pytest

from games.untitled_movement.table import NAME
from sparring import BadContent, BadOption, Match
from sparring.games.untitled_movement import GAME, kit

SMALL = """
##o##oo#o#
#........#
o...#....o
#........#
o....#...o
o...#....o
#........#
o........o
#........#
#o#oo##o##
"""

FILE = """
[[boards]]
name = "small"
symmetry = "{symmetry}"
two_seats = "WE"
map = '''{map}'''
"""


def own_file(folder: Path, drawn: str = SMALL, symmetry: str = "none", more: str = "") -> Path:
    file = folder / "mine.toml"
    file.write_text(FILE.format(map=drawn, symmetry=symmetry) + more)
    return file


def complaint(folder: Path, drawn: str, symmetry: str = "none", more: str = "") -> str:
    """What is said about a file."""
    with pytest.raises(BadContent) as said:
        GAME.read_content(own_file(folder, drawn, symmetry, more))
    return str(said.value)


def changed(row: int, column: int, sign: str, drawn: str = SMALL) -> str:
    """The small board with another sign on one space."""
    rows = drawn.split()
    rows[row] = rows[row][:column] + sign + rows[row][column + 1 :]
    return "\n".join(rows)


@pytest.mark.parametrize("seats", [2, 4])
def test_a_board_of_ones_own_is_played_to_the_end(tmp_path: Path, seats: int) -> None:
    match = Match.new(NAME, seats=seats, seed=5, content=own_file(tmp_path), options={"stall_rounds": 5})
    assert (match.box.kit.rows, match.box.kit.columns) == (10, 10)
    while not match.over:
        match.choose(match.legal()[-1])
        if match.over or len(match.history) % 40 == 0:
            assert Match.from_record(match.record()).state.tobytes() == match.state.tobytes()
            position = Match.from_position(match.position(), match.box.content)
            assert position.state.tobytes() == match.state.tobytes()
    assert match.ending == "stalled"


def test_a_board_takes_the_place_of_its_namesake(tmp_path: Path) -> None:
    file = own_file(tmp_path)
    file.write_text(file.read_text() + file.read_text().replace("small", "scree"))
    content = GAME.read_content(file)
    assert kit.board_of(content, GAME.box({"board": "scree"}, content).kit).name == "scree"
    assert kit.board_of(content, GAME.box({}, content).kit).name == "small"


def test_a_board_that_is_not_there(tmp_path: Path) -> None:
    with pytest.raises(BadOption, match="There is no board pinwheel in this content; there is small"):
        GAME.box({"board": "pinwheel"}, GAME.read_content(own_file(tmp_path)))


def test_a_deck_of_ones_own(tmp_path: Path) -> None:
    deck = "\n[decks.published]\n" + "\n".join(f"{kind} = 4" for kind in kit.KINDS)
    content = GAME.read_content(own_file(tmp_path, more=deck))
    assert GAME.box({}, content).kit.count.tolist() == [4] * 8
    assert GAME.box({"deck": "pnp"}, content).kit.count.tolist() == [9, 3, 9, 9, 4, 4, 2, 2]


WRONG = [
    (changed(3, 9, ""), "map: row 3 has 9 spaces, row 0 has 10"),
    (changed(3, 4, "x"), "map: space 3,4 is “x”"),
    (changed(0, 0, "o"), "map: space 0,0 is a corner"),
    (changed(1, 0, "."), "map: space 1,0 is open; the border is closed"),
    (changed(0, 2, "#"), "map: the top side has 3 starting spaces; every side has 4"),
    (changed(6, 0, "o"), "map: the left side has 5 starting spaces"),
    (changed(3, 4, "o"), "map: space 3,4 is a starting space; they lie on the border only"),
    (changed(1, 2, "#"), "map: space 0,2, a start of the top side, is sealed: space 1,2"),
    ("####\n####", "map: there are 2 rows"),
    ("####\n" * 6, "map: row 0 has 4 spaces"),
]


@pytest.mark.parametrize(("drawn", "said"), WRONG)
def test_a_map_that_cannot_be_played_on(tmp_path: Path, drawn: str, said: str) -> None:
    assert f"mine.toml: board 1 (small): {said}" in complaint(tmp_path, drawn)


def test_everything_is_reachable(tmp_path: Path) -> None:
    walled = SMALL
    for row, column in ((2, 3), (3, 3), (4, 3), (2, 5), (3, 5), (4, 5), (4, 4)):
        walled = changed(row, column, "#", walled)
    assert "board 1 (small): map: space 3,4 cannot be reached from" in complaint(tmp_path, walled)


@pytest.mark.parametrize("symmetry", ["mirror", "half turn", "quarter turn"])
def test_a_symmetry_is_held_to_its_claim(tmp_path: Path, symmetry: str) -> None:
    assert f"board 1 (small): symmetry: the map is no {symmetry}: space " in complaint(tmp_path, SMALL, symmetry)


@pytest.mark.parametrize(
    ("more", "said"),
    [
        ("\n[decks.published]\nF = 50", "decks: published: B is missing"),
        ("\n[decks.huge]\nF = 50", "decks: there is no field huge; a table decks has published and pnp"),
        (
            "\n[[boards]]\nname = 'small'\nmap = '''" + SMALL + "'''",
            "board 2: name: small is typed like the name of board 1",
        ),
        ("\n[[boards]]\nname = 'other'", "board 2 (other): map is missing"),
        ("\n[[boards]]\nmap = 'x'", "board 2: name is missing"),
        ("\n[[boards]]\nname = 'b'\nsize = 3", "board 2 (b): there is no field size"),
        ("\n[[boards]]\nname = 'b'\nmap = 'x'\ntwo_seats = 'NS'", "two_seats: NS is none; a pair of sides is SN or WE"),
        ("\n[[boards]]\nname = 'b'\nmap = 'x'\nsymmetry = 'odd'", "symmetry: odd is none"),
        ("\n[cards]", "there is no field cards"),
    ],
)
def test_a_file_of_the_wrong_form(tmp_path: Path, more: str, said: str) -> None:
    told = complaint(tmp_path, SMALL, more=more)
    assert told.startswith("mine.toml: ")
    assert said in told


@pytest.mark.parametrize(("kinds", "said"), [({"F": 12}, "there are 12 cards"), ({"F": -1}, "F: -1 is none")])
def test_a_deck_that_cannot_be_played_with(tmp_path: Path, kinds: dict[str, int], said: str) -> None:
    deck = "\n".join(f"{kind} = {kinds.get(kind, 0)}" for kind in kit.KINDS)
    assert said in complaint(tmp_path, SMALL, more=f"\n[decks.pnp]\n{deck}")


@pytest.mark.parametrize("written", ["sn", "SN", " Sn "])
def test_option_values_are_read_in_any_case(written: str) -> None:
    assert GAME.box({"two_player_seats": written}).options["two_player_seats"] == "SN"


@pytest.mark.parametrize("value", [0, 1_000_001, "many", 2.5])
def test_stall_rounds_is_a_whole_number_from_1(value: object) -> None:
    with pytest.raises(BadOption, match="whole number from 1"):
        GAME.box({"stall_rounds": value})
