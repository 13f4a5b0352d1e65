"""Buttons that end something name it."""

from typing import Any

import pytest

from sparring import Match


def buttons(words: str = "", **position: Any) -> list[str]:
    """Return the buttons under the prompt, after these choices."""
    match = Match.from_position(position)
    match.play(words)
    return [button.text for button in match.view(match.seat or 0).scene.prompt.buttons]


MYM: dict[str, Any] = {"game": "make-your-moves", "seats": 3, "hands": ["Red1 Blue1", "Red2 Blue2", "Red2"]}


@pytest.mark.parametrize(
    ("words", "ends"),
    [
        ("target 2; Red1", ["End your attack"]),
        ("target 2; Red1; done", ["Don't defend"]),
        ("target 2; Red1; Blue1; done; Red2", ["End your defence"]),
        ("target 2; Red1; done; done", ["Stay out"]),
        ("target 2; Red1; done; done; pass", ["Done discarding"]),
    ],
)
def test_make_your_moves(words: str, ends: list[str]) -> None:
    assert buttons(words, **MYM) == ends


@pytest.mark.parametrize(("value", "button"), [("yes", "Pass control"), ("keep", "Don't attack")])
def test_a_pass_says_what_becomes_of_control(value: str, button: str) -> None:
    assert buttons(**{**MYM, "options": {"pass_attack": value}}) == [button]


def test_mace() -> None:
    assert buttons(game="mace", phase="turn", momentum=["KS", "QS"]) == ["End your Turn"]


def test_untitled_movement() -> None:
    match = Match.new("untitled-movement", seed=3)
    while match.phase != "turn":
        match.choose(match.legal()[0])
    assert [button.text for button in match.view(match.seat or 0).scene.prompt.buttons] == [
        "Roll", "Discard hand, end turn",
    ]  # fmt: skip


FIVE: dict[str, Any] = {"game": "five-circles", "turn": 5, "draw_pile": 10}


@pytest.mark.parametrize(
    ("position", "ends"),
    [
        # With an awake character, `done` is the attack.
        ({"phase": "main", "rows": ["1 Pebble Crab", ""], "hands": ["", ""]}, "Attack now"),
        ({"phase": "main", "rows": ["", ""], "hands": ["", ""]}, "End your turn"),
        # Nothing could be played after the resources, so the attack follows at once.
        ({"phase": "resources", "rows": ["1 Pebble Crab", ""], "hands": ["Red", ""]}, "Skip and attack"),
        ({"phase": "resources", "rows": ["", ""], "hands": ["Red", ""]}, "Skip and end turn"),
        # Something could be played after the resources.
        ({"phase": "resources", "rows": ["", ""], "hands": ["Red, Kite Archer", ""], "ready": ["2 Red", ""]}, "Skip"),
    ],
)
def test_five_circles(position: dict[str, Any], ends: str) -> None:
    assert buttons(**FIVE, **position)[-1] == ends
