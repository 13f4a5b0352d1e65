"""Lay out counters to cut out, standing figures to fold, and scales."""

from collections.abc import Iterator
from typing import NamedTuple

from sparring.scene import PaperCounter, PaperInventory, CounterScale

from .drawing.drawings import SCALE_STEP, Drawings
from .paper_sizes import PaperSize, PrintOptions
from .sheets import CutLine, PrintedPiece, PaperSheet, SheetSpot, SheetText

#: The width of a counter in mm if the game has no board, and its share of a space's width if it has one.
DEFAULT_WIDTH, COUNTER_SHARE = 18.0, 0.8
#: In mm: the page margin, the gap between parts, the foot of a figure, and the height of a caption.
EDGE, GAP, FOOT, CAPTION = 10.0, 4.0, 7.0, 5.0
#: The maximum number of a scale's numbers side by side.
MAX_COLUMNS = 11


class CounterPart(NamedTuple):
    """A part to place on a sheet: its size, and its contents, relative to its upper left corner."""

    size: PaperSize
    contents: list[PrintedPiece | CutLine | SheetText]


def counter_sheets(
    inventory: PaperInventory, drawings: Drawings, print_options: PrintOptions, space_width: float | None
) -> list[PaperSheet]:
    """Return the sheets of all counters and scales; `space_width` is that of the board, in mm."""
    width = space_width * COUNTER_SHARE if space_width else DEFAULT_WIDTH
    parts = [part for counter in inventory.counters for part in _counters(counter, drawings, width)]
    return _flow([*parts, *(_scale(scale, drawings) for scale in inventory.scales)], print_options.sheet)


def _counters(counter: PaperCounter, drawings: Drawings, side: float) -> Iterator[CounterPart]:
    svg = drawings.counter(counter)
    make = _standing if counter.stands else _flat
    for _ in range(counter.count):
        yield make(svg, side)


def _flat(svg: str, side: float) -> CounterPart:
    return CounterPart(PaperSize(side, side), [PrintedPiece(SheetSpot(0, 0, side, side), svg)])


def _standing(svg: str, side: float) -> CounterPart:
    """Return a figure printed twice, head to head, with a foot at each end; folded in the middle, it stands."""
    width, height = side + 3, 2 * (side + FOOT)
    edges = ((0, 0, width, 0), (width, 0, width, height), (0, height, width, height), (0, 0, 0, height))
    folds = (FOOT, height / 2, height - FOOT)
    return CounterPart(PaperSize(width, height), [
        PrintedPiece(SheetSpot(1.5, FOOT, side, side), svg, turned=True),
        PrintedPiece(SheetSpot(1.5, FOOT + side, side, side), svg),
        *(CutLine((float(a), float(b), float(c), float(d))) for a, b, c, d in edges),
        *(CutLine((0, y, width, y), dashed=True) for y in folds),
    ])  # fmt: skip


def _scale(scale: CounterScale, drawings: Drawings) -> CounterPart:
    rows = -(-(scale.top + 1) // MAX_COLUMNS)
    svg, size = drawings.scale(scale, -(-(scale.top + 1) // rows))
    caption = f"{scale.title}, seat {scale.seat}" if scale.seat else scale.title
    width = max(size.width, 3 * SCALE_STEP)
    return CounterPart(
        PaperSize(width, size.height + CAPTION),
        [SheetText(0, 0.5, caption, 9), PrintedPiece(SheetSpot(0, CAPTION, *size), svg)],
    )  # fmt: skip


def _flow(parts: list[CounterPart], page: PaperSize) -> list[PaperSheet]:
    """Flow parts into rows, and rows onto sheets."""
    sheets: list[PaperSheet] = []
    x = y = EDGE
    row_height = 0.0
    for part in parts:
        if x > EDGE and x + part.size.width > page.width - EDGE:
            x, y, row_height = EDGE, y + row_height + GAP, 0.0
        if not sheets or y + part.size.height > page.height - EDGE:
            sheets.append(PaperSheet(page))
            x, y, row_height = EDGE, EDGE, 0.0
        sheets[-1].contents += [_moved(item, x, y) for item in part.contents]
        x, row_height = x + part.size.width + GAP, max(row_height, part.size.height)
    return sheets


def _moved(item: PrintedPiece | CutLine | SheetText, x: float, y: float) -> PrintedPiece | CutLine | SheetText:
    match item:
        case PrintedPiece():
            return item._replace(spot=SheetSpot(item.spot.x + x, item.spot.y + y, *item.spot[2:]))
        case CutLine():
            a, b, c, d = item.ends
            return item._replace(ends=(a + x, b + y, c + x, d + y))
    return item._replace(x=item.x + x, y=item.y + y)
