"""Lay out boards, on overlapping sheets if need be, and counters to cut out, figures to fold, and scales."""

from collections.abc import Iterator
from math import ceil
from string import ascii_uppercase
from typing import NamedTuple

from sparring.scene import Board, CounterScale, PaperCounter, PaperInventory

from .drawings import SCALE_STEP, Drawings, space_width
from .sheets import CutLine, PaperSheet, PaperSize, PrintedPiece, PrintOptions, SheetSpot, SheetText


#: The margin around a board, and the overlap of neighbouring sheets, in mm.
EDGE, OVERLAP = 9.0, 10.0
#: The minimum and maximum width of a space on one sheet, and its width on several sheets, in mm.
MIN_SPACE, MAX_SPACE, TILED_SPACE = 15.0, 32.0, 25.0


def board_sheets(board: Board, drawings: Drawings, print_options: PrintOptions) -> tuple[list[PaperSheet], float]:
    """Return the sheets of a board, and the width of its spaces in mm."""
    svg, drawn = drawings.board(board)
    space = space_width(board)
    pages = (print_options.sheet, print_options.sheet.turned)
    page = max(pages, key=lambda page: _max_scale(drawn, page))
    max_scale = _max_scale(drawn, page)
    scale = print_options.place / space if print_options.place else min(max_scale, MAX_SPACE / space)
    if scale <= max_scale and (print_options.place or scale * space >= MIN_SPACE):
        return [_single_sheet(board, svg, PaperSize(drawn.width * scale, drawn.height * scale), page)], scale * space
    scale = (print_options.place or TILED_SPACE) / space
    size = PaperSize(drawn.width * scale, drawn.height * scale)
    page = min(pages, key=lambda page: _tile_counts(size, page)[0] * _tile_counts(size, page)[1])
    return _tiles(board, svg, size, page), scale * space


def _max_scale(drawn: PaperSize, page: PaperSize) -> float:
    return min((page.width - 2 * EDGE) / drawn.width, (page.height - 2 * EDGE) / drawn.height)


def _single_sheet(board: Board, svg: str, size: PaperSize, page: PaperSize) -> PaperSheet:
    spot = SheetSpot((page.width - size.width) / 2, (page.height - size.height) / 2, *size)
    return PaperSheet(page, [PrintedPiece(spot, svg), SheetText(EDGE, 4, board.title)])


def _tile_counts(size: PaperSize, page: PaperSize) -> tuple[int, int]:
    """Return the number of sheets that a board takes, across and down."""
    return (
        max(1, ceil((size.width - OVERLAP) / (page.width - 2 * EDGE - OVERLAP))),
        max(1, ceil((size.height - OVERLAP) / (page.height - 2 * EDGE - OVERLAP))),
    )


def _tiles(board: Board, svg: str, size: PaperSize, page: PaperSize) -> list[PaperSheet]:
    """Split a board over several sheets that overlap; dashed lines show where the next sheet starts."""
    columns, rows = _tile_counts(size, page)
    # Divide the board evenly, so that no sheet has just a narrow strip.
    window = PaperSize((size.width + OVERLAP * (columns - 1)) / columns, (size.height + OVERLAP * (rows - 1)) / rows)
    left, top = (page.width - window.width) / 2, (page.height - window.height) / 2
    area = SheetSpot(left, top, *window)
    sheets = []
    for row in range(rows):
        for column in range(columns):
            x, y = column * (window.width - OVERLAP), row * (window.height - OVERLAP)
            sheet = PaperSheet(page, [PrintedPiece(SheetSpot(left - x, top - y, *size), svg, within=area)])
            sheet.contents += _corners(area)
            if column + 1 < columns:
                edge = left + window.width - OVERLAP
                sheet.contents.append(CutLine((edge, top - 5, edge, top + window.height + 5), dashed=True))
            if row + 1 < rows:
                edge = top + window.height - OVERLAP
                sheet.contents.append(CutLine((left - 5, edge, left + window.width + 5, edge), dashed=True))
            sheet.contents.append(SheetText(EDGE, 3, _caption(board, column, row, columns, rows)))
            sheets.append(sheet)
    return sheets


def _caption(board: Board, column: int, row: int, columns: int, rows: int) -> str:
    """Return the caption of a sheet: which part of the board it is, and which sheets overlap it."""
    name: str = ascii_uppercase[column] + str(row + 1)
    overlapping = [
        f"{ascii_uppercase[column + right]}{row + 1 + down} {side}"
        for side, right, down in (("on the right", 1, 0), ("below", 0, 1))
        if column + right < columns and row + down < rows
    ]
    overlap = f" Then glue {' and '.join(overlapping)}, overlapping up to the dashed line." if overlapping else ""
    return f"{board.title}, part {name} of {columns} x {rows}. Cut at the corner marks.{overlap}"


def _corners(area: SheetSpot) -> list[CutLine]:
    """Return crop marks outside the corners of the printed area."""
    x, y, right, bottom = area.x, area.y, area.x + area.width, area.y + area.height
    marks = []
    for edge in (x, right):
        marks += [CutLine((edge, y - 5, edge, y - 1)), CutLine((edge, bottom + 1, edge, bottom + 5))]
    for edge in (y, bottom):
        marks += [CutLine((x - 5, edge, x - 1, edge)), CutLine((right + 1, edge, right + 5, edge))]
    return marks


#: The width of a counter in mm if the game has no board, and its share of a space's width if it has one.
DEFAULT_WIDTH, COUNTER_SHARE = 18.0, 0.8
#: In mm: the page margin, the gap between parts, the foot of a figure, and the height of a caption.
MARGIN, GAP, FOOT, CAPTION = 10.0, 4.0, 7.0, 5.0
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
    x = y = MARGIN
    row_height = 0.0
    for part in parts:
        if x > MARGIN and x + part.size.width > page.width - MARGIN:
            x, y, row_height = MARGIN, y + row_height + GAP, 0.0
        if not sheets or y + part.size.height > page.height - MARGIN:
            sheets.append(PaperSheet(page))
            x, y, row_height = MARGIN, MARGIN, 0.0
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
