"""Five Circles: the printable components: two decks, and counters for life, damage and sleep."""

from sparring.engine.game import Box
from sparring.scene import CardCopies, PaperCounter, PaperDeck, PaperInventory, CounterScale, Picture

from .art import BACK
from .blanks import blank_cards, menu
from .designs import Resource
from .options import BLUE_ONLY, EVERY_TURN, HOLD, OPTIONS, OWN, SEATS
from .position import labels
from .scene import face, resource_face
from .state import COLOURS

#: Number of damage counters by value.
DAMAGE = {"1": 16, "3": 6}
ASLEEP = 4


def inventory(box: Box, seats: int) -> PaperInventory:
    """Return all components; with a shared deck, the two decks are its halves, to be shuffled together."""
    life = int(box.options["life"])
    return PaperInventory(
        decks=tuple(PaperDeck(title=deck.name, cards=_cards(box, owner), back=_back(box, deck.initials))
                    for owner, deck in enumerate(box.content.decks)),
        counters=(
            *(PaperCounter(title=f"Damage {text}", text=text, more=count) for text, count in DAMAGE.items()),
            PaperCounter(title="Asleep", text="zZ", more=ASLEEP),
            *(PaperCounter(title="Life", seat=seat + 1, more=1) for seat in range(SEATS)),
        ),
        scales=tuple(CounterScale(title="Life", top=life, start=life, seat=seat + 1) for seat in range(SEATS)),
        turn=_turn(box), blanks=blank_cards(), menu=menu(),
    )  # fmt: skip


def _back(box: Box, initials: str) -> Picture:
    """Return the back of a deck's cards.

    Only separate decks have the maker's initials on it: in a shared deck they would show whose card is next.
    """
    if box.kit.decks != OWN or not initials:
        return BACK
    shown = f'<text x="31.5" y="26.2" font-size="4" font-weight="700" text-anchor="middle">{initials}</text>'
    return Picture(BACK.name, f'{BACK.svg}{shown}<g transform="rotate(180 31.5 44)">{shown}</g>')


def _cards(box: Box, owner: int) -> tuple[CardCopies, ...]:
    """Return a seat's characters and resources; resources are numbered through both decks, as in positions."""
    names, kit = labels(box), box.kit
    held: dict[int, list[str]] = {}
    for card in range(int(kit.characters)):
        if kit.card_owner[card] == owner:
            held.setdefault(int(kit.card_design[card]), []).append(names[card])
    designs, initials = box.content.cards, box.content.decks[owner].initials
    characters = [
        CardCopies(face=face(designs[n], designs[n].attack, designs[n].health, initials), pieces=tuple(copies))
        for n, copies in held.items()
    ]
    resources: dict[Resource, list[str]] = {}
    for n, word in enumerate(COLOURS):
        first = owner * int(kit.resources[0, n])
        for number, resource in enumerate(box.content.resources_of(owner, n), first):
            resources.setdefault(resource, []).append(f"{word} {number}")
    return (
        *characters,
        *(CardCopies(face=resource_face(one, initials), pieces=tuple(copies)) for one, copies in resources.items()),
    )


def _turn(box: Box) -> tuple[str, ...]:
    """Return the steps of a turn, for the reference card."""
    kit, options = box.kit, {option.name: option for option in OPTIONS}
    refill = options["refill"].in_words(box.options["refill"])
    whose = "all" if kit.recover == EVERY_TURN else "your"
    which = "Blue abilities" if kit.brace == BLUE_ONLY else "abilities"
    first = f" (from turn {int(kit.opening) + 1} on)" if kit.opening >= HOLD else ""
    return (
        f"Draw 1 card; an empty hand {refill}. Play up to 2 resources.",
        f"Ready: turn your spent resources face up again, and remove the damage from {whose} characters.",
        "Main: play characters and use abilities, in any order. Pay with ready resources.",
        f"Brace: your opponent may use {which}.",
        f"Combat{first}: lane 1 first. Both characters strike; unopposed, yours takes life from your opponent.",
        "Regroup: close the gaps in both rows.",
        "Mend: you may heal your characters.",
    )
