"""Custom card pictures: shapes and inks, strokes as SVG, and placement on cards.

Stored drawings refer to shapes (100 x 100) and inks by number, so add new ones at the end and never remove any.
`static/studio/strokes.js` draws strokes as `stroke_svg` does, while a user draws; a test compares the two.

A game only states which custom picture a card has, and its drawing refers to the picture by name. Before a drawing is
sent, the reference is replaced by the picture's URL or by the picture itself.
"""

import hashlib
import random
import re
from collections.abc import Callable, Mapping
from functools import lru_cache
from itertools import pairwise
from typing import NamedTuple

from markupsafe import Markup

from sparring.engine.formats.card_pictures import (
    SIDE,
    FillStroke,
    PenStroke,
    Photo,
    ShapeStroke,
    Sketch,
    Stroke,
    name_of,
    points,
    read_picture,
)

from .markup import el, join
from .model import Picture


__all__ = [
    "INKS",
    "SHAPES",
    "custom_picture",
    "embed_pictures",
    "generate_picture",
    "inline",
    "link_pictures",
    "path",
    "picture_file",
]


class ShapeInk(NamedTuple):
    """A colour: its name, and its value in `cards.css`."""

    word: str
    hex: str


INKS = (
    ShapeInk("ink", "#1d1a16"), ShapeInk("paper", "#fbf6ea"), ShapeInk("red", "#c3272b"), ShapeInk("green", "#1e7a43"),
    ShapeInk("blue", "#2160b0"), ShapeInk("yellow", "#f2b90f"), ShapeInk("brown", "#6b4a35"), ShapeInk("skin",
    "#f6d9b8"),
    ShapeInk("grey", "#8d8473"), ShapeInk("violet", "#7d3fa0"), ShapeInk("teal", "#00727a"), ShapeInk("orange",
    "#a85b00"),
)  # fmt: skip
INK, PAPER, RED, GREEN, BLUE, YELLOW, BROWN, SKIN, GREY, VIOLET, TEAL, ORANGE = range(len(INKS))


class Outline(NamedTuple):
    """A shape: its name and path; drawn as lines only or filled."""

    word: str
    path: str
    line: bool = False


