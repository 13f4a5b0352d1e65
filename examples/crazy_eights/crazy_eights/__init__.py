"""Crazy Eights: get rid of your cards; what is left counts against you.

The rules are those of OpenSpiel's `crazy_eights` with one pack, including its scoring, so that the two can be compared
(`make bench-peers`). The options mean the same.
"""

from sparring.engine.game import Credit, Game, GameSetup, Payoffs

from . import params, position, rules, scene


def max_choices(setup: GameSetup, seats: int) -> int:
    """Return a bound: between two played cards, a suit, every card drawn with a pass, and a last round of passes."""
    return (int(setup.options["turns"]) + 1) * (2 * rules.CARDS + seats + 2)


GAME = Game(
    name="crazy-eights",
    title="Crazy Eights",
    version=1,
    seats=(2, 3, 4, 5),
    summary="Match the suit or the rank, name a suit with an Eight, and be the first without cards.",
    credit=Credit("Crazy Eights", "unknown", "the rules as OpenSpiel plays them (2.0.2)", "public domain"),
    rules=rules,
    params=params,
    scene=scene,
    position=position,
    max_choices=max_choices,
    hidden=True,
    payoffs=Payoffs(-rules.WHOLE_PACK, 0, "points", zero_sum=False),
)
