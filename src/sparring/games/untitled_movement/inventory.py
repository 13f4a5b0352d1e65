"""Untitled Movement Game made of paper: a board, navigation cards, the tokens of every seat."""

from sparring.engine.game import NOBODY, Box
from sparring.engine.records import dealt
from sparring.scene import Board, Copies, Counter, Deck, Inventory

from .art import BACK, face, meeple
from .ground import ground
from .kit import DECK, KINDS, board_of
from .state import TOKENS


def inventory(box: Box, seats: int) -> Inventory:
    """Everything, for so many seats."""
    counts = box.content.decks[DECK.values[box.kit.deck]]
    cards = tuple(
        Copies(face=face(number), pieces=tuple(f"{kind} {n}" for n in range(counts[kind])))
        for number, kind in enumerate(KINDS) if counts[kind]
    )  # fmt: skip
    return Inventory(
        decks=(Deck(title="Navigation cards", cards=cards, back=BACK),),
        boards=(_board(box, seats),),
        counters=tuple(
            Counter(title=f"Tokens of seat {seat + 1}", picture=meeple(seat + 1, False), seat=seat + 1, stands=True,
                    pieces=tuple(f"token {seat * TOKENS + number}" for number in range(TOKENS)))
            for seat in range(seats)
        ),
        turn=(
            "Discard your whole hand and end your turn. Or roll.",
            "A 3 may place a new token on a free start of yours; then discard a card.",
            "Else use cards: a token goes in the card's direction, a move a space, until all moves are used.",
            "Or move nothing and discard a card.",
            "Draw up to 3. On a goal a token stays for good.",
            f"All {TOKENS} tokens on the far side: you win.",
        ),
        needs=("a six-sided die: 4, 5 and 6 count as 1, 2 and 3",),
    )  # fmt: skip


def _board(box: Box, seats: int) -> Board:
    """The board that is played on, for nobody's eyes in particular."""
    kit, sides = box.kit, dealt(box, seats, 1).state.side[:seats]  # whatever the seed
    lying = ground(int(kit.rows), int(kit.columns), tuple(kit.open.tolist()), tuple(kit.start_side.tolist()),
                   tuple(sides.tolist()), NOBODY)  # fmt: skip
    title = board_of(box.content, kit).name
    return Board("board", title, tuple(cell for _, cell in lying.spaces), labels=lying.labels)
