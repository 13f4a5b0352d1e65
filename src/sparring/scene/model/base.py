"""Base classes of the scene model: objects, those that represent choices, colours and pictures."""

from msgspec import Struct


class Thing(Struct, frozen=True, gc=False, cache_hash=True, omit_defaults=True, tag_field="kind", tag=str.lower):
    """Base class of all objects in a scene.

    They are immutable and hashable, because they are keys of drawing caches. They never contain themselves, so
    `gc=False` is safe. Programs get them as JSON, with their kind and without default values.
    """


class Colour(Thing, frozen=True):
    """A colour, with a word, a letter and a pattern for people who can't tell colours apart."""

    #: The CSS custom property with its value: `red` uses `--red`.
    key: str
    word: str
    letter: str
    #: One of `patterns.PATTERNS`: solid, diagonal, dots, waves, cross, ...
    pattern: str = "solid"


class Picture(Thing, frozen=True):
    """A drawing: an SVG fragment from a game (never from a user), usually 100 x 100."""

    name: str
    #: Empty in plain data (`without_drawings`).
    svg: str = ""


class Shortcut(Thing, frozen=True):
    """Several choices of a turn that one tap makes in order: a card, then the space it leads to."""

    #: The words of the choices, separated by semicolons: `FL; token d5; to c4`.
    words: str
    #: What it does, to distinguish it from the object's other shortcuts.
    text: str


class Choosable(Thing, frozen=True, kw_only=True):
    """An object that can represent a choice: its action and words, or why it can't be chosen now."""

    action: int | None = None
    words: str = ""
    why_not: str = ""
    #: For an object without an action: a tap on it takes the only shortcut, or asks which one.
    shortcuts: tuple[Shortcut, ...] = ()
    #: A full description, for a closer look and screen readers.
    label: str = ""


class Button(Choosable, frozen=True):
    """A choice that isn't an object on the table: finish, pass, a number."""

    text: str = ""
    #: Whether it is the most common choice; at most one per prompt.
    main: bool = False
