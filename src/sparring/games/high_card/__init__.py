"""High Card: its facts and modules."""

from sparring.engine.game import Credit, Game, GameSetup, modules

from . import items, params, phases, rules, scene


def max_choices(setup: GameSetup, seats: int) -> int:
    """Return the number of choices in a match: one per seat in each trick, and one for each call."""
    return (seats + (setup.options["call"] == "leader")) * int(setup.options["hand"])


GAME = Game(
    name="high-card",
    title="High Card",
    version=1,
    seats=(2, 3, 4),
    summary="Secretly play a card; the highest card takes the trick.",
    credit=Credit("High Card", "the Sparring authors", "an example of the Sparring project", "MIT"),
    rules=rules,
    params=params,
    scene=modules(scene, phases),
    position=rules.POSITIONS,
    items=items,
    max_choices=max_choices,
    hidden=True,
    needs_mixed_strategies=True,
)
