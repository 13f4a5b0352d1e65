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
from sparring.scene.markup import Names, el, join
from sparring.scene.sentences import together
from sparring.teaching import EMPHASISED, ON, Pointed, Pupil, lesson_of
from sparring.web.people import Person
from sparring.web.requests.exchange import SMALL, AnyRequest, Asker
from sparring.web.requests.pictures import gallery_of

from .forms import ME, WEAKEST
from .pages import page
from .titles import titled

#: How long a browser remembers where somebody was, in seconds.
MONTH = 31 * 24 * 3600

COACH = "Coach"

#: More than anybody does in a lesson.
LONGEST = 200


class Done(msgspec.Struct):
    """What somebody did: the number of a choice, or ON."""

    choice: str


@get("/games/{name:str}/learn", include_in_schema=False)
async def lesson_page(
    request: AnyRequest, person: Asker, name: FromPath[str],
    made: FromQuery[str | None] = None, tried: FromQuery[str | None] = None,
) -> Template:  # fmt: skip
    """A step of a lesson: the one that the address names, or where this browser was last."""
    game = find_game(name)
    lesson = lesson_of(game)
    cookie = f"learn-{game.name}"
    pupil = Pupil.after(game, lesson, _words(made if made is not None else request.cookies.get(cookie, "")))
    problem = _refused(Pupil.after(game, lesson, pupil.made), tried) if tried is not None else ""
    answer = page("lesson.html", request, person, **_shown(game, pupil, person), problem=problem)
    answer.set_cookie(cookie, ".".join(pupil.made), max_age=MONTH, path=request.url.path, httponly=True, samesite="lax")
    return answer


@post("/games/{name:str}/learn", include_in_schema=False, request_max_body_size=SMALL)
async def lesson_choice(name: FromPath[str], data: URLEncodedBody[Done], made: FromQuery[str] = "") -> Redirect:
    """Do what a step asks for; anything else leads back to it, and is answered there."""
    game = find_game(name)
    lesson = lesson_of(game)
    pupil = Pupil.after(game, lesson, _words(made))
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


def _refused(pupil: Pupil, word: str) -> str:
    """Let somebody do a thing; the sentence that is said where it was not done."""
    try:
        pupil.do(word)
    except SparringError as problem:
        return str(problem)
    return ""


def _shown(game: Game, pupil: Pupil, person: Person) -> dict[str, Any]:
    """What the page is made of."""
    lesson, here = pupil.lesson, urlencode({"made": ".".join(pupil.made)})
    own = person.name or f"Seat {lesson.seat}"
    names = [own if seat == lesson.seat else COACH for seat in range(1, pupil.match.seats + 1)]
    marked = Names(names)

    def drawn(view: View, told: Sequence[str] = ()) -> Markup:
        scene = render(view.scene, action_url=f"{address(game)}?{here}", names=names, told=told, glossary=game.glossary)
        return gallery_of(game).hung(scene, f"/games/{game.name}/pictures")

    return {
        "game": game, "pupil": pupil, "address": address(game), "on": ON, "first_match": first_match(game),
        "action": f"{address(game)}?{here}", "back": urlencode({"made": ".".join(pupil.made[:-1])}),
        "say": written(pupil.step.say, marked) if pupil.step else "",
        "told": [marked.marked(line) for line in together(pupil.told)],
        "beats": join(drawn(beat.view.passed, together(beat.lines)) for beat in pupil.beats if beat.lines),
        "scene": titled(highlighted(drawn(pupil.view), pupil.pointed()), game.glossary),
        "written": lambda text: written(text, marked),
    }  # fmt: skip


def written(text: str, names: Names) -> Markup:
    """The words of a lesson: seats by name, things in bold."""
    parts = EMPHASISED.split(text)
    return join(el("b", part) if i % 2 else names.marked(part) for i, part in enumerate(parts))


def highlighted(scene: Markup, pointed: list[Pointed]) -> Markup:
    """A rendered scene with `data-pointed` on everything that is pointed at: on its button, if it can be chosen."""
    drawn = str(scene)
    for sign in {sign for thing in pointed for sign in _signs(thing)}:
        drawn = str.replace(drawn, sign, f"{sign} data-pointed")  # Markup's own would escape the sign
    return Markup(drawn)


def _signs(thing: Pointed) -> list[str]:
    """The attributes by which an element of the scene is known to be a thing."""
    if thing.action is not None:
        return [f'name="choice" value="{thing.action}"']
    if thing.at is not None:
        return [f'data-at="{thing.at[0]},{thing.at[1]}"']
    return [f'{attribute}="{escape(thing.key)}"' for attribute in ("data-key", "data-mark")] if thing.key else []


HANDLERS = [lesson_page, lesson_choice]
