"""Untitled Movement Game: the printable components: navigation cards, a board, the tokens of every seat."""

from sparring.engine.game import SPECTATOR, Box
from sparring.engine.records import deal
from sparring.scene import Board, CardCopies, PaperCounter, PaperDeck, PaperInventory

from .art import BACK, face, meeple
from .ground import bare_board
from .kit import BOARD, DECK, KINDS, board_of, token_colour
from .log_sentences import HOME_IN_WORDS
from .state import TOKENS

#: The deck that an ordinary pack gives (R27).
PACK = {"F": 9, "B": 3, "L": 9, "R": 9, "FR": 4, "FL": 4, "BR": 2, "BL": 2}
#: How an ordinary pack becomes that deck.
CONVERSION = (
    "2 to 10: Spades forward, Diamonds right, Clubs left, Hearts backward. Ace: forward-right. Jack: forward-left. "
    "Queen: backward-right. King: backward-left. First remove six Hearts from 2 to 10, two Queens and two Kings."
)


def inventory(box: Box, seats: int) -> PaperInventory:
    """Return all components for a number of seats."""
    counts = box.content.decks[DECK.values[box.kit.deck]]
    cards = tuple(
        CardCopies(face=face(number), pieces=tuple(f"{kind} {n}" for n in range(counts[kind])))
        for number, kind in enumerate(KINDS) if counts[kind]
    )  # fmt: skip
    in_pack = dict(counts) == PACK
    return PaperInventory(
        decks=(PaperDeck(title="Navigation cards", cards=cards, back=BACK, in_pack=in_pack),),
        reference=(("An ordinary pack", CONVERSION),) if in_pack else (),
        boards=(_board(box, seats),),
        counters=tuple(
            PaperCounter(title=f"{token_colour(box, seat)} tokens of seat {seat + 1}".strip().capitalize(),
                picture=meeple(seat + 1, False, token_colour(box, seat)), seat=seat + 1, stands=True,
                    pieces=tuple(f"token {seat * TOKENS + number}" for number in range(TOKENS)))
            for seat in range(seats)
        ),
        turn=(
            "Roll the die, or discard your whole hand and end your turn.",
            "On a 3 you may place a new token on one of your free starts instead; then discard one card.",
            "Otherwise play cards: each moves one token in its direction, and each space costs a move.",
            "If you move no token, discard one card.",
            "Draw back up to three cards. A token on a goal stays there.",
            f"When {HOME_IN_WORDS[int(box.kit.home)]} on your goals, you win.",
        ),
        dice=(6,),
        needs=("a six-sided die (4, 5 and 6 count as 1, 2 and 3)", *(["a pack of 52 cards"] if in_pack else [])),
    )  # fmt: skip


def _board(box: Box, seats: int) -> Board:
    """Return the board as a spectator sees it."""
    kit, sides = box.kit, deal(box, seats, 1).state.side[:seats]  # the same for every seed
    bare = bare_board(int(kit.rows), int(kit.columns), tuple(kit.open.tolist()), tuple(kit.start_side.tolist()),
                   tuple(sides.tolist()), SPECTATOR)  # fmt: skip
    title = BOARD.with_content(box.content).in_words(board_of(box.content, kit).name)
    return Board("board", title, tuple(cell for _, cell in bare.spaces), labels=bare.labels, coordinates=True)
