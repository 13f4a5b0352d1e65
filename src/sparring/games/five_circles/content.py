"""Five Circles: the designs and decks of a content file, or of two files of which each seat has brought one."""

from dataclasses import dataclass, replace

from .designs import PLAIN, Deck, Design, MarkedDesign, Resource
from .state import COLOURS


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
        """Every character card of both decks as (design, owner), in the order of card numbers in the kit."""
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
