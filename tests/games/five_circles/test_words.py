"""The words for choices, why something is refused, and what is told."""

import numpy as np
import pytest

from games.five_circles.table import table
from sparring.engine.errors import Ambiguous, ChoiceError, IllegalChoice
from sparring.engine.match import Match
from sparring.games.five_circles import GAME

# Words


def test_two_of_a_kind_are_told_apart() -> None:
    t = table(
        "1 Ash 1/2 [Fireball]; 3 Ash; 4 Bo 1/3 [Heal 1, Fireball] (damage 1)",
        "1 Ash (damage 1); 2 Bo (damage 1)",
        "4 Red, 1 Blue",
    )
    assert "use Ash lane 1: Fireball" in t.choices
    with pytest.raises(Ambiguous):
        t.match.choose("use Ash")
    t.play("use Bo: Heal 1")
    assert t.choices == "enemy Ash; Bo; enemy Bo".replace("Bo; enemy Bo", "Bo; enemy Bo")
    t.play("Bo; use ash lane 3: fireball; enemy ash lane 1")
    assert t.q == "1 Ash (damage 2); 2 Bo (damage 1)"


def test_refusals_say_why() -> None:
    t = table("1 Ash 1/2 [Fireball, Heal 1]; 2 Bea 1/2 [Target]", "1 Dot 1/2", "1 Red", hand="Cid 1/2 {Blue}")
    for words, said in (
        ("bring Cid", "Cid costs 1 Blue; you need 1 more Blue ready."),
        ("use Ash: Heal 1", "Heal 1 costs 1 Blue; you have none ready."),
        ("take", "There is no damage to answer."), ("resource red", "Resources are played"),
        ("Dot", "Nothing is to be picked now."),
        ("none", "cannot be done in your turn"), ("attack", "Nobody asks"),
        ("use Ash: Sleep", "Ash has no such ability"),
    ):  # fmt: skip
        with pytest.raises(IllegalChoice, match=said):
            t.match.choose(words)
    t.play("use Ash: Fireball; Dot")
    with pytest.raises(ChoiceError):
        t.match.choose("use Ash: Fireball")


# What is told


def test_a_fight_is_told_lane_by_lane() -> None:
    t = table("1 Ash 4/2; 2 Bea 2/2", "1 Dot 1/3", hand="Red", life=(9, 5))
    t.match.choose("done")
    assert t.match.told(1) == [
        "Combat: you attack.",
        "Lane 1: Ash takes 1, Dot takes 4, Dot is destroyed.",
        "Lane 2: Bea gets through, Seat 2 loses 2 life, 3 left.",
        "Turn 6: Seat 2 is next.",
        "Seat 2 draws 3 cards.",
    ]


def test_a_card_that_leaves_for_serenity_is_not_called_destroyed() -> None:
    t = table("1 Ash 1/1 (damage 2); 2 Bea 1/2 [Serenity, Defender]", "1 Dot 1/2", hand="Red", q_hand="Red")
    t.match.choose("use Bea: Serenity")
    assert t.match.told(2)[:2] == ["Bea is discarded for Serenity.", "Ash is destroyed."]


@pytest.mark.parametrize("seed", range(6))
def test_what_is_told_agrees_with_what_is_seen(seed: int) -> None:
    match = Match.new(GAME, seed=seed, options={"life": 12, "attack": "may" if seed % 2 else "must", "heal": "rescue"})
    rng = np.random.default_rng(seed)
    while not match.over:
        before = [match.view(seat).state for seat in range(3)]
        action = int(rng.choice(match.legal()))
        match.choose(action)
        for seat in range(3):
            lines = match.told(seat)
            assert all(line[0].isupper() and line.endswith(".") for line in lines), lines
            for who in range(2):
                lost = before[seat].life[who] - match.state.life[who]
                name = "you lose" if who == seat - 1 else f"eat {who + 1} loses"
                assert sum(int(line.split(name)[1].split()[0]) for line in lines if name in line) == lost, lines
