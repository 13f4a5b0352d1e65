"""Say where an object in a scene is (`the third card of your hand, 7 of spades`), and name choices as it shows them.

The words of a choice are for typing and records: `done`, `resource green`, `strike KS`. On the table, the same choices
are a button `Skip and attack`, a green card, and a button `Strike` on the king of spades.
"""

from collections.abc import Iterator

from .model import (
    Banner,
    Board,
    Button,
    Card,
    Choosable,
    Fact,
    Facts,
    Pile,
    Prompt,
    Row,
    Scene,
    Seat,
    Slot,
    Track,
    things,
)
from .screen_reader import SceneSpeaker, flatten


ORDINALS = ("first", "second", "third", "fourth", "fifth", "sixth", "seventh", "eighth", "ninth", "tenth")


def ordinal(number: int) -> str:
    """Return an ordinal such as `third` or `11th`."""
    if number <= len(ORDINALS):
        return ORDINALS[number - 1]
    ending = "th" if number % 100 in (11, 12, 13) else {1: "st", 2: "nd", 3: "rd"}.get(number % 10, "th")
    return f"{number}{ending}"


def describe_location(scene: Scene, thing: object, say: SceneSpeaker) -> str:
    """Return what and where an object is; empty if the scene doesn't contain it."""
    seat_areas = (part for seat in scene.seats for part in seat.parts)
    areas = (*scene.hand, *scene.middle, *scene.left, *scene.right, *seat_areas)
    descriptions = (words for area in areas for part in flatten(area) for words in _inside(part, thing, say))
    tracks = ((seat, track) for seat in scene.seats for track in seat.tracks if track == thing)
    of_tracks = (f"{say.track(track)}, {'yours' if seat.you else say.names.of(seat.number)}" for seat, track in tracks)
    return next(descriptions, "") or next(of_tracks, "") or _outside_areas(thing, say)


def _outside_areas(thing: object, say: SceneSpeaker) -> str:
    """Describe an object outside all areas."""
    match thing:
        case Seat():
            return "your own seat" if thing.you else f"the seat of {say.names.of(thing.number)}"
        case Prompt():
            return "the prompt"
        case Button():
            return f"the choice “{say.button_name(thing)}”"
        case Banner():
            return say.spoken(thing.text)
    return ""


def _inside(part: Row | Pile | Board | Track | Facts, thing: object, say: SceneSpeaker) -> Iterator[str]:
    """Yield the description of an object if it is this part or inside it."""
    if part == thing:
        yield _part_name(part, say)
    elif isinstance(part, Row | Pile):
        title = _inline_title(say.spoken(part.title))
        for number, card in enumerate(part.cards, 1):
            if card == thing:
                in_lane = isinstance(part, Row) and part.layout == "lanes"
                place = f"lane {number}" if in_lane else _ordinal_place(card, number)
                yield f"{place} of {title}, {say.card_or_slot(card)}"
            elif isinstance(card, Card):
                yield from (
                    f"{say.card(card)}: {say.button_name(button)}" for button in card.choices if button == thing
                )
    elif isinstance(part, Board):
        yield from (say.token(part, token) for token in part.tokens if token == thing)
        yield from (say.space_sentence(part, cell).rstrip(".") for cell in part.cells if cell == thing)
        yield from (say.stroke(part, stroke) for stroke in part.strokes if stroke == thing)
    elif isinstance(part, Facts) and isinstance(thing, Fact) and thing in part.facts:
        yield say.spoken(thing.label or f"{thing.title}: {thing.text.strip()}")


def _ordinal_place(card: Card | Slot, number: int) -> str:
    return f"the {ordinal(number)} {'card' if isinstance(card, Card) else 'place'}"


def _inline_title(title: str) -> str:
    """Return a part's title for use inside a sentence."""
    return title[0].lower() + title[1:] if title.startswith(("Your ", "The ")) else title or "your hand"


def _part_name(part: Row | Pile | Board | Track | Facts, say: SceneSpeaker) -> str:
    if isinstance(part, Track):
        return say.track(part)
    return _inline_title(say.spoken(part.title))


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
