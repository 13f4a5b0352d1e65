"""Make Your Moves made of paper: the deck, and points to count."""

from sparring.engine.game import Box
from sparring.scene import Copies, Counter, Deck, Inventory, Scale

from . import state as R
from .art import BACK
from .scene import face


def inventory(box: Box, seats: int) -> Inventory:
    """Everything, for so many seats."""
    cards = tuple(
        Copies(face=face(card.name, card.colour, card.power, card.picture), pieces=(card.name,))
        for card in box.content.cards
    )
    title = "Damage" if box.options["match"] == "elimination" else "Points"
    return Inventory(
        decks=(Deck(title="Moves", cards=cards, back=BACK),),
        counters=(
            *(Counter(title=title, seat=seat + 1, more=1) for seat in range(seats)),
            Counter(title="In control", text="★", more=1),
        ),
        scales=tuple(Scale(title=title, top=R.NEEDED, seat=seat + 1) for seat in range(seats)),
        turn=_turn(box),
    )


def _turn(box: Box) -> tuple[str, ...]:
    wilds = "any Wilds" if box.options["defence_wilds"] == "any" else "one Wild"
    last = "3 damage: you are out." if box.options["match"] == "elimination" else f"{R.NEEDED} points win."
    return (
        "Everybody draws up to 5.",
        "Attack: name a target, lay 1 to 3 colours, one card or a stack of singles of each, and any Wilds.",
        f"Answer: as many cards of those colours as there are colours, and {wilds}.",
        "Or lay four of a colour: counter, or dodge to somebody else.",
        "The others may help a side with a card.",
        f"The higher power wins. {last}",
        "Discard what you do not want; control goes on.",
    )
