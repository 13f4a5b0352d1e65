"""World of Fighters made of paper: Action and Movement cards, the fighters, the ring, health."""

from sparring.engine.game import Box
from sparring.scene import Board, Copies, Counter, Deck, Inventory, Scale

from . import art
from . import state as R
from .faces import action_face, movement_face, roster_face
from .kit import DECK, KINDS
from .ring import floor
from .telling import kind_name

#: How far a Movement card can lead.
STEPS = (1, 2, 3)


def inventory(box: Box, seats: int) -> Inventory:
    """Everything; a fighter's figure stands on the disc of whoever plays it."""
    kit, fighters = box.kit, box.content.fighters
    cells = tuple(cell for _, cell in floor(int(kit.columns), int(kit.rows), tuple(kit.red.tolist())))
    return Inventory(
        decks=(_actions(), _movement(seats),
               Deck(title="Fighters", cards=tuple(Copies(face=roster_face(card), more=1) for card in fighters))),
        boards=(Board("ring", "The ring", cells),),
        counters=(
            *(Counter(title="Base", seat=seat + 1, pieces=(f"token {seat}",)) for seat in range(seats)),
            *(Counter(title=card.name, picture=art.figure(card.name, card.picture), more=1, stands=True)
              for card in fighters),
            *(Counter(title="Health", seat=seat + 1, more=1) for seat in range(seats)),
            Counter(title="Super", text="S", more=seats),
        ),
        scales=tuple(Scale(title="Health", top=R.HEALTH, start=R.HEALTH, seat=seat + 1) for seat in range(seats)),
        turn=_turn(box),
    )  # fmt: skip


def _actions() -> Deck:
    cards = tuple(
        Copies(face=action_face(kind), pieces=tuple(f"{kind_name(kind)} {number}" for number in range(count)))
        for kind, count in zip(range(1, len(KINDS) + 1), DECK, strict=True)
    )
    return Deck(title="Action cards", cards=cards, back=art.ACTION_BACK)


def _movement(seats: int) -> Deck:
    cards = tuple(
        Copies(face=movement_face(steps), pieces=tuple(f"movement {steps} of {seat}" for seat in range(seats)))
        for steps in STEPS
    )
    return Deck(title="Movement cards", cards=cards, back=art.MOVEMENT_BACK)


def _turn(box: Box) -> tuple[str, ...]:
    how = "exactly as far as it says" if box.options["movement"] == "exact" else "at most as far as it says"
    return (
        "Seat 1 moves first in odd rounds, seat 2 in even ones.",
        "Commit: lay a Movement and an Action card face down.",
        f"Turn up the Movement cards. Move straight, {how}. Who cannot is forced off and loses.",
        "Show the Action cards. Attacks score by the range; the first mover's counts first.",
        "A Block takes its number off, and may be followed by a counter.",
        f"Super: once, with {R.SUPER_HEALTH} health or less, at its range. It throws out who stands on the edge.",
        "Discard, draw up to 3. The Movement card rests a round.",
    )
