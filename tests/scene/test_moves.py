"""The marks of the last move on a board."""

from scene.sample_scenes import hexes, squares, table
from sparring.scene import Board, replace, things
from sparring.scene.html import render
from sparring.scene.moves import Trail, token_places, trails_between, with_trails


def moved(board: Board, at: tuple[int, int]) -> Board:
    return replace(board, tokens=(replace(board.tokens[0], at=at), *board.tokens[1:]))


def test_a_moved_token_marks_where_it_left_and_where_it_arrived() -> None:
    board = squares()
    start, end = board.tokens[0].at, next(cell.at for cell in board.cells if cell.at != board.tokens[0].at)
    before, after = table(board), table(moved(board, end))
    trails = trails_between(token_places(before), token_places(after))
    assert trails == (Trail(board.key, start, end),)
    marked = with_trails(after, trails)
    (drawn,) = [part for part in things(marked.middle) if isinstance(part, Board)]
    assert {cell.at: cell.last for cell in drawn.cells if cell.last} == {start: "from", end: "to"}
    html = str(render(marked))
    assert (html.count('class="trail from"'), html.count('class="trail to"')) == (1, 1)


def test_a_placed_token_marks_only_its_space_and_a_removed_one_nothing() -> None:
    board = squares()
    without = replace(board, tokens=board.tokens[1:])
    first, whole = token_places(table(without)), token_places(table(board))
    assert trails_between(first, whole) == (Trail(board.key, None, board.tokens[0].at),)
    assert trails_between(whole, first) == ()


def test_only_the_board_of_the_token_is_marked() -> None:
    board, other = squares(), replace(hexes(), key="other")
    scene = with_trails(table(board, other), (Trail("board", None, board.tokens[0].at),))
    marks = [sum(bool(cell.last) for cell in part.cells) for part in things(scene.middle) if isinstance(part, Board)]
    assert marks == [1, 0]
