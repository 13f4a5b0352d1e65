"""Games for programs: what there is, how it is set up, and its papers."""

from typing import Annotated, Any

import msgspec
from litestar import Router, get

from sparring.engine.game import Game, games
from sparring.engine.game import game as find_game
from sparring.tutorials import has_lesson
from sparring.tutorials.lesson import Lesson, lesson_of
from sparring.web.requests.identity_and_errors import Asker, PageNotFound
from sparring.web.tables.seating import bot_names

from .json_schemas import content_of, options_of
from .responses import ApiDocument, Id, allowed, refusals


class GameSummary(msgspec.Struct):
    """A game in short."""

    name: Annotated[str, msgspec.Meta(description="By this name it is asked for.")]
    title: str
    summary: str
    seats: Annotated[list[int], msgspec.Meta(description="For how many seats it is.")]


class GameVariant(msgspec.Struct):
    """Settings of options that go by a name."""

    name: str
    summary: str
    options: Annotated[dict[str, str | int], msgspec.Meta(description="The options that differ from the letter.")]


class GameBot(msgspec.Struct):
    """A bot that can be asked to sit down."""

    bot: Annotated[str, msgspec.Meta(description="What is written for it where a table is opened.")]
    title: str


class GameDetails(GameSummary):
    """All that is to be known to open a table."""

    version: Annotated[int, msgspec.Meta(description="Another version is another game: old records say so.")]
    hidden: Annotated[bool, msgspec.Meta(description="Whether seats know different things.")]
    credit: Annotated[dict[str, str], msgspec.Meta(description="Whose it is, where from, and by which licence.")]
    variants: Annotated[list[GameVariant], msgspec.Meta(description="The one for a first match comes first.")]
    bots: Annotated[list[GameBot], msgspec.Meta(description="The weakest first.")]
    options: Annotated[dict[str, Any], msgspec.Meta(description="The options, as JSON Schema.")]
    papers: Annotated[list[str], msgspec.Meta(description="What else is to be had of it, by address.")]


class ExplainedTerm(msgspec.Struct):
    """A word of the table, and what it means."""

    word: str
    text: str
    shown: Annotated[list[str], msgspec.Meta(description="How else it stands on the table; * is anything.")]


@get("/games", **allowed(""), responses=refusals(), summary="All games")
async def all_games(person: Asker) -> list[GameSummary]:
    """The games that can be played here, in the order of their titles."""
    return [GameSummary(game.name, game.title, game.summary, list(game.seats)) for game in games().values()]


@get("/games/{name:str}", **allowed(""), responses=refusals(404), summary="A game")
async def one_game(person: Asker, name: Id) -> GameDetails:
    """A game with its variants, its options and the bots that play it."""
    game = find_game(name)
    credit = {part: getattr(game.credit, part) for part in ("title", "author", "source", "licence")}
    return GameDetails(
        name=game.name, title=game.title, summary=game.summary, seats=list(game.seats), version=game.version,
        hidden=game.hidden, credit=credit, options=options_of(game), papers=papers_of(game),
        variants=[GameVariant(each, preset.summary, dict(preset.options)) for each, preset in game.variants.items()],
        bots=[GameBot(words, title) for words, title in bot_names(game).items()],
    )  # fmt: skip


def papers_of(game: Game) -> list[str]:
    """The addresses of what else there is of a game."""
    there = {
        "rules": game.paper("rules"), "positions": game.paper("positions"), "glossary": game.glossary.entries,
        "lesson": has_lesson(game), "content": game.has_content, "form": game.has_content,
    }  # fmt: skip
    return [f"/api/games/{game.name}/{paper}" for paper, is_there in there.items() if is_there]


@get("/games/{name:str}/rules", **allowed(""), responses=refusals(404), summary="The rules")
async def rules(person: Asker, name: Id) -> ApiDocument:
    """The rules in our words, with the rulings, as Markdown."""
    return _paper(find_game(name), "rules")


@get("/games/{name:str}/positions", **allowed(""), responses=refusals(404), summary="How positions are written")
async def positions(person: Asker, name: Id) -> ApiDocument:
    """The form of positions, for programs, puzzles and bug reports, as Markdown."""
    return _paper(find_game(name), "positions")


def _paper(game: Game, paper: str) -> ApiDocument:
    text = game.paper(paper)
    if text is None:
        raise PageNotFound(f"{game.title} comes without {paper} to read.")
    return ApiDocument(game.title, text)


@get("/games/{name:str}/glossary", **allowed(""), responses=refusals(404), summary="The words of the table")
async def glossary(person: Asker, name: Id) -> list[ExplainedTerm]:
    """The words that the table shows, explained."""
    return [ExplainedTerm(entry.word, entry.text, list(entry.shown)) for entry in find_game(name).glossary.entries]


@get("/games/{name:str}/lesson", **allowed(""), responses=refusals(404), summary="A first match")
async def lesson(person: Asker, name: Id) -> Lesson:
    """The lesson for people who have never seen the game: a position, and steps that say one thing each."""
    return lesson_of(find_game(name))


@get("/games/{name:str}/content", **allowed(""), responses=refusals(404), summary="The game's own content")
async def content(person: Asker, name: Id) -> ApiDocument:
    """Its cards, boards or fighters, as the TOML file from which a set of one's own may begin."""
    game = _with_content(name)
    return ApiDocument(game.title, game.content_text)


@get("/games/{name:str}/form", **allowed(""), responses=refusals(404), summary="The form of content")
async def form(person: Asker, name: Id) -> dict[str, Any]:
    """What a file of content holds, as JSON Schema; what the game checks besides is told by the faults of a set."""
    return content_of(_with_content(name))


def _with_content(name: str) -> Game:
    game = find_game(name)
    if not game.has_content:
        raise PageNotFound(f"{game.title} has no cards of its own that could be changed.")
    return game


def router() -> Router:
    """What is to be known of games."""
    handlers = [all_games, one_game, rules, positions, glossary, lesson, content, form]
    return Router("/api", route_handlers=handlers, tags=["games"])
