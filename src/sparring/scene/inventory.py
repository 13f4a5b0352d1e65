"""A game made of paper: its cards with their backs, boards, counters and scales, as a game declares them.

What is a piece of the game (see `Positions.pieces`) bears its name, so that a law can count: what is printed is what is
dealt. Other things help at the table: cards to choose from, a scale for somebody's life.
"""

from msgspec import Struct

from .model import Board, Face, Picture


class CardCopies(Struct, frozen=True, kw_only=True):
    """Equal cards."""

    face: Face
    #: The pieces of the game that they are, by name.
    pieces: tuple[str, ...] = ()
    #: How many there are besides, which are no pieces.
    more: int = 0

    @property
    def count(self) -> int:
        """How many are printed."""
        return len(self.pieces) + self.more


class PaperDeck(Struct, frozen=True, kw_only=True):
    """Cards with one back."""

    title: str
    cards: tuple[CardCopies, ...]
    #: The back's drawing, 63 x 88; None for a plain one.
    back: Picture | None = None

    @property
    def count(self) -> int:
        """How many cards are printed."""
        return sum(copies.count for copies in self.cards)


class PaperCounter(Struct, frozen=True, kw_only=True):
    """Equal counters, to be cut out round; one that stands is printed on both sides, with a foot to fold."""

    title: str
    #: Drawn as a token of a board is: 20 x 20 around 0,0. None: a disc in the seat's colour that bears `text`.
    picture: Picture | None = None
    text: str = ""
    #: Whose it is, from 1; 0 for nobody's.
    seat: int = 0
    pieces: tuple[str, ...] = ()
    more: int = 0
    stands: bool = False

    @property
    def count(self) -> int:
        """How many are printed."""
        return len(self.pieces) + self.more


class CounterScale(Struct, frozen=True, kw_only=True):
    """Numbers in a row for a counter to lie on: life, points."""

    title: str
    #: Up to which number, from 0, and where the counter lies at the beginning.
    top: int
    start: int = 0
    #: Whose it is, from 1; 0 for nobody's.
    seat: int = 0


class PaperInventory(Struct, frozen=True, kw_only=True):
    """Everything that a game consists of on paper."""

    decks: tuple[PaperDeck, ...] = ()
    boards: tuple[Board, ...] = ()
    counters: tuple[PaperCounter, ...] = ()
    scales: tuple[CounterScale, ...] = ()
    #: A turn in a few lines, for the card that everybody has before them.
    turn: tuple[str, ...] = ()
    #: What else has to lie on the table: a die, a pencil.
    needs: tuple[str, ...] = ()

    @property
    def pieces(self) -> list[str]:
        """The names of all pieces of the game that are printed."""
        cards = [piece for deck in self.decks for copies in deck.cards for piece in copies.pieces]
        return cards + [piece for counter in self.counters for piece in counter.pieces]