SHAPES = (
    Outline("circle", "M50 3a47 47 0 1 1 0 94a47 47 0 1 1 0-94z"),
    Outline("egg", "M50 4q34 8 34 52-2 40-34 40T16 56Q16 12 50 4z"),
    Outline("dome", "M4 74q0-48 46-48t46 48z"),
    Outline("square", "M8 8h84v84H8z"),
    Outline("plank", "M2 40h96v20H2z"),
    Outline("triangle", "M50 8 95 90H5z"),
    Outline("diamond", "M50 3 90 50 50 97 10 50z"),
    Outline("gem", "M30 18h40l18 26-38 46L12 44z"),
    Outline("drop", "M50 8q30 38 30 54a30 30 0 0 1-60 0q0-16 30-54z"),
    Outline("leaf", "M16 84Q8 24 86 14q6 72-54 70z"),
    Outline("shield", "M18 14h64v36q-2 30-32 42-30-12-32-42z"),
    Outline("star", "M50 4l14 31 33 4-25 23 7 34-29-18-29 18 7-34L3 39l33-4z"),
    Outline("heart", "M50 92Q4 58 8 32q6-24 26-20 12 4 16 16 4-12 16-16 20-4 26 20 4 26-42 60z"),
    Outline("flame", "M50 4q26 24 22 44 8-4 8-14 16 24 2 46-12 16-32 16T18 80Q6 56 26 38q2 10 8 12-2-26 16-46z"),
    Outline("lightning", "M54 4 18 56h24L34 96l46-58H54l12-34z"),
    Outline("moon", "M66 6A45 45 0 1 0 94 66 36 36 0 1 1 66 6z"),
    Outline("burst", "M50 6 62 34 90 18 74 46 98 62 66 66 62 94 46 70 18 86 30 58 2 50 30 38 18 14 46 30z"),
    Outline("cloud", "M20 78Q2 74 6 58q4-14 18-12 2-24 26-22 18 0 24 18 20-2 22 16 0 18-20 20z"),
    Outline("wave", "M2 60q12-24 24 0t24 0 24 0 24 0v34H2z"),
    Outline("arrow", "M46 22 84 50 46 78V62H18V38h28z"),
    Outline("speech", "M12 16h76q6 0 6 6v40q0 6-6 6H50L34 90V68H12q-6 0-6-6V22q0-6 6-6z"),
    Outline("blade", "M50 2l9 12v56H41V14zM26 70h48v8H56v18H44V78H26z"),
    Outline("hammer", "M16 10h68v30H58v56H42V40H16z"),
    Outline("crown", "M10 84V26l22 24 18-36 18 36 22-24v58z"),
    Outline("pointed hat", "M50 4l18 62q26 4 28 14-46 14-92 0 2-10 28-14z"),
    Outline("helmet", "M18 92V48q0-40 32-40t32 40v44H62V58H38v34z"),
    Outline("horn", "M22 90Q16 40 66 10q-8 34 12 62z"),
    Outline("ear", "M26 92Q12 30 42 6q32 24 32 86z"),
    Outline("wing", "M6 20q52-10 88 30-18-2-26 2 8 8 8 18-16-8-26-4 4 8 2 18Q16 76 6 20z"),
    Outline("beard", "M10 16q40 22 80 0 4 48-40 80Q6 64 10 16z"),
    Outline("hair", "M10 92Q4 20 50 10q46 10 40 82Q86 52 70 42 46 56 30 40 14 54 10 92z"),
    Outline("coat", "M34 8h32l30 88H4z"),
    Outline("fist", "M16 46q0-11 11-12 2-12 14-11 4-10 16-6 10-6 18 5 15 1 14 18l2 20q0 32-32 33H28q-12 0-12-16z"),
    Outline("boot", "M30 6h32v46l28 20q8 8 4 20H30z"),
    Outline("tree", "M44 66h12v30H44zM50 4q34 4 32 36-8 28-32 28T18 40Q16 8 50 4z"),
    Outline("tower", "M20 96V6h14v14h10V6h12v14h10V6h14v90H62V70H38v26z"),
    Outline("fish", "M4 50q26-38 62-10l28-20v60L66 60Q30 88 4 50z"),
    Outline("skull", "M50 6q42 0 42 40 0 20-16 26v20H24V72Q8 66 8 46 8 6 50 6z"),
    Outline("smile", "M16 36q34 44 68 0", line=True),
    Outline("straight line", "M6 50h88", line=True),
    Outline("bow", "M24 8q60 42 0 84", line=True),
    Outline("arm", "M8 18q10 54 84 62", line=True),
    Outline("tail", "M8 60q18-40 36 0t40-18q10-28-12-26", line=True),
    Outline("ring", "M50 8a42 42 0 1 1 0 84a42 42 0 1 1 0-84z", line=True),
    Outline("crossed blades", "M20 86 78 16M62 16h18v16M80 86 22 16M38 16H20v16M14 76l14 14M72 90l14-14", line=True),
    Outline("ropes", "M4 26q46 6 92 0M4 50q46 6 92 0M4 74q46 6 92 0", line=True),
)
NUMBER = {shape.word: number for number, shape in enumerate(SHAPES)}


def path(word: str) -> str:
    """Return the SVG path of a shape."""
    return SHAPES[NUMBER[word]].path


#: The options for a figure's background, body, headwear, the sides of its head, and what it holds.
BEHIND = (("moon", YELLOW), ("circle", YELLOW), ("burst", ORANGE), ("cloud", PAPER), ("tree", GREEN), ("tower", GREY))
BODIES = ("egg", "drop", "coat", "shield", "dome", "square", "gem")
WORN = (("pointed hat", 330, -205), ("crown", 250, -165), ("helmet", 350, -30), ("hair", 350, -40))
SIDES = (("horn", 120), ("ear", 150), ("wing", 150))
HELD = ("blade", "hammer", "star", "flame", "leaf", "shield", "lightning", "heart")
COATS = (RED, GREEN, BLUE, VIOLET, TEAL, ORANGE, BROWN)
FACES = (SKIN, PAPER, GREEN, GREY, YELLOW)


