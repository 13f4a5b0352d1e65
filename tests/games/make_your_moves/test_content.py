"""The deck: the default cards, custom decks, and the errors of bad ones."""

from collections import Counter
from pathlib import Path
from typing import Any

import pytest

from games.make_your_moves.content_files import COLOURS, read, rows
from games.make_your_moves.table import NAME
from sparring import BadContent, Match
from sparring.engine.game import game

GAME = game(NAME)


def test_the_default_deck() -> None:
    count = Counter((card.colour, card.power) for card in GAME.content.cards)
    coloured = {(colour, power): n for colour in COLOURS[:4] for power, n in ((1, 9), (2, 6), (3, 3))}
    assert count == coloured | {("Wild", 1): 4, ("Wild", 2): 3, ("Wild", 3): 1}
    assert sum(count.values()) == 80
    assert len({card.name.casefold() for card in GAME.content.cards}) == 80


def test_the_deck_has_the_names_of_the_rulings() -> None:
    names = {(card.colour, card.power): [] for card in GAME.content.cards}  # type: dict[tuple[str, int], list[str]]
    for card in GAME.content.cards:
        names[card.colour, card.power].append(card.name)
    assert names["Red", 3] == ["Piledriver", "Powerbomb", "Chokeslam"]
    assert names["Green", 3] == ["Thunderous", "Death-Defying", "Earth-Shaking"]
    assert names["Blue", 2] == ["Elbow", "Knee", "Forearm", "Heel", "Shoulder", "Hip"]
    assert names["Yellow", 1][:3] == ["Towel", "Water Bottle", "Popcorn"]
    assert names["Wild", 1] + names["Wild", 2] + names["Wild", 3] == [
        "Grit", "Swagger", "Crowd Pop", "Second Wind", "Momentum", "Adrenaline", "Fury", "Finisher",
    ]  # fmt: skip


def test_a_custom_deck(tmp_path: Path) -> None:
    file = tmp_path / "mine.toml"
    lines = [f'{{ name = "{row["name"]}", colour = "{row["colour"]}", power = {row["power"]} }},' for row in rows()]
    file.write_text("cards = [\n" + "\n".join(lines) + "\n]\n", encoding="utf-8")
    match = Match.new(NAME, seats=6, seed=3, content=str(file))
    held = [name for hand in match.position()["hands"] for name in hand]
    assert sorted(held) == sorted(row["name"] for row in rows())
    assert Match.from_record(match.record()).position() == match.position()


def test_the_largest_and_the_smallest_deck() -> None:
    many = [{"name": f"No. {n}x", "colour": "Red", "power": 1} for n in range(121)]
    assert len(read({"cards": many[:120]}).cards) == 120
    assert len(read({"cards": many[:30]}).cards) == 30
    for bad in (many, many[:29], []):
        with pytest.raises(BadContent, match=f"30 to 120 cards, not {len(bad)}"):
            read({"cards": bad})


@pytest.mark.parametrize(
    ("changed", "message"),
    [
        ({"name": None}, "card 3: name is missing"),
        ({"colour": None}, "card 3 \\(Red no. 2\\): colour is missing"),
        ({"power": None}, "card 3 \\(Red no. 2\\): power is missing"),
        (
            {"strength": 3},
            "card 3 \\(Red no. 2\\): there is no field strength; a card has name, colour, power and picture",
        ),
        ({"name": ""}, "card 3: name: a name must have 1 to 24 characters"),
        ({"name": "   "}, "card 3: name: a name must have 1 to 24 characters"),
        ({"name": "x" * 25}, "card 3: name: a name must have 1 to 24 characters"),
        ({"name": "two\nlines"}, "card 3: name: a name must have 1 to 24 characters"),
        ({"name": 7}, "card 3: name: a name must have 1 to 24 characters"),
        ({"name": "--"}, "card 3 \\(--\\): name: a name must have a letter or digit"),
        ({"name": "Kick; Punch"}, "card 3 \\(Kick; Punch\\): name: a name must have a letter or digit"),
        ({"name": "Done"}, "card 3 \\(Done\\): name: this word already has a meaning"),
        ({"name": "Red 2"}, "card 3 \\(Red 2\\): name: this word already has a meaning"),
        ({"name": "Red-2"}, "card 3 \\(Red-2\\): name: this word already has a meaning"),
        ({"name": "Target 10"}, "card 3 \\(Target 10\\): name: this word already has a meaning"),
        ({"name": "help-attacker"}, "card 3 \\(help-attacker\\): name: this word already has a meaning"),
        ({"name": "S2"}, "card 3 \\(S2\\): name: this word already has a meaning"),
        ({"name": "Red no. 0"}, "card 3: name: Red no. 0 is already the name of card 1"),
        ({"name": "red-NO. 0"}, "card 3: name: red-NO. 0 is already the name of card 1"),
        (
            {"colour": "red"},
            "card 3 \\(Red no. 2\\): colour: a colour must be Red, Green, Blue, Yellow or Wild, not red",
        ),
        ({"colour": "Black"}, "card 3 \\(Red no. 2\\): colour: .* not Black"),
        ({"colour": ["Red"]}, "card 3 \\(Red no. 2\\): colour: "),
        ({"power": 0}, "card 3 \\(Red no. 2\\): power: a power must be 1, 2 or 3, not 0"),
        ({"power": 4}, "power: .* not 4"),
        ({"power": 1.0}, "power: .* not 1.0"),
        ({"power": True}, "power: .* not True"),
        ({"power": "2"}, "power: .* not 2"),
    ],
)
def test_bad_cards_are_refused_with_a_reason(changed: dict[str, Any], message: str) -> None:
    with pytest.raises(BadContent, match=f"^mine.toml: .*{message}"):
        read({"cards": rows(**changed)})


@pytest.mark.parametrize("data", [{}, {"cards": 3}, {"cards": "Red2"}, {"card": []}])
def test_a_file_without_a_list_of_cards(data: dict[str, Any]) -> None:
    with pytest.raises(BadContent, match=r"^mine.toml: a deck is a list called cards"):
        read(data)


def test_a_deck_with_an_unknown_field() -> None:
    with pytest.raises(BadContent, match=r"^mine.toml: there is no field boards; a deck has cards"):
        read({"cards": rows(), "boards": []})


def test_a_card_that_is_not_a_table() -> None:
    with pytest.raises(BadContent, match=r"^mine.toml: card 2 must be a table"):
        read({"cards": [rows()[0], "Jab", *rows()[2:]]})


def test_a_deck_of_only_wilds() -> None:
    with pytest.raises(BadContent, match="not Wild"):
        read({"cards": [row | {"colour": "Wild"} for row in rows()]})


@pytest.mark.parametrize(
    ("written", "message"),
    [
        (None, "Can't read .*mine.toml: No such file"),
        (b"cards = [", "mine.toml is not TOML"),
        (b"\xff\xfe", "is not TOML"),
    ],
)
def test_an_unreadable_file(tmp_path: Path, written: bytes | None, message: str) -> None:
    file = tmp_path / "mine.toml"
    if written is not None:
        file.write_bytes(written)
    with pytest.raises(BadContent, match=message):
        Match.new(NAME, content=file)
