"""What makers put on their cards: initials."""

from typing import Any

import pytest

from sparring.engine.errors import BadContent
from sparring.engine.formats.toml import read_toml
from sparring.engine.game import GameSetup
from sparring.engine.match import Match
from sparring.games.five_circles import GAME, components
from sparring.games.five_circles.params import preview
from sparring.scene import Card, Face, things


def setup(*decks: dict[str, Any], **more: Any) -> GameSetup:
    """Return the game with additions to its two decks and to its file."""
    data = read_toml(GAME.content_text, "own")
    data["decks"] = [deck | changed for deck, changed in zip(data["decks"], decks, strict=True)]
    options = {"decks": more.pop("rule", "shared")}
    return GAME.setup(options, GAME.content_from(data | more, "the case"))


def laid_out(made: GameSetup, **position: Any) -> Match:
    """Return a match at a position."""
    return Match.from_position({"game": GAME.name, "turn": 3, **position}, made.content, game=GAME)


def faces(match: Match, seat: int) -> dict[str, Face]:
    """Return the faces of the cards that a seat sees, by name."""
    seen = (card.face for card in things(match.view(seat).scene) if isinstance(card, Card) and card.face)
    return {face.name: face for face in seen}


@pytest.mark.parametrize("initials", ["K", "ABC", "Äö", "明太", "रि"])
def test_every_card_of_a_deck_carries_its_makers_initials(initials: str) -> None:
    made = setup({"initials": initials}, {})
    first, second = components.inventory(made, 2).decks
    assert {copies.face.initials for copies in first.cards} == {initials}
    assert {copies.face.initials for copies in second.cards} == {""}
    seen = faces(laid_out(made, rows=["1 Kite Archer", "1 Spark Witch"], hands=["Pebble Crab, 2 Red", "Red"]), 1)
    assert [seen[name].initials for name in ("Kite Archer", "Pebble Crab", "Red")] == [initials] * 3
    assert seen["Spark Witch"].initials == ""
    assert seen["Kite Archer"].title.endswith(f"made by {initials}")


@pytest.mark.parametrize("initials", ["ABCD", "A1", "A B", "☺", "\u0301A", "A" + "\u0301" * 9, 7])
def test_initials_are_up_to_three_letters(initials: Any) -> None:
    with pytest.raises(BadContent, match="nitials"):
        setup({"initials": initials}, {})


def test_only_the_backs_of_separate_decks_tell_the_makers_apart() -> None:
    mixed = components.inventory(setup({"initials": "AB"}, {"initials": "CD"}), 2).decks
    assert mixed[0].back == mixed[1].back
    own = components.inventory(setup({"initials": "AB"}, {"initials": "CD"}, rule="own"), 2).decks
    assert "AB" in str(own[0].back)
    assert "CD" in str(own[1].back)


def test_the_studio_previews_a_card_with_the_initials_of_the_deck_that_has_it() -> None:
    data = read_toml(GAME.content_text, "own")
    data["decks"][1]["initials"] = "CD"
    options = GAME.setup().options
    assert next(iter(preview(data, options, ("cards", 0)))).initials == ""
    assert next(iter(preview(data, options, ("cards", 14)))).initials == "CD"


# Drawn resources

RUBY = {"name": "Ruby", "colour": "Red", "picture": "drawing [[2,2,0,500,500,300]]"}
ENGINE = {"name": "Fire Engine", "colour": "Red"}
BALLOON = {"name": "Balloon", "colour": "Blue"}
DRAWN = setup({"drawn": ["Ruby x2", "Fire Engine"]}, {"drawn": ["Balloon"]}, resources=[RUBY, ENGINE, BALLOON])


