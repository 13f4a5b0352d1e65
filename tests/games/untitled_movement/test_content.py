"""Custom boards and decks, and the errors of those that can't be played."""

from pathlib import Path

import pytest

from games.untitled_movement.table import NAME
from sparring import BadContent, BadOption, Match
from sparring.games.untitled_movement import GAME, params
from wording import says

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


def custom_file(folder: Path, drawn: str = SMALL, symmetry: str = "none", more: str = "") -> Path:
    file = folder / "mine.toml"
    file.write_text(FILE.format(map=drawn, symmetry=symmetry) + more)
    return file


def error_of(folder: Path, drawn: str, symmetry: str = "none", more: str = "") -> str:
    """Return the error for a content file."""
    with pytest.raises(BadContent) as error:
        GAME.read_content(custom_file(folder, drawn, symmetry, more))
    return str(error.value)


def changed(row: int, column: int, sign: str, drawn: str = SMALL) -> str:
    """Return the small board with another sign on one space."""
    rows = drawn.split()
    rows[row] = rows[row][:column] + sign + rows[row][column + 1 :]
    return "\n".join(rows)


@pytest.mark.parametrize("seats", [2, 4])
def test_a_custom_board_is_played_to_the_end(tmp_path: Path, seats: int) -> None:
    match = Match.new(NAME, seats=seats, seed=5, content=custom_file(tmp_path), options={"stall_rounds": 5})
    assert (match.setup.params.rows, match.setup.params.columns) == (10, 10)
    while not match.over:
        match.choose(match.legal()[-1])
        if match.over or len(match.history) % 40 == 0:
            assert Match.from_record(match.record()).state.tobytes() == match.state.tobytes()
            position = Match.from_position(match.position(), match.setup.content)
            assert position.state.tobytes() == match.state.tobytes()
    assert match.ending == "stalled"


def test_a_custom_board_replaces_the_one_with_its_name(tmp_path: Path) -> None:
    file = custom_file(tmp_path)
    file.write_text(file.read_text() + file.read_text().replace("small", "scree"))
    content = GAME.read_content(file)
    assert params.board_of(content, GAME.setup({"board": "scree"}, content).params).name == "scree"
    assert params.board_of(content, GAME.setup({}, content).params).name == "small"


def test_an_unknown_board(tmp_path: Path) -> None:
    with pytest.raises(BadOption, match=r"must be small, not pinwheel"):
        GAME.setup({"board": "pinwheel"}, GAME.read_content(custom_file(tmp_path)))


def test_a_custom_deck(tmp_path: Path) -> None:
    deck = "\n[decks.published]\n" + "\n".join(f"{kind} = 4" for kind in params.KINDS)
    content = GAME.read_content(custom_file(tmp_path, more=deck))
    assert GAME.setup({}, content).params.count.tolist() == [4] * 8
    assert GAME.setup({"deck": "pnp"}, content).params.count.tolist() == [9, 3, 9, 9, 4, 4, 2, 2]


WRONG = [
    (changed(3, 9, ""), "map: row 3 must have 10 spaces like row 0, not 9"),
    (changed(3, 4, "x"), "map: space 3,4 must be . (open), # (closed) or o (a start), not “x”"),
    (changed(0, 0, "o"), "map: space 0,0 is a corner"),
    (changed(1, 0, "."), "map: space 1,0 is open; border"),
    (changed(0, 2, "#"), "map: the top side has 3 starting spaces; each side needs 4"),
    (changed(6, 0, "o"), "map: the left side has 5 starting spaces"),
    (changed(3, 4, "o"), "map: space 3,4 is a starting space; only border"),
    (changed(1, 2, "#"), "map: space 0,2, a start of the top side, is blocked: space 1,2"),
    ("####\n####", "map: a board must have 6 to 12 rows, not 2"),
    ("####\n" * 6, "map: a row must have 6 to 12 spaces, not 4"),
]


@pytest.mark.parametrize(("drawn", "error"), WRONG)
def test_an_invalid_map(tmp_path: Path, drawn: str, error: str) -> None:
    assert f"mine.toml: board 1 (small): {error}" in error_of(tmp_path, drawn)


def test_every_open_space_must_be_reachable(tmp_path: Path) -> None:
    walled = SMALL
    for row, column in ((2, 3), (3, 3), (4, 3), (2, 5), (3, 5), (4, 5), (4, 4)):
        walled = changed(row, column, "#", walled)
    assert "board 1 (small): map: space 3,4 can't be reached from" in error_of(tmp_path, walled)


@pytest.mark.parametrize("symmetry", ["mirror", "half turn", "quarter turn"])
def test_a_map_must_have_its_symmetry(tmp_path: Path, symmetry: str) -> None:
    assert says(error_of(tmp_path, SMALL, symmetry), "board 1", "small", "symmetry", symmetry, "space", "differs")


@pytest.mark.parametrize(
    ("more", "error"),
    [
        ("\n[decks.published]\nF = 50", "decks: published: B is missing"),
        ("\n[decks.huge]\nF = 50", "decks: there is no field huge; a table decks has published and pnp"),
        (
            "\n[[boards]]\nname = 'small'\nmap = '''" + SMALL + "'''",
            "board 2: name: small is already the name of board 1",
        ),
        ("\n[[boards]]\nname = 'other'", "board 2 (other): map is missing"),
        ("\n[[boards]]\nmap = 'x'", "board 2: name is missing"),
        ("\n[[boards]]\nname = 'b'\nsize = 3", "board 2 (b): there is no field size"),
        (
            "\n[[boards]]\nname = 'b'\nmap = 'x'\ntwo_seats = 'NS'",
            "two_seats: a pair of sides must be SN or WE, not NS",
        ),
        (
            "\n[[boards]]\nname = 'b'\nmap = 'x'\nsymmetry = 'odd'",
            "a symmetry must be mirror, half turn, quarter turn or none, not odd",
        ),
        ("\n[cards]", "there is no field cards"),
    ],
)
def test_an_invalid_file(tmp_path: Path, more: str, error: str) -> None:
    found = error_of(tmp_path, SMALL, more=more)
    assert found.startswith("mine.toml: ")
    assert error in found


@pytest.mark.parametrize(
    ("kinds", "error"),
    [
        ({"F": 12}, "there are 12 cards"),
        ({"F": -1}, "F: a number of cards must be a whole number from 0 to 60, not -1"),
    ],
)
def test_an_invalid_deck(tmp_path: Path, kinds: dict[str, int], error: str) -> None:
    deck = "\n".join(f"{kind} = {kinds.get(kind, 0)}" for kind in params.KINDS)
    assert error in error_of(tmp_path, SMALL, more=f"\n[decks.pnp]\n{deck}")


@pytest.mark.parametrize("written", ["sn", "SN", " Sn "])
def test_option_values_are_read_in_any_case(written: str) -> None:
    assert GAME.setup({"two_player_seats": written}).options["two_player_seats"] == "SN"


@pytest.mark.parametrize("value", [0, 1_000_001, "many", 2.5])
def test_stall_rounds_is_a_whole_number_from_1(value: object) -> None:
    with pytest.raises(BadOption, match="whole number from 1"):
        GAME.setup({"stall_rounds": value})
