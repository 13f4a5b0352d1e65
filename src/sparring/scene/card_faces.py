"""Draw cards as SVG, 63 x 88; browser, pictures and print use the same drawings."""

from functools import lru_cache

from markupsafe import Markup

from .markup import el, join
from .model import Colour, Face
from .patterns import fill

WIDTH, HEIGHT = 63, 88

#: Narrow and wide letters of the condensed font.
_NARROW, _WIDE = set("IJ1.,'!-:|"), set("MWQ%")


def measure(text: str) -> float:
    """Return the approximate width of text with letters of height 1."""
    return sum(0.36 if c in _NARROW else 0.3 if c == " " else 0.8 if c in _WIDE else 0.56 for c in text.upper())


def text(words: str, x: float, y: float, size: float, width: float = 0, **attributes: object) -> Markup:
    """Draw a line of text, fitted to its measured width (at most `width`) in any font."""
    length = measure(words) * size
    if width:
        length = min(length, width)
    return el("text", words, x=x, y=y, font_size=round(size, 2), textLength=round(length, 2),
              lengthAdjust="spacingAndGlyphs", **attributes)  # fmt: skip


def break_lines(name: str) -> list[str]:
    """Break a name into one line or two, whichever allows larger letters."""
    best = [name]
    for i, letter in enumerate(name):
        if letter in " -" and 0 < i < len(name) - 1:
            halves = [name[: i + (letter == "-")], name[i + 1 :]]
            if max(map(measure, halves)) < 0.72 * max(map(measure, best)):
                best = halves
    return best


def wrap(line: str, width: float) -> list[str]:
    """Break a line at its spaces into lines that are at most `width` heights of a letter wide, if words allow it."""
    lines = [""]
    for word in line.split(" "):
        longer = f"{lines[-1]} {word}".strip()
        if lines[-1] and measure(longer) > width:
            lines.append(word)
        else:
            lines[-1] = longer
    return lines


def tone(colour: Colour | None) -> str:
    """Return the CSS class that gives a shape its colour."""
    return f"tone-{colour.key}" if colour else "tone-none"


@lru_cache(maxsize=4096)
def face_svg(face: Face) -> Markup:
    """Draw the face of a card."""
    return _card(LAYOUTS[face.layout](face), tone(face.colour))


@lru_cache(maxsize=64)
def back_svg(back: str) -> Markup:
    """Draw the back of a card, which is defined once as the symbol `back-NAME`."""
    return _card(el("use", href=f"#back-{back}"), "back")


def _card(inside: Markup, kind: str) -> Markup:
    return el("svg", inside, class_=f"face {kind}", viewBox=f"0 0 {WIDTH} {HEIGHT}", aria_hidden="true")


#: The smallest letters of a name, where it fits the width: many lines below make the picture smaller, not the name.
SMALLEST_NAME = 6.0

#: Sizes of lines of abilities: one or two, or more.
LARGE_LINE, SMALL_LINE = 6.2, 4.6


def _wrapped(face: Face, size: float) -> list[str]:
    return [part for line in face.lines for part in wrap(line, 57 / size)]


def _window(face: Face) -> Markup:
    """Draw a face with the picture above and name, text and base below."""
    lines = _wrapped(face, LARGE_LINE)
    pitch = 6 if face.base else 5.2 if len(lines) > 2 else 7
    lines = lines if pitch == 7 else _wrapped(face, SMALL_LINE)
    low = 88 - (19 if face.base else 0) - pitch * len(lines)

    def fitted(names: list[str]) -> float:
        return min(11.5, 57 / max(map(measure, names)), max((low - 48) / len(names) * 0.92, SMALLEST_NAME))

    whole = face.name.upper()
    names = max([whole], break_lines(whole), key=fitted)
    size = fitted(names)
    top = low - len(names) * size * 1.02 - 3.2
    return join([
        el("rect", width=63, height=88, rx=4, class_="paper"),
        _panel(face, top),
        join(text(line, 31.5, round(top + 1.8 + size * (i + 0.86) * 1.02, 2), size, 57, class_="name")
             for i, line in enumerate(names)),
        join(text(line, 31.5, round(low + 0.58 * pitch + pitch * i, 2), 0.885 * pitch, 57, class_="line")
             for i, line in enumerate(lines)),
        el("g", Markup(face.base.svg), class_="base", transform="translate(0 69)") if face.base else "",
        join(_foot(sign, side, top - 6.5, _change(face, word)) for side, (word, sign) in enumerate(face.feet)),
        _corner(face),
        _maker(face.initials),
        el("rect", x=0.5, y=0.5, width=62, height=87, rx=3.6, class_="rim"),
    ])  # fmt: skip


