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

from sparring.engine.errors import SparringError
from sparring.engine.formats.choice_parser import read_command
from sparring.engine.formats.spelling import normalize
from sparring.engine.game import game as find_game
from sparring.scene.locations import describe_location
from sparring.scene.markup import SeatNames, join
from sparring.scene.screen_reader import ChoiceGroup, SceneSpeaker
from sparring.scene.sentences import merge_asides
from sparring.server.requests.identity import SMALL, AnyRequest, CurrentPerson
from sparring.server.requests.page_renderer import RendererDep
from sparring.site.pages import lesson_pages
from sparring.site.pages.table_pages import page
from sparring.store.person import Person
from sparring.tables.action_requests import LONGEST_WORDS
from sparring.tutorials import CONTINUE, EMPHASISED, LessonState

from . import text_sections
from .typed_queries import QUERIES, QUERY_HELP, TypedAnswer, TypedQueries

HELP = (
    "Type a choice, or the start of one, and press Enter. Or type a command:",
    "on: go to the next step, if there is nothing to choose",
    "back: undo your last step",
    *QUERY_HELP,
    "help: list these commands. If a choice has the same name as a command, type / before the command.",
)
COMMANDS = {**QUERIES, "on": "on", "go": "on", "next": "on", "back": "back", "undo": "back"}


class TypedStep(msgspec.Struct):
    """A submitted step: the number of a choice from its button, or typed text."""

    choice: str = ""
    words: str = ""


class TextLesson:
    """A lesson in text mode: its sentences, choices and typed commands."""

    def __init__(self, pupil: LessonState, person: Person) -> None:
        self.state, self.scene = pupil, pupil.view.scene
        self.say = SceneSpeaker(SeatNames(lesson_pages.player_names(pupil, person)), pupil.match.game.spoken_forms)

    def words(self, text: str) -> str:
        """Return a lesson's text for speaking, without emphasis marks."""
        return self.say.spoken(EMPHASISED.sub(r"\1", text))

    @property
    def highlighted(self) -> list[str]:
        """Return the items the step points at, with their locations."""
        described = (describe_location(self.scene, target.thing, self.say) for target in self.state.targets())
        return list(dict.fromkeys(filter(None, described)))

    def offers(self, *, accepted: bool) -> list[ChoiceGroup]:
        """Return the choices that the step accepts, or all others."""
        accepted_actions = set(self.state.accepted().values())
        divided = [
            (title, tuple(each for each in choices if (each.action in accepted_actions) == accepted))
            for title, choices in self.say.choice_groups(self.scene)
        ]
        return [(title, choices) for title, choices in divided if choices]

    def typed(self, choice: str) -> str:
        """Return the typed form of a choice by its number."""
        return next((thing.words for thing in self.scene.choosable if str(thing.action) == choice), choice)

    def do(self, typed: str) -> tuple[str, ...] | None:
        """Return the progress after a typed choice or command, or None for a query.

        Raises a SparringError if the choice is refused.
        """
        command = read_command(typed, COMMANDS, {normalize(thing.words) for thing in self.scene.choosable})
        forked = self.state.fork()
        match command:
            case None:
                forked.choose(typed)
            case ("on", _):
                forked.finish_reading()
            case ("back", _):
                if not forked.actions:
                    raise SparringError("This is the first step.")
                return forked.actions[:-1]
            case _:
                return None
        return forked.actions

    def answer(self, typed: str) -> TypedAnswer | None:
        """Return the answer to a query or the reason for a refusal, or None for a valid choice."""
        try:
            if not typed or self.do(typed) is not None:  # choices are made by POST, never by a link
                return None
            command = read_command(typed, COMMANDS, ()) or ("help", "")
            recent = merge_asides(self.state.sentences)
            queries = TypedQueries(self.scene, self.say, self.state.match.game.glossary, recent, None, HELP)
            return TypedAnswer(typed, tuple(queries.answer(*command)))
        except SparringError as problem:
            return TypedAnswer(typed, (self.words(str(problem)),), refused=True)


@get("/games/{name:str}/learn/text", include_in_schema=False)
async def lesson_in_words(
    request: AnyRequest, person: CurrentPerson, renderer: RendererDep, name: FromPath[str],
    made: FromQuery[str | None] = None, typed: FromQuery[str] = "",
) -> Template:  # fmt: skip
    """Show a step of a lesson in text mode: the one in the URL, or the one at which this browser left off."""
    game, words = find_game(name), typed[:LONGEST_WORDS].strip()
    progress = lesson_pages.progress_of(request, game, made)

    def render() -> dict[str, Any]:
        lesson = TextLesson(lesson_pages.lesson_after(game, progress), person)
        return _context(lesson, lesson.answer(words))

    context = await renderer.part(render, "text lesson", name, progress, words, person.name)
    return lesson_pages.with_progress_cookie(page("lesson_text.html", request, person, **context), context["pupil"])


@post("/games/{name:str}/learn/text", include_in_schema=False, request_max_body_size=SMALL)
async def taught_in_words(
    person: CurrentPerson, renderer: RendererDep, name: FromPath[str], data: URLEncodedBody[TypedStep],
    made: FromQuery[str] = "",
) -> Redirect:  # fmt: skip
    """Make a choice. Queries and refused choices are answered on the page."""
    game = find_game(name)

    def choose() -> str:
        state = lesson_pages.lesson_after(game, made)
        lesson = TextLesson(state, person)
        typed = (lesson.typed(data.choice) if data.choice else data.words)[:LONGEST_WORDS].strip()
        try:
            actions = lesson.do(typed)
        except SparringError:
            actions = None
        more = {"typed": typed} if actions is None else {}
        return _url(state, state.actions if actions is None else actions, **more)

    address = await renderer.part(choose, "typed step", name, made, data.choice, data.words, person.name)
    return Redirect(address, status_code=303)


def _url(state: LessonState, made: Sequence[str], **more: str) -> str:
    """Return the URL of a step."""
    query = urlencode({"made": ".".join(made), **more})
    return f"{lesson_pages.lesson_path(state.match.game)}/text?{query}"


def _context(lesson: TextLesson, answer: TypedAnswer | None) -> dict[str, Any]:
    """Return the context of the template."""
    state, scene, say = lesson.state, lesson.scene, lesson.say
    game, path = state.match.game, _url(state, state.actions)
    accepted, others = lesson.offers(accepted=True), lesson.offers(accepted=False)
    return {
        "game": game,
        "pupil": state,
        "path": path,
        "answer": answer,
        "on": CONTINUE,
        "help": HELP,
        "longest": LONGEST_WORDS,
        "told": text_sections.lines(merge_asides(state.sentences), say),
        "idea": lesson.words(state.step.say) if state.step else "",
        "learned": [lesson.words(line) for line in state.lesson.learned],
        "meant": lesson.highlighted,
        "asked": say.spoken(scene.prompt.sentence),
        "accepted": text_sections.choice_buttons(accepted),
        "others": text_sections.choice_buttons(others),
        "typed": text_sections.typed_suggestions([*accepted, *others]),
        "lying": join(
            [text_sections.hand(scene, say), text_sections.seats(scene, say), text_sections.on_table(scene, say)]
        ),
        "back": _url(state, state.actions[:-1]),
        "begin": _url(state, ()),
        "steps": [_url(state, state.actions[:count]) for count in state.step_starts[: state.step_index]],
        "pictures": f"{lesson_pages.lesson_path(game)}?"
        + urlencode({"made": ".".join(state.actions), "pictures": "true"}),
    }


HANDLERS: list[Any] = [lesson_in_words, taught_in_words]
