"""Which choices look good at first sight, by what good players chose: the rule that a search goes by.

A *prior* is how likely a good player is to choose each of the choices there are, by what its seat knows
(`value_features` of its view): a few hidden units of these numbers, with weights for each choice. A search looks at
what is likely first, and at what is unlikely only if the rest disappoints (PUCT; Rosin 2011, Silver et al. 2017).
"""

from math import exp

from sparring.engine.compilation.drivers import Driver
from sparring.engine.game import Game
from sparring.engine.rule import rule

from .evaluation import PRIOR_UNITS, value_features_of


def room(game: Game) -> list[tuple[str, str, int]]:
    """The fields that a search needs for priors: `likely` of the choices in `out`, and the hidden units."""
    return [("likely", "f8", len(game.rules.ACTIONS)), ("stirred", "f8", PRIOR_UNITS)]


def first_sight(game: Game) -> Driver:
    """A rule: how likely a good player on a seat is to choose each of the `n` choices in `out`, in `desk.likely`."""
    redact = game.rules.redact
    _, value_features = value_features_of(game)

    def look(kit, work, s, desk, mind, out, n, seat):
        last = len(work) - 1
        work[last] = s
        redact(kit, work[last], seat)
        value_features(kit, work[last], seat, desk.seen)
        for unit in range(PRIOR_UNITS):
            desk.stirred[unit] = mind.prior_bias[unit]
        for place in range(mind.prior_used):
            i = mind.prior_places[place]
            if desk.seen[i] != 0.0:
                for unit in range(PRIOR_UNITS):
                    desk.stirred[unit] += mind.prior_into[i, unit] * desk.seen[i]
        highest = -1e30
        for i in range(n):
            told = float(mind.prior_own[out[i]])
            for unit in range(PRIOR_UNITS):
                if desk.stirred[unit] > 0.0:
                    told += mind.prior_rows[out[i], unit] * desk.stirred[unit]
            desk.likely[i] = told
            highest = max(highest, told)
        total = 0.0
        for i in range(n):
            desk.likely[i] = exp(desk.likely[i] - highest)
            total += desk.likely[i]
        for i in range(n):
            desk.likely[i] /= total

    return rule(look)