def generate_picture(name: str, seed: int) -> Sketch:
    """Return a random figure; the same name and seed give the same one."""
    digest = hashlib.blake2b(f"{seed} {name.strip().casefold()}".encode(), digest_size=8).digest()
    dice = random.Random(int.from_bytes(digest, "little"))
    coat, face = dice.choice(COATS), dice.choice(FACES)
    behind, tone = dice.choice(BEHIND)
    head = dice.randint(330, 400)
    strokes: list[Stroke] = [
        _shape(behind, tone, dice.choice((270, 730)), dice.randint(230, 330), dice.randint(380, 520))
    ]
    strokes += _both("arm", coat, 250, 680, 270)
    strokes += _both("boot", BROWN, 105, 930, 170)
    strokes.append(_shape(dice.choice(BODIES), coat, 500, 710, dice.randint(430, 520)))
    side, apart = dice.choice(SIDES)
    strokes += _both(side, dice.choice((face, coat)), apart, head - 110, 170)
    strokes.append(_shape(dice.choice(("circle", "egg", "skull", "drop")), face, 500, head, 330))
    strokes += _both("circle", INK, 62, head - 5, 46)
    strokes.append(_shape(dice.choice(("smile", "straight line")), INK, 500, head + 80, 110))
    if dice.random() < 0.3:
        strokes.append(_shape("beard", dice.choice((GREY, BROWN, PAPER)), 500, head + 125, 230))
    if dice.random() < 0.7:
        worn, size, up = dice.choice(WORN)
        strokes.append(_shape(worn, dice.choice(COATS), 500, head + up, size))
    held = dice.choice(HELD)
    strokes.append(_shape(held, dice.choice((GREY, YELLOW, PAPER)), 820, 640, 270, turn=dice.choice((0, 15, 30))))
    return Sketch(strokes)


def _shape(word: str, ink: int, x: int, y: int, size: int, *, turn: int = 0, mirrored: int = 0) -> ShapeStroke:
    return ShapeStroke(ink, NUMBER[word], x, y, size, turn, mirrored)


def _both(word: str, ink: int, apart: int, y: int, size: int) -> list[Stroke]:
    """Place a shape on both sides, mirrored."""
    return [_shape(word, ink, 500 + apart, y, size), _shape(word, ink, 500 - apart, y, size, mirrored=1)]


#: Widths of a filled shape's outline and of a line shape.
OUTLINE, LINE = 26, 44
#: The pen pressure at which a line has its nominal width.
NOMINAL_PRESSURE = 5

Points = list[tuple[int, int]]


def sketch_svg(sketch: Sketch, **attributes: object) -> Markup:
    """Return a sketch as an SVG, clipped at its edge."""
    return el("svg", el("g", join(map(stroke_svg, sketch.strokes)), fill="none", stroke="none", stroke_linecap="round",
                        stroke_linejoin="round"), viewBox=f"0 0 {SIDE} {SIDE}", **attributes)  # fmt: skip


def stroke_svg(stroke: Stroke) -> Markup:
    """Draw one stroke."""
    match stroke:
        case ShapeStroke():
            return _drawn_shape(stroke)
        case FillStroke():
            return el("path", d=closed(list(points(stroke.path))), fill=ink(stroke.ink))
        case PenStroke():
            return _line(stroke)


def ink(number: int) -> str:
    """Return a colour by number; unknown numbers are black ink."""
    return INKS[number if number < len(INKS) else INK].hex


def _drawn_shape(stroke: ShapeStroke) -> Markup:
    shape = SHAPES[stroke.shape if stroke.shape < len(SHAPES) else 0]
    across = -stroke.size if stroke.mirrored else stroke.size
    place = (f"translate({stroke.x} {stroke.y}) rotate({stroke.turn}) "
             f"scale({decimal(across)} {decimal(stroke.size)}) translate(-50 -50)")  # fmt: skip
    painted = (
        {"stroke": ink(stroke.ink), "stroke_width": thick(LINE, stroke.size)}
        if shape.line
        else {"fill": ink(stroke.ink), "stroke": ink(INK), "stroke_width": thick(OUTLINE, stroke.size)}
    )
    return el("path", d=shape.path, transform=place, **painted)


