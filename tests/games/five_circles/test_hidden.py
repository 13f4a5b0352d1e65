"""Who knows what, what bots imagine, what is told, and the words."""

import numpy as np
import pytest

from games.five_circles.table import Table, table
from sparring.engine import chance
from sparring.engine.errors import Ambiguous, ChoiceError, IllegalChoice
from sparring.engine.laws import check_audit, check_game, check_match
from sparring.engine.match import Match
from sparring.games.five_circles import GAME, rules
from sparring.games.five_circles.state import MAIN, RESOURCE, SEEN


def imagined(t: Table, seat: int, seed: int) -> np.record:
    """A truth that seat (from 1) may imagine."""
    g = np.zeros(4, np.int64)
    chance.seed(g, seed, chance.IMAGINATION)
    view: np.record = t.match.view(seat).state
    rules.imagine(t.match.box.kit, view, seat - 1, g)
    return view


def test_other_hands_are_only_a_number() -> None:
    t = table("1 Ash 1/2", "1 Dot 1/2", hand="Red; Bea 1/2", q_hand="Blue; Cid 1/2; Green")
    view = t.match.view(1).state
    assert (view.cards.tolist(), view.hand[1].any(), view.held[1].any()) == ([2, 3], False, False)
    assert (view.hand[0, 0], view.held[0].tolist()) == (1, [1, 0, 0])
    watching = t.match.view(0).state
    assert not watching.hand.any()
    assert not watching.held.any()


def test_restored_cards_stay_known_until_they_are_played() -> None:
    p = "1 Ash 1/2 {Green} [Restore]"
    t = table(p, "", "1 Red, 3 Green", hand="Cid 1/2 {Blue}", also="Bea 1/2", discard_pile=["Bea"])
    t.play("use Ash: Restore; Bea")
    view = t.match.view(2).state
    assert (view.hand[0, 0], view.cards[0]) == (1, 2)
    for seed in range(20):
        assert imagined(t, 2, seed).hand[0, 0] >= 1
    t.play("bring Bea")
    assert t.match.view(2).state.hand[0, 0] == 0
    assert not t.s.status[t.s.hand[0, 1]] & SEEN


def test_imagined_hands_agree_with_being_asked() -> None:
    t = table("1 Ash 1/2", "", hand="Red; Bea 1/2; Bea 1/2; Bea 1/2", phase="resources")
    for seed in range(40):
        assert imagined(t, 2, seed).held[0].sum() >= 1
    t = table("1 Ash 1/2", "", "1 Green", hand="Red; Blue; Bea 2/1 {Green}", draw_pile=30)
    assert t.match.phase == rules.PHASES[MAIN]
    for seed in range(40):
        truth = imagined(t, 2, seed)
        out = np.zeros(len(rules.ACTIONS), np.int16)
        assert rules.legal(t.match.box.kit, truth, out) > 1  # something besides `done`


def test_imagined_tops_are_those_that_were_seen() -> None:
    t = table("1 Ash 1/2 [Future Vision, Sleep]", "1 Dot 1/2", "2 Green", q_hand="Red", draw_pile=["Red", "Blue", "Green", "Red"])
    t.play("use Ash: Future Vision")
    for seed in range(20):
        deck = imagined(t, 1, seed).deck
        assert deck[2:5].tolist() == [RESOURCE + 2, RESOURCE + 1, RESOURCE]
    seen = {tuple(imagined(t, 2, seed).deck[1:5].tolist()) for seed in range(20)}
    assert len(seen) > 5


def test_the_new_order_is_the_users_secret() -> None:
    p = "1 Ash 1/2 {Green} [Change the Future, Sleep]"
    t = table(p, "1 Dot 1/2", "3 Green", draw_pile=["Red", "Red", "Blue", "Green"]).play("use Ash: Change the Future")
    assert len(t.match.legal()) == 3  # two Reds are two choices
    assert t.choices == "Red 1; Red 2; Blue"
    before = t.match.view(2).state.tobytes()
    blue = t.match.read("Blue")
    assert rules.glimpse(t.match.box.kit, t.s, blue, 1) < 0
    assert rules.glimpse(t.match.box.kit, t.s, blue, 0) == blue
    t.play("Blue")
    assert t.match.view(2).state.tobytes() == before
    assert t.choices == "Red 1; Red 2"
    t.match.take_back()
    t.play("blue; red 2")
    assert (t.top(1), t.top(2)) == ("Blue Red Red ?", "? ? ? ?")


