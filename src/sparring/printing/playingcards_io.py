"""Export a whole table to playingcards.io: a `.pcio` file with decks, boards, counters, dice and hands.

The file is a ZIP archive with `widgets.json`, a list of the things in a room of 1600 x 1000 pixels, and the images in
`userassets`. The lower edge of a room is each player's private hand. Lengths of the table are in mm, y away from the
first player; `_Room` fits them into the part above the hand.
"""

import io
import json
import zipfile
from collections.abc import Iterator
from typing import Any

from sparring.engine.errors import CannotPrint
from sparring.scene import CounterScale

from .print_job import PrintJob
from .sheets import PaperSheet, PaperSize, PrintedPiece, SheetSide, SheetSpot
from .typesetting import compile_document, document
from .virtual_table import GAP, INCH, Tile, VirtualDeck, VirtualTable, tile_images

#: The room in pixels, the height above the hand, and the margin.
WIDTH, HEIGHT, MARGIN = 1600, 800, 20
#: The width of a card in pixels, the room that a holder leaves around it, and that of its label and button.
CARD, HOLDER, LABEL = 103, 8, 34
#: The size of a number counter and of a die.
COUNTER, DIE = (150, 44), 90
#: The width of card images in pixels: cards can be enlarged.
IMAGE = 420
#: The most widgets of a room.
MOST = 1200
#: A fixed time in the archive, so that the same table gives the same bytes.
TIME = (1980, 1, 1, 0, 0, 0)

Widget = dict[str, Any]


def room_file(job: PrintJob) -> bytes:
    """Return a room with everything that the game needs, as a `.pcio` file.

    :raises CannotPrint: The game has more pieces than a room may hold.
    """
    room = _Room(job)
    files = {"widgets.json": json.dumps(room.widgets, ensure_ascii=False).encode(), **room.assets}
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.comment = job.setup.credit.text.encode()
        for name, file in files.items():
            archive.writestr(zipfile.ZipInfo(name, TIME), file, zipfile.ZIP_DEFLATED)
    return out.getvalue()


