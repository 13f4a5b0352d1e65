"""Five Circles: read designs and decks from a content file, preview them in the studio, and `sparring cards`.

[[cards]]
name = "Kite Archer"
stat = ["Red"]              # the circles that buy points
attack = 2
health = 1
abilities = ["Target"]      # optional

[[resources]]               # optional: resources that you draw and name
name = "Fire Engine"
colour = "Red"

[[decks]]                   # two: the cards of seat 1 and of seat 2
name = "Half A"
characters = ["Kite Archer", "Pebble Crab x2"]
resources = { Red = 5, Blue = 6, Green = 5 }
drawn = ["Fire Engine x2"]  # optional: the drawn ones among the resources
initials = "KA"             # optional: the maker's, on all cards of this deck

A file with two `[[halves]]`, each of this form with one deck, has what each seat has brought (R68).
"""

from collections import Counter
from collections.abc import Iterator, Mapping
from functools import lru_cache
from itertools import product
from math import comb
from pathlib import Path
from typing import Annotated, Any

import typer

from sparring.engine.errors import BadContent, ContentFault
from sparring.engine.formats import normalize
from sparring.engine.formats.toml import read_toml_file
from sparring.engine.game import GameSetup
from sparring.engine.options import Value
from sparring.engine.schema import Choice, Drawing, Integer, ListField, RecordField, Tally, Text, validate
from sparring.scene.components import PreviewBar, PreviewBars, PreviewCurve, PreviewCurves, PreviewText, StatSheet

from .abilities import ABILITIES, NUMBER, ability_table, price_of
from .designs import (
    CIRCLES, LONGEST_INITIALS, LONGEST_NAME, POINTS, Cards, Content, Deck, Design, MergedContent, Resource,
    content_faults, deck_faults, deck_notes, drawn_faults, face, faults, initials_fault, is_ability, notes,
    resource_face, size_of,
)  # fmt: skip
from .state import CHARACTERS, COLOURS, EXACT, HAND, REPEAT, SEATS, SLOTS, YES, Params

#: The most resources of one colour that can be read; the rules allow far fewer.
MOST_RESOURCES = 100

#: The most designs of resources in a file, and the inks that the drawing pad shows first.
MOST_DRAWN, INKS = 36, ("ink", *map(str.lower, COLOURS))

#: Words that can't be card names, because they are choices or mean something else.
RESERVED = {
    normalize(word)
    for word in (*COLOURS, "player", "opponent", "take", "avoid", "disperse", "keep", "attack", "hold", "done", "none")
}
#: Characters that separate names when people type choices.
SIGNS = ",;:#()"
#: The numbers that automatic abilities give.
GIVEN = frozenset(word for each in ABILITIES for word in each.gives)

ABOUT = {each.name: f"{each.size} {COLOURS[each.colour]}. {each.effect.template}" for each in ABILITIES}