def _panel(face: Face, bottom: float) -> Markup:
    """Draw the coloured panel with pattern, picture and circles."""
    shape = f"M3 7a4 4 0 0 1 4-4h49a4 4 0 0 1 4 4V{bottom - 3:.2f}H3z"
    high = bottom - 7 - (8 if face.circles else 0)
    scale = min(high, 52) / 100
    left, top = (31.5 if face.circles else 35) - 50 * scale, (12 if face.circles else 4) + (high - 100 * scale) / 2
    place = f"translate({left:.2f} {top:.2f}) scale({scale:.4f})"
    return join([
        el("path", d=shape, class_="tone"),
        el("path", d=shape, fill=fill(face.colour.pattern if face.colour else "solid")),
        join(_circle(circle, 13.5 + 9 * i, 8.5) for i, circle in enumerate(face.circles)),
        el("g", Markup(face.picture.svg), class_="art", transform=place) if face.picture else "",
    ])  # fmt: skip


def _corner(face: Face) -> Markup:
    """Draw the value and the letter of the colour in the corner that a fanned hand shows."""
    letter = face.colour.letter if face.colour else ""
    if not face.value and (face.circles or not letter):
        return Markup("")
    high = 24 if face.value and letter else 14
    return join([
        el("rect", x=3, y=3, width=14, height=high, rx=4, class_="paper"),
        _value(face.value),
        el("text", letter, x=10, y=high + 0.4, font_size=8.5, class_="letter") if letter else "",
    ])  # fmt: skip


def _maker(initials: str) -> Markup:
    """Draw the maker's initials on a tab, read from top to bottom, so that mixed cards can be sorted."""
    if not initials:
        return Markup("")
    return join([
        el("rect", x=54, y=13, width=6, height=16, rx=1.5, class_="paper"),
        text(initials, 0, 0, 5, 14, class_="maker", transform="translate(55.3 21) rotate(90)"),
    ])  # fmt: skip


def _value(value: str) -> Markup:
    """Draw the value; several characters are squeezed to fit."""
    if len(value) < 2:
        return el("text", value, x=10, y=14.2, font_size=13, class_="value") if value else Markup("")
    return text(value, 10, 13.6, 11, 11.5, class_="value")


def _circle(circle: Colour | None, x: float, y: float) -> Markup:
    if circle is None:
        return el("circle", cx=x, cy=y, r=3.6, class_="empty")
    return join([
        el("circle", cx=x, cy=y, r=3.8, class_=f"full {tone(circle)}"),
        el("circle", cx=x, cy=y, r=3.8, fill=fill(circle.pattern)),
        el("text", circle.letter, x=x, y=y + 1.7, font_size=4.8, class_="on"),
    ])  # fmt: skip


def _change(face: Face, word: str) -> str:
    """Return the CSS class of a symbol that differs from the printed card."""
    return " raised" if word in face.raised else " lowered" if word in face.lowered else ""


def _foot(sign: str, side: int, y: float, change: str) -> Markup:
    """Draw a symbol in a lower corner of the picture: light on the left, dark on the right, coloured if changed."""
    x = 52 if side else 11
    return join([
        el("circle", cx=x, cy=f"{y:.2f}", r=7.5, class_=f"foot foot{side}{change}"),
        el("text", sign, x=x, y=f"{y + 3.8:.2f}", font_size=10.5, class_="footing"),
    ])  # fmt: skip


def _full(face: Face) -> Markup:
    """Draw a face with a full picture, and value and letter in two opposite corners as on playing cards."""
    corner = join([
        text(face.value, 8.5, 15, 13, 13, class_="value"),
        el("text", face.colour.letter if face.colour else "", x=8.5, y=24.5, font_size=9, class_="letter"),
    ])  # fmt: skip
    place = "translate(6.5 19) scale(.5)"
    return join([
        el("rect", width=63, height=88, rx=4, class_="paper"),
        el("g", Markup(face.picture.svg), class_="art", transform=place) if face.picture else "",
        corner,
        el("g", corner, transform="rotate(180 31.5 44)"),
        join(text(line, 31.5, 80 - 5.2 * i, 4.6, 40, class_="line") for i, line in enumerate(reversed(face.lines))),
        el("rect", x=0.5, y=0.5, width=62, height=87, rx=3.6, class_="rim"),
    ])  # fmt: skip


def _pack(face: Face) -> Markup:
    """Draw a face whose picture is the whole card (see `playing_cards.py`)."""
    return join([
        el("rect", width=63, height=88, rx=4, class_="paper"),
        Markup(face.picture.svg) if face.picture else "",
        el("rect", x=0.5, y=0.5, width=62, height=87, rx=3.6, class_="rim"),
    ])  # fmt: skip


#: The function that draws each layout.
LAYOUTS = {"window": _window, "full": _full, "pack": _pack}
