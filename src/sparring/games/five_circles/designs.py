"""Five Circles: designs and decks, their faults, all at once (sections 1 and 2); content; drawings and faces of cards.

The codes (E1 to E9, K1 to K5, notes N1 and N2) are those of rules.md.
"""

from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from functools import cache, lru_cache
from pathlib import Path
from typing import Any
from unicodedata import category

from sparring.engine.errors import ContentFault
from sparring.engine.formats.toml import read_toml_file
from sparring.engine.messages import cached_by_language
from sparring.scene import Colour, Face, Picture
from sparring.scene.pictures import custom_picture, path
from sparring.scene.sentences import counted, say

from .abilities import ABILITIES, NUMBER
from .state import COLOURS, SEATS

CIRCLES = 5
LONGEST_NAME = 24
POINTS = 3  # per circle
CHARACTERS_EACH = (12, 16)
RESOURCES_EACH = (14, 18)
MANY_COPIES = 4
MOST_INITIALS = 3
#: With the accents and vowel signs of the letters.
LONGEST_INITIALS = 9


@dataclass(frozen=True)
class Design:
    """A character as designed; it need not be legal, so its fields may hold anything."""

    name: Any
    stat: tuple[Any, ...]
    attack: Any
    health: Any
    abilities: tuple[Any, ...] = ()
    #: A drawing of the designer's own.
    picture: str = ""

    @property
    def title(self) -> Any:
        """The name on the card."""
        return self.name

    @property
    def circles(self) -> tuple[int, ...]:
        """The colours of its filled circles as numbers: circles that buy points, then those of abilities."""
        bought = [COLOURS.index(colour) for colour in self.stat if colour in COLOURS]
        return (*bought, *(ABILITIES[NUMBER[name]].colour for name in self.abilities for _ in range(size_of(name))))

    @property
    def cost(self) -> tuple[int, int, int]:
        """The Red, Blue and Green resources that it costs to play."""
        return tuple(self.circles.count(colour) for colour in range(3))  # type: ignore[return-value]

    @property
    def price(self) -> str:
        """The cost in words: `2 Red, 1 Blue`."""
        return ", ".join(f"{count} {COLOURS[colour]}" for colour, count in enumerate(self.cost) if count)


@dataclass(frozen=True)
class MarkedDesign(Design):
    """A character whose name ends in a mark of its maker, which the card has as initials instead."""

    mark: str = ""

    @property
    def title(self) -> str:
        """The name on the card."""
        return str(self.name).removesuffix(f" {self.mark}")


@dataclass(frozen=True)
class Resource:
    """A resource as drawn; its name and picture change nothing in play (R15)."""

    name: str
    colour: str
    picture: str = ""

    @property
    def drawn(self) -> bool:
        """Whether it has a name of its own, besides its colour."""
        return self.name != self.colour


#: The plain resources, by colour.
PLAIN = tuple(Resource(colour, colour) for colour in COLOURS)


@dataclass(frozen=True)
class Deck:
    """One player's cards: designs by name, one entry per copy, and the colours of the resources."""

    name: str
    characters: tuple[str, ...]
    resources: tuple[Any, ...]
    #: Those of the resources that are drawn: designs by name, one entry per copy. The others are plain.
    drawn: tuple[Any, ...] = ()
    #: The maker's initials, which all cards of the deck carry; empty without any.
    initials: str = ""


def size_of(ability: Any) -> int:
    """Return the number of circles an ability fills, or 0 for an unknown ability."""
    return ABILITIES[NUMBER[ability]].size if is_ability(ability) else 0


def is_ability(name: object) -> bool:
    """Return whether an ability has exactly this name."""
    return isinstance(name, str) and name in NUMBER


