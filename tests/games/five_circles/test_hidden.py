"""Hidden information: what each seat sees, and what determinization deals."""

from typing import Any

import numpy as np

from games.five_circles.table import Table, table
from sparring.engine import chance
from sparring.games.five_circles import GAME
from sparring.games.five_circles.state import MAIN, RESOURCE, SEEN


def determinized(t: Table, seat: int, seed: int) -> Any:
    """Return a state consistent with what a seat (from 1) knows."""
    g = np.zeros(4, np.int64)
    chance.seed(g, seed, chance.DETERMINIZATION)
    view = t.match.view(seat).state
    GAME.rules.determinize(t.match.setup.params, view, seat - 1, g)
    return view


def test_other_hands_show_only_a_number() -> None:
    t = table("1 Ash 1/2", "1 Dot 1/2", hand="Red; Bea 1/2", q_hand="Blue; Cid 1/2; Green")
    view = t.match.view(1).state
    assert (view.cards.tolist(), view.hand[1].any(), view.held[1].any()) == ([2, 3], False, False)
    assert (view.hand[0, 0], view.held[0].tolist()) == (1, [1, 0, 0])
    spectator = t.match.view(0).state
    assert not spectator.hand.any()
    assert not spectator.held.any()


def test_restored_cards_stay_known_until_played() -> None:
    p = "1 Ash 1/2 {Green} [Restore]"
    t = table(p, "", "Restore, 1 Red, 1 Green", hand="Cid 1/2 {Blue}", also="Bea 1/2", discard_pile=["Bea"])
    t.play("use Ash: Restore; Bea")
    view = t.match.view(2).state
    assert (view.hand[0, 0], view.cards[0]) == (1, 2)
    for seed in range(20):
        assert determinized(t, 2, seed).hand[0, 0] >= 1
    t.play("bring Bea")
    assert t.match.view(2).state.hand[0, 0] == 0
    assert not t.s.status[t.s.hand[0, 1]] & SEEN


def test_determinized_hands_allow_the_choice_that_their_owner_has() -> None:
    t = table("1 Ash 1/2", "", hand="Red; Bea 1/2; Bea 1/2; Bea 1/2", phase="resources")
    for seed in range(40):
        assert determinized(t, 2, seed).held[0].sum() >= 1
    t = table("1 Ash 1/2", "", "1 Green", hand="Red; Blue; Bea 2/1 {Green}", draw_pile=30)
    assert t.match.phase == GAME.rules.PHASES[MAIN]
    for seed in range(40):
        truth = determinized(t, 2, seed)
        out = np.zeros(len(GAME.rules.ACTIONS), np.int16)
        assert GAME.rules.legal(t.match.setup.params, truth, out) > 1  # more than `done`


def test_determinized_decks_keep_the_known_top() -> None:
    t = table(
        "1 Ash 1/2 [Future Vision, Sleep]",
        "1 Dot 1/2",
        "Future Vision, Sleep",
        q_hand="Red",
        draw_pile=["Red", "Blue", "Green", "Red"],
    )
    t.play("use Ash: Future Vision")
    for seed in range(20):
        deck = determinized(t, 1, seed).deck
        assert deck[2:5].tolist() == [RESOURCE + 2, RESOURCE + 1, RESOURCE]
    seen = {tuple(determinized(t, 2, seed).deck[1:5].tolist()) for seed in range(20)}
    assert len(seen) > 5


def test_only_the_user_knows_the_new_order() -> None:
    p = "1 Ash 1/2 {Green} [Change the Future, Sleep]"
    t = table(p, "1 Dot 1/2", "Change the Future, Sleep", draw_pile=["Red", "Red", "Blue", "Green"]).play(
        "use Ash: Change the Future"
    )
    assert len(t.match.legal()) == 3  # two Reds are two choices
    assert t.choices == "Red 1; Red 2; Blue"
    before = t.match.view(2).state.tobytes()
    blue = t.match.read("Blue")
    assert GAME.rules.observe_action(t.match.setup.params, t.s, blue, 1) < 0
    assert GAME.rules.observe_action(t.match.setup.params, t.s, blue, 0) == blue
    t.play("Blue")
    assert t.match.view(2).state.tobytes() == before
    assert t.choices == "Red 1; Red 2"
    t.match.take_back()
    t.play("blue; red 2")
    assert (t.top(1), t.top(2)) == ("Blue Red Red ?", "? ? ? ?")


def test_change_the_future_with_two_cards_or_one() -> None:
    p = "1 Ash 1/2 {Green} [Change the Future, Sleep]"
    t = table(p, "1 Dot 1/2", "Change the Future, Sleep", draw_pile=["Red", "Blue"]).play(
        "use Ash: Change the Future; Blue"
    )
    assert t.top(1) == "Blue Red"
    assert table(p, "1 Dot 1/2", "Change the Future, Sleep", draw_pile=["Red"]).refuses("use Ash: Change the Future")


def test_a_use_can_be_taken_back_before_its_pick() -> None:
    t = table("1 Ash 1/2 [Target, Fireball]", "1 Dot 1/2; 2 Eve 1/2", "Target, 2 Red")
    before = t.s.tobytes()
    t.play("use Ash: Target")
    t.match.take_back()
    assert t.s.tobytes() == before
    t.play("use Ash: Target; Dot")
    assert not t.match.can_take_back
