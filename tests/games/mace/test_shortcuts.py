"""Shortcuts: a tap on a hex boosts and moves there, a tap on a Fighter attacks it."""

from games.mace.table import Table, adjacent, table
from sparring.scene import Cell, Token, things


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
