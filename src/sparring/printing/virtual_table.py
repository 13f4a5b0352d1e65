"""The components of a game for virtual tables: images of decks, boards, counters and scales, and where they lie.

Lengths are in mm, with the origin in the middle of the table, x to the right and y away from seat 1. The exporters for
Tabletop Simulator and playingcards.io translate them into their units.
"""

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from math import ceil

from sparring.scene import Board, CardCopies, CounterScale, PaperCounter
from sparring.scene.boards import centre

from .board_sheets import COUNTER_SHARE, DEFAULT_WIDTH, MAX_COLUMNS
from .drawings import space_width
from .print_job import REFERENCE, TURN, PrintJob
from .sheets import PaperSheet, PaperSize, PrintedPiece, SheetSpot, TwoSided
from .typesetting import compile_document, document

INCH = 25.4
#: The width of a board space and the largest side of a board.
SPACE, LARGEST_BOARD = 32.0, 520.0
#: The largest side of a PNG in pixels, and the usual resolution in pixels per inch.
PIXELS, PPI = 2048, 200
#: The distance between neighbours on the table, and the width of a row of shared things.
GAP, ROW = 14.0, 900.0

_BOX = re.compile(r'viewBox="(\S+) (\S+) (\S+) (\S+)"')


@dataclass(frozen=True)
class Tile:
    """A flat thing with one image: a board, a scale, a counter or a standing figure."""

    kind: str
    title: str
    svg: str
    size: PaperSize
    count: int = 1
    #: The owner's seat, from 1; 0 for none.
    seat: int = 0
    #: The centres of spaces, as shares of the width (from the left) and of the height (from the top).
    spaces: tuple[tuple[float, float], ...] = ()
    #: Where it lies: its centre.
    at: tuple[float, float] = (0.0, 0.0)
    scale: CounterScale | None = None


@dataclass(frozen=True)
class VirtualDeck:
    """A deck: its kinds of cards with both sides, and where its pile and its discard pile lie."""

    title: str
    cards: tuple[tuple[CardCopies, TwoSided], ...]
    size: PaperSize
    at: tuple[float, float] = (0.0, 0.0)
    discard: tuple[float, float] = (0.0, 0.0)

    @property
    def is_played(self) -> bool:
        """Whether its cards are played, so that it needs a discard pile; summaries and references only help."""
        return self.title not in (TURN, REFERENCE)


