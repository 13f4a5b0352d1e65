"""Reading the papers of a game: its page in `docs/games`, its `rules.md` and `positions.md`, and the tables in them."""

import re
from pathlib import Path

from sparring import Game


def page(game: Game) -> str:
    """The game's page in the documents."""
    return (Path(__file__).parents[2] / "docs" / "games" / f"{game.name}.md").read_text(encoding="utf-8")


def rules(game: Game) -> str:
    """The rules as the app shows them."""
    return (game.folder / "rules.md").read_text(encoding="utf-8")


def positions(game: Game) -> str:
    """The form of its positions."""
    return game.document("positions") or ""


def rows(text: str, heading: str) -> dict[str, str]:
    """The table under a heading: what stands in its first column, and the rest of the line."""
    return table(text.split(f"\n## {heading}\n")[1].split("\n## ", maxsplit=1)[0])


def table(text: str) -> dict[str, str]:
    """The table in a text: what stands in its first column, and the rest of the line."""
    return dict(re.findall(r"^\| *(.*?) *\| (.*) \|$", text, re.MULTILINE)[1:])
