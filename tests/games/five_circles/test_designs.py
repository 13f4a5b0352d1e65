"""Designs, decks and files: every message, all at once."""

from pathlib import Path
from typing import Any

import numpy as np
import pytest
from typer.testing import CliRunner

from games.five_circles.table import table
from sparring.engine.errors import BadContent, ContentFault
from sparring.engine.match import Match
from sparring.games.five_circles import GAME
from sparring.games.five_circles.abilities import ABILITIES
from sparring.games.five_circles.designs import Deck, Design, deck_faults, deck_notes, faults, notes
from sparring.games.five_circles.params import app
from wording import says

GOOD = Design("Kite Archer", ("Red",), 2, 1, ("Target",))


def changed(**fields: Any) -> list[ContentFault]:
    """Return the faults of a good design with other fields."""
    return faults(Design(**{**GOOD.__dict__, **fields}))


def test_a_good_design() -> None:
    assert faults(GOOD) == []
    assert notes(GOOD) == ["3 circles left empty."]


@pytest.mark.parametrize("name", ["", "   ", "A name that has 25 letters", 7])
def test_e1_names(name: Any) -> None:
    assert changed(name=name) == ["Give the card a name of 1 to 24 characters."]


def test_e2_once_for_each_circle() -> None:
    message = "A circle must be Red, Blue or Green, not red."
    assert changed(stat=("red", "red"), attack=3, health=3) == [message, message]


@pytest.mark.parametrize("count", [0, 4, 5])
def test_e3_circles(count: int) -> None:
    assert changed(stat=("Red",) * count, abilities=()) == [f"Buy 1, 2 or 3 circles of points; this card has {count}."]


@pytest.mark.parametrize("value", [0, -1, 1.5, "2", None, True])
def test_e4_and_e5_numbers(value: Any) -> None:
    assert changed(attack=value) == ["Attack must be a whole number, at least 1."]
    assert changed(health=value) == ["Health must be a whole number, at least 1."]


def test_e6_points_even_with_a_value_of_0() -> None:
    assert changed(attack=3) == ["1 circle buys 3 points, but Attack + Health is 4."]
    assert changed(attack=4, health=0) == [
        "Health must be a whole number, at least 1.", "1 circle buys 3 points, but Attack + Health is 4.",
    ]  # fmt: skip
    assert changed(attack=-4, health=9) == ["Attack must be a whole number, at least 1."]
    assert changed(stat=("Red", "Yellow"), attack=9) == [
        "A circle must be Red, Blue or Green, not Yellow.", "2 circles buy 6 points, but Attack + Health is 10.",
    ]  # fmt: skip


def test_e7_once_for_each_name_as_printed() -> None:
    assert changed(abilities=("fast", "Flying", "fast")) == [
        "There is no ability called fast.", "There is no ability called Flying.",
        "fast is on the card twice; an ability can be bought only once.",
    ]  # fmt: skip


def test_e8_once_for_each_ability_and_not_with_repeats() -> None:
    twice = ("Fast", "Fast", "Heal 1", "Heal 1")
    assert changed(abilities=twice) == [
        "Fast is on the card twice; an ability can be bought only once.",
        "Heal 1 is on the card twice; an ability can be bought only once.",
    ]
    assert faults(Design("Card", ("Red",), 2, 1, twice), repeats=True) == []


def test_e9_counts_known_abilities() -> None:
    assert changed(abilities=("Long Range", "Armor 1", "Flying")) == [
        "There is no ability called Flying.", "The card needs 6 circles; there are only 5.",
    ]  # fmt: skip
    assert changed(abilities=("Armor 1", "Armor 2")) == ["The card needs 6 circles; there are only 5."]


def test_all_faults_in_order() -> None:
    bad = Design("", ("Pink",) * 4, 0, "?", ("Nothing", "Fast", "Fast"))
    assert [fault.split()[0] for fault in faults(bad)] == [
        "Give", "A", "A", "A", "A", "Buy", "Attack", "Health", "There", "Fast", "The",
    ]  # fmt: skip


def test_deck_messages_and_notes() -> None:
    bad = Design("Bad", ("Red",), 3, 1)
    deck = Deck("Half", ("Kite Archer",) * 10 + ("Bad",), ("Blue",) * 12 + ("Yellow",))
    assert deck_faults(deck, {"Kite Archer": GOOD, "Bad": bad}) == [
        "Bad: 1 circle buys 3 points, but Attack + Health is 4.",
        "A player adds 12 to 16 character cards; this list has 11.",
        "A player adds 14 to 18 resource cards; this list has 13.",
        "A resource must be Red, Blue or Green, not Yellow.",
    ]
    deck = Deck("Half", ("Kite Archer",) * 12, ("Blue",) * 14)
    assert deck_notes(deck, {"Kite Archer": GOOD}) == [
        "No Red resource, but 12 characters need it.", "12 copies of Kite Archer.",
    ]  # fmt: skip


# The default content


