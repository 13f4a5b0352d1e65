"""A first match in the browser.

Where somebody is stands in the address, so it works without a script; a cookie knows the way back, and nothing is kept.
"""

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
from sparring.scene.html import render
from sparring.scene.markup import SeatNames, el, join
from sparring.scene.sentences import together
from sparring.tutorials import EMPHASISED, ON, LessonState, Target, lesson_of
from sparring.web.identity import Person
from sparring.web.requests.identity_and_errors import SMALL, AnyRequest, Asker
from sparring.web.requests.picture_routes import gallery_of

from .table_form import ME, WEAKEST
from .table_pages import page, wants_words
from .tooltips import titled

#: How long a browser remembers where somebody was, in seconds.
MONTH = 31 * 24 * 3600

COACH = "Coach"

#: More than anybody does in a lesson.
LONGEST = 200


class LessonProgress(msgspec.Struct):
    """What somebody did: the number of a choice, or ON."""

    choice: str


@get("/games/{name:str}/learn", include_in_schema=False)
async def lesson_page(
    request: AnyRequest, person: Asker, name: FromPath[str], made: FromQuery[str | None] = None,
    tried: FromQuery[str | None] = None, pictures: FromQuery[bool] = False,
) -> Template | Redirect:  # fmt: skip
    """A step of a lesson: the one that the address names, or where this browser was last.

    Who wants tables as pages of words is led to that one, unless they say by `pictures` that this once they do not.
    """
    game = find_game(name)
    pupil = pupil_at(request, game, made)
    if not pictures and wants_words(request, person, address(game)):
        return Redirect(f"{address(game)}/text?{request.url.query}".rstrip("?"), status_code=303)
    problem = _refused(pupil.fork(), tried) if tried is not None else ""
    return remembered(page("lesson.html", request, person, **_shown(game, pupil, person), problem=problem), pupil)


def pupil_at(request: AnyRequest, game: Game, made: str | None) -> LessonState:
    """Whoever has done these things; if nothing is said of that, where this browser was last."""
    return pupil_after(game, request.cookies.get(_cookie(game), "") if made is None else made)


def pupil_after(game: Game, made: str) -> LessonState:
    """Whoever has done these things."""
    return LessonState.after(game, lesson_of(game), _words(made))


def remembered(answer: Template, pupil: LessonState) -> Template:
    """The browser remembers where somebody is."""
    game = pupil.match.game
    done = ".".join(pupil.made)
    answer.set_cookie(_cookie(game), done, max_age=MONTH, path=address(game), httponly=True, samesite="lax")
    return answer


def _cookie(game: Game) -> str:
    return f"learn-{game.name}"


@post("/games/{name:str}/learn", include_in_schema=False, request_max_body_size=SMALL)
async def lesson_choice(
    name: FromPath[str], data: URLEncodedBody[LessonProgress], made: FromQuery[str] = ""
) -> Redirect:
    """Do what a step asks for; anything else leads back to it, and is answered there."""
    game = find_game(name)
    pupil = pupil_after(game, made)
    tried = {"tried": data.choice} if _refused(pupil, data.choice) else {}
    return Redirect(f"{address(game)}?{urlencode({'made': '.'.join(pupil.made), **tried})}", status_code=303)


def address(game: Game) -> str:
    """Where the lesson of a game is."""
    return f"/games/{game.name}/learn"


def first_match(game: Game) -> str:
    """The set-up page, filled in for a first match against the weakest bot that thinks."""
    seats = {f"seat{seat}": WEAKEST for seat in range(2, min(game.seats) + 1)}
    return f"/games/{game.name}?{urlencode({'seat1': ME, **seats, 'preset': game.recommended})}"


def _words(made: str) -> tuple[str, ...]:
    return tuple(made.split(".")[:LONGEST]) if made else ()


def _refused(pupil: LessonState, word: str) -> str:
    """Let somebody do a thing; the sentence that is said where it was not done."""
    try:
        pupil.do(word)
    except SparringError as problem:
        return str(problem)
    return ""


def _shown(game: Game, pupil: LessonState, person: Person) -> dict[str, Any]:
    """What the page is made of."""
    here, names = urlencode({"made": ".".join(pupil.made)}), names_in(pupil, person)
    marked = SeatNames(names)

    def drawn(view: View, told: Sequence[str] = ()) -> Markup:
        scene = render(view.scene, action_url=f"{address(game)}?{here}", names=names, told=told, glossary=game.glossary)
        return gallery_of(game).hung(scene, f"/games/{game.name}/pictures")

    return {
        "game": game, "pupil": pupil, "address": address(game), "on": ON, "first_match": first_match(game),
        "action": f"{address(game)}?{here}", "in_words": f"{address(game)}/text?{here}",
        "back": urlencode({"made": ".".join(pupil.made[:-1])}),
        "say": written(pupil.step.say, marked) if pupil.step else "",
        "told": [marked.marked(line) for line in together(pupil.told)],
        "beats": join(drawn(beat.view.passed, together(beat.lines)) for beat in pupil.beats if beat.lines),
        "scene": titled(highlighted(drawn(pupil.view), pupil.pointed()), game.glossary),
        "written": lambda text: written(text, marked),
    }  # fmt: skip


def names_in(pupil: LessonState, person: Person) -> list[str]:
    """What each seat of a lesson is called."""
    seat = pupil.lesson.seat
    own = person.name or f"Seat {seat}"
    return [own if each == seat else COACH for each in range(1, pupil.match.seats + 1)]


def written(text: str, names: SeatNames) -> Markup:
    """The words of a lesson: seats by name, things in bold."""
    parts = EMPHASISED.split(text)
    return join(el("b", part) if i % 2 else names.marked(part) for i, part in enumerate(parts))


def highlighted(scene: Markup, pointed: list[Target]) -> Markup:
    """A rendered scene with `data-pointed` on everything that is pointed at: on its button, if it can be chosen."""
    drawn = str(scene)
    for sign in {sign for thing in pointed for sign in _signs(thing)}:
        drawn = str.replace(drawn, sign, f"{sign} data-pointed")  # Markup's own would escape the sign
    return Markup(drawn)


def _signs(thing: Target) -> list[str]:
    """The attributes by which an element of the scene is known to be a thing."""
    if thing.action is not None:
        return [f'name="choice" value="{thing.action}"']
    if thing.at is not None:
        return [f'data-at="{thing.at[0]},{thing.at[1]}"']
    return [f'{attribute}="{escape(thing.key)}"' for attribute in ("data-key", "data-mark")] if thing.key else []


HANDLERS = [lesson_page, lesson_choice]
