"""Outlines: a scene without its items, which must agree with the scene."""

import random

import pytest

from sparring.engine.game import Game, games
from sparring.engine.match import Match

BESIDE = ("game", "title", "status", "seats", "prompt", "over")


@pytest.mark.parametrize("played", games().values(), ids=lambda played: played.name)
def test_an_outline_agrees_with_the_scene(played: Game) -> None:
    match, chance = Match.new(played, seed=5), random.Random(5)
    for number in range(400):
        if number % 20 == 0 or match.over:
            view = match.view(0)
            for said in BESIDE:
                assert getattr(view.outline, said) == getattr(view.scene, said)
        if match.over:
            break
        match.choose(chance.choice(match.legal()))


def test_a_players_outline_agrees_with_the_scene() -> None:
    match = Match.new("make-your-moves", seed=5)
    assert match.view(1).outline == match.view(1).scene
