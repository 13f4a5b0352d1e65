"""Colours for print: mixed as in browsers (OKLab), and converted to greys for black ink."""

from typing import NamedTuple

import tinycss2.color5


class PrintInk(NamedTuple):
    """An sRGB colour with alpha; all parts from 0 to 1."""

    red: float
    green: float
    blue: float
    alpha: float = 1.0

    @property
    def hex(self) -> str:
        """The colour without alpha, as `#rrggbb`."""
        return "#" + "".join(f"{round(255 * min(1.0, max(0.0, part))):02x}" for part in self[:3])

    @property
    def grey(self) -> "PrintInk":
        """The grey of the same brightness."""
        level = 0.2126 * self.red + 0.7152 * self.green + 0.0722 * self.blue
        return PrintInk(level, level, level, self.alpha)


def read_ink(text: str) -> PrintInk | None:
    """Parse a CSS colour; None if it isn't one."""
    parsed = tinycss2.color5.parse_color(text)
    if parsed is None or parsed == "currentcolor":
        return None
    red, green, blue = parsed.to("srgb").coordinates
    return PrintInk(red or 0.0, green or 0.0, blue or 0.0, parsed.alpha if parsed.alpha is not None else 1.0)


def mix(one: PrintInk, share: float, other: PrintInk) -> PrintInk:
    """Mix two colours in OKLab, with `share` (0 to 1) of the first."""
    parts = zip(_oklab(one), _oklab(other), strict=True)
    return _srgb([a * share + b * (1 - share) for a, b in parts], one.alpha * share + other.alpha * (1 - share))


#: OKLab matrices: linear sRGB to cone responses, their cube roots to OKLab, and both inverses.
_CONES = (
    (0.4122214708, 0.5363325363, 0.0514459929),
    (0.2119034982, 0.6806995451, 0.1073969566),
    (0.0883024619, 0.2817188376, 0.6299787005),
)
_LAB = (
    (0.2104542553, 0.7936177850, -0.0040720468),
    (1.9779984951, -2.4285922050, 0.4505937099),
    (0.0259040371, 0.7827717662, -0.8086757660),
)
_ROOTS = ((1.0, 0.3963377774, 0.2158037573), (1.0, -0.1055613458, -0.0638541728), (1.0, -0.0894841775, -1.2914855480))
_LIGHT = (
    (4.0767416621, -3.3077115913, 0.2309699292),
    (-1.2684380046, 2.6097574011, -0.3413193965),
    (-0.0041960863, -0.7034186147, 1.7076147010),
)


def _times(matrix: tuple[tuple[float, ...], ...], column: list[float]) -> list[float]:
    return [sum(a * b for a, b in zip(row, column, strict=True)) for row in matrix]


def _oklab(ink: PrintInk) -> list[float]:
    linear = [part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4 for part in ink[:3]]
    return _times(_LAB, [cone ** (1 / 3) for cone in _times(_CONES, linear)])


def _srgb(lab: list[float], alpha: float) -> PrintInk:
    linear = _times(_LIGHT, [root**3 for root in _times(_ROOTS, lab)])
    red, green, blue = (
        12.92 * part if part <= 0.0031308 else 1.055 * part ** (1 / 2.4) - 0.055
        for part in (max(0.0, part) for part in linear)
    )
    return PrintInk(red, green, blue, alpha)