class VirtualTable:
    """Everything that lies on the table of a game, without overlaps."""

    def __init__(self, job: PrintJob) -> None:
        self.job, self.seats = job, job.seats

    @property
    def dice(self) -> tuple[int, ...]:
        """The number of sides of each die."""
        return self.job.inventory.dice

    @cached_property
    def decks(self) -> tuple[VirtualDeck, ...]:
        """All decks, in a row behind the boards."""
        by_title: dict[str, list[tuple[CardCopies, TwoSided]]] = {}
        for deck, copies, card in self.job.cards():
            by_title.setdefault(deck.title, []).append((copies, card))
        size = self.job.print_options.card
        wide = 2 * size.width + GAP
        spots = rows([PaperSize(wide, size.height)] * len(by_title), ROW)
        lowest = min((y for _, y in spots), default=0.0) - size.height / 2
        top = self._boards_height / 2 + 2 * GAP - lowest
        half = (size.width + GAP) / 2
        return tuple(
            VirtualDeck(title, tuple(cards), size, (x - half, top + y), (x + half, top + y))
            for (title, cards), (x, y) in zip(by_title.items(), spots, strict=True)
        )

    @cached_property
    def boards(self) -> tuple[Tile, ...]:
        """The boards, side by side in the middle."""
        return tuple(_placed(map(self._board, self.job.inventory.boards), 2 * ROW))

    @property
    def _boards_height(self) -> float:
        return max((board.size.height for board in self.boards), default=0.0)

    def _board(self, board: Board) -> Tile:
        svg, size = self.job.drawings.board(board)
        box = _BOX.search(svg)
        left, top, width, height = map(float, box.groups()) if box else (0.0, 0.0, *size)
        scale = min(SPACE / space_width(board), LARGEST_BOARD / max(width, height))
        centres = [centre(board, cell.at) for cell in board.cells]
        spaces = tuple(((x - left) / width, (y - top) / height) for x, y in centres)
        return Tile("board", board.title, svg, PaperSize(width * scale, height * scale), spaces=spaces)

    @cached_property
    def shared(self) -> tuple[Tile, ...]:
        """Counters and scales without an owner, in rows in front of the boards."""
        tiles = [tile for tile in self._tiles if not tile.seat]
        below = -self._boards_height / 2 - 2 * GAP
        placed = _placed(tiles, ROW)
        top = max((tile.at[1] + tile.size.height / 2 for tile in placed), default=0.0)
        return tuple(replace(tile, at=(tile.at[0], tile.at[1] - top + below)) for tile in placed)

    def of_seat(self, seat: int) -> tuple[Tile, ...]:
        """The counters and scales of a seat (from 1), in a row; positions are relative to the middle of that row."""
        return tuple(_placed([tile for tile in self._tiles if tile.seat == seat], ROW))

    @cached_property
    def _tiles(self) -> list[Tile]:
        inventory = self.job.inventory
        spaces = [board.size.width for board in self.boards]
        side = SPACE * COUNTER_SHARE if spaces else DEFAULT_WIDTH
        return [*(self._counter(counter, side) for counter in inventory.counters if counter.count),
                *(self._scale(scale) for scale in inventory.scales)]  # fmt: skip

    def _counter(self, counter: PaperCounter, side: float) -> Tile:
        kind = "figure" if counter.stands else "counter"
        svg = self.job.drawings.counter(counter)
        return Tile(kind, counter.title, svg, PaperSize(side, side), counter.count, counter.seat)

    def _scale(self, scale: CounterScale) -> Tile:
        lines = ceil((scale.top + 1) / MAX_COLUMNS)
        columns = ceil((scale.top + 1) / lines)
        svg, size = self.job.drawings.scale(scale, columns)
        spots = tuple(
            ((number % columns + 0.5) / columns, (number // columns + 0.5) / lines) for number in range(scale.top + 1)
        )
        return Tile("scale", scale.title, svg, size, seat=scale.seat, spaces=spots, scale=scale)

    @property
    def extent(self) -> PaperSize:
        """The size of the rectangle around the origin that has everything but the seats' own things."""
        xs, ys = [0.0], [0.0]
        for size, at in [*((tile.size, tile.at) for tile in (*self.boards, *self.shared)),
                         *((deck.size, at) for deck in self.decks for at in (deck.at, deck.discard))]:  # fmt: skip
            xs.append(abs(at[0]) + size.width / 2)
            ys.append(abs(at[1]) + size.height / 2)
        return PaperSize(2 * max(xs), 2 * max(ys))


def rows(sizes: Sequence[PaperSize], width: float) -> list[tuple[float, float]]:
    """Return the centres of things laid out in centred rows of at most this width, around the origin."""
    lines: list[list[PaperSize]] = []
    for size in sizes:
        if not lines or sum(one.width + GAP for one in lines[-1]) + size.width > width:
            lines.append([])
        lines[-1].append(size)
    heights = [max(size.height for size in line) for line in lines]
    y = (sum(heights) + GAP * (len(lines) - 1)) / 2
    spots = []
    for line, height in zip(lines, heights, strict=True):
        x = -(sum(size.width for size in line) + GAP * (len(line) - 1)) / 2
        for size in line:
            spots.append((x + size.width / 2, y - height / 2))
            x += size.width + GAP
        y -= height + GAP
    return spots


def _placed(tiles: Iterable[Tile], width: float) -> list[Tile]:
    found = list(tiles)
    spots = rows([tile.size for tile in found], width)
    return [replace(tile, at=spot) for tile, spot in zip(found, spots, strict=True)]


def tile_images(tiles: Sequence[Tile], *, square: bool = False) -> list[bytes]:
    """Return a PNG of each tile; `square` centres it on a transparent square."""
    sheets = []
    for tile in tiles:
        side = max(tile.size)
        page = PaperSize(side, side) if square else tile.size
        spot = SheetSpot((page.width - tile.size.width) / 2, (page.height - tile.size.height) / 2, *tile.size)
        sheets.append(PaperSheet(page, [PrintedPiece(spot, tile.svg)], clear=True))
    largest = max((max(sheet.size) for sheet in sheets), default=1.0)
    return compile_document(document(sheets), "png", min(PPI, PIXELS * INCH / largest)) if sheets else []