def decimal(size: int) -> str:
    """Return size / 100 with two decimals, without floating-point differences between platforms."""
    sign, whole = "-" if size < 0 else "", abs(size)
    return f"{sign}{whole // 100}.{whole % 100:02}"


def thick(width: int, size: int) -> str:
    """Return the stroke width that appears as `width` in a shape scaled by `size` / 100."""
    return decimal(width * 10_000 // size)


def _line(stroke: PenStroke) -> Markup:
    path_points = list(points(stroke.path))
    if not stroke.pressures:
        return el("path", d=opened(path_points), stroke=ink(stroke.ink), stroke_width=stroke.width)
    pressures = [stroke.pressures[min(number, len(stroke.pressures) - 1)] for number in range(len(path_points))]
    parts, begin = [], 0
    for number in range(1, len(path_points) + 1):
        if number == len(path_points) or pressures[number] != pressures[begin]:
            width = max(1, stroke.width * pressures[begin] // NOMINAL_PRESSURE)
            run = path_points[max(begin - 1, 0) : number + 1]
            parts.append(el("path", d=opened(run), stroke=ink(stroke.ink), stroke_width=width))
            begin = number
    return join(parts)


def opened(path_points: Points) -> str:
    """Return the path of a smooth line: quadratic curves between midpoints, with the points as controls."""
    (x, y), last = path_points[0], path_points[-1]
    bends = "".join(f"Q{x} {y} {_mid(x, p)} {_mid(y, q)}" for (x, y), (p, q) in pairwise(path_points[1:]))
    return f"M{x} {y}{bends}L{last[0]} {last[1]}"


def closed(path_points: Points) -> str:
    """Return the path of a smooth closed line."""
    around = [*path_points, path_points[0]]
    (x, y), (p, q) = path_points[-1], path_points[0]
    bends = "".join(f"Q{x} {y} {_mid(x, p)} {_mid(y, q)}" for (x, y), (p, q) in pairwise(around))
    return f"M{_mid(x, p)} {_mid(y, q)}{bends}z"


def _mid(one: int, other: int) -> int:
    return (one + other) // 2


#: A reference to a picture. User text can't contain one, because its quotes are escaped.
_PLACE = re.compile(r'<image href="picture:([0-9a-f]{32})" width="100" height="100"></image>')


@lru_cache(maxsize=512)
def custom_picture(text: str) -> Picture | None:
    """Return a reference to the picture that content describes by `text`; None if that is empty."""
    name = name_of(text)
    mark = f'<image href="picture:{name}" width="100" height="100"></image>'
    return Picture(f"own {name}", mark) if text else None


def link_pictures(drawing: Markup, address: Callable[[str], str]) -> Markup:
    """Replace references by links; `address` maps a picture's name to its URL."""
    if "picture:" not in drawing:
        return drawing
    return Markup(_PLACE.sub(
        lambda found: f'<image href="{address(found[1])}" width="100" height="100"></image>', str(drawing)
    ))  # fmt: skip


def embed_pictures(drawing: str, pictures: Mapping[str, str]) -> str:
    """Replace references by the pictures themselves, for print; `pictures` maps names to texts."""
    return _PLACE.sub(lambda found: inline(pictures[found[1]]) if found[1] in pictures else "", drawing)


def inline(text: str) -> Markup:
    """Return a picture for embedding in a drawing, 100 x 100."""
    picture = read_picture(text)
    if isinstance(picture, Sketch):
        return sketch_svg(picture, width=100, height=100)
    data = picture.text.removeprefix("image webp ")
    return Markup(f'<image href="data:image/webp;base64,{data}" width="100" height="100"></image>')


def picture_file(text: str) -> tuple[str, bytes]:
    """Return a picture as a file: its media type and bytes."""
    picture = read_picture(text)
    if isinstance(picture, Photo):
        return "image/webp", picture.data
    return "image/svg+xml", str(sketch_svg(picture, xmlns="http://www.w3.org/2000/svg")).encode()
