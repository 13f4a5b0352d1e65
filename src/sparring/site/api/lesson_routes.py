"""The tutorial endpoint; all progress is in the URL, as on the pages."""

from typing import Annotated

import msgspec
from litestar import Router, get
from litestar.params import QueryParameter

from sparring.engine.errors import SparringError
from sparring.engine.game import game as find_game
from sparring.scene.sentences import merge_asides
from sparring.server.api.responses import Id, errors, needs_scope
from sparring.server.requests.identity import CurrentPerson
from sparring.server.requests.page_renderer import RendererDep
from sparring.site.pages.lesson_pages import lesson_after
from sparring.site.text_mode.text_lessons import TextLesson
from sparring.store.person import Person
from sparring.tables.action_requests import LONGEST_WORDS

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


@get("/games/{name:str}/lesson/step", **needs_scope(""), responses=errors(404, 422), summary="A step of the tutorial")
async def step(person: CurrentPerson, renderer: RendererDep, name: Id, made: Made = "", do: Typed = "") -> LessonView:
    """Return the step after your progress `made` and the choice `do`, or answer the query `do`."""
    return await renderer.part(lambda: _step(person, name, made, do), "lesson step", name, made, do, person.name)


def _step(person: Person, name: str, made: str, do: str) -> LessonView:
    """Return a step of a lesson."""
    lesson = TextLesson(lesson_after(find_game(name), made), person)
    answer = lesson.answer(do)
    if answer and answer.refused:
        raise SparringError(" ".join(answer.said))
    if do and (actions := lesson.do(do)) is not None:
        lesson = TextLesson(lesson_after(find_game(name), ".".join(actions)), person)
    progress = lesson.state
    accepted_words, other_words = ([each.words for _, choices in lesson.offers(accepted=accepted) for each in choices]
                                   for accepted in (True, False))  # fmt: skip
    return LessonView(
        made=".".join(progress.actions),
        sentences=[lesson.say.spoken(line) for line in merge_asides(progress.sentences)],
        idea=lesson.words(progress.step.say) if progress.step else "", choices=accepted_words, others=other_words,
        scene=str(lesson.scene), said=list(answer.said) if answer else [], over=progress.over,
        learned=[lesson.words(line) for line in progress.lesson.learned] if progress.over else [],
    )  # fmt: skip


def router() -> Router:
    """Return the tutorial endpoint."""
    return Router("/api", route_handlers=[step], tags=["games"])
