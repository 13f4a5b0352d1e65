"""Content files, their errors, the words on cards, and the studio preview."""

from typing import Any

import pytest

from games.card_duel.table import character, duel, effect, event
from sparring import BadContent, games
from sparring.engine.schema.columns import item_tables
from sparring.games.card_duel import GAME
from sparring.games.card_duel.card_effects import DOES, TO, WHEN, CardEffect, fault
from sparring.games.card_duel.components import preview
from sparring.scene import Face
from sparring.scene.components import PreviewText
from wording import says


def faults(*cards: dict[str, Any]) -> str:
    with pytest.raises(BadContent) as refused:
        GAME.content_from(duel(*cards), "mine.toml")
    return str(refused.value)


@pytest.mark.parametrize(
    ("card", "said"),
    [
        (event(), ("event", "effect")),
        (event(effect("draw", "you"), traits=["Fast"]), ("characters", "traits")),
        (event(effect("draw", "you", 1, "attacks")), ("event", "played")),
        (event(effect("heal", "this card")), ("event", "not in play")),
        (event(effect("draw", "all enemies")), ("draw", "player")),
        (event(effect("energy", "opponent")), ("you", "energy")),
        (event(effect("destroy", "opponent")), ("destroy", "characters")),
        (event(effect("control", "all yours")), ("control", "enemies")),
        (event(effect("destroy", "all enemies", 2)), ("number", "1")),
        (character("Ox", 1, 1, effect("heal", "this card", 1, "defeated")), ("no longer in play",)),
        (character("Ox", 1, 1, effect("damage", "chosen enemy", 1, "hit")), ("played", "choose")),
        (character("Done", 1, 1), ("meaning",)),
        (character("A;B", 1, 1), ("name", ";")),
        (character("Ox", 21, 1), ("attack", 0, 20)),
        (character("Ox", 1, 1, effect("draw", "you", 10)), ("number", 1, 9)),
    ],
)
def test_errors_name_the_card_and_what_would_be_right(card: dict[str, Any], said: tuple[Any, ...]) -> None:
    assert says(faults(card), card["name"], *said)


def test_a_deck_has_twelve_to_sixty_cards() -> None:
    few = {"cards": [character("Ox", 1, 1), character("Cow", 1, 1, deck="first")]}
    with pytest.raises(BadContent) as refused:
        GAME.content_from(few, "mine.toml")
    assert says(str(refused.value), "Seat 1", "12 to 60", 8)
    assert says(str(refused.value), "Seat 2", 4)


def test_every_effect_that_fits_has_words() -> None:
    said = [
        CardEffect(when, does, to, 1).words
        for when in WHEN for does in DOES for to in TO
        if not fault(CardEffect(when, does, to, 1), "character")[0]
    ]  # fmt: skip
    assert len(set(said)) == len(said) > 300
    assert CardEffect("played", "damage", "weakest enemy", 2).words == "Played: 2 damage to the weakest enemy"
    assert CardEffect("hit", "draw", "you", 1).words == "Hit: draw a card"


def test_the_training_duel_uses_every_effect() -> None:
    used = {each.does for card in GAME.content.cards for each in card.effects}
    assert used == set(DOES)
    assert 20 <= len(GAME.content.cards) <= 30
    assert sum(card.copies for card in GAME.content.cards) == 35


def test_effects_are_one_cell_of_a_spreadsheet() -> None:
    column = item_tables(GAME.form)["cards"].column("effects")
    assert column is not None
    effects = [effect("damage", "all enemies", 2), effect("draw", "you")]
    text = column.field.cell_text(effects)
    assert text == "played, damage, all enemies, 2; played, draw, you, 1"
    assert column.field.cell_value(text) == effects
    assert column.field.cell_value("") == []


def test_the_preview_shows_the_card_and_what_the_options_change() -> None:
    guard = character("Wall", 0, 4, traits=["Guard"])
    options = games()["card-duel"].setup({"combat": "lanes"}).options
    things = list(preview(duel(guard), options, ("cards", 0, "name")))
    assert isinstance(things[0], Face)
    assert things[0].name == "Wall"
    assert any(isinstance(each, PreviewText) and says(each.text, "Guard", "nothing") for each in things)
    assert list(preview({"cards": [{"name": "x"}, 3]}, options, ("cards", 0)))
