"""New deals: they depend on what everyone has seen only, and are part of the match, its record and its undoing."""

import random
from collections.abc import Iterator
from itertools import pairwise

import numpy as np
import pytest

from sparring.engine import records
from sparring.engine.errors import BadRecord
from sparring.engine.match import Match
from sparring.engine.records import NewDeal, with_checksum

#: The games whose hands are hidden.
GAMES = ("make-your-moves", "five-circles", "mace", "world-of-fighters", "card-duel")


def played(name: str, seed: int, choices: int) -> Match:
    """Return a match after random choices, of which none concedes."""
    match, dice = Match.new(name, seats=2, seed=seed, machine_code=False), random.Random(seed)
    for _ in range(choices):
        if not match.over:
            match.choose(dice.choice([each for each in match.legal() if each not in match.game.conceding]))
    return match


def moments(name: str) -> Iterator[Match]:
    """Yield matches at several moments."""
    return (match for seed in range(4) if not (match := played(name, seed, 5 + 9 * seed)).over)


@pytest.mark.parametrize("name", GAMES)
def test_a_new_deal_depends_on_what_everyone_has_seen_only(name: str) -> None:
    """So a player who knew everything before predicts no better than a spectator."""
    for match in moments(name):
        deal = match.new_deal()
        match.back(len(match.history) - deal.after)
        other, g = match.clone(), np.array([1, 2, 3, 4])
        other.state = match.view(0).state.copy()
        match.game.rules.determinize(match.setup.params, other.state, -1, g)
        assert other.state.tobytes() != match.state.tobytes()
        match.deal_again(deal)
        other.deal_again(deal)
        assert other.state.tobytes() == match.state.tobytes()


@pytest.mark.parametrize("name", GAMES)
def test_spectators_see_no_difference(name: str) -> None:
    for match in moments(name):
        deal = match.new_deal()
        match.back(len(match.history) - deal.after)
        seen = match.view(0)
        match.deal_again(deal)
        assert match.view(0).state.tobytes() == seen.state.tobytes()


@pytest.mark.parametrize("name", GAMES)
def test_the_record_goes_through_the_new_deal(name: str) -> None:
    for match in moments(name):
        match.deal_again(match.new_deal())
        for _ in range(6):
            if not match.over:
                match.choose(match.legal()[0])
        again = Match.from_record(match.record())
        assert again.state.tobytes() == match.state.tobytes()
        assert [again.history_key(seat) for seat in (1, 2)] == [match.history_key(seat) for seat in (1, 2)]
        continued = Match(match.start)
        continued.continue_from(list(match.transitions()))
        assert (continued.state.tobytes(), continued.joined) == (match.state.tobytes(), match.joined)


def test_choices_before_a_new_deal_cannot_be_taken_back() -> None:
    match = played("mace", 1, 20)
    while not match.steps_to_take_back:
        match.choose(match.legal()[0])
    match.deal_again(NewDeal(len(match.history), 7))
    assert not match.can_take_back
    after = match.state.copy()
    match.choose(match.legal()[0])
    match.back(1)
    assert match.state.tobytes() == after.tobytes()
    assert len(match.start.deals) == 1
    match.back(1)
    assert not match.start.deals


def commitments() -> Match:
    """Return a match of World of Fighters in which both are about to choose two cards face down."""
    match = Match.new("world-of-fighters", seed=3, machine_code=False)
    while match.phase != "move_card":
        match.choose(match.legal()[0])
    return match


def test_secret_choices_that_are_not_revealed_are_taken_back() -> None:
    """World of Fighters: both choose two cards face down, then both are revealed."""
    match = commitments()
    counts = []
    for _ in range(4):
        counts.append(len(match.history) - match.new_deal().after)
        match.choose(match.legal()[0])
    assert counts == [0, 1, 2, 3]
    revealed = len(match.history)
    assert match.new_deal().after == revealed


def test_a_game_that_reveals_without_a_beat_keeps_its_choices() -> None:
    match = commitments()
    for _ in range(4):
        match.choose(match.legal()[0])
    unmarked = [each._replace(marks=()) for each in match.transitions()]
    assert records.secret_choices(match.setup, unmarked) == 0


def test_a_bot_remembers_nothing_from_before_a_new_deal() -> None:
    match = played("make-your-moves", 1, 12)
    match.deal_again(NewDeal(12, 5))
    assert match.view(1, memory=True).memory == ()
    match.choose(match.legal()[0])
    assert len(match.view(1, memory=True).memory) == 1


@pytest.mark.parametrize("deals", [[[1]], [["x", 2]], [[1, None]], 7])
def test_a_record_with_malformed_new_deals_is_refused(deals: object) -> None:
    match = played("mace", 1, 3)
    body = {"format": 1, "game": "mace", "version": match.game.version, "seats": 2, "seed": 1, "options": {},
            "choices": match.history, "deals": deals}  # fmt: skip
    with pytest.raises(BadRecord, match="missing or invalid"):
        Match.from_record(with_checksum(body))


@pytest.mark.parametrize("name", GAMES)
def test_predictions_are_at_chance(name: str) -> None:
    """Count how many of the cards that only seat 2 knew before are in its hand after: as many as between two deals."""
    match = played(name, 2, 8)
    match.back(len(match.history) - match.new_deal().after)
    hits, by_chance, states = 0, 0, []
    for seed in range(60):
        again = match.clone()
        again.deal_again(NewDeal(len(match.history), seed))
        states.append(private(again))
    for one, other in pairwise(states):
        hits += agreement(private(match), one)
        by_chance += agreement(other, one)
    spread = 4 * (max(hits, by_chance) + 1) ** 0.5
    assert abs(hits - by_chance) <= max(spread, 0.2 * by_chance), (hits, by_chance)
    assert hits < 59 * agreement(private(match), private(match))


def private(match: Match) -> dict[str, np.ndarray]:
    """Return the fields of the state that only seat 2 knows."""
    own, public = match.view(2).state, match.view(0).state
    return {name: np.array(own[name]) for name in own.dtype.names if own[name].tobytes() != public[name].tobytes()}


def agreement(one: dict[str, np.ndarray], other: dict[str, np.ndarray]) -> int:
    """Return how many values of these fields are equal."""
    return sum(int((one[name] == other[name]).sum()) for name in one if name in other)
