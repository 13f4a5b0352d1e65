"""Hidden information: visibility, determinization, and taking choices back."""

from collections.abc import Iterator
from typing import Any

import numpy as np
import pytest

from games.world_of_fighters.table import NAME, Table, show, table
from sparring import BadPosition, ChoiceError, Match
from sparring.engine import chance
from sparring.engine.records import MatchStart
from sparring.scene.html import render
from wording import says

REVEAL = {"super_call": "reveal"}


def start() -> Table:
    """Return a table where P1 may call its super, and both hands have three different cards."""
    return table("Hai Wu c3 7", "Ingrid e3 6", "Punch Kick Grapple", "Kick Grapple Block")


SITUATIONS = {
    "pick": Table(Match.new(NAME, seed=3)).play("Hai Wu"),
    "first movement": start(),
    "first action": start().play("move 2"),
    "second movement": start().play("move 2; call grapple"),
    "second action": start().play("move 2; call grapple; move 1"),
    "move": start().play("move 2; call grapple; move 1; kick"),
    "second move": start().play("move 2; punch; move 1; call grapple; to a3"),
    "claim": show("Hai Wu c3 7 Grapple", "Ingrid f3 6 Kick", options=REVEAL),
    "counter": show("Hai Wu c3 7 Punch", "Ingrid e3 6 Block", counter="Kick Grapple"),
    "forced off": table("Hai Wu b3 20", "Kenji d3 20", "Kick Kick Punch", "Kick Punch Block").play(
        "move 3; kick; move 1; block"
    ),
    "ring-out": show("Hai Wu d3 5 Grapple +super", "Ingrid g4 20 Block"),
}


def determinizations(match: Match, seat: int, times: int = 30) -> Iterator[Any]:
    """Yield full states consistent with what a seat sees (0: a spectator)."""
    g = np.zeros(4, np.int64)
    chance.seed(g, 8, chance.DETERMINIZATION)
    for _ in range(times):
        state = match.view(seat).state
        match.game.rules.determinize(match.setup.params, state, seat - 1, g)
        yield state


@pytest.mark.parametrize("situation", SITUATIONS)
@pytest.mark.parametrize("seat", [0, 1, 2])
def test_a_determinization_gives_the_same_view(situation: str, seat: int) -> None:
    match = SITUATIONS[situation].match
    view = match.view(seat)
    sampled = set()
    for state in determinizations(match, seat, 12):
        other = Match(MatchStart(match.setup, state, 0))
        assert other.view(seat).state.tobytes() == view.state.tobytes()
        assert other.view(seat).choices == view.choices
        assert render(other.view(seat).scene) == render(view.scene)
        assert str(other.view(seat).scene) == str(view.scene)
        assert sorted(match.game.position.components(match.setup, state)) == sorted(
            match.game.position.components(match.setup, match.state)
        )
        assert match.over or other.legal()
        sampled.add(state.tobytes())
    assert len(sampled) > 1


@pytest.mark.parametrize("words", ["move 1; punch", "move 2; kick", "move 3; grapple", "move 3; call grapple"])
@pytest.mark.parametrize("seat", [0, 2])
def test_commitments_of_the_first_mover_are_hidden(words: str, seat: int) -> None:
    other, this = start().play("move 1; kick").match, start().play(words).match
    assert this.view(seat).state.tobytes() == other.view(seat).state.tobytes()
    assert render(this.view(seat).scene) == render(other.view(seat).scene)
    assert this.view(seat).state.hand[0].tolist() == [3, -1, -1, -1]
    this.choose("move 1")
    other.choose("move 1")
    assert render(this.view(seat).scene) == render(other.view(seat).scene)


@pytest.mark.parametrize("words", ["move 1; punch", "move 3; call grapple"])
def test_the_log_hides_commitments_from_others(words: str) -> None:
    match = start().match
    log: dict[int, list[str]] = {0: [], 1: [], 2: []}
    for part in words.split("; "):
        match.choose(part)
        for seat, lines in log.items():
            lines.extend(match.sentences(seat))
    assert log[0] == log[2]
    assert len(log[0]) == 1
    assert says(log[0], "Seat 1", "two cards", "face down")
    own_move, own_action = log[1]
    assert says(own_move, f"Move {words[5]}", "face down")
    assert says(own_action, words.rsplit(maxsplit=1)[-1], "face down")


def test_the_first_of_two_cards_is_hidden_from_others() -> None:
    t = start()
    before = {seat: t.state_for(seat).tobytes() for seat in (0, 2)}
    t.play("move 2")
    assert {seat: t.state_for(seat).tobytes() for seat in (0, 2)} == before


@pytest.mark.parametrize(
    ("situation", "hands", "movement", "action"),
    [
        # What P2 sees of P1: hand, Movement card, Action card.
        ("first movement", [3, -1, -1, -1], 0, 0),
        ("second movement", [3, -1, -1, -1], -1, -1),
        ("second action", [3, -1, -1, -1], -1, -1),
        ("move", [3, -1, -1, -1], 2, 3),  # the call reveals that it is a Grapple
        ("second move", [3, -1, -1, -1], 2, -1),
        ("counter", [2, -1, -1, 0], 0, 1),
        ("forced off", [3, -1, -1, -1], 3, -1),
    ],
)
def test_what_the_opponent_sees(situation: str, hands: list[int], movement: int, action: int) -> None:
    view = SITUATIONS[situation].state_for(2)
    assert view.hand[0].tolist() == hands
    assert view.movement[0] == movement
    assert view.action[0] == action
    assert set(view.deck[1 : view.deck[0] + 1].tolist()) == {-1}
    assert not view.rng.any()


