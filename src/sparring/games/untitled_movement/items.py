"""Untitled Movement Game: the items that the lab measures (kinds of card, sides); how close a seat is to winning."""

from sparring.engine.game import Box, Item
from sparring.engine.rule import rule
from sparring.engine.squares import OFF, SIDE
from sparring.engine.types import Numbers

from .kit import KIND_NAMES, Params, board_of
from .maps import SIDE_NAMES
from .state import CARD, KIND, PICK, TOKENS, State

#: Item order: the kinds of card, then the board seen from each side.
FIRST_BOARD = len(KIND_NAMES)


def names(box: Box) -> tuple[Item, ...]:
    """Return the kinds of card, and the board from each side."""
    board = board_of(box.content, box.kit).name
    return (
        *(Item("card", kind) for kind in KIND_NAMES),
        *(Item("board", f"{board} from the {side}") for side in SIDE_NAMES),
    )


@rule
def held(kit: Params, s: State, seat: int, marks: Numbers) -> None:
    """Mark the cards in hand and the seat's side of the board."""
    hand = s.hand[seat]
    for i in range(1, hand[0] + 1):
        marks[hand[i]] += 1
    marks[FIRST_BOARD + s.side[seat]] += 1


@rule
def played(kit: Params, s: State, action: int, marks: Numbers) -> None:
    """Mark a card picked to move a token; discarded cards don't count."""
    if s.phase == CARD and KIND <= action < PICK:
        marks[action - KIND] += 1


@rule
def ahead(kit: Params, s: State, seat: int) -> float:
    """Return how far a seat's tokens have come on average: 0 off the board, 1 home."""
    far = 0.0
    for token in range(TOKENS):
        square = s.token[seat, token]
        if square != OFF:
            far += max(0.0, 1.0 - kit.far[s.side[seat], square] / (2 * SIDE))
    return far / TOKENS
