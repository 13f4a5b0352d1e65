"""The words of a scene that the rules give a meaning: what the glossary is asked for when somebody wants to know."""

from sparring.engine.errors import SparringError
from sparring.engine.glossary import GlossaryEntry, Glossary
from sparring.engine.formats.spelling import plain

from .model import Banner, Button, Card, Cell, Fact, Group, Pile, Row, Scene, Token, Track, things
from .sentences import listed


def terms(thing: object) -> tuple[str, ...]:
    """The words that a thing shows (a tag is a word), not those of its parts; what is most its own comes first."""
    match thing:
        case str():
            return (thing,)
        case Card():
            face = thing.face
            if face is None:
                return thing.marks
            colour = face.colour.word if face.colour else ""
            feet = (f"{word} {sign}" for word, sign in face.feet)
            return (*thing.marks, *face.lines, colour, *feet, "circles" if face.circles else "")
        case Fact():
            return thing.title, f"{thing.title} {thing.text}"
        case Track() | Pile() | Row() | Group():
            return (thing.title,)
        case Cell():
            return tuple(thing.tone.split())
        case Token():
            return thing.state, "token"
        case Button():
            return (thing.text,)
        case Banner():
            return thing.text, thing.detail
        case Scene():
            return (thing.status,)
    return ()


def explained(scene: Scene, glossary: Glossary, word: str) -> tuple[GlossaryEntry, ...]:
    """What somebody means who asks for a word: its entry, or those of the cards and facts that are called so."""
    called = [thing for thing in things(scene) if plain(word) and plain(word) in map(plain, _names(thing))]
    return glossary.explain([word]) or glossary.explain([each for thing in called for each in terms(thing)])


def meanings(scene: Scene, glossary: Glossary, word: str) -> list[str]:
    """What is answered to somebody who asks what a word means: refused, with all there are, where it has no entry."""
    if found := explained(scene, glossary, word):
        return [f"{entry.word}: {entry.text}" for entry in found]
    known = listed(sorted((entry.word for entry in glossary.entries), key=str.casefold))
    if not known:
        raise SparringError("This game has no glossary.")
    raise SparringError(
        f"{f'The glossary has no entry for {word}' if word else 'Name a word to explain'}. Entries: {known}."
    )


def _names(thing: object) -> tuple[str, ...]:
    """What a thing can be called."""
    if isinstance(thing, Card) and thing.face:
        face = thing.face
        return face.name, f"{face.colour.letter if face.colour else ''}{face.value}"
    return (thing.title,) if isinstance(thing, Fact) else ()
