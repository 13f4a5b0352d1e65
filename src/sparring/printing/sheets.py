"""Where things lie on sheets of paper, in millimetres from the upper left corner: cards from both sides, their cuts."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import NamedTuple

from sparring.engine.errors import CannotPrint

from .paper_sizes import MARGIN, SAFE, PaperSize, PrintOptions

#: How far cuts stay away from the cards, so that no line is left on one that is cut a little beside it.
OFF = 0.6
#: How far they reach out beyond the bleed of the outermost cards.
MARK = 2.5


class SheetSpot(NamedTuple):
    """Where something lies: its upper left corner and its size."""

    x: float
    y: float
    width: float
    height: float

    def grown(self, by: float) -> "SheetSpot":
        """The same with so much more on every side."""
        return SheetSpot(self.x - by, self.y - by, self.width + 2 * by, self.height + 2 * by)


class PrintedPiece(NamedTuple):
    """A drawing in its place: an SVG, turned upside down or not; or, with `svg` empty, a field of one colour."""

    spot: SheetSpot
    svg: str
    turned: bool = False
    colour: str = ""
    #: Only what lies within is printed of it; None for all.
    within: SheetSpot | None = None


class CutLine(NamedTuple):
    """A thin line: to cut at, or dashed, to fold at."""

    ends: tuple[float, float, float, float]
    dashed: bool = False


class SheetText(NamedTuple):
    """A short text in a place of its own."""

    x: float
    y: float
    text: str
    size: float = 7.0


@dataclass
class PaperSheet:
    """A side of a sheet."""

    size: PaperSize
    things: list[PrintedPiece | CutLine | SheetText] = field(default_factory=list)


@dataclass(frozen=True)
class SheetSide:
    """What is on one side of a card: its drawing, and the colour that goes on over its cut."""

    svg: str
    ground: str


@dataclass(frozen=True)
class TwoSided:
    """A card to print."""

    face: SheetSide
    back: SheetSide


@dataclass(frozen=True)
class SheetGrid:
    """Places for cards on a page."""

    page: PaperSize
    card: PaperSize
    bleed: float
    columns: int
    rows: int
    #: Where the grid lies; all of the page if nothing is said.
    left: float
    top: float

    @property
    def spots(self) -> list[SheetSpot]:
        """The cards row by row, as they are cut."""
        across, down = self.card.width + 2 * self.bleed, self.card.height + 2 * self.bleed
        return [
            SheetSpot(self.left + self.bleed + across * column, self.top + self.bleed + down * row, *self.card)
            for row in range(self.rows) for column in range(self.columns)
        ]  # fmt: skip


def grid(page: PaperSize, area: PaperSize, card: PaperSize, bleed: float) -> SheetGrid:
    """As many cards as fit into an area in the upper left of a page, in the middle of that area."""
    across, down = card.width + 2 * bleed, card.height + 2 * bleed
    columns, rows = int((area.width - 2 * MARGIN) // across), int((area.height - 2 * MARGIN) // down)
    left, top = (area.width - columns * across) / 2, (area.height - rows * down) / 2
    return SheetGrid(page, card, bleed, columns, rows, left, top)


def card_sheets(cards: Sequence[TwoSided], wishes: PrintOptions) -> list[PaperSheet]:
    """The sides to print, each face sheet followed by its back sheet; folded, both on one side of the paper."""
    places = _best_grid(wishes)
    many = len(places.spots)
    sheets: list[PaperSheet] = []
    for first in range(0, len(cards), many):
        some = list(zip(cards[first : first + many], places.spots, strict=False))
        front = _side([(card.face, spot, False) for card, spot in some], places, wishes)
        sheets.append(front)
        if wishes.duplex == "none":
            continue
        behind = [(card.back, *_behind(spot, places.page, wishes.duplex)) for card, spot in some]
        back = _side(behind, places, wishes)
        if wishes.duplex == "fold":
            front.things += back.things
            middle = places.page.width / 2
            front.things.append(CutLine((middle, 0, middle, places.page.height), dashed=True))
            front.things.append(SheetText(middle + 1, places.page.height - 4, "Fold here, glue, then cut."))
        else:
            sheets.append(back)
    return sheets


def _best_grid(wishes: PrintOptions) -> SheetGrid:
    """Upright or on its side, whichever holds more; a sheet that is folded lies on its side and holds half."""
    upright, lying = wishes.sheet, wishes.sheet.turned
    if wishes.duplex == "fold":
        found = [grid(lying, PaperSize(lying.width / 2, lying.height), wishes.card, wishes.bleed)]
    else:
        found = [grid(page, page, wishes.card, wishes.bleed) for page in (upright, lying)]
    best = max(found, key=lambda one: one.columns * one.rows)
    if not best.columns * best.rows:
        size = f"{wishes.card.width:g} x {wishes.card.height:g} mm"
        raise CannotPrint(f"A card of {size} doesn't fit on {wishes.paper} paper; use smaller cards or less bleed.")
    return best


def _behind(spot: SheetSpot, page: PaperSize, duplex: str) -> tuple[SheetSpot, bool]:
    """Where the back of a card lies, as the sheet is turned over or folded; and whether upside down."""
    beside = SheetSpot(page.width - spot.x - spot.width, *spot[1:])
    below = SheetSpot(spot.x, page.height - spot.y - spot.height, spot.width, spot.height)
    upright = page.height > page.width
    if duplex == "fold" or (duplex == "long-edge") == upright:
        return beside, False
    return below, True


def _side(cards: Sequence[tuple[SheetSide, SheetSpot, bool]], places: SheetGrid, wishes: PrintOptions) -> PaperSheet:
    """One side: first what goes over the cuts, then the cards, then the lines to cut at."""
    sheet = PaperSheet(places.page)
    sheet.things += [PrintedPiece(spot.grown(places.bleed), "", colour=side.ground) for side, spot, _ in cards]
    sheet.things += [PrintedPiece(spot, side.svg, turned) for side, spot, turned in cards]
    sheet.things += _cuts([spot for _, spot, _ in cards], places.bleed)
    if wishes.guides:
        for _, spot, _ in cards:
            x, y, width, height = spot.grown(-SAFE)
            sheet.things += [
                CutLine(ends, dashed=True)
                for ends in ((x, y, x + width, y), (x + width, y, x + width, y + height),
                             (x, y + height, x + width, y + height), (x, y, x, y + height))
            ]  # fmt: skip
    return sheet


def _cuts(spots: Sequence[SheetSpot], bleed: float) -> Iterator[CutLine]:
    """Crop marks: the edges of all cards drawn on, wherever no card lies, a little beyond the outermost ones."""
    columns = sorted({(spot.x, spot.x + spot.width) for spot in spots})
    rows = sorted({(spot.y, spot.y + spot.height) for spot in spots})
    reach = bleed + MARK
    for x in (edge for column in columns for edge in column):
        yield from (CutLine((x, top, x, bottom)) for top, bottom in _gaps(rows, reach))
    for y in (edge for row in rows for edge in row):
        yield from (CutLine((left, y, right, y)) for left, right in _gaps(columns, reach))


def _gaps(spans: Sequence[tuple[float, float]], reach: float) -> Iterator[tuple[float, float]]:
    """What lies before, between and after some stretches."""
    ends = [spans[0][0] - reach - OFF, *(end for span in spans for end in span), spans[-1][1] + reach + OFF]
    for begin, end in zip(ends[::2], ends[1::2], strict=True):
        if end - begin > 2 * OFF:
            yield begin + OFF, end - OFF