def faults(design: Design, *, exact: bool = False, repeats: bool = False) -> list[ContentFault]:
    """Return a design's faults in the order E1 to E9; `exact` and `repeats` are the options `points` and `repeats`."""
    errors: list[ContentFault] = []

    def add(field: str, *sentences: str) -> None:
        errors.extend(ContentFault(sentence, (field,)) for sentence in sentences)

    if not isinstance(design.name, str) or not len(design.name.strip()) >= 1 or len(design.title) > LONGEST_NAME:
        add("name", f"Give the card a name of 1 to {LONGEST_NAME} characters.")
    add("stat", *(f"A circle must be Red, Blue or Green, not {x}." for x in design.stat if x not in COLOURS))
    bought = len(design.stat)
    if not 1 <= bought <= 3:
        add("stat", f"Buy 1, 2 or 3 circles of points; this card has {bought}.")
    for word, value in (("Attack", design.attack), ("Health", design.health)):
        if not is_whole(value) or value < 1:
            add(word.lower(), f"{word} must be a whole number, at least 1.")
    add("attack", *_points_fault(design, bought, exact))
    add("abilities", *(f"There is no ability called {x}." for x in _distinct(design.abilities) if not is_ability(x)))
    if not repeats:
        twice = [name for name, count in Counter(map(str, design.abilities)).items() if count > 1]
        add("abilities", *(f"{name} is on the card twice; an ability can be bought only once." for name in twice))
    needed = bought + sum(map(size_of, design.abilities))
    if needed > CIRCLES:
        add("abilities", f"The card needs {needed} circles; there are only {CIRCLES}.")
    return errors


def _points_fault(design: Design, bought: int, exact: bool) -> list[str]:
    """Return fault E6, if the design's numbers can be added up."""
    if not 1 <= bought <= 3 or not all(is_whole(value) and value >= 0 for value in (design.attack, design.health)):
        return []
    total, points = design.attack + design.health, POINTS * bought
    if total > points or (exact and total != points):
        buys = f"{counted(bought, 'circle')} {'buys' if bought == 1 else 'buy'}"
        return [f"{buys} {points} points, but Attack + Health is {total}."]
    return []


def notes(design: Design) -> list[str]:
    """Return what a legal design leaves unused: N1 and N2."""
    remarks = []
    points = POINTS * len(design.stat) - design.attack - design.health
    if points:
        remarks.append(f"{counted(points, 'point')} left over; {'it is' if points == 1 else 'they are'} lost.")
    if len(design.circles) < CIRCLES:
        remarks.append(f"{counted(CIRCLES - len(design.circles), 'circle')} left empty.")
    return remarks


def deck_faults(
    deck: Deck, designs: Mapping[str, Design], *, exact: bool = False, repeats: bool = False
) -> list[ContentFault]:
    """Return the faults of one player's deck: those of its designs, then K1 to K3."""
    errors = [
        ContentFault(f"{name}: {fault}", ("characters",))
        for name in _distinct(deck.characters)
        for fault in (
            faults(designs[name], exact=exact, repeats=repeats) if name in designs else ["There is no such card."]
        )
    ]
    characters, resources = len(deck.characters), len(deck.resources)
    if not CHARACTERS_EACH[0] <= characters <= CHARACTERS_EACH[1]:
        errors.append(
            ContentFault(f"A player adds 12 to 16 character cards; this list has {characters}.", ("characters",))
        )
    if not RESOURCES_EACH[0] <= resources <= RESOURCES_EACH[1]:
        errors.append(
            ContentFault(f"A player adds 14 to 18 resource cards; this list has {resources}.", ("resources",))
        )
    errors += [
        ContentFault(f"A resource must be Red, Blue or Green, not {x}.", ("resources",))
        for x in _distinct(deck.resources) if x not in COLOURS
    ]  # fmt: skip
    return errors


def drawn_faults(deck: Deck, drawn: Mapping[str, Resource]) -> list[ContentFault]:
    """Return the faults of a deck's drawn resources: K4 and K5."""
    errors = [f"There is no resource called {name}." for name in _distinct(deck.drawn) if name not in drawn]
    found = Counter(drawn[name].colour for name in deck.drawn if name in drawn)
    errors += [
        f"{counted(count, f'drawn {colour} resource')}, but the deck has only {deck.resources.count(colour)}."
        for colour, count in found.items() if count > deck.resources.count(colour)
    ]  # fmt: skip
    return [ContentFault(sentence, ("drawn",)) for sentence in errors]


def deck_notes(deck: Deck, designs: Mapping[str, Design]) -> list[str]:
    """Return what looks unintended in a legal deck."""
    remarks = []
    characters = [designs[name] for name in deck.characters if name in designs]
    for number, colour in enumerate(COLOURS):
        need = sum(design.cost[number] > 0 for design in characters)
        if need and colour not in deck.resources:
            remarks.append(
                f"No {colour} resource, but {counted(need, 'character')} {'needs' if need == 1 else 'need'} it."
            )
    copies = Counter(deck.characters)
    remarks += [f"{count} copies of {name}." for name, count in copies.items() if count >= MANY_COPIES]
    return remarks


