"""Read card pictures in content files: one line of text for each, without markup.

`drawing [[0,0,30,[120,200,4,5]], ...]` contains strokes as numbers; `image webp UklGR...` is a small image in Base64.
This module validates them; `scene/pictures.py` draws them. The headers of images are the first check of untrusted ones:
nothing is decoded, so no image can use much memory.
"""

import base64
import binascii
import hashlib
import re
import struct
from collections.abc import Iterator
from functools import lru_cache
from typing import Annotated, Any

import msgspec

from sparring.engine.errors import SparringError

#: The allowed chunks. Others contain metadata, colour profiles or animations.
ALPHA, LOSSY, LOSSLESS, WIDE = b"ALPH", b"VP8 ", b"VP8L", b"VP8X"
#: The only flag allowed in an extended header: transparency.
HAS_ALPHA = 0x10


def image_size(data: bytes) -> tuple[int, int] | None:
    """Return the width and height (pixels) of a still image without other data; None for anything else."""
    chunks = list(_chunks(data))
    kinds = [kind for kind, _ in chunks]
    if kinds not in ([LOSSY], [LOSSLESS], [WIDE, LOSSY], [WIDE, LOSSLESS], [WIDE, ALPHA, LOSSY]):
        return None
    sizes = [_size(kind, body) for kind, body in chunks if kind != ALPHA]
    return sizes[0] if None not in sizes and len(set(sizes)) == 1 else None


def _chunks(data: bytes) -> Iterator[tuple[bytes, bytes]]:
    """Yield the chunks of a file as (kind, body); an empty one where the file is invalid."""
    if (
        len(data) < 12
        or data[:4] != b"RIFF"
        or data[8:12] != b"WEBP"
        or struct.unpack("<I", data[4:8])[0] + 8 != len(data)
    ):
        yield b"", b""
        return
    offset = 12
    while offset < len(data):
        if offset + 8 > len(data):
            yield b"", b""
            return
        kind, length = data[offset : offset + 4], struct.unpack("<I", data[offset + 4 : offset + 8])[0]
        body = data[offset + 8 : offset + 8 + length]
        yield (kind, body) if len(body) == length else (b"", b"")
        offset += 8 + length + length % 2


def _size(kind: bytes, body: bytes) -> tuple[int, int] | None:
    if kind == LOSSY and len(body) >= 10 and body[3:6] == b"\x9d\x01\x2a":
        width, height = struct.unpack("<HH", body[6:10])
        return (width & 0x3FFF, height & 0x3FFF) if width and height else None
    if kind == LOSSLESS and len(body) >= 5 and body[0] == 0x2F:
        bits = struct.unpack("<I", body[1:5])[0]
        return (bits & 0x3FFF) + 1, (bits >> 14 & 0x3FFF) + 1
    if kind == WIDE and len(body) == 10 and not body[0] & ~HAS_ALPHA:
        return int.from_bytes(body[4:7], "little") + 1, int.from_bytes(body[7:10], "little") + 1
    return None


#: The maximum length of a picture's text, and number of strokes of a drawing.
LONGEST_PICTURE = 30_000
STROKES = 400
#: The side of the square canvas, and how far beyond its edges a stroke may go.
SIDE, BEYOND = 1000, 500
#: The maximum width and height of an image (pixels).
PIXELS = 512

#: The text of a picture. It has no quotes and backslashes, so it needs no escapes in a file.
PICTURE = re.compile(r"(?:drawing \[[-0-9,\[\] ]*|image webp [A-Za-z0-9+/=]*)")
#: The quoted text in a file.
QUOTED = re.compile(rf"(['\"])({PICTURE.pattern})\1")

Ink = Annotated[int, msgspec.Meta(ge=0, le=31)]
#: A coordinate, a step to the next point in x or y, and a path: the start and the steps, as x and y in turn.
Coordinate = Annotated[int, msgspec.Meta(ge=-BEYOND, le=SIDE + BEYOND)]
Delta = Annotated[int, msgspec.Meta(ge=-2 * SIDE, le=2 * SIDE)]
StrokePath = Annotated[list[Delta], msgspec.Meta(min_length=2, max_length=8000)]


class InvalidPicture(SparringError):
    """A picture is invalid; the message says why."""


class _Numbers(msgspec.Struct, frozen=True, array_like=True, forbid_unknown_fields=True):
    """A stroke, stored as an array of numbers whose first one is its kind."""


class PenStroke(_Numbers, frozen=True, tag=0):
    """A line: ink, width, path, and the pen pressure at each point, 1 to 9 (empty: constant)."""

    ink: Ink
    width: Annotated[int, msgspec.Meta(ge=4, le=400)]
    path: StrokePath
    pressures: Annotated[list[Annotated[int, msgspec.Meta(ge=1, le=9)]], msgspec.Meta(max_length=4000)] = []


class FillStroke(_Numbers, frozen=True, tag=1):
    """A filled area inside a closed line."""

    ink: Ink
    path: StrokePath


