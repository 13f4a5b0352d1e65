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
from .sentences import enumerated, mention, say, titled


ORDINAL_TEXTS = ("first", "second", "third", "fourth", "fifth", "sixth", "seventh", "eighth", "ninth", "tenth")
ENDING_TEXTS = {1: "{number}st", 2: "{number}nd", 3: "{number}rd"}


def ordinal(number: int) -> str:
    """Return an ordinal such as `third` or `11th`."""
    if number <= len(ORDINAL_TEXTS):
        return say(ORDINAL_TEXTS[number - 1])
    if number % 10 in ENDING_TEXTS and number % 100 not in (11, 12, 13):
        return say(ENDING_TEXTS[number % 10], number=number)
    return say("{number}th", number=number)


def describe_location(scene: Scene, thing: object, speaker: SceneSpeaker) -> str:
    """Return what and where an object is; empty if the scene doesn't contain it."""
    seat_areas = (part for seat in scene.seats for part in seat.parts)
    areas = (*scene.hand, *scene.middle, *scene.left, *scene.right, *seat_areas)
    descriptions = (words for area in areas for part in flatten(area) for words in _inside(part, thing, speaker))
    tracks = ((seat, track) for seat in scene.seats for track in seat.tracks if track == thing)
    of_tracks = (
        enumerated([speaker.track(track), say("yours") if seat.you else speaker.names.of(seat.number)])
        for seat, track in tracks
    )
    return next(descriptions, "") or next(of_tracks, "") or _outside_areas(thing, speaker)


def _outside_areas(thing: object, speaker: SceneSpeaker) -> str:
    """Describe an object outside all areas."""
    match thing:
        case Seat():
            return say("your own seat") if thing.you else say("the seat of {who}", who=speaker.names.of(thing.number))
        case Prompt():
            return say("the prompt")
        case Button():
            return say("the choice “{choice}”", choice=speaker.button_name(thing))
        case Banner():
            return speaker.spoken(thing.text)
    return ""


def _inside(part: Row | Pile | Board | Track | Facts, thing: object, speaker: SceneSpeaker) -> Iterator[str]:
    """Yield the description of an object if it is this part or inside it."""
    if part == thing:
        yield _part_name(part, speaker)
    elif isinstance(part, Row | Pile):
        title = _inline_title(speaker.spoken(part.title))
        for number, card in enumerate(part.cards, 1):
            if card == thing:
                in_lane = isinstance(part, Row) and part.layout == "lanes"
                yield _place(card, number, in_lane=in_lane, part=title, card=speaker.card_or_slot(card))
            elif isinstance(card, Card):
                buttons = (button for button in card.choices if button == thing)
                yield from (titled(speaker.card(card), speaker.button_name(button)) for button in buttons)
    elif isinstance(part, Board):
        yield from (speaker.token(part, token) for token in part.tokens if token == thing)
        yield from (speaker.space_with_tokens(part, cell) for cell in part.cells if cell == thing)
        yield from (speaker.stroke(part, stroke) for stroke in part.strokes if stroke == thing)
    elif isinstance(part, Facts) and isinstance(thing, Fact) and thing in part.facts:
        yield speaker.spoken(thing.label or titled(thing.title, thing.text.strip()))


def _place(thing: Card | Slot, number: int, *, in_lane: bool, **values: str) -> str:
    """Return where a card or slot of a row is, and what it is; `values` are `part` and `card`."""
    if in_lane:
        return say("lane {number} of {part}, {card}", number=number, **values)
    if isinstance(thing, Slot):
        return say("the {ordinal} place of {part}, {card}", ordinal=ordinal(number), **values)
    return say("the {ordinal} card of {part}, {card}", ordinal=ordinal(number), **values)


def _inline_title(title: str) -> str:
    """Return a part's title for use inside a sentence."""
    return title[0].lower() + title[1:] if title.startswith(("Your ", "The ")) else title or say("your hand")


def _part_name(part: Row | Pile | Board | Track | Facts, speaker: SceneSpeaker) -> str:
    if isinstance(part, Track):
        return speaker.track(part)
    return _inline_title(speaker.spoken(part.title))


def text_of_choice(scene: Scene, action: int, words: str) -> str:
    """Return what a choice is called on the table; `words` if the scene doesn't show it."""
    text = next(_texts(scene, action), "") or words
    return text[:1].upper() + text[1:]


def _texts(scene: Scene, action: int) -> Iterator[str]:
    for thing in things((scene.prompt, scene.seats, scene.hand, scene.middle, scene.left, scene.right)):
        if isinstance(thing, Card):
            buttons = (button for button in thing.choices if button.action == action)
            yield from (say("{choice} ({card})", choice=button.text, card=_name(thing)) for button in buttons)
        if isinstance(thing, Choosable) and thing.action == action:
            yield _text(thing)


def _text(thing: Choosable) -> str:
    match thing:
        case Button():
            return thing.text or thing.words
        case Seat():
            who = mention(thing.number - 1)
            return say("{choice} {who}", choice=thing.text, who=who) if thing.text else thing.words
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
