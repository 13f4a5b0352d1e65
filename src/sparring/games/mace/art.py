"""MACE: SVG drawings of the playing cards (63 x 88 mm) and the Fighters."""

from functools import lru_cache

from sparring.engine.game import Box
from sparring.scene import Colour, Face, Picture
from sparring.scene.playing_cards import INK, card_name, card_title, drawing, playing, signed
from sparring.scene.patterns import fill, seat_pattern

from .kit import JOKER, JOKERS

#: Card names as read aloud.
ALOUD = {
    **{name: card_title(card) for card in range(JOKER) for name in (card_name(card), signed(card_name(card)))},
    **{f"X{number}": f"Joker {number}" for number in range(1, JOKERS + 1)},
}

WILD = Colour("yellow", "Joker", "", "solid")

JESTER = (
    '<path class="t" d="M31.500 41Q17 43 15.500 30q-4-1-4 5-1-14 11-13 1-9 9-9t9 9q12-1 11 13 0-6-4-5Q46 43 31.500 41z"/>'
    '<path class="k" d="M31.500 41Q17 43 15.500 30q6 2 8.500-6.500 2 9 7.500 9z"/><circle class="gold" cx="11.500" cy="36" r="2.600"/><circle class="gold" cx="51.500" cy="36" r="2.600"/>'
    '<circle class="gold" cx="31.500" cy="13" r="2.600"/><path class="skin" d="M22 40q9.500-3 19 0v9q-2 10-9.500 10T22 49z"/>'
    '<path class="line" d="M27.500 45.500h.1M35.500 45.500h.1M26 51q5.500 5.500 11 0M31.500 46.500v3"/>'
    '<path class="gold" d="M20 58l5 2 2.500-1.500 4 3.500 4-3.500 2.500 1.500 5-2-2.500 8-4-2-5 6-5-6-4 2z"/><path class="k" d="M24 68q7.500 4 15 0l3 9H21z"/>'
)


#: What a suit does, printed on its cards.
DEEDS = {"S": "STRIKE", "C": "CHARGE · BLAST", "D": "BLOCK", "H": "DODGE", "": "ANY SUIT"}


def deed(suit: str) -> str:
    """Draw what a suit does, along the card's upper edge."""
    words = DEEDS[suit]
    width = min(39.0, 6.3 * 0.6 * len(words))
    return f'<text class="deed" x="16" y="7.500" font-size="6.300" textLength="{width:.1f}" lengthAdjust="spacingAndGlyphs">{words}</text>'


@lru_cache(maxsize=8)
def joker(number: int) -> Picture:
    """Draw a Joker with its number in the corners."""
    sign = f'<text class="rank" x="8.200" y="14.500" font-size="12" textLength="11.500" lengthAdjust="spacingAndGlyphs">X{number}</text>'
    return playing(f"X{number}", f'{JESTER}{sign}<g transform="rotate(180 31.500 44)">{sign}</g>{deed("")}')


@lru_cache(maxsize=256)
def _face(name: str, rank: str, suit: str) -> Face:
    said = ALOUD.get(name, "")
    if suit:
        return Face(name, INK[suit], picture=drawing(rank, suit, deed(suit)), layout="pack", spoken_name=said)
    return Face(name, WILD, picture=joker(int(rank)), layout="pack", spoken_name=said)


def face(box: Box, card: int) -> Face:
    """Return the face of a card."""
    name = box.content.card(card)
    return _face(name, name[1:], "") if card >= JOKER else _face(name, name[:-1], name[-1])


#: The Fighters' headgear by seat: a headband, a hood, a topknot, a crested helmet.
HEADGEAR = (
    '<path class="gear" d="M-3.100-4.900q3.100-1.500 6.200 0v1.500q-3.100-1.300-6.200 0z"/><path class="gear" d="M3-4.400l3.200-1.200-.9 1.700 1.700.8-3.800.3z"/>',
    '<path class="gear" d="M-4.300-.7Q-4.900-8.200 0-8.200T4.300-.7L2.700-2.500Q2.900-5.800 0-5.800T-2.700-2.500z"/>',
    '<path class="gear" d="M-3.200-4.200Q-3-6.900 0-6.900T3.200-4.200Q0-5.700-3.200-4.200z"/><circle class="gear" cy="-7.900" r="1.500"/>',
    '<path class="gear" d="M-3.500-2.900v-1.300Q-3.300-7.100 0-7.100T3.500-4.200v1.300h-1.600v-1.300h-3.800v1.300z"/><path class="gear" d="M-.8-6.800Q-.2-9.600 3.600-9 1.900-8.200 1.300-6.700z"/>',
)  # fmt: skip


@lru_cache(maxsize=8)
def fighter(seat: int) -> Picture:
    """Draw the Fighter of a seat (from 1) with its fists up, on a numbered base in the seat's colour."""
    body = '<path class="body" d="M-5.200 4.600q-.4-5.300 3.300-5.900L0-.3l1.900-1q3.700.6 3.300 5.900z"/><path class="belt" d="M-4.900 2.700q4.900 1.600 9.800 0v1.600H-5z"/>'
    fists = (
        '<circle class="skin" cx="-5.300" cy="-.9" r="1.700"/><circle class="skin" cx="5.300" cy="-1.700" r="1.700"/>'
    )
    head = '<circle class="skin" cy="-4" r="3.200"/><path class="eyes" d="M-1.100-3.700h.1M1.300-3.700h.1"/>'
    return Picture(
        f"fighter {seat}",
        f'<circle r="9.400" class="rim"/><circle r="8.700" class="disc"/><circle r="8.700" fill="{fill(seat_pattern(seat))}"/>'
        f'<g class="figure">{body}{fists}{head}{HEADGEAR[(seat - 1) % len(HEADGEAR)]}</g>'
        f'<circle cx="5.400" cy="5.800" r="3.600" class="plate"/><text x="5.400" y="7.900" font-size="5.800">{seat}</text>',
    )


LATTICE = "".join(f"M{x} 5V83" for x in range(9, 58, 5)) + "".join(f"M5 {y}H58" for y in range(9, 83, 5))
BACK = Picture(
    "lattice",
    '<rect width="63" height="88" rx="4" class="paper"/><rect x="3.500" y="3.500" width="56" height="81" rx="2.500" class="field"/>'
    f'<clipPath id="lattice-edge"><rect x="5.500" y="5.500" width="52" height="77" rx="1.500"/></clipPath>'
    f'<g clip-path="url(#lattice-edge)"><path class="grid" transform="rotate(45 31.500 44) translate(-31.500 -44) scale(2)" d="{LATTICE}"/></g>'
    '<path class="medal" d="M31.500 27l14.700 8.500v17L31.500 61l-14.700-8.500v-17z"/><path class="medal" d="M31.500 33l9.500 5.500v11L31.500 55 22 49.500v-11z"/>',
)
