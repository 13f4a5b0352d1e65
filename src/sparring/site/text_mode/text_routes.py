"""Text-mode pages: tables with their event stream and typed input, and the tutorial.

The tutorial's progress is in the URL and in the cookie of the page with pictures, so players can switch between the two
pages.
"""

from collections.abc import Sequence
from typing import Annotated, Any
from urllib.parse import urlencode

import msgspec
from litestar import Response, get, post
from litestar.params import FromPath, FromQuery, HeaderParameter, QueryParameter, URLEncodedBody
from litestar.response import Redirect, Stream, Template

from sparring.engine.errors import SparringError
from sparring.engine.game import game as find_game
from sparring.scene.markup import join
from sparring.scene.sentences import say
from sparring.server.requests.errors import explain
from sparring.server.requests.event_stream import streamed
from sparring.server.requests.identity import UNSEATED, AnyRequest, CurrentPerson, TablesDep, requester_of
from sparring.server.requests.pages import RendererDep
from sparring.site.pages import lesson_pages
from sparring.site.pages.table_pages import can_join, page, table_context
from sparring.site.table_parts import chat_panel as chat
from sparring.site.table_parts import table_html as usual
from sparring.site.table_parts.seat_panel import open_seats, player_list, with_current_time
from sparring.site.table_parts.table_html import html_renderer
from sparring.store.person import Person
from sparring.tables.action_requests import LONGEST_WORDS, Version, Words
from sparring.tables.play.chat_actions import has_chat
from sparring.tables.state.presence import Presence
from sparring.tables.state.table import Table
from sparring.tables.tables import Tables
from sparring.text import COMMANDS as LESSON_COMMANDS
from sparring.text import TextLesson, TypedAnswer
from sparring.tutorials import CONTINUE, LessonState

from . import text_sections
from .text_sections import COMMANDS, TableText

#: The stream format of text mode.
IN_WORDS = html_renderer("words", text_sections.stream_event)


class TypedPost(msgspec.Struct):
    """Typed input, and the version of the table that the player saw."""

    version: Version
    words: Words


class ReadAloudPost(msgspec.Struct):
    """The answer to typed input, and the table's new version if a choice was made."""

    said: list[str]
    version: int = 0
    accepted: bool = True


@get("/table/{table_id:str}/text", opt=UNSEATED)
async def text_page(
    request: AnyRequest, person: CurrentPerson, tables: TablesDep, table_id: FromPath[str],
    watch: FromQuery[bool] = False, ask: FromQuery[str] = "",
) -> Template | Redirect:  # fmt: skip
    """Show a table in text mode with an answer to the query `ask`, or redirect to the invitation."""
    table = await tables.registry.get(table_id)
    await tables.choices.visit(table, person)
    if can_join(table, table.viewer_of(person)) and not watch:
        return Redirect(f"/table/{table_id}", status_code=303)
    view, typed = await _view(table, person), ask[:LONGEST_WORDS]
    return await _page(request, person, tables, table, view.reply(typed) if typed else None)


async def _view(table: Table, person: Person) -> TableText:
    return TableText(table, await table.catch_up(table.viewer_of(person).seat))


async def _page(
    request: AnyRequest, person: Person, tables: Tables, table: Table, answer: TypedAnswer | None, status: int = 200
) -> Template:
    viewer = table.viewer_of(person)
    chat_filter = await tables.chat.filter_for(table, person)
    feed = await table.catch_up(viewer.seat)  # last, so that nothing changes between it and the rendering
    view = TableText(table, feed)
    question, rest = text_sections.sections(table, feed, viewer)
    return page(
        "text.html", request, person, status, path=f"/table/{table.id}/text", **table_context(table), viewpoint=viewer,
        viewer=viewer.seat, answer=answer, version=feed.version, question=question, now=table.now(),
        rest=with_current_time(chat.filled(rest, table, person, chat_filter), table.now()),
        told=text_sections.lines(view.recent(), view.say), log=text_sections.lines(feed.logged(), view.say, "li"),
        help=COMMANDS.help, longest=LONGEST_WORDS, silent=not has_chat(table),
        sitting=player_list(table, feed, viewer), open_seats=open_seats(table, viewer.seat, viewer),
        chat=chat.panel(table, person, chat_filter, faces=False),
        people=usual.status_line(table, viewer, tables.registry.presences.get(table.id) or Presence()),
    )  # fmt: skip


