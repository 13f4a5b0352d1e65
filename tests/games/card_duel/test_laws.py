"""The engine's laws, checked over random matches with every option and with sets full of effects."""

import random
from typing import Any

import pytest

from games.card_duel.table import character, duel, effect, event
from sparring.engine.laws import check_audit, check_game, check_match
from sparring.games.card_duel import GAME
from sparring.games.card_duel.card_effects import DOES, TO, WHEN, CardEffect, fault

pytestmark = pytest.mark.compiled


def random_effects(dice: random.Random, kind: str) -> list[dict[str, Any]]:
    """Return one or two effects that fit the card."""
    found: list[dict[str, Any]] = []
    while len(found) < dice.choice((1, 2)):
        number = dice.choice((1, 1, 1, 2, 3))
        tried = CardEffect(dice.choice(WHEN), dice.choice(DOES), dice.choice(TO), number)
        if not fault(tried, kind)[0]:
            found.append(effect(tried.does, tried.to, tried.number, tried.when))
    return found


def random_set(seed: int) -> Any:
    """Return a set of cards with random numbers and effects."""
    dice = random.Random(seed)
    cards = []
    for number in range(18):
        if dice.random() < 0.3:
            cards.append(
                event(*random_effects(dice, "event"), name=f"Event {number}", copies=1, cost=dice.randint(0, 4))
            )
        else:
            cards.append(character(
                f"Card {number}", dice.randint(0, 5), dice.randint(1, 6), *random_effects(dice, "character"),
                copies=dice.randint(1, 2), cost=dice.randint(0, 4), traits=dice.choice(([], ["Fast"], ["Guard"])),
                deck=dice.choice(("both", "both", "first", "second")),
            ))  # fmt: skip
    return GAME.content_from(duel(*cards), "a random set")


def test_the_laws_over_all_options() -> None:
    check_game(GAME, matches=100, interpreted=0, seed=3)


@pytest.mark.parametrize("seed", range(4))
def test_the_laws_with_random_sets(seed: int) -> None:
    """Effects cause effects: what the rules allow always ends, and hides what it must."""
    content = random_set(seed)
    variants: tuple[dict[str, Any], ...] = (
        {},
        {"combat": "lanes", "growth": "fixed"},
        {"win": "points", "hand_limit": 3},
    )
    for number, options in enumerate(variants):
        setup = GAME.setup({"rounds": 12, "life": 30, **options}, content)
        check_match(setup, 2, seed=10 * seed + number)
        check_audit(setup, 2, 100, 10 * seed + number)
