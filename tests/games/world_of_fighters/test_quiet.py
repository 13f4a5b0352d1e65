"""When a position can be judged as it is: nothing of a round is half done (the rule `quiet`)."""

import pytest

from sparring import Match, bots
from sparring.games.world_of_fighters import rules


@pytest.mark.parametrize("seed", range(4))
def test_a_position_is_quiet_as_long_as_nobody_has_committed_anything(seed: int) -> None:
    match, stream, told = Match.new("world-of-fighters", seed=seed), bots.stream(seed, 1), set[bool]()
    while match.seat:
        s = match.state
        quiet = bool(rules.quiet(match.box.kit, s))
        half_done = min(s.fighter) < 0 or s.movement.any() or s.action.any()
        assert quiet == (not half_done), match.phase
        told.add(quiet)
        match.choose(bots.parse("random").choose(match.view(match.seat), stream))
    assert told == {True, False}
