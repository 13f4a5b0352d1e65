"""Configure Sphinx: `make docs` builds the documentation from these pages."""

from importlib.metadata import version as version_of
from pathlib import Path
from typing import Any

from sparring.engine.game import Game, games
from sparring.engine.texts import examples, replace_examples, rules_text
from sparring.site.pages.game_pictures import drawn_example

project = "Sparring"
author = "the Sparring authors"
copyright = "2026, the Sparring authors"
version = release = version_of("sparring")

extensions = ["myst_parser", "sphinx.ext.autodoc"]
myst_enable_extensions = ["colon_fence", "deflist"]
myst_heading_anchors = 3
autodoc_mock_imports = ["pyspiel"]  # only the tests of OpenSpiel install it
autodoc_typehints = "description"
autodoc_member_order = "bysource"
exclude_patterns = ["_build"]

html_theme = "furo"
html_title = "Sparring"
html_theme_options = {"navigation_with_keys": True}
html_search_scorer = str(Path(__file__).parent / "search_scorer.js")

#: Folder for the drawings in the rules, beside the pages that show them.
DRAWN = Path(__file__).parent / "rules" / "drawn"


def draw_examples(app: Any, config: Any) -> None:
    """Draw the example positions in the rules of every game."""
    DRAWN.mkdir(exist_ok=True)
    for game in games().values():
        for number in range(1, len(examples(game.recommended_setup)) + 1):
            drawing = drawn_example(game.recommended_setup, number)
            (DRAWN / f"{game.name}-{number}.svg").write_text(drawing, encoding="utf-8")


def show_examples(app: Any, path: Path, page: str, text: list[str]) -> None:
    """Fill included rules, and replace each example position by its drawing."""
    game = games().get(Path(page).name)
    if game and path.name == "rules.md":
        rules = rules_text(game.recommended_setup) or ""
        text[0] = replace_examples(rules, lambda number: figure(game, number))


def figure(game: Game, number: int) -> str:
    """Return an example as a MyST figure with its caption."""
    example = examples(game.recommended_setup)[number]
    caption = example.caption if example else ""
    return f":::{{figure}} /rules/drawn/{game.name}-{number + 1}.svg\n:width: 30rem\n\n{caption}\n:::\n"


def setup(app: Any) -> None:
    """Connect the hooks; Sphinx calls this."""
    app.connect("config-inited", draw_examples)
    app.connect("include-read", show_examples)
