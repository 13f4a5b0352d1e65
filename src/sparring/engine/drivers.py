"""Loops over any game: many matches in a row, or the trace of one.

Each function here makes a driver for a game: plain Python that runs as it is, or compiled (see `compiled`). Drivers
take records in arrays of length 1 or more; `out` is room for the legal choices, as many as the game has actions.
"""

from collections.abc import Callable
from typing import Any

import numpy as np

from .chance import CHOICES, DEAL, below, seed
from .game import Game
from .rule import rule

Driver = Callable[..., Any]


def without_conceding(game: Game) -> Driver:
    """A rule that strikes conceding choices out of the `n` choices in `out`, and says how many are left."""
    conceding = game.conceding
    if not conceding:

        def keep(out, n):
            return n
    else:

        def keep(out, n):
            kept = 0
            for i in range(n):
                if out[i] not in conceding:
                    out[kept] = out[i]
                    kept += 1
            return kept

    return rule(keep)


def random_choice(game: Game) -> Driver:
    """A rule that picks one of the `n` choices in `out` with the generator `g`, never one that concedes."""
    keep = without_conceding(game)

    def pick(out, n, g):
        return out[below(g, keep(out, n))]

    return rule(pick)


def playouts(game: Game) -> Driver:
    """Matches of random play; returns the number of choices made.

    `work` holds two records, the first blank. Match i (of `len(lengths)`) is dealt and played from seed + i. Filled
    in: `lengths` (choices), `endings`, `payoffs` (matches x seats) and `phases` (choices by phase, added up).
    """
    setup, legal, step = game.rules.setup, game.rules.legal, game.rules.step
    pick = random_choice(game)

    def playouts(kit, work, out, first_seed, seats, lengths, endings, payoffs, phases):
        g = np.zeros(4, np.int64)
        s = work[1]
        total = 0
        for match in range(len(lengths)):
            work[1] = work[0]
            seed(s.rng, first_seed + match, DEAL)
            seed(g, first_seed + match, CHOICES)
            s.seats = seats
            setup(kit, s)
            choices = 0
            while not s.over:
                phases[s.phase] += 1
                step(kit, s, pick(out, legal(kit, s, out), g))
                choices += 1
            lengths[match] = choices
            endings[match] = s.ending
            for seat in range(seats):
                payoffs[match, seat] = s.payoff[seat]
            total += choices
        return total

    return playouts


def trace(game: Game) -> Driver:
    """The states of a match: `states[0]` is given, `states[i + 1]` is what choice i makes of `states[i]`."""
    step = game.rules.step

    def trace(kit, states, actions):
        for i in range(len(actions)):
            states[i + 1] = states[i]
            step(kit, states[i + 1], actions[i])

    return trace
