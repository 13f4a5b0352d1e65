"""Name choices as the table shows them: by the text of their buttons and the names of their cards.

The words of a choice are for typing and records: `done`, `resource green`, `strike KS`. On the table, the same choices
are a button `Skip and attack`, a green card, and a button `Strike` on the king of spades.
"""

from collections.abc import Iterator

from .model import Button, Card, Choosable, Scene, Seat, things


def text_of_choice(scene: Scene, action: int, words: str) -> str:
    """Return what a choice is called on the table; `words` if the scene doesn't show it."""
    text = next(_texts(scene, action), "") or words
    return text[:1].upper() + text[1:]


def _texts(scene: Scene, action: int) -> Iterator[str]:
    for thing in things((scene.prompt, scene.seats, scene.hand, scene.middle, scene.left, scene.right)):
        if isinstance(thing, Card):
            yield from (f"{button.text} ({_name(thing)})" for button in thing.choices if button.action == action)
        if isinstance(thing, Choosable) and thing.action == action:
            yield _text(thing)


def _text(thing: Choosable) -> str:
    match thing:
        case Button():
            return thing.text or thing.words
        case Seat():
            return f"{thing.text} Seat {thing.number}" if thing.text else thing.words
        case Card():
            name = _name(thing)
            written = thing.face.name if thing.face else name
            return thing.words.replace(written, name) if written in thing.words else name
        case _:
            return thing.words


def _name(card: Card) -> str:
    """Return a card's name in words: `King of spades`, `Green resource`."""
    face = card.face
    label = card.label.partition(",")[0].partition(":")[0]
    return (face.spoken_name or label or face.name) if face else label
