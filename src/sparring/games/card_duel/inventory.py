"""Card Duel: the components to print: a deck for each player, and counters for life, points, damage and shields."""

from sparring.engine.game import Box
from sparring.scene import CardCopies, CounterScale, PaperCounter, PaperDeck, PaperInventory

from .art import back
from .kit import SEATS
from .position import piece
from .scene import face

#: Number of damage counters by value.
DAMAGE = {"1": 16, "3": 8}
SHIELDS = 6


def inventory(box: Box, seats: int) -> PaperInventory:
    """Return the components of a table."""
    life, points = int(box.options["life"]), int(box.options["points"])
    cards = box.content.cards
    scored = box.options["win"] == "points" or _does(box, "points")
    kinds = [("Life", life, life)] if box.options["win"] == "life" else []
    kinds += [("Points", points, 0)] if scored else []
    shields = (PaperCounter(title="Shield", text="S", more=SHIELDS),) if _does(box, "shield") else ()
    return PaperInventory(
        decks=tuple(
            PaperDeck(title=f"Deck of seat {seat + 1}", back=back(box.content.name), cards=tuple(
                CardCopies(face=face(card), pieces=tuple(piece(box, seat, number, n) for n in range(copies)))
                for number, card in enumerate(cards) if (copies := card.copies_of(seat))
            ))
            for seat in range(SEATS)
        ),
        counters=(
            *(PaperCounter(title=f"Damage {text}", text=text, more=count) for text, count in DAMAGE.items()),
            *shields,
            *(PaperCounter(title=title, seat=seat + 1, more=1) for title, _, _ in kinds for seat in range(SEATS)),
        ),
        scales=tuple(CounterScale(title=title, top=top, start=start, seat=seat + 1)
                     for title, top, start in kinds for seat in range(SEATS)),
        turn=_turn(box),
    )  # fmt: skip


def _does(box: Box, effect: str) -> bool:
    """Return whether a card of the set has an effect."""
    return any(each.does == effect for card in box.content.cards for each in card.effects)


def _turn(box: Box) -> tuple[str, ...]:
    """Return the steps of a turn, for the reference card."""
    options = box.options
    energy, draw = int(options["energy"]), int(options["draw"])
    grows = f"as much energy as the round, at most {energy}" if options["growth"] == "grows" else f"{energy} energy"
    hit = "takes life" if options["win"] == "life" else "scores points"
    target = "the enemy opposite" if options["combat"] == "lanes" else "an enemy (Guard first)"
    return (
        f"Take {grows}; unused energy is lost. Draw {draw}; your hand holds {options['hand_limit']}.",
        "Effects of your characters at the start of the turn.",
        f"Play cards for energy, and attack, in any order. You have {options['slots']} slots.",
        f"A ready character attacks {target} or your opponent, once. Both characters strike; damage stays.",
        f"A hit on your opponent {hit}. A new character attacks from your next turn on, unless it is Fast.",
        "Effects of your characters at the end of the turn.",
        *(["No life: you lose."] if options["win"] == "life" else []),
        *([f"{options['points']} points: you win."] if options["win"] == "points" or _does(box, "points") else []),
    )
