"""Two players each bring their own half (R68): names, refusals that give nothing away, and files that are no halves."""

import pickle
from typing import Any

import pytest

from sparring.engine.errors import BadContent, ChoiceError
from sparring.engine.formats.toml import read_toml, write_toml
from sparring.engine.game import GameSetup
from sparring.engine.laws import check_match
from sparring.engine.match import Match
from sparring.games.five_circles import GAME

RUBY = {"name": "Ruby", "colour": "Red", "picture": "drawing [[2,2,0,500,500,300]]"}


def half(*names: str, initials: str = "", **more: Any) -> str:
    """Return a file with twelve characters, of which the first ones have these names."""
    cards = [{"name": name, "stat": ["Red"], "attack": 2, "health": 1} for name in (*names, "Extra")]
    characters = [*names, f"Extra x{12 - len(names)}"]
    deck = {"characters": characters, "resources": dict.fromkeys(("Red", "Blue", "Green"), 5), "initials": initials}
    return write_toml({"cards": cards, "decks": [{**deck, **more.pop("deck", {})}], **more})


def setup(first: str, second: str, **options: Any) -> GameSetup:
    """Return the game with two halves."""
    return GAME.setup(options, GAME.content_from(read_toml(GAME.merged(first, second), "both"), "both"))


def names(made: GameSetup) -> list[str]:
    """Return the names of the designs."""
    return [card.name for card in made.content.cards]


@pytest.mark.parametrize(
    ("initials", "marks"),
    [(("KA", "LB"), ("KA", "LB")), (("", ""), "AB"), (("KA", ""), "AB"), (("ka", "KA"), "AB"), (("KA", "A"), "AB")],
)
def test_every_name_ends_in_its_makers_initials(initials: tuple[str, str], marks: tuple[str, str]) -> None:
    made = setup(*(half("Ash", initials=each) for each in initials))
    assert names(made) == [f"{name} {mark}" for mark in marks for name in ("Ash", "Extra")]
    match = Match.from_position({"game": GAME.name, "turn": 3, "rows": [f"1 Ash {marks[0]}", f"1 Ash {marks[1]}"]},
                                made.content, game=GAME)  # fmt: skip
    faces = [card.face for row in match.view(0).scene.middle[0].parts for card in row.cards if hasattr(card, "face")]
    assert {(face.name, face.initials) for face in faces} == {("Ash", mark) for mark in marks}


def test_a_half_is_the_deck_for_its_seat_with_only_the_cards_and_resources_in_it() -> None:
    made = setup(GAME.content_text, GAME.content_text)
    assert [deck.name for deck in made.content.decks] == ["Half A", "Half B"]
    assert (names(made)[0], names(made)[-1]) == ("Matchstick Imp A", "Starlit Surgeon B")
    assert len(names(made)) == 28
    gems: dict[str, Any] = {"resources": [RUBY, {**RUBY, "name": "Garnet"}], "deck": {"drawn": ["Ruby"]}}
    halves = read_toml(GAME.merged(half("Ash", **gems), half("Bea")), "both")["halves"]
    assert [each.get("resources") for each in halves] == [[RUBY], []]


def test_both_halves_may_draw_a_resource_of_the_same_name() -> None:
    first = half("Ash", resources=[RUBY], deck={"drawn": ["Ruby"]})
    second = half("Bea", resources=[{"name": "Ruby", "colour": "Blue"}], deck={"drawn": ["Ruby"]})
    content = setup(first, second).content
    assert [content.resource(owner, owner, 0).name for owner in (0, 1)] == ["Ruby", "Ruby"]
    assert [content.resource(owner, 1 - owner, 0).name for owner in (0, 1)] == ["Blue", "Red"]


def test_records_and_pickles_keep_the_halves() -> None:
    made = setup(half("Ash", initials="KA"), half("Bea"), decks="own")
    match = Match.deal(made, 2, 1)
    assert Match.from_record(match.record()).record() == match.record()
    assert pickle.loads(pickle.dumps(made)).content == made.content


def test_the_laws_hold_with_halves() -> None:
    for rule in ("shared", "own"):
        check_match(setup(half("Ash", initials="KA"), GAME.content_text, decks=rule), 2, seed=2)


# Refusals


def refusal(match: Match, choice: str | int) -> str:
    """Return why a choice is refused, without the choice itself."""
    with pytest.raises(ChoiceError) as refused:
        match.read(choice)
    return str(refused.value).replace(str(choice), "...")


def laid_out(*rows: str, **more: Any) -> Match:
    """Return a match in which seat 1 of two halves has a resource to play."""
    made = setup(half("Ash", "Elm"), half("Bea", "Rarest", deck={"drawn": []}))
    position = {"game": GAME.name, "turn": 3, "phase": "resources", "hands": ["Red", "Red"], "rows": list(rows), **more}
    return Match.from_position(position, made.content, game=GAME)


def test_a_card_is_known_once_it_is_seen_and_ones_own_always_are() -> None:
    unknown = refusal(laid_out("", ""), "play Zigzag")
    known = "Rarest B is not in your hand."
    assert refusal(laid_out("", ""), "play Elm A") == known.replace("Rarest B", "Elm A")
    assert refusal(laid_out("", "1 Rarest B"), "play Rarest B") == known
    assert refusal(laid_out("", "", discard_pile=["Rarest B"]), "play Rarest B") == known
    held: dict[str, Any] = {"hands": ["Red", "Rarest B"]}
    assert refusal(laid_out("", "", **held, seen=["", "Rarest B"]), "play Rarest B") == known
    assert refusal(laid_out("", "", **held), "play Rarest B") == unknown
    assert refusal(laid_out("", "", hands=["Red, Rarest B", ""]), "play Rarest B").startswith("First play resources")


# Files that are no halves


def test_a_card_without_a_name_is_in_no_half() -> None:
    cards = [{"name": name, "stat": ["Red"], "attack": 1, "health": 1} for name in ("Ash", "Extra")]
    assert len(setup(half("Ash"), half("Ash", cards=[*cards, {"stat": ["Red"]}])).content.cards) == 4


@pytest.mark.parametrize(
    ("second", "fault"),
    [
        (write_toml({"cards": []}), "needs a deck"),
        (half("Ash", deck={"characters": ["Ash x2"]}), "adds 12 to 16 character cards"),
        (half("Ash", deck={"characters": ["Ash x17"]}), "adds 12 to 16 character cards"),
        (half("Ash", deck={"characters": ["Oak x12"]}), "There is no such card"),
        (half("Ash", "ash"), "already has this name"),
        (half("Ash", people=[]), "there is no field people"),
    ],
)
def test_each_half_is_bounded_like_a_set(second: str, fault: str) -> None:
    with pytest.raises(BadContent, match=fault):
        setup(half("Ash"), second)


@pytest.mark.parametrize("data", [{"halves": 3}, {"halves": [{}]}, {"halves": [{}, {}], "cards": []}])
def test_a_file_of_halves_has_exactly_two(data: dict[str, Any]) -> None:
    with pytest.raises(BadContent, match="two tables"):
        GAME.content_from(data, "both")


def test_the_options_in_force_hold_for_both_halves() -> None:
    spare = half("Ash", cards=[{"name": name, "stat": ["Red"], "attack": 1, "health": 1} for name in ("Ash", "Extra")])
    with pytest.raises(BadContent, match="Not legal with these options: Ash B"):
        setup(half("Ash"), spare, points="exact")
