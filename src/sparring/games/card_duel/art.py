"""Card Duel: the pictures on the cards, an emblem for what a card does, and the card back."""

from functools import lru_cache
from html import escape

from sparring.scene import Picture
from sparring.scene.pictures import path

from .kit import DuelCard

#: The emblem of an event by its first effect, and of a character with that effect or trait.
EMBLEMS = {
    "damage": "flame", "heal": "heart", "attack": "blade", "weaken": "cloud", "health": "tree", "shield": "shield",
    "return": "wave", "destroy": "skull", "control": "crown", "draw": "leaf", "discard": "fist", "energy": "lightning",
    "points": "star", "Fast": "wing", "Guard": "tower",
}  # fmt: skip
#: A character with neither, by its cost, the cheapest first.
PLAIN = ("boot", "ear", "horn", "helmet", "hammer", "fish", "beard")

#: Two crossed blades in a frame, the same when turned.
_BLADES = (
    '<rect width="63" height="88" rx="4" class="paper"/><rect class="frame" x="4" y="4" width="55" height="80" rx="3"/>'
    '<path class="blades" d="M18 26 45 62M18 62 45 26"/><circle class="knob" cx="31.5" cy="44" r="6"/>'
)
#: The largest letters of a name on the back, and the letters of size 1 that fit side by side.
_LARGEST, _LETTERS = 6.0, 80


@lru_cache(maxsize=64)
def back(title: str) -> Picture:
    """Return the back of the cards, with what a designer's own game is called at both ends."""
    size = min(_LARGEST, _LETTERS / max(1, len(title)))
    name = f'<text class="title" x="31.5" y="77" font-size="{size:.2f}">{escape(title)}</text>'
    turned = f'<g transform="rotate(180 31.5 44)">{name}</g>'
    return Picture("blades", f"{_BLADES}{name}{turned}" if title else _BLADES)


@lru_cache(maxsize=256)
def picture(card: DuelCard) -> Picture:
    """Return the emblem of a card without a picture."""
    said = (*(effect.does for effect in card.effects), *card.traits)
    shape = EMBLEMS[said[0]] if said else PLAIN[min(card.cost, len(PLAIN) - 1)]
    return Picture(card.name, f'<path class="emblem" d="{path(shape)}"/>')
