"""Drivers: loops over the rules of a game, such as many random matches or the trace of one.

Most functions here make a driver for a game: a plain Python function that runs interpreted or compiled (see
`machine_code`). Drivers take state records in arrays; `out` is an int16 array with room for all actions.
"""

from collections.abc import Callable
from typing import Any

import numpy as np

from sparring.engine.chance import CHOICES, DEAL, below, seed
from sparring.engine.game import Game
from sparring.engine.rule import rule, zeros

from .counters import begin, close_rule, note_rule

Driver = Callable[..., Any]


def check_bounds(driver: Driver) -> Driver:
    """Mark a driver that tests rules: it is compiled with bounds checks and less optimization (see `linking`).

    Rules under test may be wrong and must not write outside their arrays. Such a driver runs for seconds, so
    compilation time matters most.
    """
    driver.checks_bounds = True  # type: ignore[attr-defined]
    return driver


def checks_bounds(driver: Driver) -> bool:
    """Return whether a driver is marked with `check_bounds`."""
    return bool(getattr(driver, "checks_bounds", False))


def without_conceding(game: Game) -> Driver:
    """Return a rule that removes conceding actions from the `n` actions in `out` and returns how many are left."""
    conceding = game.conceding
    if not conceding:

        def keep(out, n):
            return n
    else:
        lowest = min(conceding)

        def keep(out, n):
            if n > 0 and out[n - 1] < lowest:  # the actions are ascending
                return n
            count = 0
            for i in range(n):
                if out[i] not in conceding:
                    out[count] = out[i]
                    count += 1
            return count

    return rule(keep)


def random_choice(game: Game) -> Driver:
    """Return a rule that picks one of the `n` actions in `out` with the generator `g`, never a conceding one."""
    keep = without_conceding(game)

    def pick(out, n, g):
        return out[below(g, keep(out, n))]

    return rule(pick)


def playouts(game: Game) -> Driver:
    """Return a driver that plays `matches` random matches and returns the total number of actions.

    `work` has two records, the first blank. Match number i is dealt and played from seed `first_seed` + i.
    """
    setup, legal, step = game.rules.setup, game.rules.legal, game.rules.step
    pick = random_choice(game)

    def playouts(params, work, out, first_seed, seats, matches):
        g = zeros(4, np.int64)
        s = work[1]
        total = 0
        for match in range(matches):
            work[1] = work[0]
            seed(s.rng, first_seed + match, DEAL)
            seed(g, first_seed + match, CHOICES)
            s.seats = seats
            setup(params, s)
            while not s.over:
                step(params, s, pick(out, legal(params, s, out), g))
                total += 1
        return total

    return playouts


def counted_playouts(game: Game) -> Driver:
    """Return a driver that plays random matches as `playouts` does and counts them (see `counters`).

    It plays match numbers `first` to `first + len(rows) - 1` and writes a row for each; `counters` is a record of
    `blank_counters`.
    """
    setup, legal, step = game.rules.setup, game.rules.legal, game.rules.step
    keep, note, close = without_conceding(game), note_rule(game), close_rule(game)

    def counted(params, work, out, first_seed, first, seats, counters, rows):
        g = zeros(4, np.int64)
        s = work[1]
        for match in range(len(rows)):
            number = first + match
            work[1] = work[0]
            seed(s.rng, first_seed + number, DEAL)
            seed(g, first_seed + number, CHOICES)
            s.seats = seats
            setup(params, s)
            begin(s, counters)
            while not s.over:
                n = keep(out, legal(params, s, out))
                action = out[below(g, n)]
                note(params, s, counters, action, n)
                step(params, s, action)
            close(params, s, counters, number)
            for k in range(rows.shape[1]):
                rows[match, k] = counters.row[k]

    return counted


def trace(game: Game) -> Driver:
    """Return a driver that replays a match: it applies action i to a copy of `states[i]`, in `states[i + 1]`."""
    step = game.rules.step

    def trace(params, states, actions):
        for i in range(len(actions)):
            states[i + 1] = states[i]
            step(params, states[i + 1], actions[i])

    return trace