def test_discards_health_and_the_last_round_are_public() -> None:
    t = show("Duke d3 12 Punch", "Rosa e4 11 Grapple", round=7)
    for seat in (0, 1, 2):
        view = t.state_for(seat)
        for field in ("discard", "health", "resting", "super_used", "last_action", "lost", "fighter", "square"):
            assert view[field].tolist() == t.match.state[field].tolist()
    assert t.match.state.last_action.tolist() == [1, 3]
    assert t.match.state.lost.tolist() == [5, 4]


# Determinization


def test_a_called_card_is_in_every_determinized_hand() -> None:
    match = SITUATIONS["move"].match
    for state in determinizations(match, 2):
        assert state.called.tolist() == [1, 0]
        assert state.action[0] == 3
        assert 3 in state.hand[0, 1:]


def test_sampled_commitments_are_legal() -> None:
    match = SITUATIONS["second movement"].match
    states = list(determinizations(match, 2, 200))
    assert {int(state.movement[0]) for state in states} == {1, 2, 3}
    assert {int(state.called[0]) for state in states} == {0, 1}
    for state in states:
        assert state.action[0] in state.hand[0, 1:]
        assert not state.called[0] or state.action[0] == 3
    resting = table("Hai Wu c3 20", "Ingrid e3 6", resting=[2, 0]).play("move 3")
    resting.match.choose(resting.match.legal()[0])
    assert {int(state.movement[0]) for state in determinizations(resting.match, 2, 100)} == {1, 3}
    assert {int(state.called[0]) for state in determinizations(resting.match, 2, 100)} == {0}


def test_no_call_is_sampled_after_the_announcements() -> None:
    match = start().play("move 2; grapple; move 1; kick").match
    states = list(determinizations(match, 2, 100))
    assert {int(state.called[0]) for state in states} == {0}
    assert {int(state.action[0]) for state in states} == {1, 2, 3, 4}


def test_every_determinization_has_the_whole_deck() -> None:
    for situation in SITUATIONS.values():
        for state in determinizations(situation.match, 0, 5):
            piles = [state.deck, state.discard, *state.hand]
            cards = [int(card) for pile in piles for card in pile[1 : int(pile[0]) + 1]]
            cards += [int(card) for card in (*state.action, state.counter) if card and state.shown]
            assert [cards.count(kind) for kind in (1, 2, 3, 4)] == [10, 10, 10, 6]


def reshuffling() -> Table:
    """Return a table just after a reshuffle: the first to draw took the only card of the draw pile."""
    return show("Hai Wu d3 20 Punch", "Ingrid e3 20 Kick", hands=["Kick Grapple", "Block Punch"], draw_pile=["Grapple"])


def test_after_a_reshuffle_players_know_each_others_hands() -> None:
    match = reshuffling().match
    assert match.position()["known"] == [["Kick", "Grapple", "Grapple"], ["Punch", "Block"]]
    for state in determinizations(match, 2):
        assert state.hand[0].tolist() == [3, 2, 3, 3]
    hands = [state.hand[1, 1:].tolist() for state in determinizations(match, 1)]
    assert all({1, 4} <= set(hand) for hand in hands)
    assert {1, 2, 3, 4} == {kind for hand in hands for kind in hand}
    assert len({tuple(state.hand[0].tolist()) for state in determinizations(match, 0)}) > 5
    assert not match.view(0).state.sure.any()


def test_a_known_card_is_forgotten_once_it_is_played() -> None:
    t = table("Hai Wu a3 20", "Ingrid g3 20", "Kick Grapple Punch", "Block Punch Kick", known=["Kick Grapple", ""])
    t.play("move 1; kick; move 1; block")
    t.match.choose(t.match.legal()[0])
    t.match.choose(t.match.legal()[0])
    known = t.match.position()["known"]
    assert known == [["Grapple"], []]
    assert all(3 in state.hand[0] for state in determinizations(t.match, 2))


def test_calling_with_a_known_card_reveals_nothing_new() -> None:
    t = table("Hai Wu c3 7", "Ingrid e3 6", "Punch Kick Grapple", "Kick Grapple Block", known=["Grapple", ""])
    t.play("move 2; call grapple; move 1; kick")
    hands = {tuple(state.hand[0, 1:].tolist()) for state in determinizations(t.match, 2, 60)}
    assert any(hand.count(3) == 1 for hand in hands)
    assert all(hand.count(3) >= 1 for hand in hands)


@pytest.mark.parametrize("known", ["Kick Kick", [""]])
def test_known_cards_must_be_in_the_hand(known: Any) -> None:
    with pytest.raises(BadPosition, match="known: seat 1"):
        table("Hai Wu c3 7", "Ingrid e3 6", "Punch Kick Grapple", "Kick Grapple Block", known=[known, ""])


# Taking choices back


def test_a_movement_card_may_be_taken_back_until_the_action_card_is_played() -> None:
    t = start().play("move 2")
    assert t.match.can_take_back
    t.match.take_back()
    assert t.status == "P1 move_card"
    t.play("move 3; punch")
    with pytest.raises(ChoiceError):
        t.match.take_back()


@pytest.mark.parametrize("situation", ["pick", "second movement", "move", "second move", "claim", "counter"])
def test_public_choices_cannot_be_taken_back(situation: str) -> None:
    assert not SITUATIONS[situation].match.can_take_back


@pytest.mark.parametrize("choice", ["pass", "counter kick"])
def test_a_counter_cannot_be_taken_back_by_the_next_first_mover(choice: str) -> None:
    t = show("Hai Wu c3 7 Punch", "Ingrid e3 6 Block", counter="Kick Grapple").play(choice)
    assert t.status == "P2 move_card"
    assert not t.match.can_take_back
