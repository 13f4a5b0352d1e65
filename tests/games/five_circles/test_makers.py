"""What makers put on their cards: initials."""

from typing import Any

import pytest

from sparring.engine.errors import BadContent
from sparring.engine.formats.toml_reader import read_toml
from sparring.engine.game import Box
from sparring.engine.match import Match
from sparring.games.five_circles import GAME, inventory
from sparring.games.five_circles.preview import preview
from sparring.scene import Card, Face, things


def box(*decks: dict[str, Any], **more: Any) -> Box:
    """Return the game with additions to its two decks and to its file."""
    data = read_toml(GAME.content_text, "own")
    data["decks"] = [deck | changed for deck, changed in zip(data["decks"], decks, strict=True)]
    options = {"decks": more.pop("rule", "shared")}
    return GAME.box(options, GAME.kit.read_content(data | more, "the case"))


def laid_out(made: Box, **position: Any) -> Match:
    """Return a match at a position."""
    return Match.from_position({"game": GAME.name, "turn": 3, **position}, made.content, game=GAME)


def faces(match: Match, seat: int) -> dict[str, Face]:
    """Return the faces of the cards that a seat sees, by name."""
    seen = (card.face for card in things(match.view(seat).scene) if isinstance(card, Card) and card.face)
    return {face.name: face for face in seen}


@pytest.mark.parametrize("initials", ["K", "ABC", "Äö", "明太", "रि"])
def test_every_card_of_a_deck_carries_its_makers_initials(initials: str) -> None:
    made = box({"initials": initials}, {})
    first, second = inventory.inventory(made, 2).decks
    assert {copies.face.initials for copies in first.cards} == {initials}
    assert {copies.face.initials for copies in second.cards} == {""}
    seen = faces(laid_out(made, rows=["1 Kite Archer", "1 Spark Witch"], hands=["Pebble Crab, 2 Red", "Red"]), 1)
    assert [seen[name].initials for name in ("Kite Archer", "Pebble Crab", "Red")] == [initials] * 3
    assert seen["Spark Witch"].initials == ""
    assert seen["Kite Archer"].title.endswith(f"made by {initials}")


@pytest.mark.parametrize("initials", ["ABCD", "A1", "A B", "☺", "\u0301A", "A" + "\u0301" * 9, 7])
def test_initials_are_up_to_three_letters(initials: Any) -> None:
    with pytest.raises(BadContent, match="nitials"):
        box({"initials": initials}, {})


def test_only_the_backs_of_separate_decks_tell_the_makers_apart() -> None:
    mixed = inventory.inventory(box({"initials": "AB"}, {"initials": "CD"}), 2).decks
    assert mixed[0].back == mixed[1].back
    own = inventory.inventory(box({"initials": "AB"}, {"initials": "CD"}, rule="own"), 2).decks
    assert "AB" in own[0].back.svg
    assert "CD" in own[1].back.svg


def test_the_studio_previews_a_card_with_the_initials_of_the_deck_that_has_it() -> None:
    data = read_toml(GAME.content_text, "own")
    data["decks"][1]["initials"] = "CD"
    options = GAME.box().options
    assert next(iter(preview(data, options, ("cards", 0)))).initials == ""
    assert next(iter(preview(data, options, ("cards", 14)))).initials == "CD"