def initials_fault(text: str) -> str:
    """Return what is wrong with a maker's initials; an accent or vowel sign belongs to its letter."""
    kinds = [category(sign)[0] for sign in text]
    fits = 1 <= kinds.count("L") <= MOST_INITIALS and set(kinds) <= {"L", "M"} and kinds[0] == "L"
    return "" if fits else f"Initials are 1 to {MOST_INITIALS} letters."


def is_whole(value: object) -> bool:
    """Return whether a value is a whole number."""
    return isinstance(value, int) and not isinstance(value, bool)


def _distinct(values: Iterable[Any]) -> list[Any]:
    """Return each distinct value once, in order of first appearance."""
    first_values: dict[str, Any] = {}
    for value in values:
        first_values.setdefault(value if isinstance(value, str) else repr(value), value)
    return list(first_values.values())


# Content: one file, or two of which each seat has brought one


class Cards:
    """Designs, decks and drawn resources, in the order of their file."""

    cards: tuple[Design, ...]
    decks: tuple[Deck, ...]
    resources: tuple[Resource, ...]
    #: Whether players may know a design only once they have seen the card (R68).
    hidden = False

    @property
    def by_name(self) -> dict[str, Design]:
        """The designs by name."""
        return {card.name: card for card in self.cards if isinstance(card.name, str)}

    def resources_of(self, owner: int, colour: int) -> tuple[Resource, ...]:
        """Return a deck's resources of a colour, one for each card: the drawn ones, then the plain ones."""
        deck, named = self.decks[owner], {each.name: each for each in self.resources}
        drawn = [named[name] for name in deck.drawn if named[name].colour == COLOURS[colour]]
        return (*drawn, *[PLAIN[colour]] * (deck.resources.count(COLOURS[colour]) - len(drawn)))

    def resource(self, owner: int, colour: int, number: int) -> Resource:
        """Return one of a deck's resources of a colour, from 0; after the last one, they begin again."""
        cards = self.resources_of(owner, colour) if self.resources else ()
        return cards[number % len(cards)] if cards else PLAIN[colour]

    @property
    def copies(self) -> list[tuple[int, int]]:
        """Every character card of both decks as (design, owner), in the order of card numbers in the params."""
        place = {card.name: number for number, card in enumerate(self.cards)}
        return sorted((place[name], owner) for owner, deck in enumerate(self.decks) for name in deck.characters)


@dataclass(frozen=True)
class Content(Cards):
    """One content file."""

    cards: tuple[Design, ...]
    decks: tuple[Deck, ...]
    resources: tuple[Resource, ...] = ()


@dataclass(frozen=True)
class MergedContent(Cards):
    """Two files, each with one deck: that of seat 1 and that of seat 2.

    Only the files are stored. Both makers may have used a name, so every name gets its maker's initials: if only names
    that clash did, they would tell each player what the other one has.
    """

    halves: tuple[Content, Content]
    hidden = True

    def __post_init__(self) -> None:
        marked = [_marked(half, mark) for half, mark in zip(self.halves, _marks(self.halves), strict=True)]
        vars(self).update(
            {part: tuple(each for half in marked for each in getattr(half, part)) for part in Content.__annotations__}
        )

    def resources_of(self, owner: int, colour: int) -> tuple[Resource, ...]:
        """Return a half's resources of a colour: both halves may have used a name."""
        return self.halves[owner].resources_of(0, colour)


def _marks(halves: tuple[Content, Content]) -> tuple[str, str]:
    """Return the initials of both makers; A and B if they don't tell all names apart."""
    one, two = (half.decks[0].initials for half in halves)
    clash = one.casefold().endswith(two.casefold()) or two.casefold().endswith(one.casefold())
    return ("A", "B") if clash else (one, two)


def _marked(half: Content, mark: str) -> Content:
    """Return a half whose characters have a mark in their names, and whose deck has it as initials."""
    cards = tuple(MarkedDesign(**{**vars(card), "name": f"{card.name} {mark}"}, mark=mark) for card in half.cards)
    deck = half.decks[0]
    characters = tuple(f"{name} {mark}" for name in deck.characters)
    return Content(cards, (replace(deck, characters=characters, initials=mark),), half.resources)


