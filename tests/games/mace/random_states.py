"""The states of random matches with many Charges."""

from collections.abc import Iterator
from typing import Any

import numpy as np

from games.mace.table import NAME
from sparring import Match
from sparring.engine import chance
from sparring.engine.game import game

GAME = game(NAME)


def states(seed: int, options: dict[str, Any], seats: int) -> Iterator[Match]:
    """Yield a random match with many Charges after each choice."""
    match = Match.new(NAME, seats=seats, seed=seed, options=options)
    g = np.zeros(4, np.int64)
    chance.seed(g, seed, chance.CHOICES)
    while not match.over and len(match.history) < 200:
        legal = [action for action in match.legal() if action not in GAME.conceding]
        charges = [action for action in legal if GAME.rules.ACTIONS.name_of(action)[0] == "charge"]
        choices = charges if charges and chance.below(g, 2) else legal
        match.choose(choices[chance.below(g, len(choices))])
        yield match
