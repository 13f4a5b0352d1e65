"""Game endpoints: games, their set-up with JSON Schema for options and content, and their documents."""

from dataclasses import asdict
from typing import Annotated, Any

import msgspec
from litestar import get

from sparring.engine.game import Game, games
from sparring.engine.game import game as find_game
from sparring.engine.options import ChoiceOption, Option
from sparring.engine.texts import rules_text
from sparring.server.requests.errors import PageNotFound
from sparring.server.requests.identity import CurrentPerson
from sparring.tables.seating import bot_names
from sparring.tutorials import has_lesson
from sparring.tutorials.lesson import Lesson, lesson_of

from .responses import ApiDocument, Id, endpoint

JSON_SCHEMA = "https://json-schema.org/draft/2020-12/schema"


def options_of(game: Game) -> dict[str, Any]:
    """Return the JSON Schema of a game's options."""
    properties = {option.name: _option(option) for option in game.options()}
    return {"$schema": JSON_SCHEMA, "type": "object", "additionalProperties": False, "properties": properties}


def _option(option: Option) -> dict[str, Any]:
    schema = {"title": option.heading, "description": option.help, "default": option.default}
    if option.ruling:
        schema["x-ruling"] = option.ruling
    if not isinstance(option, ChoiceOption):
        return {**schema, "type": "integer", "minimum": option.low, "maximum": option.high}
    return {**schema, "type": "string", "enum": list(option.values), "x-words": [*map(option.in_words, option.values)]}


def content_of(game: Game) -> dict[str, Any]:
    """Return the JSON Schema of a game's content files; the game itself checks more."""
    return {"$schema": JSON_SCHEMA, **game.form.json_schema()}


class GameSummary(msgspec.Struct):
    """A game in brief."""

    name: Annotated[str, msgspec.Meta(description="The name used in URLs and requests.")]
    title: str
    summary: str
    seats: Annotated[list[int], msgspec.Meta(description="The possible numbers of players.")]


class GameVariant(msgspec.Struct):
    """A named set of options."""

    name: str
    summary: str
    options: Annotated[dict[str, str | int], msgspec.Meta(description="All options with their values.")]


class GameBot(msgspec.Struct):
    """A bot that can take a seat."""

    bot: Annotated[str, msgspec.Meta(description="The value for `seats` of a new table.")]
    title: str


class GameDetails(GameSummary):
    """Everything needed to create a table."""

    version: Annotated[int, msgspec.Meta(description="The rules version; records of other versions can't be replayed.")]
    hidden: Annotated[bool, msgspec.Meta(description="Whether the game has hidden information.")]
    credit: Annotated[dict[str, str], msgspec.Meta(description="Author, source, licence and its link, and changes.")]
    variants: Annotated[list[GameVariant], msgspec.Meta(description="The variant for beginners comes first.")]
    bots: Annotated[list[GameBot], msgspec.Meta(description="Bots, weakest first.")]
    options: Annotated[dict[str, Any], msgspec.Meta(description="The options as JSON Schema.")]
    papers: Annotated[list[str], msgspec.Meta(description="URLs of further documents.")]


class ExplainedTerm(msgspec.Struct):
    """A glossary entry."""

    word: str
    text: str
    shown: Annotated[list[str], msgspec.Meta(description="Other forms of the word on the table; * matches anything.")]


@get("/games", **endpoint("", "All games"))
async def all_games(person: CurrentPerson) -> list[GameSummary]:
    """Return all games, sorted by title."""
    return [GameSummary(game.name, game.title, game.summary, list(game.seats)) for game in games().values()]


@get("/games/{name:str}", **endpoint("", "A game", 404))
async def one_game(person: CurrentPerson, name: Id) -> GameDetails:
    """Return a game with its variants, options and bots."""
    game = find_game(name)
    credit = asdict(game.credit)
    return GameDetails(
        name=game.name, title=game.title, summary=game.summary, seats=list(game.seats), version=game.version,
        hidden=game.hidden, credit=credit, options=options_of(game), papers=documents_of(game),
        variants=[
            GameVariant(each, variant.summary, game.setup(variant.options).options)
            for each, variant in game.variants.items()
        ],
        bots=[GameBot(words, title) for words, title in bot_names(game).items()],
    )  # fmt: skip


def documents_of(game: Game) -> list[str]:
    """Return the URLs of a game's documents."""
    documents = {
        "rules": rules_text(game.recommended_setup), "positions": game.positions, "glossary": game.glossary.entries,
        "lesson": has_lesson(game), "content": game.has_content, "form": game.has_content,
    }  # fmt: skip
    return [f"/api/games/{game.name}/{name}" for name, exists in documents.items() if exists]


@get("/games/{name:str}/rules", **endpoint("", "Rules", 404))
async def rules(person: CurrentPerson, name: Id) -> ApiDocument:
    """Return the rules of the recommended variant with their rulings (Markdown)."""
    game = find_game(name)
    return _document(game, "rules", rules_text(game.recommended_setup))


@get("/games/{name:str}/positions", **endpoint("", "Position format", 404))
async def positions(person: CurrentPerson, name: Id) -> ApiDocument:
    """Return the position format, for programs, puzzles and bug reports (Markdown)."""
    game = find_game(name)
    return _document(game, "positions", game.positions)


def _document(game: Game, name: str, text: str | None) -> ApiDocument:
    if text is None:
        raise PageNotFound(f"{game.title} has no {name} document.")
    return ApiDocument(game.title, text)


@get("/games/{name:str}/glossary", **endpoint("", "Glossary", 404))
async def glossary(person: CurrentPerson, name: Id) -> list[ExplainedTerm]:
    """Return the terms shown on the table, with explanations."""
    return [ExplainedTerm(entry.word, entry.text, list(entry.shown)) for entry in find_game(name).glossary.entries]


@get("/games/{name:str}/lesson", **endpoint("", "Tutorial", 404))
async def lesson(person: CurrentPerson, name: Id) -> Lesson:
    """Return the tutorial: a position and steps."""
    return lesson_of(find_game(name))


@get("/games/{name:str}/content", **endpoint("", "Content", 404))
async def content(person: CurrentPerson, name: Id) -> ApiDocument:
    """Return the game's cards, boards or fighters as a TOML file to start a custom set from."""
    game = _with_content(name)
    return ApiDocument(game.title, game.content_text)


@get("/games/{name:str}/form", **endpoint("", "Content schema", 404))
async def form(person: CurrentPerson, name: Id) -> dict[str, Any]:
    """Return the JSON Schema of content files. The game makes further checks; see a set's faults."""
    return content_of(_with_content(name))


def _with_content(name: str) -> Game:
    game = find_game(name)
    if not game.has_content:
        raise PageNotFound(f"{game.title} has no cards or boards to design.")
    return game
