"""Strokes as SVG: the one way in which a drawing is drawn, for the browser and for paper.

`static/studio/strokes.js` is its twin, by which a stroke is seen while it is made; a test holds the two to each other.
"""

from itertools import pairwise

from markupsafe import Markup

from sparring.engine.formats.card_pictures import SIDE, FillStroke, PenStroke, ShapeStroke, Sketch, Stroke, points
from sparring.scene.markup import el, join

from .shapes import INK, INKS, SHAPES

#: How thick the outline of a shape is, and a shape that is but a line.
OUTLINE, LINE = 26, 44
#: A press as hard as this draws a line of just its width.
USUAL = 5

Points = list[tuple[int, int]]


def sketch_svg(sketch: Sketch, **attributes: object) -> Markup:
    """A drawing as an SVG of its own; what goes beyond its edge is not seen."""
    return el("svg", el("g", join(map(stroke_svg, sketch.strokes)), fill="none", stroke="none", stroke_linecap="round",
                        stroke_linejoin="round"), viewBox=f"0 0 {SIDE} {SIDE}", **attributes)  # fmt: skip


def stroke_svg(stroke: Stroke) -> Markup:
    """One stroke."""
    match stroke:
        case ShapeStroke():
            return _shape(stroke)
        case FillStroke():
            return el("path", d=closed(list(points(stroke.course))), fill=ink(stroke.ink))
        case PenStroke():
            return _line(stroke)


def ink(number: int) -> str:
    """A colour; one that there is not yet is ink."""
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
    """A hundredth of a whole number, written the same everywhere."""
    sign, whole = "-" if size < 0 else "", abs(size)
    return f"{sign}{whole // 100}.{whole % 100:02}"


def thick(width: int, size: int) -> str:
    """A width in a shape that is drawn that much larger, so that it comes out as wide as it is."""
    return decimal(width * 10_000 // size)


def _line(stroke: PenStroke) -> Markup:
    course = list(points(stroke.course))
    if not stroke.pressed:
        return el("path", d=opened(course), stroke=ink(stroke.ink), stroke_width=stroke.width)
    hard = [stroke.pressed[min(number, len(stroke.pressed) - 1)] for number in range(len(course))]
    parts, begin = [], 0
    for number in range(1, len(course) + 1):
        if number == len(course) or hard[number] != hard[begin]:
            width = max(1, stroke.width * hard[begin] // USUAL)
            run = course[max(begin - 1, 0) : number + 1]
            parts.append(el("path", d=opened(run), stroke=ink(stroke.ink), stroke_width=width))
            begin = number
    return join(parts)


def opened(course: Points) -> str:
    """A smooth line: from the middle between two points to the next such middle, bent towards the point between."""
    (x, y), last = course[0], course[-1]
    bends = "".join(f"Q{x} {y} {_mid(x, p)} {_mid(y, q)}" for (x, y), (p, q) in pairwise(course[1:]))
    return f"M{x} {y}{bends}L{last[0]} {last[1]}"


def closed(course: Points) -> str:
    """The same for a line that comes back to where it began."""
    around = [*course, course[0]]
    (x, y), (p, q) = course[-1], course[0]
    bends = "".join(f"Q{x} {y} {_mid(x, p)} {_mid(y, q)}" for (x, y), (p, q) in pairwise(around))
    return f"M{_mid(x, p)} {_mid(y, q)}{bends}z"


def _mid(one: int, other: int) -> int:
    return (one + other) // 2
