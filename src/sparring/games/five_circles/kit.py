"""Five Circles: the options, and designs and decks as they are read from a content file.

[[cards]]
name = "Kite Archer"
stat = ["Red"]              # the circles that buy points
attack = 2
health = 1
abilities = ["Target"]      # may be left out

[[decks]]                   # two of them: what seat 1 and what seat 2 adds
name = "Half A"
characters = ["Kite Archer", "Pebble Crab x2"]
resources = { Red = 5, Blue = 6, Green = 5 }
"""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from sparring.engine.errors import BadContent
from sparring.engine.spelling import plain

from .abilities import ABILITIES, NUMBER
from .designs import LONGEST_NAME, Deck, Design, deck_faults, faults
from .options import EXACT, OPTIONS, REPEAT, YES
from .state import CHARACTERS, COLOURS, SLOTS

__all__ = ["OPTIONS", "Content", "pack", "read_cards", "read_content"]

#: One for each seat.
DECKS = 2
#: As many cards of one colour as a deck can name; it is refused with fewer.
MOST_RESOURCES = 100

#: Words that mean something else at the table.
RESERVED = {
    plain(word)
    for word in (*COLOURS, "player", "opponent", "take", "avoid", "disperse", "keep", "attack", "hold", "done", "none")
}
#: Signs that stand between names where people type them.
SIGNS = ",;:#()"
FIELDS = ("name", "stat", "attack", "health", "abilities")
#: The numbers that automatic abilities give.
GIVEN = ("pierce", "armour", "boost", "guard", "fast", "reflect", "extra")


@dataclass(frozen=True)
class Content:
    """The designs of a file and its decks, in its order."""

    cards: tuple[Design, ...]
    decks: tuple[Deck, ...]

    @property
    def by_name(self) -> dict[str, Design]:
        """The designs by their names."""
        return {card.name: card for card in self.cards if isinstance(card.name, str)}

    @property
    def copies(self) -> list[tuple[int, int]]:
        """Every character card of both decks as (design, owner), in the order of their numbers in the kit."""
        place = {card.name: number for number, card in enumerate(self.cards)}
        return sorted((place[name], owner) for owner, deck in enumerate(self.decks) for name in deck.characters)


def read_content(data: Mapping[str, Any], where: str) -> Content:
    """Check a file to play with: legal designs, two decks. What an option may allow is left for `pack` to refuse."""
    content, found = read_cards(data)
    if len(content.decks) != DECKS:
        found.append(f"Two decks are needed to play, one for each seat; this file has {len(content.decks)}.")
    if found or _faults(content, exact=False, repeats=True):
        found += _faults(content, exact=False, repeats=False)
        raise BadContent(*(f"{where}: {fault}" for fault in found))
    return content


def read_cards(data: Mapping[str, Any]) -> tuple[Content, list[str]]:
    """What a file of designs and decks holds, whether legal or not, and what could not be understood at all."""
    found = [f"There is no field {key}; a file has cards and decks." for key in data if key not in ("cards", "decks")]
    cards, decks = data.get("cards", []), data.get("decks", [])
    if not _tables(cards) or not _tables(decks):
        return Content((), ()), [*found, "A file has a list of tables called cards, and may have another called decks."]
    read = tuple(_read_design(row, found) for row in cards)
    names: set[str] = set()
    for card in read:
        name = plain(card.name) if isinstance(card.name, str) else ""
        if isinstance(card.name, str) and (not card.name.isprintable() or set(card.name) & set(SIGNS)):
            found.append(f"{card.name}: A name does without the signs {' '.join(SIGNS)}")
        elif name in RESERVED:
            found.append(f"{card.name}: This name means something else at the table.")
        elif name and name in names:
            found.append(f"{card.name}: There is another card of this name.")
        names.add(name)
    return Content(read, tuple(_read_deck(row, number, found) for number, row in enumerate(decks, 1))), found


def _tables(rows: Any) -> bool:
    return isinstance(rows, list) and all(isinstance(row, Mapping) for row in rows)


