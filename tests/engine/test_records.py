"""Records replay to the same state, and invalid ones are refused."""

import json
from typing import Any

import pytest

from engine.toy_game import TOY
from sparring import BadRecord, Match, SparringError
from sparring.engine.records import with_checksum

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
