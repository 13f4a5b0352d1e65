"""Five Circles: what designers see of their cards: the studio's preview, and `sparring cards`."""

from collections import Counter
from collections.abc import Iterator, Mapping
from functools import lru_cache
from itertools import product
from math import comb
from pathlib import Path
from typing import Annotated, Any

import typer

from sparring.engine.errors import BadContent, ContentFault
from sparring.engine.formats.toml import read_toml
from sparring.engine.options import Value
from sparring.scene.preview import PreviewBar, PreviewBars, PreviewCurve, PreviewCurves, PreviewText, StatSheet

from .abilities import ABILITIES, NUMBER
from .components import face, resource_face
from .designs import CIRCLES, Deck, Design, deck_faults, deck_notes, faults, is_ability, notes, size_of
from .kit import Content, read_cards
from .state import COLOURS, HAND

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
        yield from _deck(content, number, own=options["decks"] == "own")
    elif part == "resources":
        if number < len(content.resources) and (resource := content.resources[number]).colour:
            yield resource_face(resource, _initials(content, resource.name))
            yield PreviewText(f"A {resource.colour} resource. Its name and picture change nothing in play.")
    elif number < len(content.cards):
        name = content.cards[number].name
        yield from _card(_legible(content.cards[number]), _initials(content, name), options)


def _initials(content: Content, name: str) -> str:
    """Return the initials of the maker in whose deck a card is; empty for none."""
    return next((deck.initials for deck in content.decks if name in (*deck.characters, *deck.drawn)), "")


def calm(data: Mapping[str, Any], options: Mapping[str, Value], at: tuple[str | int, ...]) -> Iterator[Any]:
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


def _card(design: Design, initials: str, options: Mapping[str, Value]) -> Iterator[Any]:
    yield face(design, _number(design.attack), _number(design.health), initials)
    yield PreviewText(f"Costs {design.price}." if design.circles else "No circles filled yet.")
    for name in design.abilities:
        ability = ABILITIES[NUMBER[name]]
        paid = f" Costs {ability.kind} to use." if ability.price else ""
        yield PreviewText(f"{name}, {size_of(name)} {COLOURS[ability.colour]}: {ability.effect}{paid}", "calm")
    if not faults(design, exact=options["points"] == "exact", repeats=options["repeats"] == "yes"):
        yield from (PreviewText(note, "calm") for note in notes(design))


def _number(value: object) -> Any:
    return value if isinstance(value, int) and abs(value) < 100 else "?"


def _deck(content: Content, number: int, *, own: bool) -> Iterator[Any]:
    deck, named = content.decks[number], content.by_name
    held = [_legible(named[name]) for name in deck.characters if isinstance(name, str) and name in named]
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
    yield from (PreviewText(note, "calm") for note in deck_notes(deck, named))
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
    try:
        text = file.read_text(encoding="utf-8")
    except OSError as problem:
        raise BadContent(f"Can't read {file}: {problem.strerror or problem}.") from None
    except UnicodeDecodeError as problem:
        raise BadContent(f"{file.name} is not TOML: {problem}.") from None
    data = read_toml(text, file.name)
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
