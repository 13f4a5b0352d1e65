"""Lay out counters to cut out, standing figures to fold, and scales."""

from collections.abc import Iterator
from typing import NamedTuple

from sparring.scene import PaperCounter, PaperInventory, CounterScale

from .drawings import STEP, Drawings
from .paper_sizes import PaperSize, PrintOptions
from .sheets import CutLine, PrintedPiece, PaperSheet, SheetSpot, SheetText

#: The width of a counter in mm if the game has no board, and else its share of a space's width.
USUAL, FILLED = 18.0, 0.8
#: In mm: page margin, gap between parts, foot of a figure, and room for a caption.
EDGE, GAP, FOOT, NAME = 10.0, 4.0, 7.0, 5.0
#: The most numbers of a scale side by side.
LONGEST = 11


class CounterPart(NamedTuple):
    """A part to place on a sheet: its size, and its things relative to its upper left corner."""

    size: PaperSize
    things: list[PrintedPiece | CutLine | SheetText]


def counter_sheets(
    inventory: PaperInventory, drawings: Drawings, print_options: PrintOptions, place: float | None
) -> list[PaperSheet]:
    """Return the sheets of all counters and scales; `place` is the width of a board space in mm."""
    across = place * FILLED if place else USUAL
    cut = [part for counter in inventory.counters for part in _counters(counter, drawings, across)]
    return _flow([*cut, *(_scale(scale, drawings) for scale in inventory.scales)], print_options.sheet)


def _counters(counter: PaperCounter, drawings: Drawings, across: float) -> Iterator[CounterPart]:
    svg = drawings.counter(counter)
    make = _standing if counter.stands else _lying
    for _ in range(counter.count):
        yield make(svg, across)


def _lying(svg: str, across: float) -> CounterPart:
    return CounterPart(PaperSize(across, across), [PrintedPiece(SheetSpot(0, 0, across, across), svg)])


def _standing(svg: str, across: float) -> CounterPart:
    """Return a figure printed twice, head to head, with a foot at each end; folded in the middle, it stands."""
    width, height = across + 3, 2 * (across + FOOT)
    edges = ((0, 0, width, 0), (width, 0, width, height), (0, height, width, height), (0, 0, 0, height))
    folds = (FOOT, height / 2, height - FOOT)
    return CounterPart(PaperSize(width, height), [
        PrintedPiece(SheetSpot(1.5, FOOT, across, across), svg, turned=True),
        PrintedPiece(SheetSpot(1.5, FOOT + across, across, across), svg),
        *(CutLine((float(a), float(b), float(c), float(d))) for a, b, c, d in edges),
        *(CutLine((0, y, width, y), dashed=True) for y in folds),
    ])  # fmt: skip


def _scale(scale: CounterScale, drawings: Drawings) -> CounterPart:
    rows = -(-(scale.top + 1) // LONGEST)
    svg, size = drawings.scale(scale, -(-(scale.top + 1) // rows))
    caption = f"{scale.title}, seat {scale.seat}" if scale.seat else scale.title
    width = max(size.width, 3 * STEP)
    return CounterPart(
        PaperSize(width, size.height + NAME), [SheetText(0, 0.5, caption, 9), PrintedPiece(SheetSpot(0, NAME, *size),
            svg)]
    )  # fmt: skip


def _flow(parts: list[CounterPart], page: PaperSize) -> list[PaperSheet]:
    """Flow parts into rows, and rows onto sheets."""
    sheets: list[PaperSheet] = []
    x = y = EDGE
    high = 0.0
    for part in parts:
        if x > EDGE and x + part.size.width > page.width - EDGE:
            x, y, high = EDGE, y + high + GAP, 0.0
        if not sheets or y + part.size.height > page.height - EDGE:
            sheets.append(PaperSheet(page))
            x, y, high = EDGE, EDGE, 0.0
        sheets[-1].things += [_moved(thing, x, y) for thing in part.things]
        x, high = x + part.size.width + GAP, max(high, part.size.height)
    return sheets


def _moved(thing: PrintedPiece | CutLine | SheetText, x: float, y: float) -> PrintedPiece | CutLine | SheetText:
    match thing:
        case PrintedPiece():
            return thing._replace(spot=SheetSpot(thing.spot.x + x, thing.spot.y + y, *thing.spot[2:]))
        case CutLine():
            a, b, c, d = thing.ends
            return thing._replace(ends=(a + x, b + y, c + x, d + y))
    return thing._replace(x=thing.x + x, y=thing.y + y)
