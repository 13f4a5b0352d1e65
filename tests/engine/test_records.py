"""Records replay to the same state, new deals included; invalid ones are refused."""

import json
import random
from collections.abc import Iterator
from itertools import pairwise
from typing import Any

import numpy as np
import pytest

from engine.toy_game import TOY
from sparring import BadRecord, Match, SparringError
from sparring.engine import records
from sparring.engine.records import NewDeal, with_checksum

NAME = "make-your-moves"


def played(**more: Any) -> Match:
    match = Match.new(NAME, **{"seats": 3, "seed": 4, "options": {"match": "elimination"}, **more})
    for number in range(25):
        legal = match.legal()
        match.choose(legal[number % len(legal)])
    return match


RECORD = played().record()


def test_a_record_replays_to_the_same_state() -> None:
    match = played()
    again = Match.from_record(match.record())
    assert again.state.tobytes() == match.state.tobytes()
    assert again.history == match.history
    assert again.record() == match.record()
    assert again.setup.options == match.setup.options


def test_a_record_replays_up_to_any_choice() -> None:
    match = Match.new(NAME, seats=3, seed=4, options={"match": "elimination"})
    for number, action in enumerate(played().history):
        assert Match.from_record(RECORD, upto=number).state.tobytes() == match.state.tobytes()
        match.choose(action)


def test_fields_of_a_record() -> None:
    body = json.loads(RECORD)
    assert set(body) == {"format", "game", "version", "seats", "seed", "options", "choices", "check"}
    assert (body["game"], body["seats"], body["seed"]) == (NAME, 3, 4)


def test_a_record_can_be_bytes_and_end_with_a_newline() -> None:
    assert Match.from_record(RECORD.encode() + b"\n").record() == RECORD


def test_a_record_contains_its_starting_position() -> None:
    match = Match.from_position(
        {"game": NAME, "seats": 3, "seed": 9, "hands": {2: "Red1 Red2", "3": "Blue1"}, "turn": 5}
    )
    match.choose(match.legal()[0])
    again = Match.from_record(match.record())
    assert again.state.tobytes() == match.state.tobytes()
    assert again.record() == match.record()


def test_one_changed_byte_anywhere_is_refused() -> None:
    data = RECORD.encode()
    for place in range(len(data)):
        for changed in {data[place] ^ 1, data[place] ^ 32, 48, 34} - {data[place]}:
            with pytest.raises(BadRecord):
                Match.from_record(data[:place] + bytes([changed]) + data[place + 1 :])


def test_a_missing_or_extra_byte_is_refused() -> None:
    data = RECORD.encode()
    for place in range(len(data)):
        with pytest.raises(BadRecord):
            Match.from_record(data[:place] + data[place + 1 :])
        with pytest.raises(BadRecord):
            Match.from_record(data[:place] + b" " + data[place:])


@pytest.mark.parametrize(
    "record", ["", "{}", "[]", "null", "7", '"x"', "tea", "{", b"\xff\xfe", "[" * 100_000, '{"check":1}', "\n" + RECORD]
)
def test_not_a_record(record: str | bytes) -> None:
    with pytest.raises(BadRecord):
        Match.from_record(record)


def forged(**changed: Any) -> str:
    """Return a changed record with a correct checksum."""
    body = {key: value for key, value in json.loads(RECORD).items() if key != "check"} | changed
    return with_checksum({key: value for key, value in body.items() if value is not None})


