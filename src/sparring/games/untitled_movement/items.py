"""Untitled Movement Game: what its designer asks about: kinds of card, sides of the board; and who is furthest."""

from sparring.engine.game import Box, Item
from sparring.engine.rule import rule
from sparring.engine.squares import OFF, SIDE

from .kit import KIND_NAMES, board_of
from .maps import SIDE_NAMES
from .state import CARD, KIND, PICK, TOKENS

#: The kinds come first, then the board from each side.
FROM = len(KIND_NAMES)


def names(box: Box) -> tuple[Item, ...]:
    """The kinds of card, and the board as whoever sits at a side of it meets it."""
    board = board_of(box.content, box.kit).name
    return (
        *(Item("card", kind) for kind in KIND_NAMES),
        *(Item("board", f"{board} from the {side}") for side in SIDE_NAMES),
    )


@rule
def held(kit, s, seat, marks):
    """The kinds in hand, and the side of the board."""
    hand = s.hand[seat]
    for i in range(1, hand[0] + 1):
        marks[hand[i]] += 1
    marks[FROM + s.side[seat]] += 1


@rule
def played(kit, s, action, marks):
    """A card that a token is moved with; one that is discarded is not played."""
    if s.phase == CARD and KIND <= action < PICK:
        marks[action - KIND] += 1


@rule
def ahead(kit, s, seat):
    """How far its tokens have come: 0 off the board, 1 at home."""
    far = 0.0
    for token in range(TOKENS):
        square = s.token[seat, token]
        if square != OFF:
            far += max(0.0, 1.0 - kit.far[s.side[seat], square] / (2 * SIDE))
    return far / TOKENS
