"""MACE made of paper: the pack with its Jokers, hex paper, the Fighters."""

from sparring.engine.game import Box
from sparring.scene import Board, Copies, Counter, Deck, Inventory

from .art import BACK, face, fighter
from .kit import JOKER
from .scene import ground, inside


def inventory(box: Box, seats: int) -> Inventory:
    """Everything, for so many Fighters."""
    kit = box.kit
    numbers = (*range(int(kit.cards)), *range(JOKER, JOKER + int(kit.jokers)))
    cards = tuple(Copies(face=face(box, number), pieces=(box.content.card(number),)) for number in numbers)
    cells = tuple(ground(number, (), -1) for number in inside(int(kit.radius)))
    return Inventory(
        decks=(Deck(title="The pack", cards=cards, back=BACK),),
        boards=(Board("board", "Hex paper", cells, hexes=True),),
        counters=tuple(
            Counter(title=f"Fighter {seat + 1}", picture=fighter(seat + 1), seat=seat + 1,
                    pieces=(f"Fighter {seat + 1}",), stands=True)
            for seat in range(seats)
        ),
        turn=_turn(box),
    )  # fmt: skip


def _turn(box: Box) -> tuple[str, ...]:
    blast = "turn a Charge up (its value is the range)"
    price = f"{blast} and play a Club." if box.options["blast_cost"] == "play_club" else f"{blast}."
    return (
        "Turns go by Momentum, the highest first. In yours: one Action and one Boost.",
        "Strike: a Spade, at a Fighter beside you.",
        f"Charge: lay a Club face down. Blast: {price}",
        "Boost: a card becomes your Momentum; move by the difference.",
        "Answer: a Diamond blocks its value, a Heart as high dodges all.",
        "Damage: pay with cards, lose a Charge, be knocked back by half. No card left: out.",
        "Draw one card whenever you play one.",
    )
