"""`sparring cards`: check designs and decks, and show what they cost."""

from pathlib import Path
from typing import Annotated

import typer

from sparring.engine.errors import BadContent, ContentFault
from sparring.engine.formats.toml import read_toml

from .abilities import ABILITIES
from .designs import Content, deck_faults, deck_notes, faults, notes
from .params import read_cards
from .state import COLOURS

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
