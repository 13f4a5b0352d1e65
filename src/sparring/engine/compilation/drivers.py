"""Loops over any game: many matches in a row, or the trace of one.

Each function here makes a driver for a game: plain Python that runs as it is, or compiled (see `compiled`). Drivers
take records in arrays of length 1 or more; `out` is room for the legal choices, as many as the game has actions.
"""

from collections.abc import Callable
from typing import Any

import numpy as np

from sparring.engine.chance import CHOICES, DEAL, below, seed
from sparring.engine.game import Game
from sparring.engine.rule import rule

from .counters import begin, closing, noting

Driver = Callable[..., Any]


def careful(driver: Driver) -> Driver:
    """Mark a driver that checks rules: no access to an array goes unchecked, and it is optimised less (see `linking`).

    What it plays may be wrong, and must not write where it should not; it runs for seconds, so that compiling it is
    what takes long.
    """
    driver.is_careful = True  # type: ignore[attr-defined]
    return driver


def is_careful(driver: Driver) -> bool:
    """Whether a driver is marked so."""
    return bool(getattr(driver, "is_careful", False))


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
    """Matches of random play and nothing else; how many choices were made.

    `work` holds two records, the first blank. Match i, of `matches`, is dealt and played from seed + i.
    """
    setup, legal, step = game.rules.setup, game.rules.legal, game.rules.step
    pick = random_choice(game)

    def playouts(kit, work, out, first_seed, seats, matches):
        g = np.zeros(4, np.int64)
        s = work[1]
        total = 0
        for match in range(matches):
            work[1] = work[0]
            seed(s.rng, first_seed + match, DEAL)
            seed(g, first_seed + match, CHOICES)
            s.seats = seats
            setup(kit, s)
            while not s.over:
                step(kit, s, pick(out, legal(kit, s, out), g))
                total += 1
        return total

    return playouts


def counted(game: Game) -> Driver:
    """Matches of random play like those of `playouts`, counted on a sheet (see `tally`); a row of `rows` for each."""
    setup, legal, step = game.rules.setup, game.rules.legal, game.rules.step
    keep, note, close = without_conceding(game), noting(game), closing(game)

    def counted(kit, work, out, first_seed, first, seats, sheet, rows):
        g = np.zeros(4, np.int64)
        s = work[1]
        for match in range(len(rows)):
            number = first + match
            work[1] = work[0]
            seed(s.rng, first_seed + number, DEAL)
            seed(g, first_seed + number, CHOICES)
            s.seats = seats
            setup(kit, s)
            begin(s, sheet)
            while not s.over:
                n = keep(out, legal(kit, s, out))
                action = out[below(g, n)]
                note(kit, s, sheet, action, n)
                step(kit, s, action)
            close(kit, s, sheet, number)
            for k in range(rows.shape[1]):
                rows[match, k] = sheet.row[k]

    return counted


def trace(game: Game) -> Driver:
    """The states of a match: `states[0]` is given, `states[i + 1]` is what choice i makes of `states[i]`."""
    step = game.rules.step

    def trace(kit, states, actions):
        for i in range(len(actions)):
            states[i + 1] = states[i]
            step(kit, states[i + 1], actions[i])

    return trace
