"""High Card: everybody lays one card in secret, the highest takes the trick. A first game, to copy and change."""

from pathlib import Path

from sparring.engine.game import Box, Credit, Game

from . import items, kit, position, rules, scene


def longest(box: Box, seats: int) -> int:
    """One choice a seat and trick, and the call of each trick."""
    return (seats + (box.options["call"] == "leader")) * int(box.options["hand"])


GAME = Game(
    name="high-card",
    title="High Card",
    version=1,
    seats=(2, 3, 4),
    summary="Lay a card in secret; the highest takes the trick.",
    credit=Credit("High Card", "the Sparring authors", "an example of the Sparring project", "MIT"),
    folder=Path(__file__).parent,
    rules=rules,
    kit=kit,
    scene=scene,
    position=position,
    items=items,
    longest=longest,
    hidden=True,
    mixes=True,
)
