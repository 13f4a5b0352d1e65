"""Pictures that people make for their cards, as a content file keeps them: one text in one line, and no markup.

`drawing [[0,0,30,[120,200,4,5]], ...]` are strokes, in numbers alone; `image webp UklGR...` is a small image. How they
are drawn is told in `scene/pictures/`; what may stand there is decided here, for the command line as for the studio.
"""

import base64
import binascii
import hashlib
import re
from collections.abc import Iterator
from functools import lru_cache
from typing import Annotated, Any

import msgspec

from sparring.engine.errors import SparringError

from .webp import measured

#: How long the text of a picture may be, and how many strokes a drawing may have.
LONGEST_PICTURE = 30_000
STROKES = 400
#: The side of the square on which is drawn, and how far beyond its edges a stroke may go.
SIDE, BEYOND = 1000, 500
#: An image is at most so many pixels wide and high.
PIXELS = 512

#: What such a text looks like: no quotes, no backslashes, so that it stands in a file as it is.
PICTURE = re.compile(r"(?:drawing \[[-0-9,\[\] ]*|image webp [A-Za-z0-9+/=]*)")
#: The same in a file.
QUOTED = re.compile(rf"(['\"])({PICTURE.pattern})\1")

Ink = Annotated[int, msgspec.Meta(ge=0, le=31)]
#: Where a thing lies, how far it is to the next point, and how far around a thing is turned.
Spot = Annotated[int, msgspec.Meta(ge=-BEYOND, le=SIDE + BEYOND)]
Step = Annotated[int, msgspec.Meta(ge=-2 * SIDE, le=2 * SIDE)]
Course = Annotated[list[Step], msgspec.Meta(min_length=2, max_length=8000)]


class InvalidPicture(SparringError):
    """A picture that cannot be: what is wrong with it."""


class _Numbers(msgspec.Struct, frozen=True, array_like=True, forbid_unknown_fields=True):
    """A stroke, kept as a row of numbers of which the first says what it is."""


class PenStroke(_Numbers, frozen=True, tag=0):
    """A line: ink, width, where it begins and the steps from point to point; how hard each was pressed, 1 to 9."""

    ink: Ink
    width: Annotated[int, msgspec.Meta(ge=4, le=400)]
    course: Course
    pressed: Annotated[list[Annotated[int, msgspec.Meta(ge=1, le=9)]], msgspec.Meta(max_length=4000)] = []


class FillStroke(_Numbers, frozen=True, tag=1):
    """An area within a line that comes back to where it began."""

    ink: Ink
    course: Course


class ShapeStroke(_Numbers, frozen=True, tag=2):
    """A shape of the catalogue: where its middle lies, how large it is, how far turned, and whether it is mirrored."""

    ink: Ink
    shape: Annotated[int, msgspec.Meta(ge=0, le=999)]
    x: Spot
    y: Spot
    size: Annotated[int, msgspec.Meta(ge=20, le=2 * SIDE)]
    turn: Annotated[int, msgspec.Meta(ge=0, lt=360)] = 0
    mirrored: Annotated[int, msgspec.Meta(ge=0, le=1)] = 0


Stroke = PenStroke | FillStroke | ShapeStroke


class Sketch(msgspec.Struct, frozen=True):
    """A drawing: its strokes, one over the other."""

    strokes: list[Stroke]

    @property
    def text(self) -> str:
        """As it stands in a file."""
        return f"drawing {msgspec.json.encode(self.strokes).decode()}"


class Photo(msgspec.Struct, frozen=True):
    """A small image that somebody brought, as WebP without anything but its pixels."""

    data: bytes
    width: int
    height: int

    @property
    def text(self) -> str:
        """As it stands in a file."""
        return f"image webp {base64.b64encode(self.data).decode()}"


@lru_cache(maxsize=128)
def read_picture(text: str) -> Sketch | Photo:
    """The picture of a text; BadPicture says what is wrong with it."""
    if len(text) > LONGEST_PICTURE:
        raise InvalidPicture(f"A picture has at most {in_kb(LONGEST_PICTURE)}; this one has {in_kb(len(text))}.")
    kind, _, rest = text.partition(" ")
    if kind == "drawing":
        return _sketch(rest)
    if text.startswith("image webp "):
        return _photo(rest.partition(" ")[2])
    raise InvalidPicture("This is no picture; one is drawn or brought in the studio.")


def _sketch(numbers: str) -> Sketch:
    try:
        rows = msgspec.json.decode(numbers, type=list[msgspec.Raw])
        if len(rows) > STROKES:
            raise InvalidPicture(f"A drawing has at most {STROKES} strokes; this one has {len(rows)}.")
        strokes = msgspec.json.decode(numbers, type=list[Stroke])
    except (msgspec.DecodeError, RecursionError):
        raise InvalidPicture("The strokes of this drawing cannot be read.") from None
    for stroke in strokes:
        if not isinstance(stroke, ShapeStroke) and not _stays(stroke):
            raise InvalidPicture("A stroke of this drawing goes far beyond its edge.")
    return Sketch(strokes)


def _stays(stroke: PenStroke | FillStroke) -> bool:
    return len(stroke.course) % 2 == 0 and all(
        -BEYOND <= x <= SIDE + BEYOND and -BEYOND <= y <= SIDE + BEYOND for x, y in points(stroke.course)
    )


def points(course: list[int]) -> Iterator[tuple[int, int]]:
    """The points to which a course leads."""
    x = y = 0
    for right, down in zip(course[::2], course[1::2], strict=True):
        x, y = x + right, y + down
        yield x, y


def _photo(text: str) -> Photo:
    try:
        data = base64.b64decode(text, validate=True)
    except (binascii.Error, ValueError):
        data = b""
    size = measured(data)
    if size is None:
        raise InvalidPicture("This image cannot be read; bring it anew as PNG, JPEG or WebP.")
    if max(size) > PIXELS:
        raise InvalidPicture(
            f"An image on a card has at most {PIXELS} x {PIXELS} pixels; this one has {size[0]} x {size[1]}."
        )
    return Photo(data, *size)


def in_kb(length: int) -> str:
    """A length as people say it: `4.2 kB`."""
    return f"{length / 1000:.1f}".removesuffix(".0") + " kB"


def name_of(text: str) -> str:
    """What a picture is known by: the same for the same one."""
    return hashlib.blake2b(text.encode(), digest_size=16).hexdigest()


def pictures_in(content: Any) -> dict[str, str]:
    """All pictures that some content holds, by `name_of`; content that is no plain data holds none."""
    try:
        data = msgspec.to_builtins(content)
    except TypeError:
        return {}
    return {name_of(text): text for text in _texts(data) if PICTURE.match(text)}


def without_pictures(content: Any) -> Any:
    """The same as plain data without any picture, for those who only play."""
    if isinstance(content, str):
        return "" if PICTURE.match(content) else content
    if isinstance(content, dict):
        return {key: without_pictures(one) for key, one in content.items()}
    return [without_pictures(one) for one in content] if isinstance(content, list | tuple) else content


def _texts(value: Any) -> Iterator[str]:
    if isinstance(value, str):
        yield value
    elif isinstance(value, dict | list | tuple):
        for one in value.values() if isinstance(value, dict) else value:
            yield from _texts(one)
