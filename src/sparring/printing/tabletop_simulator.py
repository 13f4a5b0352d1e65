"""Export a whole table to Tabletop Simulator: decks, boards with snap points, counters, dice and hand zones.

The format is that of https://kb.tabletopsimulator.com/custom-content/save-file-format/. One unit is about an inch; y
points up, z away from the first player. Tiles have square images, so that their size is the same whether or not the
program stretches them to the shape of the image.
"""

import hashlib
import json
from collections.abc import Iterator, Sequence
from itertools import count
from typing import Any

from sparring.engine.texts import summary
from sparring.scene import CardCopies

from .card_files import file_name
from .print_job import PrintJob
from .sheets import PaperSheet, PaperSize, PrintedPiece, SheetSide, SheetSpot
from .typesetting import compile_document, document
from .virtual_table import GAP, INCH, Tile, VirtualDeck, VirtualTable, tile_images

#: The resolution of deck images, in pixels per inch.
PPI = 300
#: Limits of deck images: cards across and down, and pixels in each direction. The last position is reserved for the
#: image of hidden cards.
ACROSS, DOWN, PIXELS = 10, 7, 4096
#: A card of 63 mm is about 2.25 units wide; a tile of scale 1 is 2 units wide.
UNIT, TILE = 28.0, 2.0
#: The colours of the players in seat order, and the sides of dice that the program has.
COLOURS, DICE = ("White", "Red", "Blue", "Green", "Yellow", "Purple"), (4, 6, 8, 10, 12, 20)
#: The size of a hand zone in units, its distance from a seat's row in mm, and the height of the table's surface.
HAND, HAND_DISTANCE, SURFACE = (13.0, 6.0, 4.0), 110.0, 1.0

JsonObject = dict[str, Any]


def table_files(job: PrintJob, base: str) -> dict[str, bytes]:
    """Return a saved table and its images, which it loads from the address `base` followed by their names."""
    return _SavedTable(job, base).files