@get("/table/{table_id:str}/text/events", opt=UNSEATED)
async def text_events(
    request: AnyRequest, person: CurrentPerson, tables: TablesDep, table_id: FromPath[str],
    version: FromQuery[int] = 0, away: FromQuery[bool] = False, seat: FromQuery[int | None] = None,
    chat_version: Annotated[int, QueryParameter(name="chat")] = 0,
    last: Annotated[str | None, HeaderParameter(name="Last-Event-ID")] = None,
) -> Stream:  # fmt: skip
    """Stream events of a text-mode page: new sentences and the current sections."""
    return await streamed(request, person, tables, table_id, (version, away), last, IN_WORDS, seat, chat_version)


@post("/table/{table_id:str}/text/say")
async def typed_input(
    request: AnyRequest, person: CurrentPerson, tables: TablesDep, table_id: FromPath[str],
    data: URLEncodedBody[TypedPost],
) -> Template | Redirect | Response[ReadAloudPost]:  # fmt: skip
    """Carry out a typed command or choice. The page's script gets JSON."""
    table = await tables.registry.get(table_id)
    by_script = request.headers.get("accept") == "application/json"
    try:
        result = await tables.commits.retrying(table, lambda now: _carry_out(request, tables, now, person, data))
    except SparringError as problem:
        if by_script:
            raise
        refused = TypedAnswer(data.words, (explain(request, problem),), refused=True)
        return await _page(request, person, tables, await tables.registry.get(table_id), refused, problem.status)
    if by_script:
        return Response(result)
    ask = f"?{urlencode({'ask': data.words})}" if result.said and not result.version else ""
    return Redirect(f"/table/{table_id}/text{ask}", status_code=303)


async def _carry_out(
    request: AnyRequest, tables: Tables, table: Table, person: Person, data: TypedPost
) -> ReadAloudPost:
    view = await _view(table, person)
    command, rest = view.read(data.words)
    match command:
        case "":
            return ReadAloudPost([], await tables.choices.choose(table, person, data.version, data.words))
        case "back":
            return ReadAloudPost(
                [say("Choice taken back.")], await tables.choices.take_back(table, person, data.version)
            )
        case "redeal":
            return ReadAloudPost([], await tables.proposals.new_deal(table, person))
        case "hint":
            requester = requester_of(request, person)
            return ReadAloudPost([], await tables.hints.take(table, person, data.version, requester))
    return ReadAloudPost(view.answer(command, rest))


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
        return _lesson_context(lesson, answer if isinstance(answer, TypedAnswer) else None)

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
            return _lesson_url(state, state.actions, typed=typed)
        return _lesson_url(state, result.actions)

    address = await renderer.part(choose, "typed step", name, made, data.choice, data.words, person.name)
    return Redirect(address, status_code=303)


def _lesson_url(state: LessonState, made: Sequence[str], **more: str) -> str:
    """Return the URL of a step."""
    query = urlencode({"made": ".".join(made), **more})
    return f"{lesson_pages.lesson_path(state.match.game)}/text?{query}"


def _lesson_context(lesson: TextLesson, answer: TypedAnswer | None) -> dict[str, Any]:
    """Return the context of the template."""
    state, view = lesson.state, lesson.view
    game, path = state.match.game, _lesson_url(state, state.actions)
    accepted, others = lesson.offers(accepted=True), lesson.offers(accepted=False)
    return {
        "game": game, "lesson": lesson, "pupil": state, "path": path, "answer": answer, "on": CONTINUE,
        "help": LESSON_COMMANDS.help, "longest": LONGEST_WORDS,
        "told": text_sections.lines(lesson.events, view.say),
        "meant": lesson.highlighted,
        "asked": view.say.spoken(view.scene.prompt.sentence),
        "accepted": text_sections.choice_buttons(accepted),
        "others": text_sections.choice_buttons(others),
        "typed": text_sections.typed_suggestions([*accepted, *others]),
        "lying": join([text_sections.hand(view), text_sections.seats(view), text_sections.on_table(view)]),
        "back": _lesson_url(state, state.actions[:-1]), "begin": _lesson_url(state, ()),
        "steps": [_lesson_url(state, state.actions[:count]) for count in state.step_starts[: state.step_index]],
        "pictures": f"{lesson_pages.lesson_path(game)}?"
        + urlencode({"made": ".".join(state.actions), "pictures": "true"}),
    }  # fmt: skip
