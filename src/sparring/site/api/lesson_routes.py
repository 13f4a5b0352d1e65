"""The tutorial endpoint, where all progress is in the URL as on the pages, and that of text mode's queries."""

from typing import Annotated

import msgspec
from litestar import get
from litestar.params import QueryParameter

from sparring.engine.errors import SparringError
from sparring.engine.game import game as find_game
from sparring.server.api.responses import Id, endpoint
from sparring.server.requests.identity import CurrentPerson, TablesDep
from sparring.server.requests.pages import RendererDep
from sparring.site.pages.lesson_pages import lesson_after
from sparring.site.text_mode.text_routes import lesson_of
from sparring.site.text_mode.text_sections import TableText
from sparring.store.person import Person
from sparring.tables.action_requests import LONGEST_WORDS
from sparring.tutorials import LessonState

Made = Annotated[str, QueryParameter(max_length=2000, description="`made` from the last response.")]
Typed = Annotated[
    str,
    QueryParameter(
        max_length=LONGEST_WORDS,
        description="A choice in words, `on` or `back`; or a query such as `help` or `hand`.",
    ),
]


class LessonView(msgspec.Struct):
    """Your position in the tutorial."""

    made: Annotated[str, msgspec.Meta(description="Your progress; send it with the next request.")]
    sentences: Annotated[list[str], msgspec.Meta(description="What happened since the last step.")]
    idea: Annotated[str, msgspec.Meta(description="The step's text; empty at the end.")]
    choices: Annotated[list[str], msgspec.Meta(description="The choices the step accepts; if empty, send `on`.")]
    others: Annotated[list[str], msgspec.Meta(description="Other legal choices, which the tutorial doesn't accept.")]
    scene: Annotated[str, msgspec.Meta(description="The table in lines of text.")]
    said: Annotated[list[str], msgspec.Meta(description="The answer to a query.")]
    learned: Annotated[list[str], msgspec.Meta(description="What you've learned; empty before the end.")]
    over: bool


@get("/games/{name:str}/lesson/step", **endpoint("", "A step of the tutorial", 404, 422))
async def step(person: CurrentPerson, renderer: RendererDep, name: Id, made: Made = "", do: Typed = "") -> LessonView:
    """Return the step after your progress `made` and the choice `do`, or answer the query `do`."""
    return await renderer.part(lambda: _step(person, name, made, do), "lesson step", name, made, do, person.name)


def _step(person: Person, name: str, made: str, do: str) -> LessonView:
    """Return a step of a lesson."""
    lesson, said = lesson_of(lesson_after(find_game(name), made), person), list[str]()
    result = lesson.typed(do) if do else lesson.state
    if isinstance(result, LessonState):
        lesson = lesson_of(result, person)
    elif result.refused:
        raise SparringError(" ".join(result.said))
    else:
        said = list(result.said)
    progress = lesson.state
    accepted_words, other_words = ([each.words for _, choices in lesson.offers(accepted=accepted) for each in choices]
                                   for accepted in (True, False))  # fmt: skip
    return LessonView(
        made=".".join(progress.actions),
        sentences=[*map(lesson.view.say.spoken, lesson.events)],
        idea=lesson.idea, choices=accepted_words, others=other_words,
        scene=str(lesson.view.scene), said=said, over=progress.over,
        learned=lesson.learned if progress.over else [],
    )  # fmt: skip


Question = Annotated[str, QueryParameter(max_length=LONGEST_WORDS, description="A query, such as `hand` or `at c3`.")]


class TableAnswer(msgspec.Struct):
    """The answer to a query."""

    said: Annotated[list[str], msgspec.Meta(description="The answer, line by line.")]


@get("/table/{table_id:str}/ask", **endpoint("look", "Query a table", 404, 410, 422), tags=["tables"])
async def ask(person: CurrentPerson, tables: TablesDep, table_id: Id, words: Question) -> TableAnswer:
    """Answer a query of text mode, such as `hand`, `at c3` or `last`; `help` lists them all."""
    table = await tables.registry.get(table_id)
    view = TableText(table, await table.catch_up(table.seat_of(person)))
    return TableAnswer(view.answer(*view.read(words)))
