"""Lay out boards: on one sheet if the spaces are large enough, otherwise on several overlapping sheets."""

from math import ceil
from string import ascii_uppercase

from sparring.scene import Board

from .drawing.drawings import Drawings, space_width
from .paper_sizes import PaperSize, PrintOptions
from .sheets import CutLine, PrintedPiece, PaperSheet, SheetSpot, SheetText

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
