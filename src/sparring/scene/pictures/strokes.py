"""Draw strokes as SVG, for the browser and for print.

`static/studio/strokes.js` does the same while a user draws; a test compares the two.
"""

from itertools import pairwise

from markupsafe import Markup

from sparring.engine.formats.card_pictures import SIDE, FillStroke, PenStroke, ShapeStroke, Sketch, Stroke, points
from sparring.scene.markup import el, join

from .shapes import INK, INKS, SHAPES

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
            return _shape(stroke)
        case FillStroke():
            return el("path", d=closed(list(points(stroke.path))), fill=ink(stroke.ink))
        case PenStroke():
            return _line(stroke)


def ink(number: int) -> str:
    """Return a colour by number; unknown numbers are black ink."""
    return INKS[number if number < len(INKS) else INK].hex


def _shape(stroke: ShapeStroke) -> Markup:
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