def content_faults(content: Cards, *, exact: bool, repeats: bool) -> list[ContentFault]:
    """Return all faults of all designs, each with its card's name, then those of the decks."""
    named = content.by_name
    found = [
        ContentFault(f"{card.name or f'Card {number + 1}'}: {fault}", ("cards", number, *fault.at), fault)
        for number, card in enumerate(content.cards)
        for fault in faults(card, exact=exact, repeats=repeats)
    ]
    reported = set(found)
    for number, deck in enumerate(content.decks[:SEATS]):
        wrong = deck_faults(deck, named, exact=exact, repeats=repeats)
        found += [
            ContentFault(f"{deck.name}: {fault}", ("decks", number, *fault.at), fault)
            for fault in wrong
            if fault not in reported
        ]
    return found


# Drawings

#: The card back: five circles in a ring, twice, so that a turned card is not marked; and the filter that makes lines
#: look drawn by hand.
RING = (
    '<circle class="tone-red" cx="31.5" cy="25" r="8"/><circle class="tone-blue" cx="48" cy="38" r="8"/>'
    '<circle class="tone-green" cx="42" cy="58" r="8"/><circle class="open" cx="21" cy="58" r="8"/>'
    '<circle class="open" cx="15" cy="38" r="8"/>'
)
BACK = Picture(
    "circles",
    '<filter id="by-hand" x="-20%" y="-20%" width="140%" height="140%">'
    '<feTurbulence baseFrequency=".04" numOctaves="2" seed="7"/>'
    '<feDisplacementMap in="SourceGraphic" scale="3"/></filter>'
    '<rect width="63" height="88" rx="4" class="paper"/>'
    '<path class="frame" d="M4 5q27-2 55 0 1 38 0 78-27 2-55 0-1-38 0-78z"/>'
    + "".join(f'<g class="ring" transform="{turn}translate(31.5 25) scale(.62) translate(-31.5 -43)">{RING}</g>'
              for turn in ("", "rotate(180 31.5 44) ")),
)  # fmt: skip
TONES = ("tone-red", "tone-blue", "tone-green")


@lru_cache(maxsize=256)
def picture(name: str, colour: int) -> Picture:
    """Return the drawing of a card: its own, or the emblem of its colour."""
    strokes = drawings()["cards"].get(name.casefold()) or drawings()["emblems"][COLOURS[colour]]
    return Picture(name, f'<g class="{TONES[colour]}">{"".join(map(stroke, strokes.split("|")))}</g>')


@cache
def drawings() -> dict[str, dict[str, str]]:
    """Return the drawings in `drawings.toml`, which also says how they are written."""
    return read_toml_file(Path(__file__).with_name("drawings.toml"))


def stroke(written: str) -> str:
    """Return one stroke as SVG."""
    kind, _, shape = written.strip().partition(" ")
    if shape.startswith("o"):
        x, y, r = shape[1:].split()
        return f'<circle class="{kind}" cx="{x}" cy="{y}" r="{r}"/>'
    return f'<path class="{kind}" d="{path(shape) if shape.isalpha() else shape}"/>'


# Faces

INK = (
    Colour("red", "Red", "R", "diagonal"),
    Colour("blue", "Blue", "B", "waves"),
    Colour("green", "Green", "G", "dots"),
)


@cached_by_language(1024)
def face(
    card: Design, attack: int, health: int, initials: str, raised: tuple[str, ...] = (), lowered: tuple[str, ...] = ()
) -> Face:
    """Return the face of a character; in play, with its current attack and health, and which of them have changed."""
    circles = (*(INK[colour] for colour in sorted(card.circles)), *[None] * CIRCLES)[:CIRCLES]
    most = max(range(3), key=card.cost.__getitem__)
    drawn = custom_picture(card.picture) or picture(card.title, most)
    numbers = (say("attack"), str(attack)), (say("health"), str(health))
    return Face(
        card.title, None, "", drawn, tuple(card.abilities), circles, numbers, raised, lowered, initials=initials
    )


@cached_by_language(256)
def resource_face(resource: Resource, initials: str) -> Face:
    """Return the face of a resource."""
    colour = COLOURS.index(resource.colour)
    art = custom_picture(resource.picture) or picture(f"{resource.colour} resource", colour)
    name = resource.name if resource.drawn else say(resource.colour)
    return Face(name, INK[colour], "", art, initials=initials)


def in_words(resource: Resource) -> str:
    """Return `Red resource`, or `Ruby, Red resource` for a drawn one."""
    if resource.drawn:
        return say("{card}, {colour} resource", card=resource.name, colour=resource.colour)
    return say("{colour} resource", colour=resource.colour)
