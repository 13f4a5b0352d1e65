"""Card Duel, a template for card games of two players: designers write the cards and set the numbers of the rules."""

from pathlib import Path

from sparring.engine.game import Box, Credit, Game

from . import inventory, items, kit, position, preview, reasons, rules, scene, state


def longest(box: Box, seats: int) -> int:
    """Return the most choices in a match: in a turn, at most `MOVES` moves of up to three choices, and its end."""
    return 2 * int(box.options["rounds"]) * (3 * state.MOVES + 1)


GAME = Game(
    name="card-duel",
    title="Card Duel",
    version=1,
    seats=(2,),
    summary="Design your own card duel: write the cards, set the numbers of the rules, and play it at once.",
    credit=Credit("Card Duel", "the Sparring authors", "a template of the Sparring project", "MIT"),
    folder=Path(__file__).parent,
    rules=rules,
    kit=kit,
    scene=scene,
    position=position,
    items=items,
    inventory=inventory,
    preview=preview,
    reasons=reasons,
    longest=longest,
    hidden=True,
    template=True,
)
