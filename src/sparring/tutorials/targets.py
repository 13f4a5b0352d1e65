"""Find the objects in a scene that a tutorial points at, by key or by name."""

import re
from collections.abc import Iterator
from dataclasses import dataclass

from sparring.engine.formats import normalize
from sparring.scene import Banner, Button, Card, Cell, Choosable, PrintableScene, Prompt, Seat, Slot, Token, things
from sparring.scene.playing_cards import typed

#: The name of the prompt below the table.
QUESTION = "question"

#: The names of objects in a lesson's text: `Play *Elbow*`.
EMPHASISED = re.compile(r"\*([^*]+)\*")

#: The comma that ends a space's name in its label: `c3, edge`, `4,0, your token`.
NAME = re.compile(r", (?=\D)")


@dataclass(frozen=True)
class LessonTarget:
    """An object that a tutorial points at, with its key, its action, its place on a board and its name."""

    key: str
    action: int | None
    at: tuple[int, int] | None
    title: str
    thing: object


def find_targets(scene: PrintableScene, name: str) -> list[LessonTarget]:
    """Return everything in a scene with this name or key; a playing card's suit may be a sign (`10♦`)."""
    spelling = normalize(typed(name))
    objects = [thing for thing in things(_parts(scene)) if spelling in set(map(normalize, _names(thing)))]
    return [_target(thing) for thing in objects]


def targets_of_action(scene: PrintableScene, action: int) -> list[LessonTarget]:
    """Return the objects that represent a choice."""
    return [_target(thing) for thing in scene.choosable if thing.action == action]


def _parts(scene: PrintableScene) -> tuple[object, ...]:
    return (scene.seats, scene.banner, scene.left, scene.middle, scene.right, scene.hand, scene.prompt)


def _key(thing: object) -> str:
    match thing:
        case Seat():
            return f"seat {thing.number}"
        case Prompt():
            return "asked"
        case Banner():
            return f"banner {thing.key}"
        case Button():
            return f"choice {thing.words}"
    return str(getattr(thing, "key", ""))


def _names(thing: object) -> Iterator[str]:
    """Yield the names of an object: its key, its text and the words of its choice."""
    yield _key(thing)
    match thing:
        case Card() if thing.face:
            yield from (thing.face.name, *thing.marks, *thing.face.lines)
        case Prompt():
            yield QUESTION
        case Cell() | Token():
            yield from (thing.text, thing.words.rpartition(" ")[2], NAME.split(thing.label)[0].removeprefix("hex "))
        case Seat():
            yield from (thing.title, *thing.tags)
        case Slot() | Button() | Banner():
            yield thing.text
    if isinstance(thing, Choosable):
        yield thing.words
    yield str(getattr(thing, "title", ""))


def _target(thing: object) -> LessonTarget:
    action = thing.action if isinstance(thing, Choosable) else None
    at = thing.at if isinstance(thing, Cell) else None
    face = thing.face if isinstance(thing, Card) else None
    words = thing.words if isinstance(thing, Choosable) else ""
    if isinstance(thing, Button) and thing.text and normalize(thing.text) != normalize(words):
        words = f"{thing.text} (type {words})"
    seat = f"Seat {thing.number}" if isinstance(thing, Seat) else ""
    place = NAME.split(thing.label)[0] if isinstance(thing, Cell | Token) else ""
    written = str(getattr(thing, "title", "") or getattr(thing, "text", ""))
    title = face.name if face else seat or words or place or written
    return LessonTarget(_key(thing), action, at, title, thing)