class _Room:
    def __init__(self, job: PrintJob) -> None:
        self.table, self.assets = VirtualTable(job), dict[str, bytes]()
        self.layer = 0
        self.widgets: list[Widget] = [
            self._widget("hand", "hand", 50, HEIGHT + MARGIN, width=WIDTH - 100, height=180)
        ]  # fmt: skip
        below = self._decks()
        left, right = self._counters(below), self._pieces(below)
        self._boards(left, right, below)
        if len(self.widgets) > MOST:
            title, pieces = job.setup.title, len(self.widgets)
            raise CannotPrint(f"{title} has {pieces:,} pieces; a room at playingcards.io holds at most {MOST:,}.")

    def _widget(self, kind: str, name: str, x: float, y: float, **more: Any) -> Widget:
        """Return a widget; later ones lie on top of earlier ones."""
        self.layer += 1
        return {"id": name, "type": kind, "x": round(x), "y": round(y), "z": self.layer, **more}

    def _asset(self, name: str, image: bytes) -> str:
        self.assets[f"userassets/{name}.png"] = image
        return f"package://userassets/{name}.png"

    # Decks

    def _decks(self) -> float:
        """Add the decks, each with an empty holder for its discard pile; return where the room below them begins."""
        x, y = float(MARGIN), float(MARGIN + LABEL)
        for number, deck in enumerate(self.table.decks):
            height = round(CARD * deck.size.height / deck.size.width)
            wide, high = CARD + HOLDER, height + HOLDER
            if x + 2 * wide + MARGIN > WIDTH:
                x, y = float(MARGIN), y + high + 2 * LABEL
            pile = f"pile-{number}"
            self.widgets += [
                self._widget("cardPile", pile, x, y, width=wide, height=high, label=deck.title, hasShuffleButton=True),
                *self._deck(deck, number, pile, x + HOLDER / 2, y + HOLDER / 2, height),
            ]
            if deck.is_played:
                place = {"width": wide, "height": high, "label": "Discards"}
                self.widgets.append(self._widget("cardPile", f"discard-{number}", x + wide + 10, y, **place))
            x += 2 * wide + 40
        return y + high + LABEL + MARGIN if self.table.decks else y

    def _deck(self, deck: VirtualDeck, number: int, pile: str, x: float, y: float, height: int) -> Iterator[Widget]:
        images = _card_images([card.face for _, card in deck.cards] + [deck.cards[0][1].back], deck.size)
        *faces, back = (self._asset(f"deck-{number}-{place}", image) for place, image in enumerate(images))
        kinds = {
            f"{number}-{place}": {"label": copies.face.name, "image": face}
            for place, ((copies, _), face) in enumerate(zip(deck.cards, faces, strict=True))
        }
        yield self._widget(
            "cardDeck", f"deck-{number}", x, y, parent=pile, cardWidth=CARD, cardHeight=height, enlarge=True,
            cardTypes=kinds, faceTemplate=_template("dynamic", "image", height),
            backTemplate=_template("static", back, height),
        )  # fmt: skip
        for kind, (copies, _) in zip(kinds, deck.cards, strict=True):
            for copy in range(copies.count):
                yield self._widget(
                    "card", f"card-{kind}-{copy}", x, y, deck=f"deck-{number}", cardType=kind, parent=pile, faceup=False
                )  # fmt: skip

    # Scales are number counters; counters and figures are pieces with an image

    def _counters(self, top: float) -> float:
        """Add a number counter for each scale, in columns at the left; return where they end."""
        scales = [tile.scale for seat in range(self.table.seats + 1) for tile in self._owned(seat) if tile.scale]
        x, y, right = float(MARGIN), top + LABEL, float(MARGIN)
        for number, scale in enumerate(scales):
            if y + COUNTER[1] > HEIGHT:
                x, y = x + COUNTER[0] + MARGIN, top + LABEL
            width, height = COUNTER
            self.widgets.append(self._widget(
                "counter", f"counter-{number}", x, y, width=width, height=height, label=_label(scale),
                counterValue=scale.start,
            ))  # fmt: skip
            y, right = y + height + LABEL, x + width + MARGIN
        return right

    def _owned(self, seat: int) -> tuple[Tile, ...]:
        return self.table.of_seat(seat) if seat else self.table.shared

    def _pieces(self, top: float) -> float:
        """Add counters, figures and dice, in columns from the right; return where they begin."""
        tiles = [tile for seat in range(self.table.seats + 1) for tile in self._owned(seat) if not tile.scale]
        x, y = float(WIDTH - MARGIN - DIE), top
        for number, (tile, image) in enumerate(zip(tiles, tile_images(tiles), strict=True)):
            side = self._side(tile)
            if y + side > HEIGHT:
                x, y = x - DIE - 10, top
            self._piece(tile, number, image, x, y, side)
            y += side + 10
        for number, sides in enumerate(self.table.dice):
            if y + DIE > HEIGHT:
                x, y = x - DIE - 10, top
            options = list(range(1, sides + 1))
            self.widgets.append(
                self._widget("spinner", f"die-{number}", x, y, width=DIE, height=DIE, options=options, value=1)
            )  # fmt: skip
            y += DIE + 10
        return x - MARGIN

    def _side(self, tile: Tile) -> int:
        """Return the side of a piece in pixels: in proportion to the board if there is one."""
        return min(DIE, max(28, round(tile.size.width * self._board_scale)))

    @property
    def _board_scale(self) -> float:
        """The pixels per mm of the boards, if half of the room's width is theirs."""
        boards = self.table.boards
        if not boards:
            return 2.5
        wide = sum(board.size.width for board in boards) + GAP * (len(boards) - 1)
        high = max(board.size.height for board in boards)
        return min(WIDTH / 2 / wide, 560 / high)

    def _piece(self, tile: Tile, number: int, image: bytes, x: float, y: float, side: int) -> None:
        """Add the copies of a piece, in a stack; both of its sides have the same image."""
        address = self._asset(f"piece-{number}", image)
        template = {"includeBorder": "none", "objects": [_image("dynamic", "image", side, side)]}
        seat = f", seat {tile.seat}" if tile.seat else ""
        self.widgets.append(self._widget(
            "cardDeck", f"pieces-{number}", x, y, cardWidth=side, cardHeight=side, faceTemplate=template,
            backTemplate=template, cardTypes={f"piece-{number}": {"label": f"{tile.title}{seat}", "image": address}},
        ))  # fmt: skip
        kind = {"deck": f"pieces-{number}", "cardType": f"piece-{number}", "faceup": True}
        self.widgets += [self._widget("piece", f"piece-{number}-{copy}", x, y, **kind) for copy in range(tile.count)]

    # Boards

    def _boards(self, left: float, right: float, top: float) -> None:
        """Add the boards in the middle, below everything else."""
        boards = self.table.boards
        if not boards:
            return
        scale = min(
            self._board_scale,
            (right - left) / (sum(board.size.width for board in boards) + GAP * (len(boards) - 1)),
            (HEIGHT - top) / max(board.size.height for board in boards),
        )
        wide = sum(board.size.width for board in boards) * scale + GAP * scale * (len(boards) - 1)
        x = (left + right - wide) / 2
        drawn = []
        for number, (board, image) in enumerate(zip(boards, tile_images(boards), strict=True)):
            width, height = board.size.width * scale, board.size.height * scale
            drawn.append({
                "id": f"board-{number}", "type": "board", "x": round(x), "y": round(top), "z": 0,
                "width": round(width), "height": round(height), "boardImage": self._asset(f"board-{number}", image),
            })  # fmt: skip
            x += width + GAP * scale
        self.widgets = [*drawn, *self.widgets]


def _label(scale: CounterScale) -> str:
    return f"{scale.title}, seat {scale.seat}" if scale.seat else scale.title


def _template(source: str, value: str, height: int) -> dict[str, Any]:
    return {"includeBorder": "none", "includeRadius": True, "objects": [_image(source, value, CARD, height)]}


def _image(source: str, value: str, width: int, height: int) -> dict[str, Any]:
    place = {"x": 0, "y": 0, "w": width, "h": height}
    return {"type": "image", **place, "color": "white", "valueType": source, "value": value}


def _card_images(sides: list[SheetSide], card: PaperSize) -> list[bytes]:
    """Return a PNG of each side, in one run of the typesetter."""
    spot = SheetSpot(0, 0, *card)
    sheets = [
        PaperSheet(card, [PrintedPiece(spot, "", colour=side.ground), PrintedPiece(spot, side.svg)]) for side in sides
    ]
    return compile_document(document(sheets), "png", IMAGE * INCH / card.width)
