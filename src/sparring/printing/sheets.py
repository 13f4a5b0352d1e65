"""Lay out sheets: positions in mm from the upper left corner, both sides of cards, and crop marks."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import NamedTuple

from sparring.engine.errors import CannotPrint

from .paper_sizes import MARGIN, SAFE, PaperSize, PrintOptions

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