def test_default_content() -> None:
    cards = GAME.content.cards
    assert len(cards) == 28
    assert all(faults(card, exact=True) == [] for card in cards)
    assert {name for card in cards for name in card.abilities} == {ability.name for ability in ABILITIES}
    assert {sum(card.cost) for card in cards} == {1, 2, 3, 4, 5}
    assert [deck.resources.count("Red") for deck in GAME.content.decks] == [5, 6]


def test_24_abilities_of_three_colours() -> None:
    assert [sum(each.colour == colour for each in ABILITIES) for colour in range(3)] == [8, 8, 8]


def test_the_rules_name_every_ruling_and_option() -> None:
    text = (GAME.folder / "rules.md").read_text(encoding="utf-8")
    assert all(f"| R{number} |" in text for number in range(1, 61))
    assert all(f"`{option.name}`" in text for option in GAME.options())


# Files


def write(path: Path, text: str) -> Path:
    path.write_text(text, encoding="utf-8")
    return path


CARD = '[[cards]]\nname = "Ash"\nstat = ["Red", "Red"]\nattack = 3\nhealth = 2\nabilities = ["Defender"]\n'


def test_cards_check_and_cost(tmp_path: Path) -> None:
    file = write(tmp_path / "mine.toml", CARD + CARD.replace("Ash", "Bo").replace("attack = 3", "attack = 6"))
    run = CliRunner().invoke(app, ["check", str(file)])
    assert run.exit_code == 1
    parts: list[tuple[object, ...]] = [
        ("Ash", "2 Red", "1 Blue"), ("1 point",), ("2 circles",), ("Bo", "not legal"), ("2 circles", "6 points", 8),
    ]  # fmt: skip
    assert all(says(line, *part) for line, part in zip(run.output.splitlines(), parts, strict=True)), run.output
    run = CliRunner().invoke(app, ["check", str(write(tmp_path / "one.toml", CARD))])
    assert run.exit_code == 0
    run = CliRunner().invoke(app, ["check", "--exact", str(tmp_path / "one.toml")])
    assert says(run.output, "2 circles", "6 points", 5)
    run = CliRunner().invoke(app, ["cost", str(file)])
    assert run.output.splitlines()[0] == "Ash  2 Red, 1 Blue (3)"
    assert says(run.output, "Bo", "not legal")
    run = CliRunner().invoke(app, ["check", str(GAME.folder / "content.toml")])
    assert run.exit_code == 0
    assert says(run.output, "Half A", "14 characters", "16 resources")
    assert len(CliRunner().invoke(app, ["abilities"]).output.splitlines()) == 24


def test_all_faults_of_a_file_at_once(tmp_path: Path) -> None:
    text = CARD.replace("attack = 3", "attack = 0") + CARD + CARD.replace("Ash", "Done") + "speed = 1\n"
    file = write(tmp_path / "bad.toml", text + '[[decks]]\nresources = { Pink = 14 }\ncharacters = ["Stranger x12"]\n')
    with pytest.raises(BadContent) as refused:
        GAME.read_content(file)
    parts: list[tuple[object, ...]] = [
        ("card 3", "Done", "speed"), ("Ash", "name"), ("Done", "word"), ("two decks", 1), ("Ash", "Attack", 1),
        ("Deck 1", "Stranger", "no such card"), ("Deck 1", "resource", "Pink"),
    ]  # fmt: skip
    lines = str(refused.value).splitlines()
    assert all(says(line, "bad.toml", *part) for line, part in zip(lines, parts, strict=True)), lines


@pytest.mark.parametrize(
    ("text", "parts"),
    [
        ("cards = 3", ("cards", "list")), ("[[cards]]\nname = 'A'\nstat = 'Red'", ("stat", "list")),
        ("[[decks]]\ncharacters = 3", ("characters", "list")),
        ("[[decks]]\ncharacters = [['A']]", ("['A']", "no such card")),
        ("[[decks]]\nresources = { Red = 'x' }", ("resources", "colour")),
        ("[[decks]]\nresources = 3", ("resources", "colour")), ("[[cards]]\nname = 'A;B'", ("A;B", "name")),
        ("wrong = 1", ("field", "wrong")), ("[[decks]]\nsize = 1", ("field", "size")), ("x", ("not TOML",)),
    ],
)  # fmt: skip
def test_unreadable_files(tmp_path: Path, text: str, parts: tuple[str, ...]) -> None:
    with pytest.raises(BadContent) as refused:
        GAME.read_content(write(tmp_path / "bad.toml", text))
    assert says(str(refused.value), *parts)


def test_a_missing_file() -> None:
    run = CliRunner().invoke(app, ["check", "/no/such/file.toml"])
    assert isinstance(run.exception, BadContent)


def test_a_record_keeps_custom_cards() -> None:
    content = table("1 Ash 4/3 [Fast]", "1 Dot 1/2").match.setup.content
    match = Match.new(GAME, seed=4, content=content, options={"opening": "hold"})
    rng = np.random.default_rng(4)
    for _ in range(8):
        match.choose(int(rng.choice(match.legal())))
    again = Match.from_record(match.record(), game=GAME)
    assert again.state.tobytes() == match.state.tobytes()
    assert again.setup.content == content
