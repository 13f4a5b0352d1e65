"""Names of the 52 playing cards: as typed (`10D`), in sentences (`10♦`) and read aloud (`10 of diamonds`)."""

SUITS = ("clubs", "diamonds", "hearts", "spades")
SPOKEN_RANKS = {"J": "Jack", "Q": "Queen", "K": "King", "A": "Ace"}
SIGNS = {"C": "♣", "D": "♦", "H": "♥", "S": "♠"}

_LETTERS = {sign: letter for letter, sign in SIGNS.items()}
_SPOKEN_SUITS = {suit[0].upper(): suit for suit in SUITS}


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


def spoken_card(name: str) -> str:
    """Return a card's name in words.

    >>> spoken_card("10♦"), spoken_card("QH")
    ('10 of diamonds', 'Queen of hearts')
    """
    rank, suit = name[:-1], typed(name[-1])
    return f"{SPOKEN_RANKS.get(rank, rank)} of {_SPOKEN_SUITS[suit]}"
