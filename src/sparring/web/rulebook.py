"""The rules of a game as a page: made from its `rules.md`."""

from functools import cache

from markdown_it import MarkdownIt
from markupsafe import Markup

from sparring.engine.game import Game


@cache
def rules_html(game: Game) -> Markup:
    """The rules of a game with headings from `h3` down, to stand inside another page."""
    file = game.folder / "rules.md"
    if not file.exists():
        return Markup("<p>{} comes without rules to read.</p>").format(game.title)
    reader = MarkdownIt("commonmark", {"html": False, "typographer": True}).enable(["table", "smartquotes"])
    tokens = reader.parse(file.read_text(encoding="utf-8"))
    for token in tokens:
        if token.type in ("heading_open", "heading_close"):
            token.tag = f"h{min(6, int(token.tag[1]) + 2)}"
    return Markup(reader.renderer.render(tokens, reader.options, {}))
