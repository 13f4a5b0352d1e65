"""The tutorial in text mode.

Progress is in the URL and in the cookie of the page with pictures, so players can switch between the two pages.
"""

from collections.abc import Sequence
from typing import Any
from urllib.parse import urlencode

import msgspec
from litestar import get, post
from litestar.params import FromPath, FromQuery, URLEncodedBody
from litestar.response import Redirect, Template

from sparring.engine.game import game as find_game
from sparring.scene.markup import join
from sparring.server.requests.identity import AnyRequest, CurrentPerson
from sparring.server.requests.pages import RendererDep
from sparring.site.pages import lesson_pages
from sparring.site.pages.table_pages import page
from sparring.store.person import Person
from sparring.tables.action_requests import LONGEST_WORDS
from sparring.text import COMMANDS, TextLesson, TypedAnswer
from sparring.tutorials import CONTINUE, LessonState

from . import text_sections


class TypedStep(msgspec.Struct):
    """A submitted step: the number of a choice from its button, or typed text."""

    choice: str = ""
    words: str = ""


def lesson_of(state: LessonState, person: Person) -> TextLesson:
    """Return a tutorial in words, with the names of its players."""
    return TextLesson(state, lesson_pages.player_names(state, person))


@get("/games/{name:str}/learn/text")
async def lesson_in_words(
    request: AnyRequest, person: CurrentPerson, renderer: RendererDep, name: FromPath[str],
    made: FromQuery[str | None] = None, typed: FromQuery[str] = "",
) -> Template:  # fmt: skip
    """Show a step of a lesson in text mode: the one in the URL, or the one at which this browser left off."""
    game, words = find_game(name), typed[:LONGEST_WORDS].strip()
    progress = lesson_pages.progress_of(request, game, made)

    def render() -> dict[str, Any]:
        lesson = lesson_of(lesson_pages.lesson_after(game, progress), person)
        answer = lesson.typed(words) if words else None  # choices are made by POST, never by a link
        return _context(lesson, answer if isinstance(answer, TypedAnswer) else None)

    context = await renderer.part(render, "text lesson", name, progress, words, person.name)
    return lesson_pages.with_progress_cookie(page("lesson_text.html", request, person, **context), context["pupil"])


@post("/games/{name:str}/learn/text")
async def taught_in_words(
    person: CurrentPerson, renderer: RendererDep, name: FromPath[str], data: URLEncodedBody[TypedStep],
    made: FromQuery[str] = "",
) -> Redirect:  # fmt: skip
    """Make a choice. Queries and refused choices are answered on the page."""
    game = find_game(name)

    def choose() -> str:
        state = lesson_pages.lesson_after(game, made)
        lesson = lesson_of(state, person)
        pressed = (thing.words for thing in lesson.view.scene.choosable if str(thing.action) == data.choice)
        typed = next(pressed, data.choice or data.words)[:LONGEST_WORDS].strip()
        if isinstance(result := lesson.typed(typed), TypedAnswer):
            return _url(state, state.actions, typed=typed)
        return _url(state, result.actions)

    address = await renderer.part(choose, "typed step", name, made, data.choice, data.words, person.name)
    return Redirect(address, status_code=303)


def _url(state: LessonState, made: Sequence[str], **more: str) -> str:
    """Return the URL of a step."""
    query = urlencode({"made": ".".join(made), **more})
    return f"{lesson_pages.lesson_path(state.match.game)}/text?{query}"


def _context(lesson: TextLesson, answer: TypedAnswer | None) -> dict[str, Any]:
    """Return the context of the template."""
    state, view = lesson.state, lesson.view
    game, path = state.match.game, _url(state, state.actions)
    accepted, others = lesson.offers(accepted=True), lesson.offers(accepted=False)
    return {
        "game": game, "lesson": lesson, "pupil": state, "path": path, "answer": answer, "on": CONTINUE,
        "help": COMMANDS.help, "longest": LONGEST_WORDS,
        "told": text_sections.lines(lesson.events, view.say),
        "meant": lesson.highlighted,
        "asked": view.say.spoken(view.scene.prompt.sentence),
        "accepted": text_sections.choice_buttons(accepted),
        "others": text_sections.choice_buttons(others),
        "typed": text_sections.typed_suggestions([*accepted, *others]),
        "lying": join([text_sections.hand(view), text_sections.seats(view), text_sections.on_table(view)]),
        "back": _url(state, state.actions[:-1]), "begin": _url(state, ()),
        "steps": [_url(state, state.actions[:count]) for count in state.step_starts[: state.step_index]],
        "pictures": f"{lesson_pages.lesson_path(game)}?"
        + urlencode({"made": ".".join(state.actions), "pictures": "true"}),
    }  # fmt: skip
