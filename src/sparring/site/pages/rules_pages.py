"""Render a game's `rules.md` and `positions.md` as HTML, and explanations of terms as native tooltips of scenes.

Only whole pages have them. Where scripts run, `peek.js` removes them because its own popovers show the same text.
"""

import re
from collections.abc import Iterator
from functools import cache

from markdown_it import MarkdownIt
from markdown_it.token import Token
from markupsafe import Markup, escape

from sparring.engine.game import Game, GameSetup
from sparring.engine.glossary import Glossary
from sparring.engine.messages import say
from sparring.engine.options import Option
from sparring.engine.texts import RULING, examples, rules_text
from sparring.scene.markup import NOTHING, el, join
from sparring.server.requests.pages import PageRenderer

MARKDOWN = MarkdownIt("commonmark", {"html": False, "typographer": True}).enable(["table", "smartquotes"])

#: Stands for the page's address in cached HTML; no text of a game has this character.
_BASE = "\0"


async def rules_part(renderer: PageRenderer, setup: GameSetup, top: int, base: str) -> Markup:
    """Return `rules_html`, rendered in turn. Matches with the game's own content share what is cached."""
    whose = base if setup.own_content else ""
    html = await renderer.part(
        lambda: rules_html(setup, top, _BASE), "rules", setup.game.name, setup.options, top, whose
    )
    return Markup(html.replace(_BASE, base))


def rules_html(setup: GameSetup, top: int, base: str) -> Markup:
    """Render the rules and the glossary for the options and the content in force.

    Their top headings get level `top`, below the page's title. The pictures of examples are under `base`.
    """
    text = rules_text(setup)
    if text is None:
        return Markup("<p>{} has no rules page.</p>").format(setup.title)
    figures = iter(_figure(setup, number, base) for number in range(len(examples(setup))))
    return _rendered(text, top, figures) + _glossary(setup.game, top)


def rules_contents(setup: GameSetup) -> list[tuple[str, str]]:
    """Return the sections of the rules: the id and title of each."""
    tokens = MARKDOWN.parse(rules_text(setup) or "")
    titles = [
        tokens[at + 1].content for at, token in enumerate(tokens) if token.type == "heading_open" and token.tag == "h2"
    ]
    return [(_section_id(title), title) for title in [*titles, *(["Glossary"] if setup.game.glossary.entries else [])]]


def _section_id(title: str) -> str:
    """Return the id of the section with a title."""
    return "rules-" + re.sub(r"[^a-z0-9]+", "-", title.lower()).strip("-")


@cache
def positions_html(game: Game) -> Markup:
    """Render a game's position format, with top headings of level 2."""
    if game.positions is None:
        return Markup("<p>{} has no positions page.</p>").format(game.title)
    return _rendered(game.positions, 2, iter(()))


def markdown_html(text: str) -> Markup:
    """Render Markdown as HTML, without the title and without HTML in it."""
    return Markup(MARKDOWN.renderer.render(_without_title(MARKDOWN.parse(text)), MARKDOWN.options, {}))


def _rendered(text: str, top: int, figures: Iterator[str]) -> Markup:
    tokens = _without_title(MARKDOWN.parse(text))
    for index, token in enumerate(tokens):
        if token.type in ("heading_open", "heading_close"):
            if token.type == "heading_open" and token.tag == "h2":
                token.attrSet("id", _section_id(tokens[index + 1].content))
            token.tag = f"h{min(6, int(token.tag[1]) + top - 2)}"
        elif token.type == "th_open" and not tokens[index + 1].content:  # an empty corner cell isn't a header
            token.tag = tokens[index + 2].tag = "td"
        elif token.type == "fence" and token.info == "example":
            token.type, token.content = "html_block", next(figures)
        elif token.type == "tr_open" and RULING.fullmatch(number := tokens[index + 2].content):
            token.attrSet("id", number)
    return Markup(MARKDOWN.renderer.render(tokens, MARKDOWN.options, {}))


def rulings(rules: str, option: Option) -> Markup:
    """Link each of an option's rulings to its row on the rules page at `rules`."""
    pages = [
        el(
            "a",
            number,
            href=f"{rules}#{number}",
            target="_blank",
            title=say("Open the ruling in a new tab"),
            aria_label=say("Ruling {number}", number=number),
        )
        for number in RULING.findall(option.ruling)
    ]
    return el("span", *pages, class_="rulings") if pages else NOTHING


def _figure(setup: GameSetup, number: int, base: str) -> Markup:
    """Render an example in the rules (from 0) as a figure with a caption; nothing if it doesn't fit."""
    example = examples(setup)[number]
    if example is None:
        return NOTHING
    picture = Markup('<img src="{}/examples/{}" alt="{}" loading="lazy">').format(
        base, number + 1, say("Example table. {sentence}", sentence=example.scene.prompt.sentence)
    )
    return el("figure", picture, el("figcaption", Markup(MARKDOWN.renderInline(example.caption))))


def _glossary(game: Game, top: int) -> Markup:
    """Render the glossary; elements of a scene refer to its entries by id."""
    words = [
        el("dt", entry.word) + el("dd", entry.text, id=entry.id)
        for entry in sorted(game.glossary.entries, key=lambda entry: entry.word.casefold())
    ]
    return (
        el(f"h{top}", say("Glossary"), id=_section_id("Glossary")) + el("dl", join(words), class_="words")
        if words
        else NOTHING
    )


def _without_title(tokens: list[Token]) -> list[Token]:
    return tokens[3:] if tokens and tokens[0].tag == "h1" else tokens


#: The start tag of an element with a description. Attribute values never contain a literal `>`.
_DESCRIBED = re.compile(r"<(\w+)[^>]* aria-descri(?:bedby|ption)=[^>]*")
_DESCRIPTION = re.compile(r' aria-description="([^"]*)"')
_DESCRIBED_BY = re.compile(r' aria-describedby="([^"]*)"')


def with_tooltips(scene: Markup, glossary: Glossary) -> Markup:
    """Add a `title` to every described element of a rendered scene: an attribute in HTML, a child element in SVG."""
    meanings = {entry.id: f"{escape(entry.word)}: {escape(entry.text)}" for entry in glossary.entries}

    def with_title(tag: re.Match[str]) -> str:
        ids = [number for said in _DESCRIBED_BY.findall(tag[0]) for number in said.split()]
        said = [*_DESCRIPTION.findall(tag[0]), *(meanings[each] for each in ids if each in meanings)]
        if not said:
            return tag[0]
        words = "&#10;".join(said)
        return f"{tag[0]}><title>{words}</title" if tag[1] == "g" else f'{tag[0]} title="{words}"'

    return Markup(_DESCRIBED.sub(with_title, str(scene)))