def test_drawn_resources_are_played_one_after_the_other_and_count_as_their_colour() -> None:
    match = laid_out(DRAWN, phase="resources", hands=["3 Red", "Blue"], ready=["Red", ""])
    hand = [(card.face.name, card.count, card.label) for card in match.view(1).scene.hand[0].cards]
    assert hand == [("Ruby", 3, "Ruby, Red resource")]
    match.choose("ruby")
    assert faces(match, 2)["Ruby"].name == "Ruby"
    match.choose("resource red")
    for seat in (0, 1, 2):
        *_, shown = match.view(seat).scene.left
        assert [card.face.name for card in shown.cards] == ["Ruby", "Fire Engine"]
    lines = match.log(2)
    assert "Seat 1 plays Ruby, a Red resource." in lines
    assert "Seat 1 plays Fire Engine, a Red resource." in lines


def test_what_others_hold_and_draw_shows_no_name() -> None:
    match = laid_out(DRAWN, phase="resources", hands=["2 Red", "2 Blue"], draw_pile=["Red", "Blue"])
    for seat, names in ((2, {"Ruby", "Fire Engine"}), (1, {"Balloon"}), (0, {"Ruby", "Fire Engine", "Balloon"})):
        scene = match.view(seat).scene
        assert not names & {str(getattr(part, field, "")) for part in things(scene) for field in ("name", "label")}


def test_every_drawn_resource_is_printed_once_beside_the_plain_ones() -> None:
    first, second = components.inventory(DRAWN, 2).decks
    reds = {
        copies.face.name: copies.components
        for copies in first.cards
        if copies.face.colour and copies.face.colour.key == "red"
    }
    assert reds == {"Ruby": ("Red 0", "Red 1"), "Fire Engine": ("Red 2",), "Red": ("Red 3", "Red 4")}
    assert {copies.face.name: len(copies.components) for copies in second.cards}["Balloon"] == 1
    dealt = GAME.position.components(DRAWN, Match.deal(DRAWN, 2, 1).state)
    assert sorted(components.inventory(DRAWN, 2).components) == sorted(dealt)


def test_a_deal_with_drawn_resources_plays_like_one_without() -> None:
    plain, drawn = Match.deal(GAME.setup(), 2, 5), Match.deal(DRAWN, 2, 5)
    for _ in range(40):
        if plain.seat is None:
            break
        assert plain.state_bytes() == drawn.state_bytes()
        action = plain.legal()[-1]
        plain.choose(action)
        drawn.choose(action)


@pytest.mark.parametrize(
    ("decks", "resources", "fault"),
    [
        ({"drawn": ["Topaz"]}, [RUBY], "There is no resource called Topaz."),
        ({"drawn": ["Ruby x6"]}, [RUBY], "6 drawn Red resources, but the deck has only 5."),
        ({}, [RUBY, RUBY], "Another card already has this name."),
        ({}, [RUBY | {"name": "Kite Archer"}], "Another card already has this name."),
        ({}, [RUBY | {"name": "green"}], "This word has another meaning"),
        ({}, [RUBY | {"colour": "Pink"}], "must be Red, Blue or Green"),
        ({}, [{"colour": "Red"}], "name is missing"),
        ({"drawn": [["Ruby"]]}, [RUBY], "resource must have"),
    ],
)
def test_faults_of_drawn_resources(decks: dict[str, Any], resources: list[Any], fault: str) -> None:
    with pytest.raises(BadContent, match=fault):
        setup(decks, {}, resources=resources)


def test_the_studio_previews_a_drawn_resource() -> None:
    data = read_toml(GAME.content_text, "own") | {"resources": [RUBY]}
    face, text = preview(data, GAME.setup().options, ("resources", 0))
    assert (face.name, face.colour.word) == ("Ruby", "Red")
    assert "Red resource" in text.text
    assert list(preview(data | {"resources": [{"colour": "Pink"}]}, GAME.setup().options, ("resources", 0))) == []


def test_a_record_keeps_drawn_resources_and_initials() -> None:
    match = Match.deal(setup({"initials": "AB", "drawn": ["Ruby"]}, {}, resources=[RUBY]), 2, 1)
    again = Match.from_record(match.record())
    assert again.view(1).scene == match.view(1).scene
    assert again.record() == match.record()
