"""Hits: results of attacks that land, but not of misses and blocks."""

import random

import pytest

from sparring.engine.game import game
from sparring.engine.match import Match
from sparring.scene.sentences import is_result

#: Parts of log lines that say that an attack landed or didn't.
SAID = {
    "make-your-moves": ("goes through", "takes control"),
    "world-of-fighters": (" damage (", "no damage"),
    "five-circles": ("gets through and", "no damage"),
    "mace": (" Damage (", "dodged"),
}


@pytest.mark.parametrize("name", list(SAID))
def test_only_attacks_that_land_count_as_hits(name: str) -> None:
    (hit, missed), this = SAID[name], game(name)
    found, both = dict[str, bool](), {True, False}
    for seed in range(300 if name == "five-circles" else 30):  # few attacks are stopped in that game
        match, dice = Match.deal(this.setup(dict(this.preset(this.recommended))), 2, seed), random.Random(seed)
        for _ in range(150):
            if match.over:
                break
            match.choose(dice.choice([each for each in match.legal() if each not in match.game.conceding]))
            lines = [line for beat in match.beats(2) for line in beat.lines]
            found |= {str(line): getattr(line, "hit", False) for line in lines if is_result(line)}
        told = {is_hit for sentence, is_hit in found.items() if hit in sentence or missed in sentence}
        if seed >= 10 and told == both:
            break
    assert any(found.values())
    for sentence, is_hit in found.items():
        if missed in sentence or "No Damage" in sentence:
            assert not is_hit, sentence
        elif hit in sentence:
            assert is_hit, sentence
    assert told == both
