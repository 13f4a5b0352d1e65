"""Lay out sheets: print options, sizes of paper and cards in mm, both sides of cards, and crop marks."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import NamedTuple

from sparring.engine.errors import CannotPrint


class PaperSize(NamedTuple):
    """Width and height, in mm."""

    width: float
    height: float

    @property
    def turned(self) -> "PaperSize":
        """The size turned by 90 degrees."""
        return PaperSize(self.height, self.width)


PAPERS = {"a4": PaperSize(210, 297), "letter": PaperSize(215.9, 279.4)}
#: The default is 63 x 88, the size of the drawings.
CARDS = {
    "usual": PaperSize(63, 88),
    "poker": PaperSize(63.5, 88.9),
    "bridge": PaperSize(57.15, 88.9),
    "tarot": PaperSize(70, 120),
}
SMALLEST, LARGEST = 20.0, 200.0

#: The margin that printers can't print on, and the distance of all text from a card's cut.
MARGIN, SAFE = 3.0, 3.0
MAX_BLEED = 10.0
#: The least and greatest width of a board space.
SPACE_WIDTHS = (8.0, 60.0)

DUPLEX = ("long-edge", "short-edge", "fold", "none")
INKS = ("colour", "black")


@dataclass(frozen=True, kw_only=True)
class PrintOptions:
    """How to print; lengths are in mm.

    :raises CannotPrint: A value is out of range.
    """

    paper: str = "a4"
    card: PaperSize = CARDS["usual"]
    duplex: str = "long-edge"
    bleed: float = 1.5
    ink: str = "colour"
    #: Width of a board space; None: as wide as one sheet allows; if that is too small, the board takes several.
    place: float | None = None
    #: Whether to draw the safe area, for checking.
    guides: bool = False

    def __post_init__(self) -> None:
        _one_of("paper", self.paper, tuple(PAPERS))
        _one_of("duplex mode", self.duplex, DUPLEX)
        _one_of("ink", self.ink, INKS)
        if not 0 <= self.bleed <= MAX_BLEED:
            raise CannotPrint(f"The bleed must be 0 to {MAX_BLEED:g} mm, not {self.bleed:g} mm.")
        low, high = SPACE_WIDTHS
        if self.place is not None and not low <= self.place <= high:
            raise CannotPrint(f"A board space must be {low:g} to {high:g} mm wide, not {self.place:g} mm.")

    @property
    def sheet(self) -> PaperSize:
        """The paper size, upright."""
        return PAPERS[self.paper]


def _one_of(what: str, value: str, values: tuple[str, ...]) -> None:
    if value not in values:
        raise CannotPrint(f"The {what} must be {', '.join(values[:-1])} or {values[-1]}, not {value}.")


def read_card(text: str) -> PaperSize:
    """Parse a card size: a name, or millimetres as in `63x88`.

    :raises CannotPrint: It is neither, or too small or large.
    """
    name = text.strip().casefold()
    if name in CARDS:
        return CARDS[name]
    match = re.fullmatch(r"(\d{1,3}(?:\.\d{1,3})?)\s*[x×*]\s*(\d{1,3}(?:\.\d{1,3})?)", name)
    size = PaperSize(float(match[1]), float(match[2])) if match else None
    if size is None or not all(SMALLEST <= length <= LARGEST for length in size):
        raise CannotPrint(
            f"The card size must be {', '.join(CARDS)}, or width and height in mm such as 63x88 "
            f"({SMALLEST:g} to {LARGEST:g} each), not {text}."
        )
    return size


#: The distance between crop marks and cards, so that no mark remains on a card if the cut is slightly off.
MARK_GAP = 0.6
#: How far crop marks extend beyond the bleed of the outermost cards.
MARK_LENGTH = 2.5


class SheetSpot(NamedTuple):
    """A rectangle: its upper left corner and its size."""

    x: float
    y: float
    width: float
    height: float

    def extended(self, by: float) -> "SheetSpot":
        """Return the rectangle extended by `by` on every side."""
        return SheetSpot(self.x - by, self.y - by, self.width + 2 * by, self.height + 2 * by)


class PrintedPiece(NamedTuple):
    """A placed SVG, upside down if `turned`; or a rectangle of one colour if `svg` is empty."""

    spot: SheetSpot
    svg: str
    turned: bool = False
    colour: str = ""
    #: Clip it to this rectangle; None for no clipping.
    within: SheetSpot | None = None


class CutLine(NamedTuple):
    """A thin line to cut at or, if dashed, to fold at."""

    ends: tuple[float, float, float, float]
    dashed: bool = False


class SheetText(NamedTuple):
    """A short text; its size is in points."""

    x: float
    y: float
    text: str
    size: float = 7.0


@dataclass
class PaperSheet:
    """One side of a sheet with its contents."""

    size: PaperSize
    contents: list[PrintedPiece | CutLine | SheetText] = field(default_factory=list)
    #: Whether it is transparent where there is nothing.
    clear: bool = False


@dataclass(frozen=True)
class SheetSide:
    """One side of a card: its drawing, and the colour of its bleed."""

    svg: str
    ground: str


@dataclass(frozen=True)
class TwoSided:
    """A card to print, with both sides."""

    face: SheetSide
    back: SheetSide


@dataclass(frozen=True)
class SheetGrid:
    """A grid of cards on a page."""

    page: PaperSize
    card: PaperSize
    bleed: float
    columns: int
    rows: int
    #: The grid's upper left corner.
    left: float
    top: float

    @property
    def spots(self) -> list[SheetSpot]:
        """The cards' cut rectangles, row by row."""
        across, down = self.card.width + 2 * self.bleed, self.card.height + 2 * self.bleed
        return [
            SheetSpot(self.left + self.bleed + across * column, self.top + self.bleed + down * row, *self.card)
            for row in range(self.rows) for column in range(self.columns)
        ]  # fmt: skip


