"""What a game's `components.py` makes: the components to print, and the studio's preview of a set.

Components of the game (see `PositionModule.components`) keep their names, so that law 3 can check that what is printed
is what is dealt. Other printed things only help at the table, such as a scale for life points.
"""

from msgspec import Struct

from .model import Board, Face, Picture


class CardCopies(Struct, frozen=True, kw_only=True):
    """Identical cards."""

    face: Face
    #: The names of these cards among the components of the game, one for each card.
    components: tuple[str, ...] = ()
    #: The number of further copies, which the game doesn't count as components.
    more: int = 0

    @property
    def count(self) -> int:
        """The number to print."""
        return len(self.components) + self.more


class PaperDeck(Struct, frozen=True, kw_only=True):
    """Cards with the same back."""

    title: str
    cards: tuple[CardCopies, ...]
    #: The back's drawing, 63 x 88 mm; None for a plain one.
    back: Picture | None = None
    #: Whether players have these cards as an ordinary pack: sheets leave them out, and the reference card names them.
    in_pack: bool = False

    @property
    def count(self) -> int:
        """The number of cards to print."""
        return sum(copies.count for copies in self.cards)


class PaperCounter(Struct, frozen=True, kw_only=True):
    """Identical round counters to cut out; standing ones are printed on both sides, with a foot to fold."""

    title: str
    #: Drawn like a token of a board: 20 x 20 around 0,0. None: a disc in the seat's colour with `text`.
    picture: Picture | None = None
    text: str = ""
    #: The owner's seat, from 1; 0 for none.
    seat: int = 0
    components: tuple[str, ...] = ()
    more: int = 0
    stands: bool = False

    @property
    def count(self) -> int:
        """The number to print."""
        return len(self.components) + self.more


class CounterScale(Struct, frozen=True, kw_only=True):
    """A scale of numbers for a counter, such as life or points."""

    title: str
    #: The highest number (the scale starts at 0), and the counter's first position.
    top: int
    start: int = 0
    #: The owner's seat, from 1; 0 for none.
    seat: int = 0


class PaperInventory(Struct, frozen=True, kw_only=True):
    """All components to print for a game."""

    decks: tuple[PaperDeck, ...] = ()
    boards: tuple[Board, ...] = ()
    counters: tuple[PaperCounter, ...] = ()
    scales: tuple[CounterScale, ...] = ()
    #: A turn in a few lines, for each player's turn summary card.
    turn: tuple[str, ...] = ()
    #: Headings and texts for each player's reference card, before the words on the cards' faces.
    reference: tuple[tuple[str, str], ...] = ()
    #: The number of sides of each die that the players need.
    dice: tuple[int, ...] = ()
    #: What else the players need, such as a die (in words) or a pencil.
    needs: tuple[str, ...] = ()
    #: Cards to fill in with pencils, printed only if asked for; headings and texts of the abilities to write on them.
    blanks: tuple[CardCopies, ...] = ()
    menu: tuple[tuple[str, str], ...] = ()

    @property
    def components(self) -> list[str]:
        """The names of all printed components of the game."""
        cards = [piece for deck in self.decks for copies in deck.cards for piece in copies.components]
        return cards + [piece for counter in self.counters for piece in counter.components]


class PreviewText(Struct, frozen=True):
    """A sentence; `tone` is empty, `note` or `strong`."""

    text: str
    tone: str = ""


class StatSheet(Struct, frozen=True):
    """A table of words or numbers; the first cell of each row is its heading."""

    title: str
    head: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]


class PreviewBar(Struct, frozen=True):
    """A bar of a chart; `said` is its value in words or numbers."""

    label: str
    value: float
    said: str


class PreviewBars(Struct, frozen=True):
    """A bar chart."""

    title: str
    bars: tuple[PreviewBar, ...]


class PreviewCurve(Struct, frozen=True):
    """A line of a chart, with values from 0 to 1; `said` summarizes it in words or numbers."""

    label: str
    values: tuple[float, ...]
    said: str


class PreviewCurves(Struct, frozen=True):
    """Small line charts, one below the other."""

    title: str
    curves: tuple[PreviewCurve, ...]
