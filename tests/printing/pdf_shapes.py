"""Measure PDFs: where shapes are on their pages, in mm from the upper left corner."""

import io
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any, NamedTuple

POINT = 25.4 / 72

#: A transformation as PDF writes it: a b c d e f.
Matrix = tuple[float, float, float, float, float, float]
SAME: Matrix = (1, 0, 0, 1, 0, 0)


class Shape(NamedTuple):
    """The bounding box of a path and its use: `clip`, `fill` or `stroke`; or `text`, where a text starts."""

    kind: str
    left: float
    top: float
    right: float
    bottom: float

    @property
    def size(self) -> tuple[float, float]:
        return self.right - self.left, self.bottom - self.top


@dataclass
class Page:
    """A page with its shapes and colours."""

    width: float
    height: float
    shapes: list[Shape] = field(default_factory=list)
    #: All colours used, as numbers.
    colours: set[tuple[float, ...]] = field(default_factory=set)

    def clips(self, width: float, height: float) -> list[Shape]:
        """Return the distinct clipping windows of a size; each card is drawn in one."""
        found = {
            tuple(round(edge, 3) for edge in shape[1:]): shape for shape in self.shapes
            if shape.kind == "clip" and abs(shape.size[0] - width) < 0.02 and abs(shape.size[1] - height) < 0.02
        }  # fmt: skip
        return list(found.values())


def times(one: Matrix, other: Matrix) -> Matrix:
    a, b, c, d, e, f = one
    p, q, r, s, t, u = other
    return (a * p + b * r, a * q + b * s, c * p + d * r, c * q + d * s, e * p + f * r + t, e * q + f * s + u)


def read(pdf: bytes) -> list[Page]:
    """Return the pages of a PDF."""
    from pypdf import PdfReader

    return [_read(page) for page in PdfReader(io.BytesIO(pdf)).pages]


def _read(page: Any) -> Page:
    read_page = Page(float(page.mediabox.width) * POINT, float(page.mediabox.height) * POINT)
    _run(page, page.get_contents(), page["/Resources"], SAME, read_page)
    return read_page


def _run(page: Any, stream: Any, resources: Any, start: Matrix, found: Page) -> None:
    from pypdf.generic import ContentStream

    matrix, kept, path, clips = start, [start], [], False
    for operands, operator in ContentStream(stream, page.pdf).operations:
        match operator.decode():
            case "q":
                kept.append(matrix)
            case "Q":
                matrix = kept.pop()
            case "cm":
                matrix = times(tuple(map(float, operands)), matrix)  # type: ignore[arg-type]
            case "m" | "l" | "c" | "re" as sign:
                path += [_at(point, matrix, found) for point in _points(sign, [float(number) for number in operands])]
            case "Tm":
                found.shapes.append(Shape("text", *_at((float(operands[4]), float(operands[5])), matrix, found) * 2))
            case "scn" | "SCN" | "g" | "G" | "rg" | "RG":
                numbers = tuple(float(operand) for operand in operands if not str(operand).startswith("/"))
                found.colours |= {numbers} if numbers else set()
            case "W":
                clips = True
            case "Do" if resources["/XObject"][operands[0]].get("/Subtype") == "/Form":
                form = resources["/XObject"][operands[0]]
                inner = times(tuple(map(float, form.get("/Matrix", SAME))), matrix)  # type: ignore[arg-type]
                _run(page, form, form.get("/Resources", resources), inner, found)
            case "n" | "f" | "f*" | "S" | "s" | "B" | "b" as sign:
                found.shapes += _shape(path, "clip" if clips else "stroke" if sign in "Ss" else "fill")
                path, clips = [], False


def _at(point: tuple[float, float], matrix: Matrix, page: Page) -> tuple[float, float]:
    (x, y), (a, b, c, d, e, f) = point, matrix
    return (a * x + c * y + e) * POINT, page.height - (b * x + d * y + f) * POINT


def _points(sign: str, numbers: list[float]) -> list[tuple[float, float]]:
    if sign == "re":
        x, y, width, height = numbers
        return [(x, y), (x + width, y + height)]
    return list(zip(numbers[::2], numbers[1::2], strict=True))


def _shape(path: list[tuple[float, float]], kind: str) -> Iterator[Shape]:
    if path:
        xs, ys = [x for x, _ in path], [y for _, y in path]
        yield Shape(kind, min(xs), min(ys), max(xs), max(ys))