#: The form only checks types; `designs.py` checks the values, with its own messages.
FORM = RecordField("file", {
    "cards": ListField(
        RecordField("card", {
            "name": Text(max_length=LONGEST_NAME, loose=True),
            "stat": ListField(Choice(COLOURS, "circle", loose=True), "circle", "card", title="Circles that buy points",
                         help="1 to 3 circles of any colour. Each buys 3 points for attack and health.",
                         like="stat must be a list.", default=()),
            "attack": Integer(1, POINTS * 3, "attack", loose=True),
            "health": Integer(1, POINTS * 3, "health", loose=True),
            "abilities": ListField(Choice(tuple(each.name for each in ABILITIES), "ability", loose=True, about=ABOUT),
                              "ability", "card", toggles=True,
                              help="Each fills circles of its colour. A card has five circles in all.",
                              like="abilities must be a list.", default=()),
            "picture": Drawing(inks=INKS),
        }, shared_budget=("attack", "health"), new={"stat": ["Red"], "attack": 2, "health": 1}),
        "card", "file", title="Cards", like="cards must be a list of tables, as in [[cards]].", default=(),
    ),
    "resources": ListField(
        RecordField("resource", {
            "name": Text(max_length=LONGEST_NAME),
            "colour": Choice(COLOURS, "colour"),
            "picture": Drawing(inks=INKS),
        }),
        "resource", "file", title="Drawn resources", high=MOST_DRAWN, default=(),
        help="A ruby, a fire engine, a balloon: resources that you draw and name. Then add them to a deck.",
        like="resources must be a list of tables, as in [[resources]].",
    ),
    "decks": ListField(
        RecordField("deck", {
            "name": Text(max_length=LONGEST_NAME, loose=True, default=""),
            "characters": ListField(Text("card", names_of="cards", loose=True), "character", "deck",
                               help="12 to 16 cards. List copies one by one, or write Kite Archer x2.", default=(),
                               like='characters must be a list of names, as in "Kite Archer" or "Kite Archer x2".'),
            "resources": Tally(COLOURS, MOST_RESOURCES, "resources must say how many there are of each colour.",
                               help="14 to 18 resources.", default={}),
            "drawn": ListField(Text("resource", names_of="resources", max_length=LONGEST_NAME + 4), "drawn resource",
                               "deck", default=(), title="Drawn resources", high=MOST_DRAWN,
                               like="drawn must be a list of names of resources.",
                               help="Which of the resources above are drawn. The others are plain."),
            "initials": Text("set of initials", max_length=LONGEST_INITIALS, check=initials_fault, default="",
                             help="The maker's, up to three letters. All cards of the deck carry them."),
        }),
        "deck", "file", title="Decks", help="Two decks: one for seat 1, one for seat 2.", default=(),
        like="decks must be a list of tables, as in [[decks]].",
    ),
})  # fmt: skip


def text_values(setup: GameSetup) -> dict[str, Any]:
    """Return more values for the texts of the rules and the tutorial."""
    return {"ability_table": ability_table(setup), "price": price_of}


def read_content(data: Mapping[str, Any], where: str) -> Cards:
    """Read a playable content file: legal designs, two decks. `pack` refuses what the table's options forbid."""
    if "halves" in data:
        return _read_halves(data, where)
    content, found = read_cards(data)
    if len(content.decks) != SEATS:
        message = f"To play, a file needs two decks, one per seat; this file has {len(content.decks)}."
        found.append(ContentFault(message, ("decks",)))
    if found or content_faults(content, exact=False, repeats=True):
        found += content_faults(content, exact=False, repeats=False)
        raise BadContent(*(ContentFault(f"{where}: {fault}", fault.at, fault.sentence) for fault in found))
    return content


def merged(first: Mapping[str, Any], second: Mapping[str, Any]) -> dict[str, Any]:
    """Return the content in which seats 1 and 2 bring a half each: their deck in a file, or its only one (R68)."""
    return {"halves": [_half(data, seat) for seat, data in enumerate((first, second))]}


def _half(data: Mapping[str, Any], seat: int) -> dict[str, Any]:
    """Return one deck of a file with the cards and resources that it names."""
    content, found = read_cards(data)
    if found:
        raise BadContent(*found)
    if not content.decks:
        raise BadContent("To bring a half, a set needs a deck.")
    number = min(seat, len(content.decks) - 1)
    deck = content.decks[number]
    used = {"cards": set(deck.characters), "resources": set(deck.drawn)}
    rows = {part: [row for row in data.get(part, ()) if row.get("name") in names] for part, names in used.items()}
    return {**rows, "decks": [data["decks"][number]]}


def _read_halves(data: Mapping[str, Any], where: str) -> MergedContent:
    """Read the content that `merged` makes."""
    halves = data["halves"]
    if set(data) != {"halves"} or not isinstance(halves, list | tuple) or len(halves) != SEATS:
        raise BadContent(f"{where}: halves must be two tables, as in [[halves]], with nothing beside them.")
    contents = []
    for half in halves:
        content, found = read_cards(half)
        found += [] if found else content_faults(content, exact=False, repeats=True)
        if not found and len(content.decks) != 1:
            found = [ContentFault(f"A half has one deck, not {len(content.decks)}.", ("decks",))]
        if found:
            raise BadContent(*(f"{where}: {fault}" for fault in found))
        contents.append(content)
    return MergedContent((contents[0], contents[1]))


