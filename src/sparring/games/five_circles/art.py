"""The drawings on the cards of Five Circles: pencil lines of our own, 100 x 100."""

from functools import lru_cache

from sparring.scene import Picture

#: The lower side of every card: five circles in a ring, and the filter that makes lines tremble as if drawn by hand.
BACK = Picture(
    "circles",
    '<filter id="by-hand" x="-5%" y="-5%" width="110%" height="110%"><feTurbulence baseFrequency=".045" numOctaves="2" seed="7"/>'
    '<feDisplacementMap in="SourceGraphic" scale="2.6"/></filter>'
    '<rect width="63" height="88" rx="4" class="paper"/><path class="frame" d="M4 5q27-2 55 0 1 38 0 78-28 2-55 0-1-39 0-78z"/>'
    '<g class="ring"><circle class="tone-red" cx="31.5" cy="26" r="8"/><circle class="tone-blue" cx="48" cy="38.5" r="8"/>'
    '<circle class="tone-green" cx="42" cy="58" r="8"/><circle class="open" cx="21" cy="58" r="8"/>'
    '<circle class="open" cx="15" cy="38.5" r="8"/></g>',
)


@lru_cache(maxsize=256)
def picture(name: str, colour: int) -> Picture:
    """The drawing for a card: its own, or the sign of its colour."""
    return Picture(name, DRAWINGS.get(name.casefold()) or SIGNS[colour])


SIGNS = ("", "", "")
DRAWINGS: dict[str, str] = {}
