"""Weak bots finish their matches too."""

import pytest

from sparring import Match, bots

pytestmark = pytest.mark.compiled("untitled-movement")

#: Four of them need about 200 turns. With random playouts as evaluation, a match wasn't over after 645.
TURNS = 400


@pytest.mark.parametrize("level", ["first-match", "gentle"])
@pytest.mark.parametrize(
    ("seats", "options"), [(4, {}), (4, {"board": "scree", "die": "d6"}), (2, {"board": "pinwheel", "deck": "pnp"})]
)
def test_a_match_of_weak_bots_ends(level: str, seats: int, options: dict[str, str]) -> None:
    match = Match.new("untitled-movement", seats=seats, seed=1, options=options)
    bot = bots.parse(f"search:level={level}")
    streams = [bots.stream(1, seat) for seat in range(1, seats + 1)]
    while match.seat and match.state.turn < TURNS:
        match.choose(bot.choose(match.view(match.seat), streams[match.seat - 1]))
    assert match.ending == "all tokens home"
