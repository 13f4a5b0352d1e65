"""Resolve style sheets and their colours for print, and write the results as SVG attributes.

The typesetter doesn't support custom properties, `light-dark` and `color-mix`. Because the browser's style sheets are
resolved here, drawings have a single source and look the same on screen and on paper.
"""

import re
import xml.etree.ElementTree as ET
from collections.abc import Iterator, Mapping, Sequence
from copy import deepcopy
from functools import lru_cache
from typing import NamedTuple

import cssselect2
import tinycss2
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


#: The properties that are written as attributes: paints and others.
PAINTS = ("fill", "stroke", "color")
PLAIN = (
    "stroke-width", "stroke-linecap", "stroke-linejoin", "stroke-dasharray", "opacity", "fill-opacity",
    "stroke-opacity", "font-size", "font-style", "text-anchor", "paint-order", "display", "r",
)  # fmt: skip
#: Font weights from this one on print as bold, because the print fonts have two weights.
BOLD_FROM = 600
#: The print font for a list of families, by a word in it; the last is for all others.
FAMILIES = (("monospace", "DejaVu Sans Mono"), ("Times", "Libertinus Serif"), ("", "Roboto"))
SANS = FAMILIES[-1][1]

_UNIT = re.compile(r"(?<=[\d.])(?:px|deg)\b")
_SIZE = re.compile(r"-?[\d.]+")
#: Elements that have no meaning on paper.
_NOT_PRINTED = {"filter", "title", "foreignObject", "animate", "script", "style"}


class Styles:
    """Parsed style sheets to apply to drawings; `grey` turns all colours to grey."""

    def __init__(self, sheets: Sequence[str], *, grey: bool = False) -> None:
        self.grey = grey
        self.matcher = cssselect2.Matcher()
        for sheet in sheets:
            self._add(sheet)

    def _add(self, sheet: str) -> None:
        for rule in tinycss2.parse_stylesheet(sheet, skip_comments=True, skip_whitespace=True):
            if rule.type != "qualified-rule":
                continue
            declared = [
                (entry.lower_name, tinycss2.serialize(entry.value).strip(), entry.important)
                for entry in tinycss2.parse_blocks_contents(rule.content, skip_comments=True, skip_whitespace=True)
                if entry.type == "declaration"
            ]
            try:
                selectors = cssselect2.compile_selector_list(rule.prelude)
            except cssselect2.SelectorError:
                continue  # a selector that only makes sense in a browser
            for selector in selectors:
                if selector.pseudo_element is None:
                    self.matcher.add_selector(selector, declared)

    def resolved_svg(self, drawing: str) -> str:
        """Return a complete SVG with all styles written as attributes."""
        root = cssselect2.ElementWrapper.from_xml_root(ET.fromstring(drawing))
        self._style(root, {})
        return ET.tostring(root.etree_element, encoding="unicode")

    def _style(self, element: cssselect2.ElementWrapper, inherited: Mapping[str, str]) -> None:
        declared = self._declared(element)
        properties = {**inherited}
        for name in [name for name in declared if name.startswith("--")]:
            properties[name] = resolved(declared.pop(name), {**properties, **_others(declared, properties)})
        shape = element.etree_element
        for name, value in declared.items():
            resolved_value = resolved(value, properties)
            for attribute, written in self._written(name, resolved_value, shape):
                shape.set(attribute, written)
        self._paint_attributes(shape, properties)
        for child in list(element.iter_children()):
            if child.local_name in _NOT_PRINTED:
                shape.remove(child.etree_element)
            else:
                self._style(child, properties)
                _stroke_below(shape, child.etree_element)
        for name in ("class", "aria-hidden", "aria-label", "aria-description", "role", "id"):
            if name != "id" or shape.tag.endswith("}symbol"):
                shape.attrib.pop(name, None)
        if shape.tag.endswith("symbol"):
            shape.tag = shape.tag.removesuffix("symbol") + "g"
            shape.attrib.pop("viewBox", None)

    def _declared(self, element: cssselect2.ElementWrapper) -> dict[str, str]:
        """Return an element's declarations; more specific and important ones win."""
        normal: dict[str, str] = {}
        overriding: dict[str, str] = {}
        for *_, declarations in sorted(self.matcher.match(element), key=lambda match: (match[0], match[1])):
            for name, value, important in declarations:
                normal.pop(name, None)
                (overriding if important else normal)[name] = value
        return {**normal, **overriding}

    def _written(self, name: str, value: str, shape: ET.Element) -> Iterator[tuple[str, str]]:
        """Yield the attributes for a declaration."""
        if name in PAINTS:
            yield from self._paint(name, value)
        elif name == "font-family":
            yield name, family(value)
        elif name == "font-weight":
            yield name, weight(value)
        elif name == "font":
            yield from _font(value)
        elif name == "transform":
            yield name, _UNIT.sub("", value)
        elif name == "translate":
            yield "transform", f"translate({_UNIT.sub('', value)}) {shape.get('transform', '')}".strip()
        elif name in PLAIN and "(" not in value:
            yield name, _UNIT.sub("", value)

    def _paint(self, name: str, value: str) -> Iterator[tuple[str, str]]:
        ink = read_ink(value)
        if ink is None:
            yield name, value
            return
        yield name, (ink.grey if self.grey else ink).hex
        if ink.alpha < 1 and name != "color":
            yield f"{name}-opacity", f"{ink.alpha:g}"

    def _paint_attributes(self, shape: ET.Element, properties: Mapping[str, str]) -> None:
        """Resolve paints in the drawing's own attributes; those from style sheets are plain colours already."""
        for name in PAINTS:
            value = shape.get(name)
            if value:
                for attribute, written in self._paint(name, resolved(value, properties)):
                    shape.set(attribute, written)
        if "font-weight" in shape.attrib:
            shape.set("font-weight", weight(shape.attrib["font-weight"]))


