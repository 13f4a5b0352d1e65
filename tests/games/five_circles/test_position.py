"""Positions: how they are written, and which are refused."""

from typing import Any

import pytest

from sparring.engine.errors import BadPosition
from sparring.engine.match import Match
from sparring.games.five_circles import GAME
from sparring.games.five_circles.abilities import price_of
from wording import says


def position(**fields: Any) -> dict[str, Any]:
    """Return a position as written back after reading it."""
    return Match.from_position({"game": GAME.name, **fields}).position()


@pytest.mark.parametrize(
    "row",
    [
        ["1 Kite Archer", "3 Pebble Crab (damage 1, asleep)"],
        "1 Kite Archer, 3 Pebble Crab (damage 1, asleep)",
        "Kite Archer; 3: pebble crab (damage 1; asleep)",
    ],
)
def test_a_row_is_a_list_or_a_text(row: Any) -> None:
    assert position(rows=[row, []])["rows"][0] == ["1 Kite Archer", "3 Pebble Crab (damage 1, asleep)"]


@pytest.mark.parametrize("entry", ["2 Red, 1 Blue", "2 red 1 blue", "Red Red Blue", ["2 Red", "Blue"],
                                   {"Red": 2, "Blue": 1}])  # fmt: skip
def test_resources_are_counted_or_not(entry: Any) -> None:
    assert position(ready=[entry, []])["ready"] == [{"Red": 2, "Blue": 1}, {}]


@pytest.mark.parametrize(("entry", "cards"), [
    ("Kite Archer", ["Kite Archer"]), ("2 Red, Kite Archer", ["Kite Archer", "Red", "Red"]),
    (["Kite Archer", "2 Red"], ["Kite Archer", "Red", "Red"]), ("", []), ([], []), (0, []),
])  # fmt: skip
def test_hands_and_piles_name_their_cards(entry: Any, cards: list[str]) -> None:
    assert position(hands=[entry, []])["hands"][0] == cards
    assert sorted(position(draw_pile=entry)["draw_pile"]) == cards
    assert sorted(position(discard_pile=entry)["discard_pile"]) == cards


def test_a_number_deals_cards_of_the_rest() -> None:
    found = position(hands={1: 3, 2: ["Kite Archer"]}, discard_pile=4)
    assert [len(hand) for hand in found["hands"]] == [3, 1]
    assert (len(found["discard_pile"]), len(found["draw_pile"])) == (4, 60 - 8)


def test_own_decks_have_piles_by_seat() -> None:
    found = position(
        options={"decks": "own"}, draw_pile={1: "2 Red, Kite Archer", 2: 3}, discard_pile=[[], 1], aside=["...", "..."]
    )
    assert found["draw_pile"][0] == ["Red", "Red", "Kite Archer"]
    assert (len(found["draw_pile"][1]), [len(pile) for pile in found["discard_pile"]]) == (3, [0, 1])
    with pytest.raises(BadPosition, match="one for each seat"):
        position(options={"decks": "own"}, draw_pile=5)


@pytest.mark.parametrize(("fields", "parts"), [
    ({"life": [0, 2]}, ("life", 1)), ({"player": 2}, ("player", 1, "main", 2)),
    ({"phase": "brace", "player": 1}, ("player", 2, "brace", 1)), ({"phase": "answer"}, ("combat", "answer", "hit")),
    ({"phase": "spread", "combat": {"hit": "Kite Archer", "packet": 1}}, ("combat", "spread", "hit")),
    ({"phase": "pick"}, ("combat", "pick", "using", "ability")),
    ({"phase": "pick", "rows": ["Moonlit Medic", []], "combat": {"using": "Moonlit Medic", "ability": "Heal 1"}},
     ("combat", "pick", "using", "ability")),
    ({"phase": "lane", "rows": ["Kite Archer", []], "combat": {"lane": 1}}, ("combat", "lane", "attack=may")),
    ({"rows": ["1 Kite Archer; 1 Pebble Crab", []]}, ("rows", "seat 1", "lane 1")),
    ({"rows": ["1 Kite Archer (sleepy)", []]}, ("rows", "asleep", "sleepy")),
    ({"rows": ["1 Kite Archer (used Fast)", []]}, ("rows", "Kite Archer", "Fast")),
    ({"ready": ["2 Pink", []]}, ("ready", "Pink", "Red")), ({"ready": ["99 Red", []]}, ("Red",)),
    ({"hands": [40, 40]}, ("hands", 40, 20)), ({"hands": [{3: 3}, {}]}, ("hands", "list of words")),
    ({"rows": ["Green", []]}, ("rows", "Green", "not a character")),
    ({"combat": {"struck": {"S1": 1}}}, ("struck", "name of a card")),
    ({"combat": {"ability": {"a": 1}}}, ("ability",)), ({"combat": {"picks": 99}}, ("picks", "list")),
    ({"combat": {"picks": [0] * 99}}, ("picks", "at most")),
    ({"rows": [["Kite Archer"], ["Kite Archer"]]}, ("Kite Archer",)),
])  # fmt: skip
def test_impossible_positions(fields: dict[str, Any], parts: tuple[object, ...]) -> None:
    with pytest.raises(BadPosition) as refused:
        position(**fields)
    assert says(str(refused.value), *parts)


def test_the_owner_of_the_card_responds_to_a_packet() -> None:
    q = ["Smoke Dancer", "Pebble Crab"]
    fields = {
        "rows": ["Kite Archer", q],
        "ready": [[], price_of("Avoid Damage")],
        "hands": ["Red", "Red"],
        "draw_pile": "4 Red",
    }
    match = Match.from_position({
        "game": GAME.name, **fields, "phase": "answer", "combat": {"part": "main", "hit": "Smoke Dancer", "packet": 1},
    })  # fmt: skip
    assert (match.seat, [choice.words for choice in match.choices()]) == (2, ["avoid", "take"])
    match.play("take; avoid")  # in MAIN, and in combat
    assert match.position()["rows"][1][0] == "1 Smoke Dancer (damage 1)"


def test_the_lane_phase_asks_about_the_attacker() -> None:
    fields = {"rows": ["Kite Archer", []], "combat": {"lane": 1}, "phase": "lane", "options": {"attack": "may"}}
    match = Match.from_position({"game": GAME.name, "life": [9, 9], **fields})
    match.play("attack")
    assert match.position()["life"] == [9, 7]


def test_the_example_stops_at_the_choice_it_describes() -> None:
    text = (GAME.folder / "positions.md").read_text(encoding="utf-8")
    found: dict[str, Any] = {"Match": Match}
    exec(text.split("```python\n")[1].split("```")[0], found)
    match = found["match"]
    assert (match.seat, match.phase) == (2, "resources")
    assert match.position()["rows"] == [[], ["1 Dot (damage 5)"]]
