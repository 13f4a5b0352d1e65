"""The position header: the fields that every game reads and writes."""

from typing import Any

import pytest

from sparring import BadPosition, Match, games
from sparring.engine.formats.position_reader import PositionReader
from sparring.engine.formats.positions import read_end, read_phase, write_header
from sparring.engine.rule import blank

NAMES = pytest.mark.parametrize("name", list(games()))


@NAMES
def test_every_game_writes_the_same_header(name: str) -> None:
    match = Match.new(name, seed=3)
    position = match.position()
    turn = "round" if name == "world-of-fighters" else "turn"
    assert position["phase"] == match.phase
    assert (position["player"], position["ending"]) == (match.seat, "none")
    assert (position[turn], position["moment"]) == (int(match.state.turn), int(match.state.moment))
    assert position["payoff"] == [0.0] * match.seats


@NAMES
def test_every_game_reads_an_ending(name: str) -> None:
    match = Match.new(name, seed=3)
    ended = {**match.position(), "ending": match.game.rules.ENDINGS[0].upper(), "payoff": {1: 1, 2: -1}}
    over = Match.from_position(ended)
    assert (over.over, over.ending) == (True, match.game.rules.ENDINGS[0])
    assert over.winners == (1,)
    assert not Match.from_position({**match.position(), "ending": ""}).over


def header(name: str = "make-your-moves", **position: Any) -> tuple[Any, Any]:
    setup = games()[name].setup()
    s: Any = blank(setup.game.rules.State.dtype)
    s.seats = 3
    fields = PositionReader(position, 3)
    phase = read_phase(setup, s, fields, "attack", {"draw": 2})
    read_end(setup, s, fields)
    fields.done()
    return s, phase


def test_missing_fields_have_the_games_defaults() -> None:
    s, phase = header()
    assert (phase, int(s.phase), int(s.over)) == ("attack", 1, 0)


def test_a_named_situation_maps_to_its_phase() -> None:
    s, phase = header(phase="Draw")
    assert (phase, int(s.phase)) == ("draw", 2)


@pytest.mark.parametrize(
    ("position", "said"),
    [
        ({"phase": "tea"}, "phase must be one of target, .*, draw, not tea"),
        ({"ending": "tea"}, "ending must be one of none, points"),
        ({"payoff": [3, 0, 0]}, "payoff must be a number from -1 to 2 for each seat, not 3"),
        ({"payoff": [True, 0, 0]}, "payoff must be a number"),
    ],
)
def test_an_invalid_header_is_refused(position: dict[str, Any], said: str) -> None:
    with pytest.raises(BadPosition, match=said):
        header(**position)


def test_a_header_round_trips() -> None:
    s, _ = header(ending="points", payoff=[2, -1, -1])
    s.turn, s.player, s.moment = 7, 2, 12
    setup = games()["make-your-moves"].setup()
    assert write_header(setup, s, turn="round") == {
        "phase": "attack", "player": 3, "round": 7, "moment": 12, "ending": "points", "payoff": [2.0, -1.0, -1.0],
    }  # fmt: skip
