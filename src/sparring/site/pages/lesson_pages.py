"""The tutorial in the browser.

The URL holds the player's progress, so lessons work without scripts. A cookie remembers the last step; the server
stores nothing.
"""

import re
from collections.abc import Sequence
from typing import Any
from urllib.parse import urlencode

import msgspec
from litestar import get, post
from litestar.params import FromPath, FromQuery, URLEncodedBody
from litestar.response import Redirect, Template
from markupsafe import Markup, escape

from sparring.engine.errors import SparringError
from sparring.engine.game import Game
from sparring.engine.game import game as find_game
from sparring.engine.views import View
from sparring.scene import Effect, Shortcut, replace, with_shortcuts, without_choices
from sparring.scene.html import Exchange, render
from sparring.scene.markup import SeatNames, el, join
from sparring.scene.sentences import AnyText, merge_asides
from sparring.server.requests.identity import AnyRequest, CurrentPerson
from sparring.server.requests.pages import RendererDep
from sparring.store.person import Person
from sparring.tutorials import CONTINUE, EMPHASISED, LessonState, LessonTarget, lesson_of

from .game_pictures import gallery_of
from .rules_pages import with_tooltips
from .table_pages import page, prefers_text_mode

#: The lifetime of the progress cookie, in seconds.
MONTH = 31 * 24 * 3600

COACH = "Coach"

#: The longest progress that is read, in steps, and the longest shortcut, in choices: more than any lesson has.
LONGEST = 200
LONGEST_SHORTCUT = 8


class LessonProgress(msgspec.Struct):
    """A submitted answer: the number of a choice, the words of a shortcut, or ON."""

    choice: str


@get("/games/{name:str}/learn")
async def lesson_page(
    request: AnyRequest, person: CurrentPerson, renderer: RendererDep, name: FromPath[str],
    made: FromQuery[str | None] = None, tried: FromQuery[str | None] = None, pictures: FromQuery[bool] = False,
) -> Template | Redirect:  # fmt: skip
    """Show a step of a lesson: the one in the URL, or the one at which this browser left off.

    Players who prefer text mode are redirected to it unless `pictures` is set.
    """
    game = find_game(name)
    if not pictures and prefers_text_mode(request, person, lesson_path(game)):
        return Redirect(f"{lesson_path(game)}/text?{request.url.query}".rstrip("?"), status_code=303)
    progress = progress_of(request, game, made)

    def render() -> dict[str, Any]:
        state = lesson_after(game, progress)
        problem = _refused(state.fork(), tried) if tried is not None else ""
        return {**_context(game, state, person), "problem": problem}

    context = await renderer.part(render, "lesson", name, progress, tried, person.name)
    return with_progress_cookie(page("lesson.html", request, person, **context), context["pupil"])


def progress_of(request: AnyRequest, game: Game, made: str | None) -> str:
    """Return the steps that were made; None means those in the progress cookie."""
    return request.cookies.get(_cookie(game), "") if made is None else made


def lesson_after(game: Game, made: str) -> LessonState:
    """Return the lesson after the steps in `made`, separated by full stops."""
    return LessonState.replayed(game, lesson_of(game), _words(made))


def with_progress_cookie(response: Template, state: LessonState) -> Template:
    """Set the progress cookie on a response."""
    game = state.match.game
    made = ".".join(state.actions)
    response.set_cookie(_cookie(game), made, max_age=MONTH, path=lesson_path(game), httponly=True, samesite="lax")
    return response


def _cookie(game: Game) -> str:
    return f"learn-{game.name}"


@post("/games/{name:str}/learn")
async def lesson_choice(
    renderer: RendererDep, name: FromPath[str], data: URLEncodedBody[LessonProgress], made: FromQuery[str] = ""
) -> Redirect:
    """Make the choice a step asks for. Any other choice shows the step again with an explanation."""
    game = find_game(name)

    def choose() -> str:
        state = lesson_after(game, made)
        tried = {"tried": data.choice} if _refused(state, data.choice) else {}
        return f"{lesson_path(game)}?{urlencode({'made': '.'.join(state.actions), **tried})}"

    return Redirect(await renderer.part(choose, "lesson choice", name, made, data.choice), status_code=303)


def lesson_path(game: Game) -> str:
    """Return the path of a game's lesson."""
    return f"/games/{game.name}/learn"