class _SavedTable:
    def __init__(self, job: PrintJob, base: str) -> None:
        self.job, self.table, self.base = job, VirtualTable(job), base
        self.name = file_name(job.setup.title)
        self.files: dict[str, bytes] = {}
        self.images, self.ids = count(1), count(1)
        setup = job.setup
        objects = [*self._boards(), *self._decks(), *self._shared(), *self._dice(), *self._seats()]
        saved = {
            "SaveName": setup.title, "GameMode": setup.title, "Date": "", "Table": "Table_RPG", "Sky": "Sky_Museum",
            "Note": f"{summary(setup)}\n\n{setup.credit.text}", "Rules": "",
            "PlayerTurn": "", "LuaScript": "", "LuaScriptState": "", "XmlUI": "",
            "SnapPoints": [self._snap(*deck.discard) for deck in self.table.decks if deck.is_played],
            "ObjectStates": objects,
        }  # fmt: skip
        self.files[f"{self.name}.json"] = (json.dumps(saved, indent=2, ensure_ascii=False) + "\n").encode()

    # Where things lie

    def _object(self, kind: str, title: str, at: tuple[float, float], turn: float = 180.0, **more: Any) -> JsonObject:
        """Return the fields of every object; `at` is in mm, `turn` in degrees."""
        number = next(self.ids)
        height = more.pop("height", SURFACE)
        scale = more.pop("scale", 1.0)
        return {
            "GUID": hashlib.blake2b(f"{self.name} {number}".encode(), digest_size=3).hexdigest(), "Name": kind,
            "Transform": {
                "posX": round(at[0] / UNIT, 4), "posY": height, "posZ": round(at[1] / UNIT, 4), "rotX": 0.0,
                "rotY": turn % 360, "rotZ": 0.0, "scaleX": scale, "scaleY": 1.0, "scaleZ": scale,
            },
            "Nickname": title, "Description": "", "GMNotes": "", "ColorDiffuse": {"r": 1.0, "g": 1.0, "b": 1.0},
            "LayoutGroupSortIndex": 0, "Value": 0, "Locked": False, "Grid": False, "Snap": True, "Autoraise": True,
            "Sticky": True, "Tooltip": True, "Hands": False, "LuaScript": "", "LuaScriptState": "", "XmlUI": "", **more,
        }  # fmt: skip

    def _snap(self, x: float, y: float) -> JsonObject:
        return {"Position": {"x": x / UNIT, "y": SURFACE, "z": y / UNIT}, "Rotation": {"x": 0.0, "y": 180.0, "z": 0.0}}

    # Decks

    def _decks(self) -> Iterator[JsonObject]:
        for deck in self.table.decks:
            yield self._deck(deck)

    def _deck(self, deck: VirtualDeck) -> JsonObject:
        name = f"{self.name}-{file_name(deck.title)}"
        back = self._image(f"{name}-back", _sheet([deck.cards[0][1].back], deck.size, 1, 1))
        sheets: JsonObject = {}
        numbers: list[int] = []
        kinds: list[CardCopies] = []
        for first in range(0, len(deck.cards), ACROSS * DOWN - 1):
            batch, number = deck.cards[first : first + ACROSS * DOWN - 1], next(self.images)
            across, down = _grid(len(batch))
            face = self._image(f"{name}-{number}", _sheet([card.face for _, card in batch], deck.size, across, down))
            sheets[str(number)] = {
                "FaceURL": face, "BackURL": back, "NumWidth": across, "NumHeight": down, "BackIsHidden": True,
                "UniqueBack": False, "Type": 0,
            }  # fmt: skip
            for place, (copies, _) in enumerate(batch):
                numbers += [100 * number + place] * copies.count
                kinds += [copies] * copies.count
        cards = [self._card(deck, copies, number, sheets) for copies, number in zip(kinds, numbers, strict=True)]
        if len(cards) == 1:
            return cards[0]
        return self._face_down(self._object(
            "DeckCustom", deck.title, deck.at, Hands=True, SidewaysCard=False, DeckIDs=numbers, CustomDeck=sheets,
            ContainedObjects=cards,
        ))  # fmt: skip

    def _card(self, deck: VirtualDeck, copies: CardCopies, number: int, sheets: JsonObject) -> JsonObject:
        image = str(number // 100)
        return self._face_down(self._object(
            "Card", copies.face.name, deck.at, Description=copies.face.title, Hands=True, SidewaysCard=False,
            CardID=number, CustomDeck={image: sheets[image]},
        ))  # fmt: skip

    def _face_down(self, thing: JsonObject) -> JsonObject:
        thing["Transform"]["rotZ"] = 180.0
        return thing

    def _image(self, name: str, image: bytes) -> str:
        """Add an image to the files, and return its address."""
        self.files[f"{name}.png"] = image
        return f"{self.base}{name}.png"

    # Tiles

    def _boards(self) -> Iterator[JsonObject]:
        for board in self._tiles(self.table.boards):
            yield from board

    def _shared(self) -> Iterator[JsonObject]:
        for things in self._tiles(self.table.shared):
            yield from things

    def _tiles(
        self, tiles: Sequence[Tile], middle: tuple[float, float] = (0.0, 0.0), turn: float = 0.0
    ) -> Iterator[list[JsonObject]]:
        """Yield the copies of each tile, in a stack; `turn` (in quarter turns) turns the row around its middle."""
        for tile, image in zip(tiles, tile_images(tiles, square=True), strict=True):
            seat = f"-seat-{tile.seat}" if tile.seat else ""
            address = self._image(f"{self.name}-{tile.kind}-{file_name(tile.title)}{seat}", image)
            x, y = _turned(tile.at, turn)
            at = middle[0] + x, middle[1] + y
            yield [self._tile(tile, address, at, 180.0 - 90.0 * turn, copy) for copy in range(tile.count)]

    def _tile(self, tile: Tile, address: str, at: tuple[float, float], turn: float, copy: int) -> JsonObject:
        image: JsonObject = {"ImageURL": address, "ImageSecondaryURL": address, "ImageScalar": 1.0, "WidthScale": 0.0}
        scale = round(max(tile.size) / UNIT / TILE, 4)
        raised = SURFACE + 0.1 + 0.25 * copy
        if tile.kind == "figure":
            return self._object("Figurine_Custom", tile.title, at, turn, CustomImage=image, scale=scale, height=raised)
        flat = tile.kind in ("board", "scale")
        image["CustomTile"] = {
            "Type": 0 if flat else 2, "Thickness": 0.1 if flat else 0.2, "Stackable": not flat, "Stretch": True,
        }  # fmt: skip
        return self._object(
            "Custom_Tile", tile.title, at, turn, CustomImage=image, scale=scale, Locked=flat, height=raised,
            AttachedSnapPoints=[_local_snap(tile, *space) for space in tile.spaces],
        )  # fmt: skip

    def _dice(self) -> Iterator[JsonObject]:
        edge = self.table.extent.width / 2 + 2 * GAP
        for place, sides in enumerate(self.table.dice):
            nearest = min(DICE, key=lambda one: (one < sides, one))
            at = (edge, place * 3 * GAP)
            yield self._object(f"Die_{nearest}", f"Die with {sides} sides", at, height=SURFACE + 1.0)

    # Seats

    def _seats(self) -> Iterator[JsonObject]:
        for seat, (middle, turn) in enumerate(_places(self.table), 1):
            for things in self._tiles(self.table.of_seat(seat), middle, turn):
                yield from things
            x, y = _turned((0.0, -HAND_DISTANCE), turn)
            zone = self._object(
                "HandTrigger", "", (middle[0] + x, middle[1] + y), -90.0 * turn, FogColor=COLOURS[seat - 1],
                Locked=True, height=SURFACE + HAND[1] / 2,
            )  # fmt: skip
            zone["Transform"] |= dict(zip(("scaleX", "scaleY", "scaleZ"), HAND, strict=True))
            yield zone


def _local_snap(tile: Tile, across: float, down: float) -> JsonObject:
    """Return a snap point on a tile in its own coordinates: -1 to 1 over its square image, x and z mirrored."""
    side = max(tile.size)
    x, z = (2 * across - 1) * tile.size.width / side, (2 * down - 1) * tile.size.height / side
    return {"Position": {"x": round(-x, 4), "y": 0.1, "z": round(z, 4)}}


def _turned(at: tuple[float, float], turn: float) -> tuple[float, float]:
    """Return a point turned around the origin by quarter turns, counter-clockwise."""
    x, y = at
    for _ in range(round(turn) % 4):
        x, y = -y, x
    return x, y


def _places(table: VirtualTable) -> list[tuple[tuple[float, float], float]]:
    """Return the middle of each seat's row, and the quarter turns counter-clockwise from the first seat's side.

    Players face each other; the third and later seats are at the sides, and with more than four seats two share the
    near and the far side.
    """
    across, down = table.extent
    deepest = max((tile.size.height for seat in range(1, table.seats + 1) for tile in table.of_seat(seat)), default=0.0)
    y, x = down / 2 + 2 * GAP + deepest / 2, across / 2 + 6 * GAP + deepest / 2
    shift = max(across / 4, HAND[0] * UNIT * 0.55)
    near, far, left, right = ((0.0, -y), 0.0), ((0.0, y), 2.0), ((-x, 0.0), 3.0), ((x, 0.0), 1.0)
    if table.seats <= 4:
        return [near, far, left, right][: table.seats]
    both = [((sign * shift, end), turn) for end, turn in ((-y, 0.0), (y, 2.0)) for sign in (-1, 1)]
    return [both[0], both[1], right, both[3], both[2], left][: table.seats]


def _grid(cards: int) -> tuple[int, int]:
    """Return the columns and rows of a deck image: at least 2 x 2, and the last position is never a card."""
    across = min(ACROSS, max(2, cards + 1))
    return across, min(DOWN, max(2, -(-(cards + 1) // across)))


def _sheet(sides: Sequence[SheetSide], card: PaperSize, across: int, down: int) -> bytes:
    """Return a PNG of cards edge to edge."""
    page = PaperSize(card.width * across, card.height * down)
    sheet = PaperSheet(page)
    for n, side in enumerate(sides):
        spot = SheetSpot(card.width * (n % across), card.height * (n // across), *card)
        sheet.contents += [PrintedPiece(spot, "", colour=side.ground), PrintedPiece(spot, side.svg)]
    return compile_document(document([sheet]), "png", min(PPI, (PIXELS - 1) * INCH / max(page)))[0]
