"""Names and original drawings of the 52 playing cards."""

from functools import lru_cache

from sparring.engine.messages import Text, cached_by_language

from .model import Colour, Face, Picture


SUITS = ("clubs", "diamonds", "hearts", "spades")
RANK_TEXTS = {"J": "Jack", "Q": "Queen", "K": "King", "A": "Ace"}
#: The names of cards in words, by the letter of the suit.
CARD_TEXTS = {"C": "{rank} of clubs", "D": "{rank} of diamonds", "H": "{rank} of hearts", "S": "{rank} of spades"}
SIGNS = {"C": "♣", "D": "♦", "H": "♥", "S": "♠"}

_LETTERS = {sign: letter for letter, sign in SIGNS.items()}


def signed(name: str) -> str:
    """Return a card's name with the sign of its suit.

    >>> signed("10D")
    '10♦'
    """
    return name[:-1] + SIGNS[name[-1]]


def typed(text: str) -> str:
    """Return a text with letters instead of the signs of suits, as people type them.

    >>> typed("strike K♠")
    'strike KS'
    """
    return text.translate({ord(sign): letter for sign, letter in _LETTERS.items()})


def card_text(name: str) -> Text:
    """Return a card's name in words.

    >>> str(card_text("10♦")), str(card_text("QH"))
    ('10 of diamonds', 'Queen of hearts')
    """
    rank, suit = name[:-1], typed(name[-1])
    return Text(CARD_TEXTS[suit], rank=Text(RANK_TEXTS[rank]) if rank in RANK_TEXTS else rank)


#: A card's number is 4 x rank index + suit index: 0 is the two of clubs, 51 the ace of spades.
RANKS = ("2", "3", "4", "5", "6", "7", "8", "9", "10", "J", "Q", "K", "A")

#: The ink of a suit, by its letter.
INK = {
    "C": Colour("black", "Clubs", "", "solid"),
    "S": Colour("black", "Spades", "", "solid"),
    "D": Colour("red", "Diamonds", "", "solid"),
    "H": Colour("red", "Hearts", "", "solid"),
}

#: The suit symbols, 10 high around 0,0.
PIPS = {
    "H": '<path d="M0 5C-1.3 3.2-5 .9-5-1.9-5-3.8-3.8-5-2.5-5-1.2-5-.3-4.1 0-3 .3-4.1 1.2-5 2.5-5 3.8-5 5-3.8 5-1.9 5 .9 1.3 3.2 0 5z"/>',
    "D": '<path d="M0-5.6Q1.7-2.4 4.1 0 1.7 2.4 0 5.6-1.7 2.4-4.1 0-1.7-2.4 0-5.6z"/>',
    "S": '<path d="M0-5.2C1.3-3.3 5-1.1 5 1.5 5 3.2 3.8 4 2.6 4 1.6 4 .9 3.5.5 2.7.6 4 1 5 1.9 5.5H-1.9C-1 5-.6 4-.5 2.7-.9 3.5-1.6 4-2.6 4-3.8 4-5 3.2-5 1.5-5-1.1-1.3-3.3 0-5.2z"/>',
    "C": '<path d="M-.5 1.2C-.9 2.7-2 3.5-3.1 3.5A2.5 2.5 0 1 1-2-1.2 2.5 2.5 0 1 1 2-1.2 2.5 2.5 0 1 1 3.1 3.5C2 3.5.9 2.7.5 1.2.6 3.4 1 4.8 1.9 5.5H-1.9C-1 4.8-.6 3.4-.5 1.2z"/>',
}

#: Pip positions of number cards: columns from -1 to 1, rows from -1 (top) to 1; pips below the middle are upside down.
LAYOUTS: dict[int, tuple[tuple[float, float], ...]] = {
    2: ((0, -1), (0, 1)),
    3: ((0, -1), (0, 0), (0, 1)),
    4: ((-1, -1), (1, -1), (-1, 1), (1, 1)),
    5: ((-1, -1), (1, -1), (0, 0), (-1, 1), (1, 1)),
    6: ((-1, -1), (1, -1), (-1, 0), (1, 0), (-1, 1), (1, 1)),
    7: ((-1, -1), (1, -1), (0, -0.5), (-1, 0), (1, 0), (-1, 1), (1, 1)),
    8: ((-1, -1), (1, -1), (0, -0.5), (-1, 0), (1, 0), (0, 0.5), (-1, 1), (1, 1)),
    9: ((-1, -1), (1, -1), (-1, -0.33), (1, -0.33), (0, 0), (-1, 0.33), (1, 0.33), (-1, 1), (1, 1)),
    10: ((-1, -1), (1, -1), (0, -0.67), (-1, -0.33), (1, -0.33), (-1, 0.33), (1, 0.33), (0, 0.67), (-1, 1), (1, 1)),
}  # fmt: skip

