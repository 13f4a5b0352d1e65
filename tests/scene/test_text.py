"""A scene as text: 80 columns, every choice in words."""

from rich.console import Console

from scene.tables import hexes, squares, table
from sparring.scene import Button, Prompt
from sparring.scene.text import render


def test_a_table_in_text() -> None:
    assert (
        render(table(), names=("Ann", "Bo"))
        == """\
A Toy · Turn 3
> 1 Ann (you)  ██████░░░░ 13 health  Attacker
  2 Bo         ●●○ points  2 cards

*** Big Jab *** (5 against 4)

Draw pile: 40   Discards: 1, R1 Jab 3/4 R on top
Lane:  [1]  = 5
Range: 2 to Bo
Your hand:  R1 Jab 3/4 R  (R1 Chop 3/4 R)  R1 Poke 3/4 R x2 <tired>

Bo waits: what now?
  target 2 · lane 1 · Jab · Poke · done"""
    )


def test_a_board_of_squares_shows_pieces_and_where_to_go() -> None:
    lines = render(table(squares())).splitlines()
    board = lines.index("The board")
    assert [line.split() for line in lines[board + 1 : board + 3]] == [["a1", "#", "(K)"], ["<1>", "b2", ":"]]


def test_a_board_turned_by_half_is_upside_down() -> None:
    lines = render(table(squares(2))).splitlines()
    board = lines.index("The board")
    assert [line.split() for line in lines[board + 1 : board + 3]] == [[":", "b2", "<1>"], ["(K)", "#", "a1"]]


def test_a_board_of_hexes_stands_in_shifted_rows() -> None:
    lines = render(table(hexes())).splitlines()
    rows = lines[lines.index("The grid") + 1 :][:3]
    assert [row.split() for row in rows] == [["0,-1", "1,-1"], ["-1,0", "0,0", "1,0"], ["-1,1", "0,1"]]
    indents = [len(row) - len(row.lstrip()) for row in rows]
    assert indents[0] == indents[2] > indents[1]


def test_no_line_is_longer_than_the_terminal() -> None:
    many = Prompt(
        "What? " * 40, tuple(Button(text=f"choice {i}", action=30 + i, words=f"choice {i}") for i in range(40))
    )
    text = render(table(squares(), hexes(), prompt=many))
    assert max(map(len, text.splitlines())) <= 80
    assert all(f"choice {i}" in text for i in range(40))


def test_colour_adds_nothing_but_colour() -> None:
    names = ("Ann [red]", "Bo")
    console = Console(width=80, no_color=True, force_terminal=False)
    with console.capture() as shown:
        console.print(render(table(squares()), colour=True, names=names), highlight=False, soft_wrap=True)
    assert shown.get().rstrip("\n") == render(table(squares()), names=names)


def test_choices_can_be_left_to_the_caller() -> None:
    assert "lane 1 ·" not in render(table(), choices=False)
