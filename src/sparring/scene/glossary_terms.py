"""Find the words of a scene that the glossary may explain."""

from sparring.engine.errors import SparringError
from sparring.engine.glossary import GlossaryEntry, Glossary
from sparring.engine.formats.spelling import normalize

from .model import Banner, Button, Card, Cell, Fact, Group, Pile, Row, Scene, Token, Track, things
from .sentences import listed, say, titled


def terms(thing: object) -> tuple[str, ...]:
    """Return the words that an object shows, most specific first, without those of its parts; a tag is a word."""
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


def find_entries(scene: Scene, glossary: Glossary, word: str) -> tuple[GlossaryEntry, ...]:
    """Return the entry for a word, or those for the words on the cards and facts of that name."""
    called = [thing for thing in things(scene) if normalize(word) and normalize(word) in map(normalize, _names(thing))]
    return glossary.explain([word]) or glossary.explain([each for thing in called for each in terms(thing)])


def explain_word(scene: Scene, glossary: Glossary, word: str) -> list[str]:
    """Return a line for each entry that explains a word.

    :raises SparringError: There is no entry; the message lists all entries.
    """
    if found := find_entries(scene, glossary, word):
        return [titled(entry.word, entry.text) for entry in found]
    known = listed(sorted((entry.word for entry in glossary.entries), key=str.casefold))
    if not known:
        raise SparringError(say("This game has no glossary."))
    if word:
        raise SparringError(say("The glossary has no entry for {word}. Entries: {known}.", word=word, known=known))
    raise SparringError(say("Name a word to explain. Entries: {known}.", known=known))


def _names(thing: object) -> tuple[str, ...]:
    """Return the names of an object."""
    if isinstance(thing, Card) and thing.face:
        face = thing.face
        return face.name, f"{face.colour.letter if face.colour else ''}{face.value}"
    return (thing.title,) if isinstance(thing, Fact) else ()
