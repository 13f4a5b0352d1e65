"""How good a position is for each seat, by what was learned from many matches: the rules a search asks.

A *mind* is what a search thinks with: how far it plays on before it judges, how curious it is, and the weights, those
of priors too (`priors`). Each seat's prospects are told from what that seat knows (`value_features` of its view), as a
weighted sum of these numbers and of a few hidden units; what they are worth against each other, as shares that add up
to 1, is the judgement. So the judgement of an imagined truth uses all that is true in it, and every weight is learned
from what some seat could know.
"""

from math import exp, sqrt
from typing import Any

import numpy as np

from sparring.engine.compilation.drivers import Driver
from sparring.engine.game import Game
from sparring.engine.rule import record_dtype, rule

#: How many hidden units there are at most.
HIDDEN = 16

#: How many hidden units a prior has.
PRIOR_UNITS = 32

#: How much a seldom tried choice is worth trying, with payoffs from 0 to 1; chosen by measurement (strength.md).
CURIOSITY = 0.7

#: The same where positions are judged, in standard deviations of what is expected.
CURIOSITY_IN_JUDGING = 2.0

#: The same where a match pays in units, in standard deviations of what each choice brings, times the root of how many
#: iterations there are. So those who are imagined err, the more the less it costs, however long is thought: the best
#: answer to such opponents is harder to read than one to opponents who never err (strength.md).
CURIOSITY_IN_UNITS = 0.04

#: How many iterations that means where time is given instead.
ITERATIONS_BY_THE_CLOCK = 1000


def value_features_of(game: Game) -> tuple[int, Driver]:
    """Return the number of value features, and the rule that writes them: `value_features`, or else `features`."""
    rules: Any = game.rules
    if hasattr(rules, "value_features"):
        return rules.VALUE_FEATURES, rules.value_features
    return rules.FEATURES, rules.features


def quiescent_of(game: Game) -> Driver:
    """A rule: whether a true state with so many choices is one to judge.

    Where there is a prior to go on with, as the game says (`is_quiescent`); else wherever there is a choice.
    """
    own: Any = getattr(game.rules, "is_quiescent", None)
    if own is not None:

        def quiescent(kit, s, n, mind):
            return own(kit, s) if mind.has_prior else n > 1
    else:

        def quiescent(kit, s, n, mind):
            return n > 1

    return rule(quiescent)


def mind_dtype(game: Game) -> np.dtype[Any]:
    """What a search thinks with.

    `judges`: whether it judges positions; it does after `ahead` choices beyond its trees. `stops`: whether it stops
    early when nothing can change any more. `sight`: how many choices deep its trees are at most (0: as they grow).
    `curiosity`: how much a seldom tried choice is worth trying (`search.curiosity_of`); `by_choice`: whether that is
    told in standard deviations of what each choice brings. `patience`: what a choice of
    delay leaves of all that goes beyond an even end (`Game.patience`). The weights: `straight` of the
    clues, and of `hidden` units `into`, `bias` and `out_of`; only numbers at the `used` `places` have any. `has_prior`:
    whether it looks first at what good players choose, by the weights of its hidden units (`prior_into`, `prior_bias`,
    of the clues at the `prior_used` `prior_places`) and those of each choice (`prior_rows`, `prior_own`).
    """
    features, _ = value_features_of(game)
    choices = len(game.rules.ACTIONS)
    return record_dtype(
        [("curiosity", "f8"), ("patience", "f8"), ("straight", "f8", features), ("into", "f8", (features, HIDDEN)),
         ("bias", "f8", HIDDEN), ("out_of", "f8", HIDDEN), ("judges", "i4"), ("ahead", "i4"), ("stops", "i4"),
         ("by_choice", "i4"), ("sight", "i4"), ("hidden", "i4"), ("used", "i4"), ("places", "i4", features),
         ("has_prior", "i4"), ("prior_into", "f4", (features, PRIOR_UNITS)), ("prior_bias", "f4", PRIOR_UNITS),
         ("prior_rows", "f4", (choices, PRIOR_UNITS)), ("prior_own", "f4", choices), ("prior_used", "i4"),
         ("prior_places", "i4", features)]
    )  # fmt: skip


def plain_minds(game: Game, count: int) -> np.ndarray[Any, Any]:
    """Minds that judge nothing: they play imagined matches on to their end."""
    minds = np.zeros(count, mind_dtype(game))
    minds["curiosity"] = curiosity(game, ITERATIONS_BY_THE_CLOCK)
    minds["by_choice"] = game.payoffs is not None
    minds["patience"] = 1.0
    return minds


def curiosity(game: Game, iterations: int) -> float:
    """How curious a search of so many iterations is that judges nothing."""
    return CURIOSITY if game.payoffs is None else CURIOSITY_IN_UNITS * sqrt(iterations)


@rule
def prospects(mind, seen, felt):
    """How well a seat stands by what it has `seen`, on a scale of its own; `felt` is room for the hidden units."""
    total = 0.0
    for place in range(mind.used):
        i = mind.places[place]
        total += mind.straight[i] * seen[i]
    if mind.hidden:
        for unit in range(HIDDEN):
            felt[unit] = mind.bias[unit]
        for place in range(mind.used):
            i = mind.places[place]
            if seen[i] != 0.0:
                for unit in range(HIDDEN):
                    felt[unit] += mind.into[i, unit] * seen[i]
        for unit in range(HIDDEN):
            if felt[unit] > 0.0:
                total += mind.out_of[unit] * felt[unit]
    return total


def judging(game: Game) -> Driver:
    """A rule: what a true state that is not over is worth to each seat, as shares of 1, in `desk.worth`."""
    redact = game.rules.redact
    _, value_features = value_features_of(game)

    def judge(kit, work, s, desk, mind):
        last = len(work) - 1
        highest = -1e30
        for seat in range(s.seats):
            work[last] = s
            redact(kit, work[last], seat)
            value_features(kit, work[last], seat, desk.seen)
            desk.worth[seat] = prospects(mind, desk.seen, desk.felt)
            highest = max(highest, desk.worth[seat])
        total = 0.0
        for seat in range(s.seats):
            desk.worth[seat] = exp(desk.worth[seat] - highest)
            total += desk.worth[seat]
        for seat in range(s.seats):
            desk.worth[seat] /= total

    return rule(judge)
