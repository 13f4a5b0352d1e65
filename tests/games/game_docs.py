"""Read the docs of a game: its page in `docs/games`, its `rules.md` and `positions.md`, and their tables."""

import re
from pathlib import Path

from sparring import Game
from sparring.engine.texts import rules_text


def page(game: Game) -> str:
    """Return the game's page in `docs/games`."""
    return (Path(__file__).parents[2] / "docs" / "games" / f"{game.name}.md").read_text(encoding="utf-8")


def rules(game: Game) -> str:
    """Return the rules with the default options, as the app shows them."""
    return rules_text(game.setup()) or ""


def positions(game: Game) -> str:
    """Return the page on its position format."""
    return game.positions or ""


def rows(text: str, heading: str) -> dict[str, str]:
    """Return the table under a heading: the first column, and the rest of the row."""
    return table(text.split(f"\n## {heading}\n")[1].split("\n## ", maxsplit=1)[0])


def table(text: str) -> dict[str, str]:
    """Return the table in a text: the first column, and the rest of the row."""
    return dict(re.findall(r"^\| *(.*?) *\| (.*) \|$", text, re.MULTILINE)[1:])
