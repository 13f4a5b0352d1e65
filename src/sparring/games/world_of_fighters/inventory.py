"""World of Fighters: the printable components: cards, fighters, ring, health."""

from sparring.engine.game import Box
from sparring.scene import Board, CardCopies, PaperCounter, PaperDeck, PaperInventory, CounterScale

from . import art
from . import state as R
from .faces import action_face, movement_face, roster_face
from .kit import DECK, KINDS
from .ring import floor
from .moves import kind_name

#: The numbers of the Movement cards.
STEPS = (1, 2, 3)


def inventory(box: Box, seats: int) -> PaperInventory:
    """Return all components; a player's base carries the figure of the fighter that the player picks."""
    kit, fighters = box.kit, box.content.fighters
    cells = tuple(cell for _, cell in floor(int(kit.columns), int(kit.rows), tuple(kit.red.tolist())))
    return PaperInventory(
        decks=(_actions(), _movement(seats),
               PaperDeck(title="Fighters", cards=tuple(CardCopies(face=roster_face(card),
                   more=1) for card in fighters))),
        boards=(Board("ring", "The ring", cells),),
        counters=(
            *(PaperCounter(title="Base", seat=seat + 1, pieces=(f"token {seat}",)) for seat in range(seats)),
            *(PaperCounter(title=card.name, picture=art.figure(card.name, card.picture), more=1, stands=True)
              for card in fighters),
            *(PaperCounter(title="Health", seat=seat + 1, more=1) for seat in range(seats)),
            PaperCounter(title="Super", text="S", more=seats),
        ),
        scales=tuple(CounterScale(title="Health", top=R.HEALTH, start=R.HEALTH,
            seat=seat + 1) for seat in range(seats)),
        turn=_turn(box),
        reference=(("Base", _base_table(box)),),
    )  # fmt: skip


def _base_table(box: Box) -> str:
    """Return the base of every attack in words."""
    ends = (
        "1 at range 1 and 3" if box.options["punch_ends"] == "both" else "1 at range 1 (close reach) or 3 (long reach)"
    )
    return (f"Punch: 2 at range 2, {ends}. Kick: 1 at range 2, 2 at range 3. Grapple: 2 at range 1, 1 at range 2. Add "
            "your stat. Elsewhere there is no attack.")  # fmt: skip


def _actions() -> PaperDeck:
    cards = tuple(
        CardCopies(face=action_face(kind), pieces=tuple(f"{kind_name(kind)} {number}" for number in range(count)))
        for kind, count in zip(range(1, len(KINDS) + 1), DECK, strict=True)
    )
    return PaperDeck(title="Action cards", cards=cards, back=art.ACTION_BACK)


def _movement(seats: int) -> PaperDeck:
    cards = tuple(
        CardCopies(face=movement_face(steps), pieces=tuple(f"movement {steps} of {seat}" for seat in range(seats)))
        for steps in STEPS
    )
    return PaperDeck(title="Movement cards", cards=cards, back=art.MOVEMENT_BACK)


def _turn(box: Box) -> tuple[str, ...]:
    how, stuck = ("exactly", " If you can't, you lose.") if box.options["movement"] == "exact" else ("up to", "")
    attacks = "the first mover attacks first" if box.options["settle"] == "order" else "both attack at the same time"
    say = "claim" if box.options["super_call"] == "reveal" else "call"
    score = f"{R.SUPER_SCORE}{' plus your stat' if box.options['super_score'] == 'plus' else ''}"
    return (
        "Seat 1 moves first in odd rounds, Seat 2 in even rounds.",
        "Play a Movement and an Action card face down.",
        f"Reveal Movement cards. Move {how} that many squares in a straight line.{stuck}",
        f"Reveal Action cards. Range decides the damage; {attacks}.",
        "A Block reduces an attack by your Block stat; then you may counter.",
        f"Super, once: {say} it at {R.SUPER_HEALTH} health or less. At its range it scores {score}.",
        "A super wins at once against a fighter on the light-grey edge.",
        "Discard, draw back up to 3. Your Movement card rests for a round.",
    )
