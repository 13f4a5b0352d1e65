"""Five Circles: blank cards to print and fill in with pencils, and the list of what can go on them."""

from markupsafe import Markup

from sparring.scene import CardCopies, Colour, Face, Picture
from sparring.scene.markup import el, join
from sparring.scene.patterns import fill

from .abilities import ABILITIES
from .designs import CIRCLES, POINTS
from .scene import INK
from .state import COLOURS

#: A player's half: its characters, and its resources by colour (R3).
CHARACTERS, RESOURCES = 14, (6, 5, 5)
#: The frame of a resource, 6 wide.
FRAME = "M3 3h57v66H3zM9 9v54h45V9z"


def blank_cards() -> tuple[CardCopies, ...]:
    """Return the blank cards of one player's half."""
    frames = (CardCopies(face=_resource(ink), more=count) for ink, count in zip(INK, RESOURCES, strict=True))
    return (CardCopies(face=_character(), more=CHARACTERS), *frames)


def menu() -> tuple[tuple[str, str], ...]:
    """Return what a character can be made of: its points, and every ability with its circles, price and effect."""
    points = ", ".join(f"{count} for {POINTS * count} points" for count in (1, 2, 3))
    return (
        ("Attack and health", f"Fill circles of any colours: {points}. Split the points; each needs at least 1."),
        *((f"{each.name} ({each.size} {COLOURS[each.colour]})",
           f"{each.effect}{f' Costs {each.kind} to use.' if each.price else ''}") for each in ABILITIES),
    )  # fmt: skip


def _character() -> Face:
    return _face("Blank character", None, [
        *(el("circle", cx=13.5 + 9 * circle, cy=8.5, r=3.6, class_="empty") for circle in range(CIRCLES)),
        el("path", d="M4 14h55v32H4z", class_="write"),
        *_foot("attack", 0), *_foot("health", 1), *_line("name", 62), *_line("", 70), *_line("", 76),
        *_line("abilities", 82),
    ])  # fmt: skip


def _resource(ink: Colour) -> Face:
    return _face(f"Blank {ink.word} resource", ink, [
        el("path", d=FRAME, class_="tone"), el("path", d=FRAME, fill=fill(ink.pattern)),
        el("rect", x=3, y=3, width=10, height=10, rx=3, class_="paper"),
        el("text", ink.letter, x=8, y=10.6, font_size=8, class_="letter"), *_line("name", 80),
    ])  # fmt: skip


def _face(name: str, ink: Colour | None, drawn: list[Markup]) -> Face:
    """Return a face with its parts, and a tab for the maker's initials where printed cards have it."""
    place = {"x": 54, "y": 13, "width": 6, "height": 16, "rx": 1.5}
    words = el("text", "initials", font_size=2.6, class_="caption", transform="translate(52 21) rotate(90)")
    tab = el("rect", **place, class_="paper"), el("rect", **place, class_="write"), words
    return Face(name, ink, picture=Picture(name, str(join([*drawn, *tab]))), layout="pack")


def _foot(caption: str, side: int) -> tuple[Markup, Markup]:
    x = 52 if side else 11
    circle = el("circle", cx=x, cy=45, r=7.5, class_=f"foot foot{side}")
    return circle, el("text", caption, x=x, y=55.4, font_size=2.6, class_="caption")


def _line(caption: str, y: int) -> tuple[Markup, Markup]:
    """Return a line to write on, with a small caption below its left end."""
    words = el("text", caption, x=5, y=y + 2.9, font_size=2.6, class_="caption told")
    return el("path", d=f"M5 {y}H58", class_="write"), words
