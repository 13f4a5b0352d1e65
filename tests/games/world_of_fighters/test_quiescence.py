"""Quiescence: a position is quiet when no card is committed (the rule `is_quiescent`)."""

import pytest

from sparring import Match, bots
from sparring.games.world_of_fighters import rules


@pytest.mark.parametrize("seed", range(4))
def test_a_position_is_quiet_until_a_card_is_committed(seed: int) -> None:
    match, stream, seen = Match.new("world-of-fighters", seed=seed), bots.stream(seed, 1), set[bool]()
    while match.seat:
        s = match.state
        quiet = bool(rules.is_quiescent(match.setup.params, s))
        busy = min(s.fighter) < 0 or s.movement.any() or s.action.any()
        assert quiet == (not busy), match.phase
        seen.add(quiet)
        match.choose(bots.parse("random").choose(match.view(match.seat), stream))
    assert seen == {True, False}
