"""Render a game's `rules.md` and `positions.md` as HTML."""

import re
from functools import cache

from markdown_it import MarkdownIt
from markdown_it.token import Token
from markupsafe import Markup

from sparring.engine.examples import examples
from sparring.engine.game import Game
from sparring.engine.options import Option
from sparring.scene.markup import NOTHING, el, join

MARKDOWN = MarkdownIt("commonmark", {"html": False, "typographer": True}).enable(["table", "smartquotes"])

#: A ruling's number, as options refer to it and as its row in `rules.md` starts.
RULING = re.compile(r"R\d+")


@cache
def rules_html(game: Game, top: int) -> Markup:
    """Render a game's rules and glossary. Their top headings get level `top`, below the page's title."""
    return _rendered(game, "rules", top) + _glossary(game, top)


@cache
def rules_contents(game: Game) -> list[tuple[str, str]]:
    """Return the sections of a game's rules: the id and title of each."""
    tokens = MARKDOWN.parse(game.document("rules") or "")
    titles = [
        tokens[at + 1].content for at, token in enumerate(tokens) if token.type == "heading_open" and token.tag == "h2"
    ]
    return [(_section_id(title), title) for title in [*titles, *(["Glossary"] if game.glossary.entries else [])]]


def _section_id(title: str) -> str:
    """Return the id of the section with a title."""
    return "rules-" + re.sub(r"[^a-z0-9]+", "-", title.lower()).strip("-")


@cache
def positions_html(game: Game) -> Markup:
    """Render a game's position format, with top headings of level 2."""
    return _rendered(game, "positions", 2)


def _rendered(game: Game, name: str, top: int) -> Markup:
    text = game.document(name)
    if text is None:
        return Markup("<p>{} has no {} page.</p>").format(game.title, name)
    tokens = _without_title(MARKDOWN.parse(text))
    numbers = iter(range(1, len(tokens) + 1))
    for index, token in enumerate(tokens):
        if token.type in ("heading_open", "heading_close"):
            if token.type == "heading_open" and token.tag == "h2":
                token.attrSet("id", _section_id(tokens[index + 1].content))
            token.tag = f"h{min(6, int(token.tag[1]) + top - 2)}"
        elif token.type == "th_open" and not tokens[index + 1].content:  # an empty corner cell isn't a header
            token.tag = tokens[index + 2].tag = "td"
        elif token.type == "fence" and token.info == "example":
            token.type, token.content = "html_block", _figure(game, next(numbers))
        elif token.type == "tr_open" and RULING.fullmatch(number := tokens[index + 2].content):
            token.attrSet("id", number)
    return Markup(MARKDOWN.renderer.render(tokens, MARKDOWN.options, {}))


def rulings(game: Game, option: Option) -> Markup:
    """Link each of an option's rulings to its row on the rules page."""
    pages = [
        el(
            "a",
            number,
            href=f"/games/{game.name}/rules#{number}",
            target="_blank",
            title="Open the ruling in a new tab",
            aria_label=f"Ruling {number}",
        )
        for number in RULING.findall(option.ruling)
    ]
    return el("span", *pages, class_="rulings") if pages else NOTHING


def _figure(game: Game, number: int) -> Markup:
    """Render an example in the rules as a figure with a caption."""
    example = examples(game)[number - 1]
    picture = Markup('<img src="/games/{}/examples/{}" alt="{}" loading="lazy">').format(
        game.name, number, f"Example table. {example.scene.prompt.sentence}"
    )
    return el("figure", picture, el("figcaption", Markup(MARKDOWN.renderInline(example.caption))))


def _glossary(game: Game, top: int) -> Markup:
    """Render the glossary; elements of a scene refer to its entries by id."""
    words = [
        el("dt", entry.word) + el("dd", entry.text, id=entry.id)
        for entry in sorted(game.glossary.entries, key=lambda entry: entry.word.casefold())
    ]
    return (
        el(f"h{top}", "Glossary", id=_section_id("Glossary")) + el("dl", join(words), class_="words")
        if words
        else NOTHING
    )


def _without_title(tokens: list[Token]) -> list[Token]:
    return tokens[3:] if tokens and tokens[0].tag == "h1" else tokens