def read_cards(data: Mapping[str, Any]) -> tuple[Content, list[ContentFault]]:
    """Return the designs and decks of a file, legal or not, and faults for what could not be read."""
    read, found = validate(FORM, data)
    found = [ContentFault(fault.removeprefix(": "), fault.at, fault.sentence) for fault in found]
    designs = tuple(_design(row or {}) for row in read["cards"])
    resources = tuple(
        Resource(*(row.get(key) or "" for key in ("name", "colour", "picture"))) for row in read["resources"]
    )
    names: set[str] = set()
    made: list[tuple[str, int, Any]] = [("cards", *each) for each in enumerate(designs)]
    made += [("resources", *each) for each in enumerate(resources)]
    for part, number, card in made:
        name = normalize(card.name) if isinstance(card.name, str) else ""
        at, wrong = (part, number, "name"), ""
        if isinstance(card.name, str) and (not card.name.isprintable() or set(card.name) & set(SIGNS)):
            wrong = f"A name can't contain unprintable characters or any of {' '.join(SIGNS)}"
        elif name in RESERVED:
            wrong = "This word has another meaning in the game; choose another name."
        elif name and name in names:
            wrong = "Another card already has this name."
        if wrong:
            found.append(ContentFault(f"{card.name}: {wrong}", at, wrong))
        names.add(name)
    decks = tuple(_deck(row or {}, number) for number, row in enumerate(read["decks"], 1))
    named = {each.name: each for each in resources if each.colour}
    for number, deck in enumerate(decks):
        wrongs = drawn_faults(deck, named)
        found += [ContentFault(f"{deck.name}: {wrong}", ("decks", number, *wrong.at), wrong) for wrong in wrongs]
    return Content(designs, decks, resources), found


def _design(row: Mapping[str, Any]) -> Design:
    return Design(row.get("name") or "", tuple(row.get("stat", ())), row.get("attack"), row.get("health"),
                  tuple(row.get("abilities", ())), row.get("picture", ""))  # fmt: skip


def _deck(row: Mapping[str, Any], number: int) -> Deck:
    characters = [copy for word in row.get("characters", ()) for copy in _copies(word)]
    resources = [colour for colour, count in row.get("resources", {}).items() for _ in range(count)]
    drawn = [copy for word in row.get("drawn", ()) if word for copy in _copies(word)]
    return Deck(str(row.get("name") or f"Deck {number}")[:LONGEST_NAME], tuple(characters), tuple(resources),
                tuple(drawn), row.get("initials") or "")  # fmt: skip


def _copies(word: Any) -> list[str]:
    """Return the names in an entry of a deck: `Kite Archer x2` is two Kite Archers."""
    name, _, count = str(word).rpartition("x")
    count = count.removeprefix(" ")
    if name.rstrip() != name and len(count) <= 2 and count.isascii() and count.isdigit():
        return [name.rstrip()] * int(count)
    return [str(word)]


def pack(content: Cards, params: Params) -> None:
    """Write designs, decks and abilities into the parameters; raise BadContent if the options forbid a design."""
    found = content_faults(content, exact=params.points == EXACT, repeats=params.repeats == YES)
    if found:
        raise BadContent(*(f"Not legal with these options: {fault}" for fault in found))
    for number, ability in enumerate(ABILITIES):
        params.ability_phases[number] = ability.used_in(params)
        params.ability_colour[number] = ability.colour
        params.ability_price[number] = ability.price
        params.ability_wants[number] = ability.wants
        params.ability_again[number] = ability.repeatable and params.uses == REPEAT
        params.ability_attack[number] = ability.attack
    copies = content.copies
    params.characters = len(copies)
    for owner, deck in enumerate(content.decks):
        params.resources[owner][:] = [deck.resources.count(colour) for colour in COLOURS]
    params.card_ability[:] = -1
    for card, (number, owner) in enumerate(copies[:CHARACTERS]):
        params.card_owner[card] = owner
        params.card_design[card] = number
        _pack_design(content.cards[number], card, params)


def _pack_design(design: Design, card: int, params: Params) -> None:
    params.card_attack[card] = design.attack
    params.card_health[card] = design.health
    params.card_cost[card][:] = design.cost
    numbers = sorted(NUMBER[name] for name in design.abilities)
    params.card_ability[card][: len(numbers[:SLOTS])] = numbers
    for number in numbers:
        params.card_phases[card] |= params.ability_phases[number]
    for word in GIVEN:
        getattr(params, f"card_{word}")[card] = sum(ABILITIES[number].gives.get(word, 0) for number in numbers)


