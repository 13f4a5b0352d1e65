"""What lies on the shelf: the games with their options, their rules, matches that were kept."""

from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from sparring.engine.errors import BadRecord

from .common import AsJson, all_games, find, out, write_json

if TYPE_CHECKING:
    from sparring.engine.game import Game


def games(as_json: AsJson = False) -> None:
    """Which games there are, with their options."""
    if as_json:
        write_json([describe(game) for game in all_games().values()])
        return
    for game in all_games().values():
        out.print(f"[bold]{game.name}[/]  {game.title}, {game.seats_in_words} seats, version {game.version}")
        out.print(f"  {game.summary}", markup=False)
        for option in describe(game)["options"]:
            values = f"{option['low']} to {option['high']}" if "low" in option else ", ".join(option["values"])
            out.print(f"  --option {option['name']}={option['default']}  ({values})  {option['help']}", markup=False)
        for name, variant in game.variants.items() if game.presets else ():
            out.print(f'  --preset "{name}"  {variant.summary}', markup=False)


def rules(
    game: Annotated[str, typer.Argument(help="The name of a game.")],
    positions: Annotated[bool, typer.Option("--positions", help="How positions are written, for programs.")] = False,
) -> None:
    """The rules of a game, with the rulings and the variants."""
    from sparring.terminal import show_paper

    show_paper(find(game), "positions" if positions else "rules", out)


def replay(
    record: Annotated[Path, typer.Argument(help="A file that a match was kept in.")],
    to: Annotated[int | None, typer.Option(min=0, metavar="N", help="Only the first N choices.")] = None,
) -> None:
    """Show a kept match choice by choice, secret ones too, and the table at its end."""
    from sparring.terminal_replay import show

    try:
        text = record.read_text(encoding="utf-8")
    except UnicodeDecodeError:
        raise BadRecord(f"{record} is not a record of a match.") from None
    except OSError as problem:
        raise BadRecord(f"{record} cannot be read: {problem.strerror or problem}.") from None
    show(text, to, out)


def describe(game: "Game") -> dict[str, Any]:
    """A game as JSON: what it is called, how many play, and its options with types, defaults and ranges."""
    from sparring.engine.options import ChoiceOption

    options = []
    for option in game.kit.OPTIONS:
        fields: dict[str, Any] = {"name": option.name, "type": option.type, "default": option.default}
        for field in ("values", "low", "high"):
            if hasattr(option, field):
                fields[field] = getattr(option, field)
        said = {"words": list(option.words)} if isinstance(option, ChoiceOption) and option.words else {}
        options.append({**fields, **said, "title": option.heading, "group": option.group, "help": option.help})
    return {
        "name": game.name, "title": game.title, "seats": list(game.seats), "version": game.version,
        "options": options, "recommended": game.recommended,
        "presets": {name: {**asdict(preset), "options": dict(preset.options)} for name, preset in game.presets.items()},
    }  # fmt: skip
