"""High Card: its facts and modules."""

from pathlib import Path

from sparring.engine.game import Box, Credit, Game, modules

from . import items, kit, phases, rules, scene


def longest(box: Box, seats: int) -> int:
    """Return the number of choices in a match: one per seat in each trick, and one for each call."""
    return (seats + (box.options["call"] == "leader")) * int(box.options["hand"])


GAME = Game(
    name="high-card",
    title="High Card",
    version=1,
    seats=(2, 3, 4),
    summary="Secretly play a card; the highest card takes the trick.",
    credit=Credit("High Card", "the Sparring authors", "an example of the Sparring project", "MIT"),
    folder=Path(__file__).parent,
    rules=rules,
    kit=kit,
    scene=modules(scene, phases),
    position=rules.POSITIONS,
    items=items,
    longest=longest,
    hidden=True,
    mixes=True,
)
