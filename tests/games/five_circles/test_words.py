"""Words for choices, reasons for refusals, and log sentences."""

from typing import Any

import numpy as np
import pytest

from games.five_circles.table import table
from sparring.engine.errors import AmbiguousChoice, ChoiceError, IllegalChoice
from sparring.engine.match import Match
from sparring.games.five_circles import GAME
from sparring.games.five_circles.abilities import price_of
from sparring.games.five_circles.components import title_in_play
from sparring.games.five_circles.state import row_of
from wording import says

# Words


def test_characters_with_the_same_name_are_distinguished() -> None:
    t = table(
        "1 Ash 1/2 [Fireball]; 3 Ash; 4 Bo 1/3 [Heal 1, Fireball] (damage 1)",
        "1 Ash (damage 1); 2 Bo (damage 1)",
        "Heal 1, Fireball, Fireball",
    )
    assert "use Ash lane 1: Fireball" in t.choices
    with pytest.raises(AmbiguousChoice):
        t.match.choose("use Ash")
    t.play("use Bo: Heal 1")
    assert t.choices == "enemy Ash; Bo; enemy Bo"
    t.play("Bo; use ash lane 3: fireball; enemy ash lane 1")
    assert t.q == "1 Ash (damage 2); 2 Bo (damage 1)"


def test_refusals_give_a_reason() -> None:
    t = table("1 Ash 1/2 [Fireball, Heal 1]; 2 Bea 1/2 [Target]", "1 Dot 1/2", "Fireball", hand="Cid 1/2 {Blue}")
    for words, parts in (
        ("bring Cid", ("Cid", "1 Blue", "1 more Blue")), ("use Ash: Heal 1", ("Heal 1", price_of("Heal 1"), "none")),
        ("take", ("no damage",)), ("resource red", ("resources", "start", "two")), ("Dot", ("no target",)),
        ("none", ("turn", "before combat")), ("attack", ("attack",)), ("use Ash: Sleep", ("Ash", "ability")),
    ):  # fmt: skip
        with pytest.raises(IllegalChoice) as refused:
            t.match.choose(words)
        assert says(str(refused.value), *parts)
    t.play("use Ash: Fireball; Dot")
    with pytest.raises(ChoiceError):
        t.match.choose("use Ash: Fireball")


def test_a_character_can_be_played_by_either_verb() -> None:
    for words in ("bring Cid", "bring:Cid", "play Cid"):
        assert table(ready="1 Blue", hand="Cid 1/2 {Blue}", q_hand="Red").play(words).p == "1 Cid"


# The log


def test_combat_is_logged_lane_by_lane() -> None:
    t = table("1 Ash 4/2; 2 Bea 2/2", "1 Dot 1/3", hand="Red", life=(9, 5))
    t.match.choose("done")
    parts: list[tuple[object, ...]] = [
        ("you attack",), ("Lane 1", "Ash takes 1", "Dot takes 4", "destroyed"),
        ("Lane 2", "Bea", "Seat 2 loses 2 life", 3), ("Seat 2", 6), ("Seat 2 draws 3 cards",),
    ]  # fmt: skip
    assert all(says(line, *part) for line, part in zip(t.match.sentences(1), parts, strict=True)), t.match.sentences(1)


def test_a_card_discarded_for_serenity_is_not_destroyed() -> None:
    t = table("1 Ash 1/1 (damage 2); 2 Bea 1/2 [Serenity, Defender]", "1 Dot 1/2", "Serenity", hand="Red", q_hand="Red")
    t.match.choose("use Bea: Serenity")
    first, second = t.match.sentences(2)[:2]
    assert says(first, "Bea", "Serenity", "discarded")
    assert says(second, "Ash", "destroyed")
    assert not says(second, "Bea")


@pytest.mark.parametrize("seed", range(6))
def test_the_log_agrees_with_life_lost(seed: int) -> None:
    match = Match.new(GAME, seed=seed, options={"life": 12, "attack": "may" if seed % 2 else "must", "heal": "rescue"})
    rng = np.random.default_rng(seed)
    while not match.over:
        before = [match.view(seat).state for seat in range(3)]
        action = int(rng.choice(match.legal()))
        match.choose(action)
        for seat in range(3):
            lines = match.sentences(seat)
            assert all(line[0].isupper() and line.endswith(".") for line in lines), lines
            for who in range(2):
                lost = before[seat].life[who] - match.state.life[who]
                name = "you lose" if who == seat - 1 else f"eat {who + 1} loses"
                assert sum(int(line.split(name)[1].split()[0]) for line in lines if name in line) == lost, lines


def test_ending_the_turn_is_the_main_button_only_when_nothing_else_is_possible() -> None:
    position: dict[str, Any] = {"game": "five-circles", "phase": "resources", "active": 1, "player": 1}
    for hand, main in ((["Green"], False), ([], True)):
        match = Match.from_position({**position, "hands": [hand, []]})
        (button,) = match.view(1).scene.prompt.buttons
        assert (button.action == match.read("done"), button.main) == (True, main)


def test_spectators_read_whose_character_it_is() -> None:
    t = table("1 Ash 1/2 [Heal 1]; 2 Bo 1/3 (damage 1)", "1 Ash; 3 Ash; 4 Bo", "4 Green")
    titles = [
        [str(title_in_play(t.match.setup, t.s, card, seat)) for side in range(2) for _, card in row_of(t.s, side)]
        for seat in (0, 1, -1)
    ]
    assert titles == [
        ["Ash", "Bo", "enemy Ash lane 1", "enemy Ash lane 3", "enemy Bo"],
        ["enemy Ash", "enemy Bo", "Ash lane 1", "Ash lane 3", "Bo"],
        ["Seat 1's Ash", "Seat 1's Bo", "Seat 2's Ash lane 1", "Seat 2's Ash lane 3", "Seat 2's Bo"],
    ]
