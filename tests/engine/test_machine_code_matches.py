"""Matches whose rules run as machine code: the same states, views, observations and beats."""

import pickle
import random

import pytest

from sparring import Match
from sparring.engine.game import Game, games
from sparring.games.high_card import GAME as HIGH_CARD

pytestmark = pytest.mark.compiled("high-card")

BLUFFS = games()["world-of-fighters"]


def pair(game: Game) -> tuple[Match, Match]:
    """Return the same match with interpreted rules and in machine code."""
    return Match.new(game, seed=5), Match.new(game, seed=5, machine_code=True)


@pytest.mark.parametrize("game", [HIGH_CARD, BLUFFS], ids=lambda game: game.name)
def test_a_match_in_machine_code_is_the_same(game: Game) -> None:
    slow, fast = pair(game)
    rng = random.Random(5)
    while not slow.over:
        assert fast.legal() == slow.legal()
        for seat in range(1, slow.seats + 1):
            assert fast.view(seat).key() == slow.view(seat).key()
            assert fast.view(seat).observation().tobytes() == slow.view(seat).observation().tobytes()
        action = rng.choice(slow.legal())
        slow.choose(action)
        fast.choose(action)
        assert fast.state_bytes() == slow.state_bytes()
        assert [beat.lines for beat in fast.beats(1)] == [beat.lines for beat in slow.beats(1)]
    assert fast.record() == slow.record()
    assert fast.history_key(1) == slow.history_key(1)


def test_a_preview_has_its_beats() -> None:
    slow, fast = pair(HIGH_CARD)
    while not slow.over:
        action = slow.legal()[0]
        expected, found = slow.preview(action), fast.preview(action)
        assert [(number, state.tobytes()) for number, state in found.marks] == [
            (number, state.tobytes()) for number, state in expected.marks
        ]
        slow.choose(action)
        fast.choose(action)
        assert fast.last_transition is not None
        assert len(fast.last_transition.marks) == len(expected.marks)


def test_copies_stay_in_machine_code() -> None:
    _, match = pair(HIGH_CARD)
    for twin in (match.clone(), pickle.loads(pickle.dumps(match))):
        assert twin.box.runs_machine_code
        twin.choose(twin.legal()[0])
        assert twin.history
    assert not match.history
    assert not Match.new(HIGH_CARD).box.runs_machine_code
