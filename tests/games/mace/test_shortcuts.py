"""Shortcuts: a tap on a hex boosts and moves there, a tap on a Fighter attacks it."""

import pytest

from games.mace.table import Table, adjacent, table
from sparring.games.mace.components import place, way
from sparring.games.mace.params import read_hex
from sparring.scene import Board, Cell, Token, things
from sparring.scene.boards import centre


def shortcuts(t: Table, thing: str, seat: int = 1) -> list[str]:
    """Return the shortcuts of a hex or Fighter."""
    for part in things(t.match.view(seat).scene):
        if (isinstance(part, Cell) and part.name == thing) or (isinstance(part, Token) and part.key == thing):
            return [shortcut.words for shortcut in part.shortcuts]
    raise AssertionError(thing)


def test_a_tap_on_a_hex_boosts_with_the_card_that_reaches_it() -> None:
    t = table("3C 9D", "5C 6D", fighters=["0,0", "5,0"], momentum=["7H", "5D"])
    assert shortcuts(t, "-3,0") == ["boost 3C; to -3,0"]  # 4 steps; 9D would give 2
    t.play(shortcuts(t, "-3,0")[0])
    assert t.match.position()["fighters"][0] == "-3,0"


def test_a_hex_that_two_cards_reach_asks_which_one_shorter_first() -> None:
    t = table("3C 9D", "5C 6D", fighters=["0,0", "5,0"], momentum=["7H", "5D"])
    assert shortcuts(t, "-1,0") == ["boost 9D; to -1,0", "boost 3C; to -1,0"]


def test_a_tap_on_an_adjacent_opponent_strikes() -> None:
    t = adjacent("9S 4C", None, momentum=["7H", None], discard_pile="8D")
    assert shortcuts(t, "fighter 1") == ["strike 9S; target 2"]
    t.play(shortcuts(t, "fighter 1")[0])
    assert (t.match.seat, t.match.phase) == (2, "defence")


def test_a_tap_on_a_distant_opponent_blasts_with_a_charge_that_reaches() -> None:
    t = table("KC 4D", "5C 6D", charges=["2C 6C", ""], fighters=["0,0", "4,0"], momentum=["7H", "5D"])
    assert shortcuts(t, "fighter 1") == ["blast 6C; KC; target 2"]
    t.play(shortcuts(t, "fighter 1")[0])
    assert (t.match.seat, t.match.phase) == (2, "defence")


def test_others_have_no_shortcuts() -> None:
    t = adjacent("9S 4C", None, momentum=["7H", None])
    assert not t.match.view(2).scene.shortcuts
    assert not t.match.view(0).scene.shortcuts


@pytest.mark.parametrize(
    ("end", "words"),
    [
        ("2,0", "2 hexes right"), ("-1,0", "1 hex left"), ("0,3", "3 hexes down-right"), ("2,-2", "2 hexes up-right"),
        ("-3,1", "2 hexes left and 1 down-left"), ("1,2", "2 hexes down-right and 1 right"),
        ("1,-4", "3 hexes up-left and 1 up-right"),
    ],
)  # fmt: skip
def test_a_way_is_told_in_directions_as_drawn(end: str, words: str) -> None:
    start, there = (read_hex(at, "at", 6) for at in ("0,0", end))
    assert str(way(start, there)) == words
    (x, y), (a, b) = (centre(Board("", "", (), hexes=True), place(at)) for at in (start, there))
    if " and " not in words:
        assert ("left" in words, "right" in words) == (a < x, a > x)
    assert ("up" in words, "down" in words) == (b < y, b > y)


def test_the_log_and_the_labels_of_hexes_say_the_way() -> None:
    t = table("3C 9D", "5C 6D", fighters=["0,0", "5,0"], momentum=["7H", "5D"])
    labels = {part.name: part.label for part in things(t.match.view(1).scene) if isinstance(part, Cell)}
    assert "2 hexes left" in labels["-2,0"]
    t.play("boost 3C; to -2,0")
    assert any("2 hexes left" in line for line in t.match.log(2))
