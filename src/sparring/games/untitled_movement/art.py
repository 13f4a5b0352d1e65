"""Untitled Movement Game: SVG drawings of the cards (one arrow each), the die and the meeples."""

from functools import lru_cache

from sparring.scene import Colour, Face, Picture
from sparring.scene.patterns import fill, seat_pattern

from .kit import HEADINGS, KIND_NAMES, KINDS

#: Flat colours with patterns for cards that move forward, sideways and backward.
AHEAD = Colour("ahead", "forward", "", "solid")
ACROSS = Colour("across", "sideways", "", "dots")
HOMEWARD = Colour("homeward", "backward", "", "bars")
COLOURS = (AHEAD, HOMEWARD, ACROSS, ACROSS, AHEAD, AHEAD, HOMEWARD, HOMEWARD)

#: An arrow for each direction on the screen, clockwise from up.
SIGNS = "↑↗→↘↓↙←↖"

ARROW = '<path class="arrow" transform="rotate({} 50 50)" d="M50 9 82 46H62V91H38V46H18z"/>'

MEEPLE = (
    "M0-8.4c2.3 0 3.9 1.7 3.9 3.7 0 .7-.2 1.2-.4 1.7 2.5.5 5.3 1.5 5.3 3.1 0 1.7-2 2.1-4.3 2.2"
    "C5 4.4 6.5 6.2 6.5 7.300c0 .6-.5 1-1.2 1H1.700C1.2 8.3.9 8 .8 7.600L0 5.600l-.8 2c-.1.4-.4.7-.9.7h-3.6"
    "c-.7 0-1.2-.4-1.2-1C-6.5 6.2-5 4.4-4.5 2.3-6.8 2.2-8.8 1.8-8.8.1c0-1.6 2.8-2.6 5.3-3.1"
    "-.2-.5-.4-1-.4-1.7 0-2 1.6-3.7 3.9-3.700z"
)

BACK = Picture(
    "compass",
    '<rect width="63" height="88" rx="4" class="paper"/><rect x="3" y="3" width="57" height="82" rx="2.5" class="ground"/>'
    '<g class="points"><path d="M31.5 20 39 36H24zM31.5 68 24 52h15zM7.5 44 23.5 36.500v15zM55.5 44 39.5 51.500v-15z"/>'
    '<circle cx="31.5" cy="44" r="4"/></g>',
)


def sign(kind: int) -> str:
    """Return the arrow of a card as its owner sees it."""
    return SIGNS[HEADINGS[kind]]


@lru_cache(maxsize=8 * len(KINDS))
def face(kind: int, heading: int = -1) -> Face:
    """Return the face of a card, its arrow as the owner sees it or turned to `heading` (eighths clockwise from up)."""
    turned = HEADINGS[kind] if heading < 0 else heading
    arrow = Picture(f"arrow {KINDS[kind]} {turned}", ARROW.format(45 * turned))
    name = KIND_NAMES[kind].capitalize()
    return Face(name, COLOURS[kind], KINDS[kind], arrow, spoken_name=name)


#: The pips of each face as (column, row) from -1 to 1.
PIPS = {
    1: ((0, 0),),
    2: ((-1, 1), (1, -1)),
    3: ((-1, 1), (0, 0), (1, -1)),
    4: ((-1, -1), (1, -1), (-1, 1), (1, 1)),
    5: ((-1, -1), (1, -1), (0, 0), (-1, 1), (1, 1)),
    6: ((-1, -1), (1, -1), (-1, 0), (1, 0), (-1, 1), (1, 1)),
}


@lru_cache(maxsize=6)
def die(face: int) -> Face:
    """Return the die showing a face, with the value of a face above 3 below it."""
    pips = "".join(f'<circle cx="{50 + 25 * x}" cy="{50 + 25 * y}" r="9.5"/>' for x, y in PIPS[face])
    picture = Picture(f"die {face}", f'<rect class="die" x="2" y="2" width="96" height="96" rx="20"/>{pips}')
    return Face(str(face), picture=picture, lines=(f"= {face - 3}",) if face > 3 else (), layout="full")


@lru_cache(maxsize=16)
def meeple(seat: int, home: bool, colour: str = "") -> Picture:
    """Draw a token of a seat (from 1) in its colour or a named one, with a ring around it if it is home."""
    ring = '<circle r="9.3" class="haven"/>' if home else ""
    return Picture(
        f"meeple {seat} {colour}".rstrip(),
        f'{ring}<path class="rim" d="{MEEPLE}"/><path class="{f"disc {colour}".rstrip()}" d="{MEEPLE}"/>'
        f'<path d="{MEEPLE}" fill="{fill(seat_pattern(seat))}"/>'
        f'<circle class="plate" cy="0.6" r="3.2"/><text y="2.5" font-size="5.2">{seat}</text>',
    )