HEADS = {
    "K": '<path class="gold" d="M22 23 20.5 13l5 4.2L31.5 11l6 6.2 5-4.2L41 23z"/><path class="line" d="M22 20.4h19"/>'
    '<path class="hair" d="M24 23h15v8.5q-2 5.5-7.5 7-5.500-1.500-7.500-7z"/><path class="skin" d="M26.500 23h10v5.500q-1 4-5 4-4 0-5-4z"/>'
    '<path class="line" d="M29 26.200h.1M34 26.200h.1M29.500 34.500q2 1 4 0"/>',
    "Q": '<path class="hair" d="M22.500 38q-2.500-19 9-19t9 19z"/><path class="gold" d="M23.500 20q2-5 4-2.500 1-5.500 4-5.500t4 5.500q2-2.500 4 2.500l-1 3q-7-2.500-14 0z"/>'
    '<path class="skin" d="M26.500 24q5-2 10 0v5.500q-1 4.500-5 4.500t-5-4.500z"/><path class="line" d="M29 27.500h.1M34 27.500h.1M30.200 31.300q1.300.7 2.600 0"/>',
    "J": '<path class="hair" d="M24 34V22h15v12z"/><path class="skin" d="M26.500 22h10v7q-1 4.500-5 4.500t-5-4.500z"/><path class="t" d="M22 22.500q0-8 10-8.500 9 .5 9 8.500z"/>'
    '<path class="gold" d="M22 20.500h19v3H22z"/><path class="paper" d="M38 19q-2-6 5-8.500-.5 7-5 8.500z"/><path class="line" d="M29 26.500h.1M34 26.500h.1M30 30.600q1.500.6 3 0"/>',
}


def card_name(card: int) -> str:
    """Return a card's name as people type it: `10H`."""
    return f"{RANKS[card // 4]}{SUITS[card % 4][0].upper()}"


def card_title(card: int) -> str:
    """Return a card's name in words: `Queen of hearts`."""
    return str(card_text(card_name(card)))


@cached_by_language(256)
def pack_face(card: int) -> Face:
    """Return the face of a playing card by its number."""
    rank, suit = RANKS[card // 4], SUITS[card % 4][0].upper()
    ink = INK[suit]
    inked = Colour(ink.key, "", "", ink.pattern)  # the title says the suit already
    return Face(card_title(card), inked, f"{rank}{SIGNS[suit]}", drawing(rank, suit), layout="pack")


@lru_cache(maxsize=256)
def drawing(rank: str, suit: str, more: str = "") -> Picture:
    """Draw a card by its rank (one or two characters) and suit letter; `more` is drawn on top."""
    return playing(f"{rank}{suit}", f"{middle(rank, suit)}{corner(rank, suit)}{more}")


def playing(name: str, inside: str) -> Picture:
    """Return a 63 x 88 drawing for a face with `layout="pack"`."""
    return Picture(name, f'<g class="playing">{inside}</g>')


def pip(suit: str, x: float, y: float, scale: float, turned: bool = False) -> str:
    """Draw a suit symbol."""
    return f'<g class="pip" transform="translate({x} {y}) scale({-scale if turned else scale})">{PIPS[suit]}</g>'


def corner(rank: str, suit: str) -> str:
    """Draw rank and suit in the corner, once upright and once upside down."""
    width = ' textLength="11" lengthAdjust="spacingAndGlyphs"' if len(rank) > 1 else ""
    sign = (
        f'<text class="rank" x="8.200" y="14.500" font-size="13.500"{width}>{rank}</text>{pip(suit, 8.2, 21.5, 0.95)}'
    )
    return f'{sign}<g transform="rotate(180 31.500 44)">{sign}</g>'


def court(rank: str, suit: str) -> str:
    """Draw a king, queen or jack, once upright and once upside down."""
    robe = '<path class="t" d="M16 44v-3.500q6-7 15.500-7t15.500 7V44z"/><path class="gold" d="M27.500 34.500h8l-1.500 9.500h-5z"/><path class="line" d="M19 44l4-6M44 44l-4-6"/>'
    half = f"<g>{robe}{HEADS[rank]}{pip(suit, 19.6, 27.5, 0.62)}</g>"
    frame = '<rect class="frame" x="15.500" y="9" width="32" height="70" rx="2"/>'
    return f'{frame}{half}<g transform="rotate(180 31.500 44)">{half}</g>'


def middle(rank: str, suit: str) -> str:
    """Draw the middle of a card."""
    if rank in HEADS:
        return court(rank, suit)
    if rank.isdigit() and int(rank) in LAYOUTS:
        places = LAYOUTS[int(rank)]
        return "".join(pip(suit, 31.5 + 9.8 * x, 44 + 26 * y, 1.05, y > 0) for x, y in places)
    if rank == "A":
        return pip(suit, 31.5, 44, 3.4)
    return f'<text class="rank" x="31.500" y="44" font-size="26">{rank}</text>{pip(suit, 31.5, 57, 1.8)}'