def test_change_the_future_with_two_cards_and_with_one() -> None:
    p = "1 Ash 1/2 {Green} [Change the Future, Sleep]"
    t = table(p, "1 Dot 1/2", "3 Green", draw_pile=["Red", "Blue"]).play("use Ash: Change the Future; Blue")
    assert t.top(1) == "Blue Red"
    assert table(p, "1 Dot 1/2", "3 Green", draw_pile=["Red"]).refuses("use Ash: Change the Future")


def test_within_one_moment_a_use_can_be_taken_back() -> None:
    t = table("1 Ash 1/2 [Target, Fireball]", "1 Dot 1/2; 2 Eve 1/2", "3 Red")
    before = t.s.tobytes()
    t.play("use Ash: Target")
    t.match.take_back()
    assert t.s.tobytes() == before
    t.play("use Ash: Target; Dot")
    assert not t.match.can_take_back


# Words


def test_two_of_a_kind_are_told_apart() -> None:
    t = table("1 Ash 1/2 [Fireball]; 3 Ash; 4 Bo 1/3 [Heal 1, Fireball] (damage 1)", "1 Ash (damage 1); 2 Bo (damage 1)", "4 Red, 1 Blue")
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
        ("take", "There is no damage to answer."), ("resource red", "Resources are played"), ("Dot", "Nothing is to be picked now."),
        ("none", "cannot be done in your turn"), ("attack", "Nobody asks"),
    ):  # fmt: skip
        with pytest.raises(IllegalChoice, match=said):
            t.match.choose(words)
    t.play("use Ash: Fireball; Dot")
    with pytest.raises(ChoiceError):
        t.match.choose("use Ash: Fireball")


# What is told


def test_a_fight_is_told_lane_by_lane() -> None:
    t = table("1 Ash 4/2; 2 Bea 2/2", "1 Dot 1/3", hand="Red", life=(9, 5))
    before, action = t.match.view(1), t.match.read("done")
    t.match.choose(action)
    told = GAME.scene.tell(t.match.box, before.state, action, t.match.view(1).state, 0)
    assert told == [
        "Lane 1: Dot takes 4, Ash takes 1, Dot is destroyed.", "Lane 2: Seat 2 loses 2 life, 3 left.", "Turn 6: Seat 2 is next.",
        "Seat 2 draws 3 cards.",
    ]  # fmt: skip


@pytest.mark.parametrize("seed", range(6))
def test_what_is_told_agrees_with_what_is_seen(seed: int) -> None:
    match = Match.new(GAME, seed=seed, options={"life": 12, "attack": "may" if seed % 2 else "must", "heal": "rescue"})
    rng = np.random.default_rng(seed)
    while not match.over:
        before = [match.view(seat).state for seat in range(3)]
        action = int(rng.choice(match.legal()))
        seen = [rules.glimpse(match.box.kit, match.state, action, seat - 1) for seat in range(3)]
        match.choose(action)
        for seat in range(3):
            lines = GAME.scene.tell(match.box, before[seat], seen[seat], match.view(seat).state, seat - 1)
            assert all(line[0].isupper() and line.endswith(".") for line in lines), lines
            for who in range(2):
                lost = before[seat].life[who] - match.state.life[who]
                name = "you lose" if who == seat - 1 else f"eat {who + 1} loses"
                assert sum(int(line.split(name)[1].split()[0]) for line in lines if name in line) == lost, lines


# The laws


def test_the_laws_over_all_options() -> None:
    check_game(GAME, matches=300, interpreted=0, seed=3)


@pytest.mark.parametrize("number", range(5))
def test_every_law_at_every_choice(number: int) -> None:
    from sparring.engine.laws import settings

    options = [options for _, options in settings(GAME)]
    for place in range(number, len(options), 5):
        check_match(GAME.box({**options[place], "life": 2 + 3 * number}), 2, seed=place)


def test_long_matches_keep_the_laws() -> None:
    from sparring.engine.laws import settings

    for number, (_, options) in enumerate(settings(GAME)):
        check_audit(GAME.box({**options, "life": 50}), 2, 40, seed=100 * number)
