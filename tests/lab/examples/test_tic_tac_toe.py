"""The template with a board: its laws, and its rulings as positions, choices and the resulting board."""

import pytest

from sparring import Match
from sparring.engine.errors import BadPosition, IllegalChoice
from sparring.engine.laws import check_game
from sparring.games.tic_tac_toe import GAME

pytestmark = pytest.mark.compiled

X, O, _ = 1, 2, 0  # noqa: E741 - as on paper


def at(*board: int, row: str = "wins") -> Match:
    return Match.from_position({"game": "tic-tac-toe", "board": list(board), "options": {"row": row}}, game=GAME)


def test_it_keeps_the_laws() -> None:
    check_game(GAME, matches=50)


def test_its_files_are_beside_its_rules_and_it_has_no_content() -> None:
    assert (GAME.folder / "rules.py").exists()
    assert GAME.content is None
    assert GAME.setup().params.dtype == GAME.params.Params.dtype


def test_seat_1_begins_and_takes_any_empty_square() -> None:
    match = Match.deal(GAME.setup(), 2, 1)
    assert match.seat == 1
    assert [choice.words for choice in match.view(1).choices] == ["a1", "b1", "c1", "a2", "b2", "c2", "a3", "b3", "c3"]
    match.choose("b2")
    assert match.seat == 2
    with pytest.raises(IllegalChoice, match="b2 is taken"):
        match.choose("take b2")


@pytest.mark.parametrize(
    "line", [(0, 1, 2), (3, 4, 5), (6, 7, 8), (0, 3, 6), (1, 4, 7), (2, 5, 8), (0, 4, 8), (2, 4, 6)]
)
def test_three_in_a_row_win_at_once(line: tuple[int, int, int]) -> None:
    board = [O if square in [other for other in range(9) if other not in line][:2] else _ for square in range(9)]
    board[line[0]] = board[line[1]] = X
    match = at(*board)
    match.choose(line[2])
    assert (match.winners, match.ending) == ((1,), "three in a row")
    assert "You have three in a row and win." in str(match.view(1).scene)
    assert "Seat 1 has three in a row and wins." in str(match.view(2).scene)


def test_a_full_board_is_a_draw() -> None:
    match = at(X, O, X, X, O, O, O, X, _)
    match.choose("c3")
    assert (match.winners, match.ending) == ((), "full board")
    assert "The board is full: a draw." in str(match.view(0).scene)


def test_three_in_a_row_can_lose() -> None:
    match = at(X, X, _, O, O, _, _, _, _, row="loses")
    match.choose("c1")
    assert (match.winners, match.ending) == ((2,), "three in a row")
    assert "You have three in a row and lose." in str(match.view(1).scene)
    assert "Seat 1 has three in a row and loses." in str(match.view(2).scene)


def test_a_board_has_nine_squares() -> None:
    for board in ([1] * 8, [3] * 9, "xo", [[0]] * 9):
        with pytest.raises(BadPosition, match="board must be"):
            Match.from_position({"game": "tic-tac-toe", "board": board}, game=GAME)
    with pytest.raises(BadPosition, match="board must have an empty square"):
        at(X, O, X, X, O, O, O, X, X)
