"""Make Your Moves: the components to print (deck and counters), and a summary of a turn."""

from sparring.engine.game import Box
from sparring.scene import CardCopies, PaperCounter, PaperDeck, PaperInventory, CounterScale

from . import state as R
from .art import BACK
from .scene import face


def inventory(box: Box, seats: int) -> PaperInventory:
    """Return the components of a table for this many seats."""
    cards = tuple(
        CardCopies(face=face(card.name, card.colour, card.power, card.picture), pieces=(card.name,))
        for card in box.content.cards
    )
    title = "Damage" if box.options["match"] == "elimination" else "Points"
    return PaperInventory(
        decks=(PaperDeck(title="Moves", cards=cards, back=BACK),),
        counters=(
            *(PaperCounter(title=title, seat=seat + 1, more=1) for seat in range(seats)),
            PaperCounter(title="In control", text="★", more=1),
        ),
        scales=tuple(CounterScale(title=title, top=R.NEEDED, seat=seat + 1) for seat in range(seats)),
        turn=_turn(box),
    )


def _turn(box: Box) -> tuple[str, ...]:
    wilds = "any Wilds" if box.options["defence_wilds"] == "any" else "one Wild"
    passing = "" if box.options["pass_attack"] == "no" else " or pass"
    elimination = box.options["match"] == "elimination"
    hit, goal = ("does damage", "3 damage: you're out.") if elimination else ("scores", f"{R.NEEDED} points win.")
    return (
        "Everyone draws back up to 5 cards.",
        f"Attack{passing}: choose a target, play 1 to 3 colours, one card or stack of singles of each, plus any Wilds.",
        f"Defend: play up to as many cards as the attack has colours, in those colours, plus {wilds}.",
        "Or play four cards of one colour: counter, or dodge so that another player faces the attack.",
        "Everyone else may help a side with one card.",
        f"A higher attack {hit}. An equal defence blocks; 1 higher takes control; 2 or more also {hit}. {goal}",
        "Discard any cards you don't want.",
    )