# The preview

#: The number of a player's turns in the chart of chances to pay, and the turns with percentages.
TURNS = 8
IN_NUMBERS = (2, 4, 6)
#: Resources that may be played in a turn (R18).
PER_TURN = 2


def preview(data: Mapping[str, Any], options: Mapping[str, Value], at: tuple[str | int, ...]) -> Iterator[Any]:
    """Yield the preview of the card or deck being edited (`at`), by default of the first card."""
    content, _ = read_cards(data)
    part, number = (*at, "", 0)[:2] if len(at) > 1 else ("cards", 0)
    if not isinstance(number, int):
        return
    if part == "decks" and number < len(content.decks):
        yield from _deck_preview(content, number, own=options["decks"] == "own")
    elif part == "resources":
        if number < len(content.resources) and (resource := content.resources[number]).colour:
            yield resource_face(resource, _initials(content, resource.name))
            yield PreviewText(f"A {resource.colour} resource. Its name and picture change nothing in play.")
    elif number < len(content.cards):
        name = content.cards[number].name
        yield from _card_preview(_legible(content.cards[number]), _initials(content, name), options)


def _initials(content: Content, name: str) -> str:
    """Return the initials of the maker in whose deck a card is; empty for none."""
    return next((deck.initials for deck in content.decks if name in (*deck.characters, *deck.drawn)), "")


def misfits(data: Mapping[str, Any], options: Mapping[str, Value], at: tuple[str | int, ...]) -> Iterator[Any]:
    """Yield the abilities that don't fit on the card being edited, with the reason."""
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
    """Return the part of a design that can be drawn."""
    stat = tuple(colour for colour in design.stat if isinstance(colour, str) and colour in COLOURS)
    return Design(str(design.name)[:24].strip() or "Unnamed", stat, design.attack, design.health,
                  tuple(filter(is_ability, design.abilities)), design.picture)  # fmt: skip


def _card_preview(design: Design, initials: str, options: Mapping[str, Value]) -> Iterator[Any]:
    yield face(design, _number(design.attack), _number(design.health), initials)
    yield PreviewText(f"Costs {design.price}." if design.circles else "No circles filled yet.")
    for name in design.abilities:
        ability = ABILITIES[NUMBER[name]]
        paid = f" Costs {ability.kind} to use." if ability.price else ""
        yield PreviewText(f"{name}, {size_of(name)} {COLOURS[ability.colour]}: {ability.effect}{paid}", "note")
    if not faults(design, exact=options["points"] == "exact", repeats=options["repeats"] == "yes"):
        yield from (PreviewText(note, "note") for note in notes(design))


def _number(value: object) -> Any:
    return value if isinstance(value, int) and abs(value) < 100 else "?"


def _deck_preview(content: Content, number: int, *, own: bool) -> Iterator[Any]:
    deck, named = content.decks[number], content.by_name
    held = [_legible(named[name]) for name in deck.characters if name in named]
    yield PreviewText(f"{deck.name}: {len(deck.characters)} characters, {len(deck.resources)} resources", "strong")
    costs = Counter(sum(design.cost) for design in held)
    yield PreviewBars("Characters by cost", tuple(
        PreviewBar(f"{cost} circle{'s' if cost > 1 else ''}", costs[cost], str(costs[cost])) for cost in range(1,
            CIRCLES + 1)
    ))  # fmt: skip
    yield StatSheet("Colours needed and held", ("Colour", "Circles", "Resources"), tuple(
        (word, str(sum(design.cost[colour] for design in held)), str(deck.resources.count(word)))
        for colour, word in enumerate(COLOURS)
    ))  # fmt: skip
    yield from (PreviewText(note, "note") for note in deck_notes(deck, named))
    yield _chances(held, (deck,) if own else content.decks)


