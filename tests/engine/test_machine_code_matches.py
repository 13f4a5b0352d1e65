"""Matches whose rules run as machine code: the same states, views, observations and beats."""

import pickle
import random

import pytest

from sparring import Match
from sparring.engine import tiered_rules
from sparring.engine.compilation.single_calls import CompiledRules
from sparring.engine.game import Game, GameSetup, games
from sparring.games.high_card import GAME as HIGH_CARD

pytestmark = pytest.mark.compiled("high-card")

BLUFFS = games()["world-of-fighters"]


@pytest.fixture(autouse=True)
def _no_warm_up(monkeypatch: pytest.MonkeyPatch) -> None:
    """Compile the rules at the first action."""
    monkeypatch.setattr(tiered_rules, "WARM_UP", 0)


def pair(game: Game) -> tuple[Match, Match]:
    """Return the same match with interpreted rules and in machine code."""
    return Match.new(game, seed=5, machine_code=False), Match.new(game, seed=5)


def fresh_match() -> Match:
    """Return a match in a setup whose rules no other match has called."""
    return Match.deal(GameSetup(HIGH_CARD, HIGH_CARD.setup().options, HIGH_CARD.content).machine_code, 2, seed=5)


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
    assert slow.setup.marks_beats
    assert not fast.setup.marks_beats
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
        twin.choose(twin.legal()[0])
        assert not twin.setup.marks_beats
    assert not match.history


def test_the_first_actions_are_interpreted(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(tiered_rules, "WARM_UP", 2)
    match = fresh_match()
    for marks_beats in (True, True, False):
        match.choose(match.legal()[0])
        assert match.setup.marks_beats == marks_beats


def test_matches_of_one_setup_warm_up_together(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(tiered_rules, "WARM_UP", 2)
    first = fresh_match()
    for _ in range(2):
        first.choose(first.legal()[0])
    second = Match.deal(first.setup, 2, seed=6)
    second.choose(second.legal()[0])
    assert not second.setup.marks_beats


def test_rules_that_do_not_compile_stay_interpreted(
    monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    def fail(*_: object) -> None:
        raise OSError("the disk is full")

    monkeypatch.setattr(CompiledRules, "prepare", fail)
    match = fresh_match()
    while not match.over:
        match.choose(match.legal()[0])
    assert match.setup.marks_beats
    assert match.payoffs
    assert caplog.messages == ["Matches of High Card stay interpreted: OSError: the disk is full"]