def _words(made: str) -> tuple[str, ...]:
    return tuple(made.split(".")[:LONGEST]) if made else ()


def _refused(state: LessonState, choice: str) -> str:
    """Make a choice, or those of a shortcut; return why it was refused, or an empty string."""
    try:
        if ";" in choice:
            state.choose_together(parts_of(choice))
        else:
            state.replay_action(choice)
    except SparringError as problem:
        return str(problem)
    return ""


def parts_of(shortcut: str) -> list[str]:
    """Return the choices of a shortcut's words."""
    return [words.strip() for words in shortcut.split(";")][:LONGEST_SHORTCUT]


def _context(game: Game, state: LessonState, person: Person) -> dict[str, Any]:
    """Return the context of the lesson template."""
    query, names = urlencode({"made": ".".join(state.actions)}), player_names(state, person)
    seat_names = SeatNames(names)

    def accepted(shortcut: Shortcut) -> bool:
        return state.accepts_together(parts_of(shortcut.words))

    def rendered(view: View, lines: Sequence[AnyText] = (), effects: tuple[Effect, ...] = ()) -> Markup:
        scene = render(
            replace(with_shortcuts(view.scene, accepted), effects=effects),
            action_url=f"{lesson_path(game)}?{query}", names=names,
            animated=lines, glossary=game.glossary,
            exchange=_deciding_exchange(state) if view.scene.over else None,
        )  # fmt: skip
        return gallery_of(game).with_addresses(scene, f"/games/{game.name}/pictures")

    return {
        "game": game, "pupil": state, "address": lesson_path(game), "on": CONTINUE,
        "action": f"{lesson_path(game)}?{query}", "in_words": f"{lesson_path(game)}/text?{query}",
        "back": urlencode({"made": ".".join(state.actions[:-1])}),
        "say": render_lesson_text(state.step.say, seat_names) if state.step else "",
        "longest": illegible(max((step.say for step in state.lesson.steps), key=len)),
        "told": [seat_names.marked(line) for line in merge_asides(state.sentences)],
        "beats": join(
            rendered(beat.view.past, merge_asides(beat.lines), beat.effects) for beat in state.beats if beat.lines
        ),
        "scene": with_tooltips(highlighted(rendered(state.view), state.targets()), game.glossary),
        "written": lambda text: render_lesson_text(text, seat_names),
    }  # fmt: skip


def _deciding_exchange(state: LessonState) -> Exchange | None:
    """Return the exchange that ended the lesson's match, which stays on the table."""
    decided = ((beat.view.scene.exchange, beat.lines) for beat in reversed(state.beats))
    return next((Exchange(without_choices(area), lines) for area, lines in decided if area is not None), None)


def player_names(state: LessonState, person: Person) -> list[str]:
    """Return the players' names by seat."""
    seat = state.lesson.seat
    own = person.name or "You"
    return [own if each == seat else COACH for each in range(1, state.match.seats + 1)]


def render_lesson_text(text: str, names: SeatNames) -> Markup:
    """Render a lesson's text with seats as names and emphasised words in bold."""
    parts = EMPHASISED.split(text)
    return join(el("b", names.marked(part)) if i % 2 else names.marked(part) for i, part in enumerate(parts))


def illegible(text: str) -> str:
    """Return a text of the same length and with the same breaks that says nothing."""
    return re.sub(r"\w", "n", EMPHASISED.sub(r"\1", text))


def highlighted(scene: Markup, targets: list[LessonTarget]) -> Markup:
    """Add `data-pointed` to the elements a step points at: to the button of those that can be chosen."""
    html = str(scene)
    for attribute in {attribute for target in targets for attribute in _attributes(target)}:
        html = str.replace(html, attribute, f"{attribute} data-pointed")  # Markup.replace would escape the attribute
    return Markup(html)


def _attributes(target: LessonTarget) -> list[str]:
    """Return the HTML attributes that identify a target's elements in the scene."""
    if target.action is not None:
        return [f'name="choice" value="{target.action}"']
    if target.at is not None:
        return [f'data-at="{target.at[0]},{target.at[1]}"']
    return [f'{attribute}="{escape(target.key)}"' for attribute in ("data-key", "data-mark")] if target.key else []