def grid(page: PaperSize, area: PaperSize, card: PaperSize, bleed: float) -> SheetGrid:
    """Return a grid of as many cards as fit, centred in an area at the upper left of a page."""
    across, down = card.width + 2 * bleed, card.height + 2 * bleed
    columns, rows = int((area.width - 2 * MARGIN) // across), int((area.height - 2 * MARGIN) // down)
    left, top = (area.width - columns * across) / 2, (area.height - rows * down) / 2
    return SheetGrid(page, card, bleed, columns, rows, left, top)


def card_sheets(cards: Sequence[TwoSided], print_options: PrintOptions) -> list[PaperSheet]:
    """Return the sheets of cards: each front followed by its back, or both on one side if they are folded.

    :raises CannotPrint: The card is larger than the paper.
    """
    layout = _best_grid(print_options)
    per_sheet = len(layout.spots)
    sheets: list[PaperSheet] = []
    for first in range(0, len(cards), per_sheet):
        placed = list(zip(cards[first : first + per_sheet], layout.spots, strict=False))
        front = _side([(card.face, spot, False) for card, spot in placed], layout, print_options)
        sheets.append(front)
        if print_options.duplex == "none":
            continue
        backs = [(card.back, *_behind(spot, layout.page, print_options.duplex)) for card, spot in placed]
        back = _side(backs, layout, print_options)
        if print_options.duplex == "fold":
            front.contents += back.contents
            middle = layout.page.width / 2
            front.contents.append(CutLine((middle, 0, middle, layout.page.height), dashed=True))
            front.contents.append(SheetText(middle + 1, layout.page.height - 4, "Fold here, glue, then cut."))
        else:
            sheets.append(back)
    return sheets


def _best_grid(print_options: PrintOptions) -> SheetGrid:
    """Return the grid of the orientation that holds more cards; folded sheets are landscape, with faces on one half."""
    portrait, landscape = print_options.sheet, print_options.sheet.turned
    if print_options.duplex == "fold":
        grids = [
            grid(landscape, PaperSize(landscape.width / 2, landscape.height), print_options.card, print_options.bleed)
        ]
    else:
        grids = [grid(page, page, print_options.card, print_options.bleed) for page in (portrait, landscape)]
    best = max(grids, key=lambda candidate: candidate.columns * candidate.rows)
    if not best.columns * best.rows:
        size = f"{print_options.card.width:g} x {print_options.card.height:g} mm"
        raise CannotPrint(
            f"A card of {size} doesn't fit on {print_options.paper} paper; use smaller cards or less bleed."
        )
    return best


def _behind(spot: SheetSpot, page: PaperSize, duplex: str) -> tuple[SheetSpot, bool]:
    """Return where a card's back must be so that it lands behind its face, and whether it is upside down."""
    mirrored_across = SheetSpot(page.width - spot.x - spot.width, *spot[1:])
    mirrored_down = SheetSpot(spot.x, page.height - spot.y - spot.height, spot.width, spot.height)
    upright = page.height > page.width
    if duplex == "fold" or (duplex == "long-edge") == upright:
        return mirrored_across, False
    return mirrored_down, True


def _side(
    cards: Sequence[tuple[SheetSide, SheetSpot, bool]], layout: SheetGrid, print_options: PrintOptions
) -> PaperSheet:
    """Return one side of a sheet: bleeds, then cards, then crop marks and guides."""
    sheet = PaperSheet(layout.page)
    sheet.contents += [PrintedPiece(spot.extended(layout.bleed), "", colour=side.ground) for side, spot, _ in cards]
    sheet.contents += [PrintedPiece(spot, side.svg, turned) for side, spot, turned in cards]
    sheet.contents += _cuts([spot for _, spot, _ in cards], layout.bleed)
    if print_options.guides:
        for _, spot, _ in cards:
            x, y, width, height = spot.extended(-SAFE)
            sheet.contents += [
                CutLine(ends, dashed=True)
                for ends in ((x, y, x + width, y), (x + width, y, x + width, y + height),
                             (x, y + height, x + width, y + height), (x, y, x, y + height))
            ]  # fmt: skip
    return sheet


def _cuts(spots: Sequence[SheetSpot], bleed: float) -> Iterator[CutLine]:
    """Yield crop marks: extensions of all card edges wherever there is no card."""
    columns = sorted({(spot.x, spot.x + spot.width) for spot in spots})
    rows = sorted({(spot.y, spot.y + spot.height) for spot in spots})
    extent = bleed + MARK_LENGTH
    for x in (edge for column in columns for edge in column):
        yield from (CutLine((x, top, x, bottom)) for top, bottom in _gaps(rows, extent))
    for y in (edge for row in rows for edge in row):
        yield from (CutLine((left, y, right, y)) for left, right in _gaps(columns, extent))


def _gaps(spans: Sequence[tuple[float, float]], extent: float) -> Iterator[tuple[float, float]]:
    """Yield the gaps before, between and after intervals, shortened by OFF at each end."""
    ends = [spans[0][0] - extent - MARK_GAP, *(end for span in spans for end in span), spans[-1][1] + extent + MARK_GAP]
    for begin, end in zip(ends[::2], ends[1::2], strict=True):
        if end - begin > 2 * MARK_GAP:
            yield begin + MARK_GAP, end - MARK_GAP