@pytest.mark.parametrize(
    ("changed", "said"),
    [
        ({"version": 99}, "This record is from version 99 of Make Your Moves Lite; version 1 is installed"),
        ({"version": 0}, "This record is from version 0 of Make Your Moves Lite; version 1 is installed"),
        ({"format": 2}, "This record has format 2; only format 1"),
        ({"game": "chess"}, "There is no game called chess"),
        ({"game": ["x"]}, "a required field is missing"),
        ({"seats": 9}, "not 9"),
        ({"seed": -1}, "The seed must be a whole number"),
        ({"options": {"match": "tea"}}, "match must be"),
        ({"options": 3}, "a required field is missing"),
        ({"choices": [999]}, "contains an illegal choice: The number of a choice must be 0 to"),
        ({"choices": ["x"]}, "a required field is missing"),
        ({"choices": None}, "a required field is missing"),
        ({"choices": 3}, "a required field is missing"),
        ({"version": None}, "a required field is missing"),
        ({"content": {"cards": []}}, "the record: a deck must have 30 to 120 cards"),
        ({"position": {"game": NAME, "seats": 2, "phase": "tea"}}, "phase must be one of"),
        ({"position": 3}, "a required field is missing"),
    ],
)
def test_a_forged_record_gets_one_sentence(changed: dict[str, Any], said: str) -> None:
    with pytest.raises(SparringError, match=said):
        Match.from_record(forged(**changed))


def test_a_record_contains_custom_cards() -> None:
    cards = [{"name": f"Card {n}x", "colour": "Red" if n % 2 else "Blue", "power": n % 3 + 1} for n in range(40)]
    content = Match.new(NAME).game.content_from({"cards": cards}, "mine")
    match = Match.new(NAME, seats=2, seed=1, content=content)
    match.choose(match.legal()[0])
    body = json.loads(match.record())
    assert body["content"] == {"cards": [{**card, "picture": ""} for card in cards]}
    assert Match.from_record(match.record()).state.tobytes() == match.state.tobytes()


def test_the_record_of_a_finished_match_is_small() -> None:
    match = Match.new(NAME, seats=6, seed=1)
    while not match.over:
        match.choose(match.legal()[-1])
    assert Match.from_record(match.record()).payoffs == match.payoffs
    assert len(match.record()) < 5000


def test_a_custom_game_replays_too() -> None:
    match = Match.new(TOY, seats=2, seed=1)
    match.choose(match.legal()[0])
    assert Match.from_record(match.record(), game=TOY).state.tobytes() == match.state.tobytes()


#: The games whose hands are hidden.
GAMES = ("make-your-moves", "five-circles", "mace", "world-of-fighters", "card-duel")


def after_random_choices(name: str, seed: int, choices: int) -> Match:
    """Return a match after random choices, of which none concedes."""
    match, dice = Match.new(name, seats=2, seed=seed, machine_code=False), random.Random(seed)
    for _ in range(choices):
        if not match.over:
            match.choose(dice.choice([each for each in match.legal() if each not in match.game.conceding]))
    return match


def moments(name: str) -> Iterator[Match]:
    """Yield matches at several moments."""
    return (match for seed in range(4) if not (match := after_random_choices(name, seed, 5 + 9 * seed)).over)


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
    match = after_random_choices("mace", 1, 20)
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
    match = after_random_choices("make-your-moves", 1, 12)
    match.deal_again(NewDeal(12, 5))
    assert match.view(1, memory=True).memory == ()
    match.choose(match.legal()[0])
    assert len(match.view(1, memory=True).memory) == 1


@pytest.mark.parametrize("deals", [[[1]], [["x", 2]], [[1, None]], 7])
def test_a_record_with_malformed_new_deals_is_refused(deals: object) -> None:
    match = after_random_choices("mace", 1, 3)
    body = {"format": 1, "game": "mace", "version": match.game.version, "seats": 2, "seed": 1, "options": {},
            "choices": match.history, "deals": deals}  # fmt: skip
    with pytest.raises(BadRecord, match="missing or invalid"):
        Match.from_record(with_checksum(body))


@pytest.mark.parametrize("name", GAMES)
def test_predictions_are_at_chance(name: str) -> None:
    """Count how many of the cards that only seat 2 knew before are in its hand after: as many as between two deals."""
    match = after_random_choices(name, 2, 8)
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
