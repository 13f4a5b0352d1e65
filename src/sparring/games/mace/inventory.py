"""MACE: the printable components: pack with Jokers, hex board, Fighters."""

from msgspec.structs import replace

from sparring.engine.game import Box
from sparring.scene import Board, CardCopies, PaperCounter, PaperDeck, PaperInventory

from .art import BACK, face, fighter
from .kit import PACK
from .scene import ground, inside


def inventory(box: Box, seats: int) -> PaperInventory:
    """Return all components for a number of Fighters."""
    numbers = PACK.names_in(box)
    cards = tuple(CardCopies(face=face(box, number), pieces=(box.content.card(number),)) for number in numbers)
    return PaperInventory(
        decks=(PaperDeck(title="The pack", cards=cards, back=BACK),),
        boards=(_board(box, seats),),
        counters=tuple(
            PaperCounter(title=f"Fighter {seat + 1}", picture=fighter(seat + 1), seat=seat + 1,
                    pieces=(f"Fighter {seat + 1}",), stands=True)
            for seat in range(seats)
        ),
        turn=_turn(box),
    )  # fmt: skip


def _board(box: Box, seats: int) -> Board:
    """Return the hex paper; each start hex has the number of its Fighter (R4)."""
    starts = {place: seat for seat, place in enumerate(box.content.starts[str(seats)], 1)}
    cells = [ground(number, (), -1) for number in inside(int(box.kit.radius))]
    marked = [replace(cell, text=str(starts.get(cell.at, "")), seat=starts.get(cell.at, 0)) for cell in cells]
    return Board("board", "Hex paper", tuple(marked), hexes=True)


def _turn(box: Box) -> tuple[str, ...]:
    reveal_only = box.options["blast_cost"] == "reveal_only"
    blast = "its value is range and attack" if reveal_only else "its value is the range; play a Club to attack"
    return (
        "Highest Momentum goes first. Your Turn: one Action and one Boost.",
        "Strike: play a Spade against a Fighter next to you.",
        f"Charge: play a Club face down. Blast: reveal it; {blast}.",
        "Boost: replace your Momentum and move up to the difference.",
        "Defend: a Diamond subtracts its value; a Heart at least as high as the attack dodges it.",
        "Damage: pay with cards, lose a Charge, get knocked back half as many hexes. No cards left: you're out.",
        "Draw a card whenever you play one, but not when you pay.",
    )
