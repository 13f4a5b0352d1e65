"""Five Circles: blank cards to print and fill in with pencils, and the list of what can go on them."""

from sparring.scene import CardCopies, Colour, Face, Picture
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
    circles = "".join(f'<circle class="empty" cx="{13.5 + 9 * circle}" cy="8.5" r="3.6"/>' for circle in range(CIRCLES))
    feet = "".join(f'<circle class="foot foot{side}" cx="{x}" cy="45" r="7.5"/>' + _caption(word, f'x="{x}" y="55.4"')
                   for side, (word, x) in enumerate((("attack", 11), ("health", 52))))  # fmt: skip
    lines = "".join(_line(caption, y) for caption, y in (("name", 62), ("", 70), ("", 76), ("abilities", 82)))
    return _face("Blank character", None, f'{circles}<path class="write" d="M4 14h55v32H4z"/>{feet}{lines}')


def _resource(ink: Colour) -> Face:
    return _face(f"Blank {ink.word} resource", ink, (
        f'<path class="tone" d="{FRAME}"/><path d="{FRAME}" fill="{fill(ink.pattern)}"/>'
        '<rect class="paper" x="3" y="3" width="10" height="10" rx="3"/>'
        f'<text class="letter" x="8" y="10.6" font-size="8">{ink.letter}</text>{_line("name", 80)}'
    ))  # fmt: skip


def _face(name: str, ink: Colour | None, drawn: str) -> Face:
    """Return a face with its parts, and a tab for the maker's initials where printed cards have it."""
    tab = "".join(f'<rect class="{kind}" x="54" y="13" width="6" height="16" rx="1.5"/>' for kind in ("paper", "write"))
    words = _caption("initials", 'transform="translate(52 21) rotate(90)"')
    return Face(name, ink, picture=Picture(name, drawn + tab + words), layout="pack")


def _line(caption: str, y: int) -> str:
    """Return a line to write on, with a small caption below its left end."""
    return f'<path class="write" d="M5 {y}H58"/>' + _caption(caption, f'x="5" y="{y + 2.9}"', "caption told")


def _caption(words: str, place: str, kind: str = "caption") -> str:
    return f'<text class="{kind}" font-size="2.6" {place}>{words}</text>'
