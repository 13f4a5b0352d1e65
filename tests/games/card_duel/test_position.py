"""Positions: what they say, their errors, and hidden information."""

import random
from typing import Any

import pytest

from games.card_duel.table import duel, effect, event, table
from sparring import BadPosition, Match
from wording import says


@pytest.mark.parametrize("options", [{}, {"combat": "lanes"}, {"win": "points"}])
def test_positions_read_back(options: dict[str, Any]) -> None:
    for seed in range(6):
        match, dice = Match.new("card-duel", seed=seed, options=options), random.Random(seed)
        while not match.over:
            match.choose(dice.choice(match.legal()))
            again = Match.from_position({**match.position(), "options": options}, game=match.game)
            assert again.state.tobytes() == match.state.tobytes()


@pytest.mark.parametrize(
    ("position", "said"),
    [
        ({"rows": ["1 Cat; 1 Dog", ""]}, ("two", "slot 1")),
        ({"rows": ["6 Cat", ""]}, ("slot", 1, 5)),
        ({"rows": ["Cat (sleepy)", ""]}, ("note", "sleepy")),
        ({"rows": ["Zebra", ""]}, ("no card", "Zebra")),
        ({"hands": [["Cat"] * 5, []]}, ("Cat", "somewhere else")),
        ({"hands": [9, []]}, ("hands", 8)),
        ({"life": [0, 5]}, ("life", "at least 1")),
        ({"phase": "place"}, ("place", "card")),
        ({"phase": "aim", "card": "Cat"}, ("aim", "chosen enemy")),
        ({"phase": "target"}, ("target", "attacker")),
        ({"card": "Cat"}, ("card", "place", "aim")),
        ({"phase": "place", "card": 99}, ("card", "name of a card", "99")),
        ({"phase": "aim", "card": "Cat", "spot": 2}, ("card", "no Cat left")),
        ({"known": [["Cat"], []]}, ("known",)),
        ({"hats": 1}, ("no field hats",)),
    ],
)
def test_errors(position: dict[str, Any], said: tuple[Any, ...]) -> None:
    with pytest.raises(BadPosition) as refused:
        table(**position)
    assert says(str(refused.value), *said)


def test_a_hand_is_hidden_except_for_what_everyone_has_seen() -> None:
    match = table(hands=[["Cat"], ["Dog", "Elk"]], known=[[], ["Elk"]])
    view = match.view(1).state
    assert view.hand[1].tolist()[:3] == [2, -1, -1]
    assert view.known[1].sum() == 1
    g = match.state.rng.copy()
    for _ in range(20):
        sampled = view.copy()
        match.game.rules.determinize(match.setup.params, sampled, 0, g)
        names = [match.setup.content.cards[card].name for card in sampled.hand[1, 1:3]]
        assert "Elk" in names


def test_what_everyone_knows_is_forgotten_when_a_copy_is_played() -> None:
    match = table(hands=[["Cat", "Cat"], []], known=[["Cat"], []])
    match.play("Cat")
    assert match.position()["known"] == [[], []]


def test_a_text_names_cards_between_commas_or_a_single_one_with_spaces() -> None:
    match = Match.from_position({"game": "card-duel", "hands": ["night rider", "Spark, Gate Warden"]})
    assert match.position()["hands"] == [["Night Rider"], ["Gate Warden", "Spark"]]


def test_a_seat_is_dealt_the_cards_of_its_own_deck() -> None:
    match = table(event(effect("draw", "you"), deck="second"), hands=[7, ["Word"]])
    assert "Word" not in [word for key in ("hands", "draw_pile") for word in match.position()[key][0]]
    with pytest.raises(BadPosition, match="there is no Word left"):
        table(event(effect("draw", "you"), deck="second"), hands=[["Word"], []])


def test_a_custom_set_can_be_set_up_by_name() -> None:
    match = Match.from_position({"game": "card-duel", "rows": ["Elk", ""]}, content=duel())
    assert match.position()["rows"] == [["1 Elk"], []]
