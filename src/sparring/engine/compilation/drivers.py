"""Drivers: loops over the rules of any game, such as many random matches, or the trace of one.

Each function here makes a driver for a game: plain Python that runs interpreted, or compiled (see `machine_code`).
Drivers take records in arrays of length 1 or more; `out` is an int16 array with room for all actions.
"""

from collections.abc import Callable
from typing import Any

import numpy as np

from sparring.engine.chance import CHOICES, DEAL, below, seed
from sparring.engine.game import Game
from sparring.engine.rule import rule

from .counters import begin, close_rule, note_rule

Driver = Callable[..., Any]


def careful(driver: Driver) -> Driver:
    """Mark a driver that checks rules: it is compiled with bounds checks and less optimization (see `linking`).

    The rules may be wrong and must not write outside their arrays. Such a driver runs for seconds, so compilation time
    matters most.
    """
    driver.is_careful = True  # type: ignore[attr-defined]
    return driver


def is_careful(driver: Driver) -> bool:
    """Return whether a driver is marked as careful."""
    return bool(getattr(driver, "is_careful", False))


def without_conceding(game: Game) -> Driver:
    """Return a rule that removes conceding actions from the `n` actions in `out` and returns how many are left."""
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
    """Return a rule that picks one of the `n` actions in `out` with the generator `g`, never a conceding one."""
    keep = without_conceding(game)

    def pick(out, n, g):
        return out[below(g, keep(out, n))]

    return rule(pick)


def playouts(game: Game) -> Driver:
    """Return a driver that plays random matches and returns the number of actions.

    `work` has two records, the first blank. Match i, of `matches`, is dealt and played from seed `first_seed` + i.
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


def counted_playouts(game: Game) -> Driver:
    """Return a driver that plays random matches like `playouts` and counts each in a row of `rows` (`counters`)."""
    setup, legal, step = game.rules.setup, game.rules.legal, game.rules.step
    keep, note, close = without_conceding(game), note_rule(game), close_rule(game)

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
    """Return a driver for the states of a match: action i turns `states[i]` into `states[i + 1]`."""
    step = game.rules.step

    def trace(kit, states, actions):
        for i in range(len(actions)):
            states[i + 1] = states[i]
            step(kit, states[i + 1], actions[i])

    return trace