def _chances(held: list[Design], decks: tuple[Deck, ...]) -> PreviewCurves:
    """Return each card's chance to be payable by turn, not counting the extra draws of an empty hand."""
    cards = sum(len(deck.characters) + len(deck.resources) for deck in decks)
    resources = tuple(sum(deck.resources.count(word) for deck in decks) for word in COLOURS)
    source = "both decks mixed" if len(decks) > 1 else "this deck alone"
    curves = []
    for name, cost in sorted({(design.name, design.cost) for design in held}, key=lambda one: (sum(one[1]), one[0])):
        chances = tuple(chance_to_pay(cost, turn, cards, resources) for turn in range(1, TURNS + 1))
        said = ", ".join(f"{chances[turn - 1]:.0%}" for turn in IN_NUMBERS)
        curves.append(PreviewCurve(name, chances, said))
    turns = ", ".join(map(str, IN_NUMBERS))
    return PreviewCurves(
        f"Chance of having the resources by each of your first {TURNS} turns, from {source} "
        f"(percentages: turns {turns})",
        tuple(curves),
    )


def chance_to_pay(cost: tuple[int, int, int], turn: int, cards: int, resources: tuple[int, ...]) -> float:
    """Return the probability that a player has drawn a cost's resources by their turn `turn` and could play them."""
    if sum(cost) > PER_TURN * turn:
        return 0.0
    return _drawn(cards, resources, min(HAND + turn, cards)).get(cost, 0.0)


@lru_cache(maxsize=64)
def _drawn(cards: int, resources: tuple[int, ...], draws: int) -> dict[tuple[int, int, int], float]:
    """Return, for each number of Red, Blue and Green up to five, the probability of drawing at least that many."""
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


# `sparring cards`

app = typer.Typer(help="Check custom cards and decks for Five Circles.", no_args_is_help=True)

File = Annotated[Path, typer.Argument(metavar="FILE", help="A TOML file of cards, with or without decks.")]


@app.command()
def check(
    file: File,
    exact: Annotated[bool, typer.Option(help="Require every point to be spent (points=exact).")] = False,
    repeats: Annotated[bool, typer.Option(help="Allow buying the same ability more than once (repeats=yes).")] = False,
) -> None:
    """Check the cards and decks in a file; list faults, and the points and circles that legal cards leave unused."""
    lines, good = report(file, exact=exact, repeats=repeats)
    typer.echo("\n".join(lines))
    if not good:
        raise typer.Exit(1)


@app.command()
def cost(file: File) -> None:
    """Show what each card in a file costs to play."""
    content = load(file)[0]
    legal = [card for card in content.cards if not faults(card, repeats=True)]
    width = max((len(card.name) for card in legal), default=0)
    for card in content.cards:
        price = card.price if card in legal else "not legal (run `sparring cards check` to see why)"
        total = f" ({sum(card.cost)})" if card in legal else ""
        typer.echo(f"{card.name!s:<{width}}  {price}{total}")


@app.command()
def abilities() -> None:
    """List all abilities: circles, cost to use, and effect."""
    for ability in ABILITIES:
        circles = f"{ability.size} {COLOURS[ability.colour]}"
        typer.echo(f"{ability.name:<18} {circles:<8} {ability.kind:<12} {ability.effect}")


def load(file: Path) -> tuple[Content, list[ContentFault]]:
    """Return the designs and decks of a file and what could not be read; raise BadContent if it isn't TOML."""
    data = read_toml_file(file)
    data.pop("options", None)  # a set's file also has the options of its variant
    return read_cards(data)


def report(file: Path, *, exact: bool = False, repeats: bool = False) -> tuple[list[str], bool]:
    """Return one line per card and deck, each followed by its faults or notes; and whether everything is legal."""
    content, file_faults = load(file)
    lines: list[str] = list(file_faults)
    good = not file_faults
    for card in content.cards:
        card_faults = faults(card, exact=exact, repeats=repeats)
        good &= not card_faults
        lines.append(f"{card.name or 'Unnamed card'}: {'not legal' if card_faults else card.price}")
        lines += [f"  {line}" for line in card_faults or notes(card)]
    for deck in content.decks:
        card_faults = deck_faults(deck, content.by_name, exact=exact, repeats=repeats)
        good &= not card_faults
        count = f"{len(deck.characters)} characters, {len(deck.resources)} resources"
        lines.append(f"{deck.name}: {'not legal' if card_faults else count}")
        lines += [f"  {line}" for line in card_faults or deck_notes(deck, content.by_name)]
    if not content.cards and not content.decks:
        lines.append("This file has no cards.")
    return lines, good
