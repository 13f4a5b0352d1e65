"""Five Circles made of paper: the two decks, life, damage and sleep."""

from sparring.engine.game import Box
from sparring.scene import Copies, Counter, Deck, Inventory, Scale

from .art import BACK
from .options import HOLD, OPTIONS
from .position import labels
from .scene import face, resource_face
from .state import COLOURS, SEATS

#: Counters for damage, by what they count.
DAMAGE = {"1": 16, "3": 6}
ASLEEP = 4


def inventory(box: Box, seats: int) -> Inventory:
    """Everything; with one deck for both the decks of the file are its halves, shuffled together."""
    life = int(box.options["life"])
    return Inventory(
        decks=tuple(Deck(title=deck.name, cards=_cards(box, owner), back=BACK)
                    for owner, deck in enumerate(box.content.decks)),
        counters=(
            *(Counter(title=f"Damage {text}", text=text, more=count) for text, count in DAMAGE.items()),
            Counter(title="Asleep", text="zZ", more=ASLEEP),
            *(Counter(title="Life", seat=seat + 1, more=1) for seat in range(SEATS)),
        ),
        scales=tuple(Scale(title="Life", top=life, start=life, seat=seat + 1) for seat in range(SEATS)),
        turn=_turn(box),
    )  # fmt: skip


def _cards(box: Box, owner: int) -> tuple[Copies, ...]:
    """The characters and resources of a seat. Resources are counted through both decks, as positions do."""
    names, kit = labels(box), box.kit
    held: dict[int, list[str]] = {}
    for card in range(int(kit.characters)):
        if kit.card_owner[card] == owner:
            held.setdefault(int(kit.card_design[card]), []).append(names[card])
    designs = box.content.cards
    characters = [
        Copies(face=face(designs[n], designs[n].attack, designs[n].health), pieces=tuple(copies))
        for n, copies in held.items()
    ]
    counts = kit.resources[:, : len(COLOURS)].tolist()
    resources = [
        Copies(face=resource_face(n), pieces=tuple(
            f"{word} {number}" for number in range(owner * counts[0][n], owner * counts[0][n] + counts[owner][n])
        ))
        for n, word in enumerate(COLOURS) if counts[owner][n]
    ]  # fmt: skip
    return (*characters, *resources)


def _turn(box: Box) -> tuple[str, ...]:
    kit, options = box.kit, {option.name: option for option in OPTIONS}
    refill = options["refill"].said(box.options["refill"])
    first = f", from turn {int(kit.opening) + 1} on" if kit.opening >= HOLD else ""
    return (
        f"Draw 1 card; an empty hand {refill}. Lay up to 2 resources.",
        "Ready: turn your resources up, and take the damage off your characters.",
        "Main: bring characters and use abilities, in any order. Pay with ready resources.",
        "Brace: now the other player may use abilities.",
        f"Combat{first}: lane 1 first. Both strike; with nobody in front the other player loses life.",
        "Regroup: both rows close their gaps.",
        "Mend: you may heal your characters.",
    )
