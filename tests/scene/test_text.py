"""Scenes as text: 80 columns, every choice in words."""

from rich.console import Console

from scene.sample_scenes import RED, hexes, squares, table
from sparring.scene import Board, Button, Card, Cell, Face, Group, Prompt, Row, Track, replace
from sparring.scene.text import render, render_area


def test_a_table_in_text() -> None:
    assert (
        render(table(), names=("Ann", "Bo"))
        == """\
A Toy · Turn 3   *** Big Jab *** (5 against 4)
> 1 Ann (you)  ██████░░░░ 13 health  Attacker
  2 Bo         ●●○ points  2 cards

Draw pile: 40   Discards: 1, R1 Jab 3/4 R on top
Lane:  [1]  = 5
Range: 2 to Bo
Your hand:  R1 Jab 3/4 R  (R1 Chop 3/4 R)  R1 Poke 3/4 R x2 <tired>

Bo waits: what now?
  target 2 · lane 1 · Jab · Poke · done"""
    )


def drawn(board: Board) -> list[list[str]]:
    """Return the symbols of a board, row by row."""
    lines = render(table(board)).splitlines()
    first = next(number for number, line in enumerate(lines) if "Draw pile" in line)
    rows = len({cell.at[1] for cell in board.cells})
    return [line[: lines[first].index("Draw pile")].split() for line in lines[first : first + rows]]


def test_a_square_board_shows_tokens_and_possible_moves() -> None:
    assert drawn(squares()) == [["a1", "#", "(K)"], ["<1>", "b2", ":"]]


def test_coordinates_are_written_along_the_edges_of_a_board_with_a_border() -> None:
    cells = tuple(
        Cell((x, y), name=f"{'ab'[x]}{y + 1}", action=0 if x == y == 0 else None) for y in (0, 1) for x in (0, 1)
    )
    board = Board("board", "Board", cells, coordinates=True)
    assert drawn(board) == [["a1", "."], [".", "."]]
    bordered = replace(board, cells=(*cells[:2], *(replace(cell, tone="border") for cell in cells[2:])))
    assert drawn(bordered) == [["a1", "b"], ["a", "b"]]  # an opening in the border keeps its letter, too


def test_a_board_turned_by_half_is_upside_down() -> None:
    assert drawn(squares(2)) == [[":", "b2", "<1>"], ["(K)", "#", "a1"]]


def test_a_board_without_choices_names_its_spaces() -> None:
    still = replace(squares(), cells=tuple(replace(cell, action=None) for cell in squares().cells))
    assert drawn(still) == [["a1", "#", "(K)"], ["<1>", "b2", ":c2"]]


def test_hexes_and_their_rows_are_numbered() -> None:
    assert drawn(hexes()) == [["-1", "0", "1"], ["0", "-1", "0", "1"], ["1", "-1", "0"]]
    lines = [line[3:14] for line in render(table(hexes())).splitlines() if line[:3] in ("-1 ", " 0 ", " 1 ")]
    ends = [line.index(line.split()[0]) + len(line.split()[0]) for line in lines]
    assert ends[0] == ends[2] > ends[1]


def test_on_few_rows_blank_lines_go_and_short_things_share_a_line() -> None:
    roomy, close = (render(table(squares()), rows=rows).splitlines() for rows in (40, 10))
    assert "" in roomy
    assert "" not in close
    assert len(close) < len(roomy)
    assert "Range: 2 to Seat 2" in " ".join(close)


def test_no_line_is_longer_than_the_terminal() -> None:
    many = Prompt(
        "What? " * 40, tuple(Button(text=f"choice {i}", action=30 + i, words=f"choice {i}") for i in range(40))
    )
    text = render(table(squares(), hexes(), prompt=many))
    assert max(map(len, text.splitlines())) <= 80
    assert all(f"choice {i}" in text for i in range(40))


def test_an_indented_result_fits_the_terminal() -> None:
    cards = tuple(Card(f"card {number}", Face("Wristlock", value="1")) for number in range(4))
    fought = Group((Row("one", "Attack", cards[:2], total="2"), Row("two", "Defence", cards[2:], total="2")))
    assert [len(line) for line in render_area(fought)] == [80]
    lines = render_area(fought, indent="    ")
    assert len(lines) == 2
    assert all(line.startswith("    ") and len(line) <= 80 for line in lines)


def test_colour_adds_nothing_but_colour() -> None:
    names = ("Ann [red]", "Bo")
    console = Console(width=80, no_color=True, force_terminal=False)
    with console.capture() as shown:
        console.print(render(table(squares()), colour=True, names=names), highlight=False, soft_wrap=True)
    assert shown.get().rstrip("\n") == render(table(squares()), names=names)


def test_a_name_that_is_the_value_is_written_once() -> None:
    cards = Row("dice", "Dice", (Card("a", Face("5", value="5")), Card("b", Face("K", RED, value="K"))))
    assert render_area(cards) == ["Dice:  5  RK"]


def test_a_bar_ends_at_its_goal() -> None:
    bars = [Track("score", "Score", value, 20, "bar") for value in (-3, 10, 23)]
    drawn = [line for bar in bars for line in render_area(bar)]
    assert drawn == ["░░░░░░░░░░ -3 score", "█████░░░░░ 10 score", "██████████ 23 score"]


def test_choices_can_be_left_to_the_caller() -> None:
    assert "lane 1 ·" not in render(table(), choices=False)