def _others(declared: Mapping[str, str], properties: Mapping[str, str]) -> dict[str, str]:
    """Return an element's other custom properties, which can refer to each other."""
    return {name: value for name, value in declared.items() if name.startswith("--") and name not in properties}


def _stroke_below(parent: ET.Element, shape: ET.Element) -> None:
    """Split text with `paint-order: stroke` into outline and fill, so that outlines don't cover other letters."""
    if shape.attrib.pop("paint-order", "").startswith("stroke") and shape.tag.endswith("text"):
        outlined = deepcopy(shape)
        outlined.tail = None
        parent.insert(list(parent).index(shape), outlined)
        for name in ("stroke", "stroke-width", "stroke-opacity"):
            shape.attrib.pop(name, None)
        shape.set("stroke", "none")


def family(families: str) -> str:
    """Return the print font for a list of families."""
    return next(font for word, font in FAMILIES if word in families)


def weight(value: str) -> str:
    """Return the print weight, bold or normal."""
    return "700" if value == "bold" or (value.isdigit() and int(value) >= BOLD_FROM) else "400"


def _font(value: str) -> Iterator[tuple[str, str]]:
    """Yield the attributes for `font`, without sizes that depend on the browser window."""
    first, _, rest = value.partition(" ")
    if first.isdigit():
        yield "font-weight", weight(first)
        size = _SIZE.match(rest)
        if size and rest[size.end() :].startswith("px"):
            yield "font-size", size[0]
    yield "font-family", family(value)


@lru_cache(maxsize=4096)
def _parts(value: str) -> tuple[tinycss2.ast.Node, ...]:
    return tuple(tinycss2.parse_component_value_list(value))


def resolved(value: str, properties: Mapping[str, str]) -> str:
    """Return a value with all functions resolved; empty if it needs an undefined property."""
    return "".join(_resolved_part(part, properties) for part in _parts(value)).strip() if "(" in value else value


def _resolved_part(part: tinycss2.ast.Node, properties: Mapping[str, str]) -> str:
    if part.type != "function":
        return str(part.serialize())
    arguments = [resolved(argument, properties) for argument in _arguments(part)]
    match part.lower_name:
        case "var":
            return (
                resolved(properties[arguments[0]], properties)
                if arguments[0] in properties
                else ",".join(arguments[1:])
            )
        case "light-dark":
            return arguments[0]
        case "color-mix":
            return _mixed(arguments[1:])
    return f"{part.name}({','.join(arguments)})"


def _arguments(function: tinycss2.ast.Node) -> list[str]:
    """Return the arguments of a function."""
    groups: list[list[tinycss2.ast.Node]] = [[]]
    for part in function.arguments:
        if part == ",":
            groups.append([])
        else:
            groups[-1].append(part)
    return [tinycss2.serialize(parts).strip() for parts in groups]


_SHARE = re.compile(r"(.*?)\s*([\d.]+)%$", re.DOTALL)


def _mixed(colours: list[str]) -> str:
    """Resolve `color-mix` of two colours with optional shares."""
    shares = [_SHARE.match(text) for text in colours]
    inks = [read_ink(matched[1] if matched else text) for matched, text in zip(shares, colours, strict=True)]
    share = float(shares[0][2]) / 100 if shares[0] else 1 - float(shares[1][2]) / 100 if shares[1] else 0.5
    if None in inks:
        return ""
    ink: PrintInk = mix(inks[0], share, inks[1])  # type: ignore[arg-type]
    return f"rgb({255 * ink.red:.1f} {255 * ink.green:.1f} {255 * ink.blue:.1f} / {ink.alpha:g})"
