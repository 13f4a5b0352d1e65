"""Five Circles on the bench: the character as it is designed on paper, and what a deck asks for and can pay."""

from collections import Counter
from collections.abc import Iterator, Mapping
from functools import lru_cache
from itertools import product
from math import comb
from typing import Any

from sparring.engine.options import Value
from sparring.scene.bench import Bar, Bars, Curve, Curves, Said, Sheet

from .abilities import ABILITIES, NUMBER
from .designs import CIRCLES, Deck, Design, deck_notes, faults, is_ability, notes, size_of
from .kit import Content, read_cards
from .scene import face
from .state import COLOURS, HAND

#: The turns for which the chance to pay is told: one's own, from the first; and those that are told in numbers.
TURNS = 8
TOLD = (2, 4, 6)
#: Resources that may be laid in a turn (R18).
LAID = 2


def beside(data: Mapping[str, Any], options: Mapping[str, Value], at: tuple[str | int, ...]) -> Iterator[Any]:
    """The card that somebody looks at, or their deck; the first card if they look at neither."""
    content, _ = read_cards(data)
    part, number = (*at, "", 0)[:2] if len(at) > 1 else ("cards", 0)
    if not isinstance(number, int):
        return
    if part == "decks" and number < len(content.decks):
        yield from _deck(content, number, own=options["decks"] == "own")
    elif number < len(content.cards):
        yield from _card(_legible(content.cards[number]), options)


def calm(data: Mapping[str, Any], options: Mapping[str, Value], at: tuple[str | int, ...]) -> Iterator[Any]:
    """The abilities for which the card that somebody looks at has no circles left."""
    content, _ = read_cards(data)
    if len(at) < 2 or at[0] != "cards" or not isinstance(at[1], int) or at[1] >= len(content.cards):
        return
    design = _legible(content.cards[at[1]])
    left = CIRCLES - len(design.circles)
    for ability in ABILITIES:
        if ability.size > left and ability.name not in design.abilities:
            needs = f"Needs {ability.size} circle{'s' if ability.size > 1 else ''}"
            yield ["cards", at[1], "abilities"], ability.name, f"{needs}; {left if left > 0 else 'none'} left."


def _legible(design: Design) -> Design:
    """As much of a design as can be drawn."""
    stat = tuple(colour for colour in design.stat if isinstance(colour, str) and colour in COLOURS)
    return Design(str(design.name)[:24].strip() or "without a name", stat, design.attack, design.health,
                  tuple(filter(is_ability, design.abilities)), design.picture)  # fmt: skip


def _card(design: Design, options: Mapping[str, Value]) -> Iterator[Any]:
    yield face(design, _number(design.attack), _number(design.health))
    yield Said(f"Costs {design.price}." if design.circles else "No circle is filled yet.")
    for name in design.abilities:
        ability = ABILITIES[NUMBER[name]]
        paid = f" Each use costs {ability.kind}." if ability.price else ""
        yield Said(f"{name}, {size_of(name)} {COLOURS[ability.colour]}: {ability.effect}{paid}", "calm")
    if not faults(design, exact=options["points"] == "exact", repeats=options["repeats"] == "yes"):
        yield from (Said(note, "calm") for note in notes(design))


def _number(value: Any) -> Any:
    return value if isinstance(value, int) and abs(value) < 100 else "?"


def _deck(content: Content, number: int, *, own: bool) -> Iterator[Any]:
    deck, named = content.decks[number], content.by_name
    held = [_legible(named[name]) for name in deck.characters if isinstance(name, str) and name in named]
    yield Said(f"{deck.name}: {len(deck.characters)} characters, {len(deck.resources)} resources", "strong")
    costs = Counter(sum(design.cost) for design in held)
    yield Bars("Characters by cost", tuple(
        Bar(f"{cost} circle{'s' if cost > 1 else ''}", costs[cost], str(costs[cost])) for cost in range(1, CIRCLES + 1)
    ))  # fmt: skip
    yield Sheet("Colours asked and held", ("Colour", "Circles asked", "Resources"), tuple(
        (word, str(sum(design.cost[colour] for design in held)), str(deck.resources.count(word)))
        for colour, word in enumerate(COLOURS)
    ))  # fmt: skip
    yield from (Said(note, "calm") for note in deck_notes(deck, named))
    yield _chances(held, (deck,) if own else content.decks)


def _chances(held: list[Design], decks: tuple[Deck, ...]) -> Curves:
    """How likely each card can be paid; without characters the draws of an empty hand, which come on top."""
    cards = sum(len(deck.characters) + len(deck.resources) for deck in decks)
    resources = tuple(sum(deck.resources.count(word) for deck in decks) for word in COLOURS)
    mixed = "both decks mixed" if len(decks) > 1 else "this deck alone"
    curves = []
    for name, cost in sorted({(design.name, design.cost) for design in held}, key=lambda one: (sum(one[1]), one[0])):
        chances = tuple(chance_to_pay(cost, turn, cards, resources) for turn in range(1, TURNS + 1))
        said = ", ".join(f"{chances[turn - 1]:.0%}" for turn in TOLD)
        curves.append(Curve(name, chances, said))
    turns = ", ".join(map(str, TOLD))
    return Curves(
        f"The chance to pay by your turn 1 to {TURNS} (in numbers: {turns}), drawn from {mixed}", tuple(curves)
    )


def chance_to_pay(cost: tuple[int, int, int], turn: int, cards: int, resources: tuple[int, ...]) -> float:
    """How likely the resources of a cost were drawn by one's own turn of that number, and could be laid."""
    if sum(cost) > LAID * turn:
        return 0.0
    return _drawn(cards, resources, min(HAND + turn, cards)).get(cost, 0.0)


@lru_cache(maxsize=64)
def _drawn(cards: int, resources: tuple[int, ...], draws: int) -> dict[tuple[int, int, int], float]:
    """For each number of Red, Blue and Green up to five: how likely at least as many are among so many cards."""
    others, ways = cards - sum(resources), comb(cards, draws)
    at_least = dict.fromkeys(product(range(CIRCLES + 1), repeat=3), 0.0)
    for red, blue, green in product(*(range(min(count, draws) + 1) for count in resources)):
        rest = draws - red - blue - green
        if 0 <= rest <= others:
            hit = comb(resources[0], red) * comb(resources[1], blue) * comb(resources[2], green) * comb(others, rest)
            at_least[min(red, CIRCLES), min(blue, CIRCLES), min(green, CIRCLES)] += hit / ways
    for colour in range(3):
        for have in sorted(at_least, reverse=True):
            if have[colour] < CIRCLES:
                above = tuple(count + (place == colour) for place, count in enumerate(have))
                at_least[have] += at_least[above]
    return at_least  # type: ignore[return-value]
