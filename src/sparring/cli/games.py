"""Commands that list games, print rules and replay saved matches."""

from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from sparring.engine.errors import BadRecord, SparringError

from .common import AsJson, Content, Options, Preset, all_games, chosen_box, find, out, write_json

if TYPE_CHECKING:
    from sparring.engine.game import Game


def games(as_json: AsJson = False) -> None:
    """List the installed games with their options and presets."""
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
    game: Annotated[str, typer.Argument(metavar="GAME", help="The game's name.")],
    positions: Annotated[
        bool, typer.Option("--positions", help="Print the position format instead of the rules.")
    ] = False,
    option: Options = None,
    preset: Preset = None,
    content: Content = None,
) -> None:
    """Print a game's rules, rulings and variants, for the options and content in force."""
    from sparring.terminal.screen import show_markdown, show_rules

    chosen = find(game)
    if not positions:
        show_rules(chosen_box(chosen, option, preset, content), out)
    elif chosen.positions is None:
        raise SparringError(f"{chosen.title} has no document about its position format.")
    else:
        show_markdown(chosen.positions, out)


def replay(
    record: Annotated[Path, typer.Argument(metavar="FILE", help="A saved match record.")],
    to: Annotated[int | None, typer.Option(min=0, metavar="N", help="Stop after N choices.")] = None,
) -> None:
    """Print a saved match choice by choice, including secret choices, then the final table."""
    from sparring.terminal.replay import show

    show(read_record_file(record), to, out)


def read_record_file(record: Path) -> str:
    """Return the text of a saved match. Raises BadRecord."""
    try:
        return record.read_text(encoding="utf-8")
    except UnicodeDecodeError:
        raise BadRecord(f"{record} is not a match record.") from None
    except OSError as problem:
        raise BadRecord(f"Can't read {record}: {problem.strerror or problem}.") from None


def describe(game: "Game") -> dict[str, Any]:
    """Describe a game as JSON: names, numbers of seats, options with types, defaults and ranges, and presets."""
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
        "presets": {name: asdict(game.variants[name]) for name in game.presets},
    }  # fmt: skip