def _read_design(row: Mapping[str, Any], found: list[str]) -> Design:
    name = row.get("name", "")
    called = name if isinstance(name, str) and len(name) <= LONGEST_NAME else f"{str(name)[:LONGEST_NAME]}…"
    found += [f"{called}: There is no field {key}; a card has {', '.join(FIELDS)}." for key in row if key not in FIELDS]
    lists = []
    for key in ("stat", "abilities"):
        entry = row.get(key, [])
        if not isinstance(entry, list | tuple):
            found.append(f"{called}: {key} is a list.")
            entry = []
        lists.append(tuple(entry))
    return Design(name, lists[0], row.get("attack"), row.get("health"), lists[1])


def _read_deck(row: Mapping[str, Any], number: int, found: list[str]) -> Deck:
    name = str(row.get("name", f"Deck {number}"))[:LONGEST_NAME]
    found += [f"{name}: There is no field {key}; a deck has name, characters and resources." for key in row
              if key not in ("name", "characters", "resources")]  # fmt: skip
    characters, resources = row.get("characters", []), row.get("resources", {})
    if not isinstance(characters, list | tuple) or not all(isinstance(word, str) for word in characters):
        found.append(f'{name}: characters is a list of names, as in "Kite Archer" or "Kite Archer x2".')
        characters = []
    if isinstance(resources, Mapping):
        if not all(isinstance(count, int) and count >= 0 for count in resources.values()):
            found.append(f"{name}: resources says how many there are of each colour.")
            resources = {}
        resources = [colour for colour, count in resources.items() for _ in range(min(count, MOST_RESOURCES))]
    elif not isinstance(resources, list | tuple):
        found.append(f"{name}: resources says how many there are of each colour.")
        resources = []
    return Deck(name, tuple(copy for word in characters for copy in _copies(word)), tuple(resources))


def _copies(word: str) -> list[str]:
    """`Kite Archer x2` is two Kite Archers."""
    name, sign, count = word.rpartition("x")
    count = count.removeprefix(" ")
    if sign and name.rstrip() != name and len(count) <= 2 and count.isascii() and count.isdigit():
        return [name.rstrip()] * int(count)
    return [word]


def _faults(content: Content, *, exact: bool, repeats: bool) -> list[str]:
    """All faults of all designs, each with the name of its card, then those of the decks."""
    named = content.by_name
    found = [
        f"{card.name}: {fault}" if card.name else f"Card {number}: {fault}"
        for number, card in enumerate(content.cards, 1)
        for fault in faults(card, exact=exact, repeats=repeats)
    ]
    told = set(found)
    for deck in content.decks[:DECKS]:
        wrong = deck_faults(deck, named, exact=exact, repeats=repeats)
        found += [f"{deck.name}: {fault}" for fault in wrong if fault not in told]
    return found


def pack(content: Content, kit: Any) -> None:
    """Write designs, decks and abilities into the kit record; BadContent if the table's options forbid a design."""
    found = _faults(content, exact=kit.points == EXACT, repeats=kit.repeats == YES)
    if found:
        raise BadContent(*(f"With these options a card is not legal. {fault}" for fault in found))
    for number, ability in enumerate(ABILITIES):
        kit.ability_phases[number] = ability.used_in(kit)
        kit.ability_colour[number] = ability.colour
        kit.ability_price[number] = ability.price
        kit.ability_wants[number] = ability.wants
        kit.ability_again[number] = ability.again and kit.uses == REPEAT
        kit.ability_attack[number] = ability.attack
    copies = content.copies
    kit.characters = len(copies)
    for owner, deck in enumerate(content.decks):
        kit.resources[owner] = [deck.resources.count(colour) for colour in COLOURS]
    kit.card_ability[:] = -1
    for card, (number, owner) in enumerate(copies[:CHARACTERS]):
        kit.card_owner[card] = owner
        kit.card_design[card] = number
        _pack_design(content.cards[number], card, kit)


def _pack_design(design: Design, card: int, kit: Any) -> None:
    kit.card_attack[card] = design.attack
    kit.card_health[card] = design.health
    kit.card_cost[card] = design.cost
    numbers = sorted(NUMBER[name] for name in design.abilities)
    kit.card_ability[card, : len(numbers[:SLOTS])] = numbers
    for number in numbers:
        kit.card_phases[card] |= kit.ability_phases[number]
    for word in GIVEN:
        kit[f"card_{word}"][card] = sum(ABILITIES[number].gives.get(word, 0) for number in numbers)