class ShapeStroke(_Numbers, frozen=True, tag=2):
    """A shape from the catalogue: its number, centre, size, rotation in degrees, and whether it is mirrored."""

    ink: Ink
    shape: Annotated[int, msgspec.Meta(ge=0, le=999)]
    x: Coordinate
    y: Coordinate
    size: Annotated[int, msgspec.Meta(ge=20, le=2 * SIDE)]
    turn: Annotated[int, msgspec.Meta(ge=0, lt=360)] = 0
    mirrored: Annotated[int, msgspec.Meta(ge=0, le=1)] = 0


Stroke = PenStroke | FillStroke | ShapeStroke


class Sketch(msgspec.Struct, frozen=True):
    """A drawing: its strokes, from back to front."""

    strokes: list[Stroke]

    @property
    def text(self) -> str:
        """The drawing as text for a file."""
        return f"drawing {msgspec.json.encode(self.strokes).decode()}"


class Photo(msgspec.Struct, frozen=True):
    """A small uploaded image, as a WebP file that contains only pixels."""

    data: bytes
    width: int
    height: int

    @property
    def text(self) -> str:
        """The image as text for a file."""
        return f"image webp {base64.b64encode(self.data).decode()}"


@lru_cache(maxsize=128)
def read_picture(text: str) -> Sketch | Photo:
    """Read a picture from its text. Raises InvalidPicture."""
    if len(text) > LONGEST_PICTURE:
        raise InvalidPicture(f"A picture must be at most {in_kb(LONGEST_PICTURE)}, not {in_kb(len(text))}.")
    kind, _, rest = text.partition(" ")
    if kind == "drawing":
        return _sketch(rest)
    if text.startswith("image webp "):
        return _photo(rest.partition(" ")[2])
    raise InvalidPicture("This is not a picture; draw or upload one in the studio.")


def _sketch(numbers: str) -> Sketch:
    try:
        rows = msgspec.json.decode(numbers, type=list[msgspec.Raw])
        if len(rows) > STROKES:
            raise InvalidPicture(f"A drawing must have at most {STROKES} strokes, not {len(rows)}.")
        strokes = msgspec.json.decode(numbers, type=list[Stroke])
    except (msgspec.DecodeError, RecursionError):
        raise InvalidPicture("This drawing's strokes can't be read; draw it again.") from None
    for stroke in strokes:
        if not isinstance(stroke, ShapeStroke) and not _is_within_bounds(stroke):
            raise InvalidPicture("A stroke of this drawing goes too far beyond its edge.")
    return Sketch(strokes)


def _is_within_bounds(stroke: PenStroke | FillStroke) -> bool:
    return len(stroke.path) % 2 == 0 and all(
        -BEYOND <= x <= SIDE + BEYOND and -BEYOND <= y <= SIDE + BEYOND for x, y in points(stroke.path)
    )


def points(path: list[int]) -> Iterator[tuple[int, int]]:
    """Yield the points of a path."""
    x = y = 0
    for right, down in zip(path[::2], path[1::2], strict=True):
        x, y = x + right, y + down
        yield x, y


def _photo(text: str) -> Photo:
    try:
        data = base64.b64decode(text, validate=True)
    except (binascii.Error, ValueError):
        data = b""
    size = image_size(data)
    if size is None:
        raise InvalidPicture("This image can't be read; upload it again as PNG, JPEG or WebP.")
    if max(size) > PIXELS:
        raise InvalidPicture(
            f"An image on a card must have at most {PIXELS} x {PIXELS} pixels, not {size[0]} x {size[1]}."
        )
    return Photo(data, *size)


def in_kb(length: int) -> str:
    """Return a length in readable form: `4.2 kB`."""
    return f"{length / 1000:.1f}".removesuffix(".0") + " kB"


def name_of(text: str) -> str:
    """Return a hash that identifies a picture."""
    return hashlib.blake2b(text.encode(), digest_size=16).hexdigest()


def pictures_in(content: object) -> dict[str, str]:
    """Return the texts of all pictures in some content by `name_of`; empty for content that is not plain data."""
    try:
        data = msgspec.to_builtins(content)
    except TypeError:
        return {}
    return {name_of(text): text for text in _texts(data) if PICTURE.match(text)}


def without_pictures(content: object) -> Any:
    """Return plain data with every picture replaced by an empty text, because play does not need them."""
    if isinstance(content, str):
        return "" if PICTURE.match(content) else content
    if isinstance(content, dict):
        return {key: without_pictures(entry) for key, entry in content.items()}
    return [without_pictures(entry) for entry in content] if isinstance(content, list | tuple) else content


def _texts(value: object) -> Iterator[str]:
    if isinstance(value, str):
        yield value
    elif isinstance(value, dict | list | tuple):
        for entry in value.values() if isinstance(value, dict) else value:
            yield from _texts(entry)
