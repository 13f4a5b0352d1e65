"""The rules of a game as a page: made from its `rules.md`."""

from functools import cache

from markdown_it import MarkdownIt
from markdown_it.token import Token
from markupsafe import Markup

from sparring.engine.game import Game


@cache
def rules_html(game: Game, top: int) -> Markup:
    """The rules of a game to stand inside another page, whose heading of level `top - 1` is their title."""
    file = game.folder / "rules.md"
    if not file.exists():
        return Markup("<p>{} comes without rules to read.</p>").format(game.title)
    reader = MarkdownIt("commonmark", {"html": False, "typographer": True}).enable(["table", "smartquotes"])
    tokens = _without_title(reader.parse(file.read_text(encoding="utf-8")))
    for place, token in enumerate(tokens):
        if token.type in ("heading_open", "heading_close"):
            token.tag = f"h{min(6, int(token.tag[1]) + top - 2)}"
        elif token.type == "th_open" and not tokens[place + 1].content:  # the corner of a table heads nothing
            token.tag = tokens[place + 2].tag = "td"
    return Markup(reader.renderer.render(tokens, reader.options, {}))


def _without_title(tokens: list[Token]) -> list[Token]:
    return tokens[3:] if tokens and tokens[0].tag == "h1" else tokens
