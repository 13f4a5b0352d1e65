"""A first match for programs: learned step by step, by the address alone, as on the pages."""

from typing import Annotated

import msgspec
from litestar import Router, get
from litestar.params import QueryParameter

from sparring.engine.errors import SparringError
from sparring.engine.game import game as find_game
from sparring.scene.sentences import together
from sparring.web.pages.lesson_pages import pupil_after
from sparring.web.requests.action_routes import LONGEST_WORDS
from sparring.web.requests.identity_and_errors import Asker
from sparring.web.text_mode.text_lessons import TextLesson

from .responses import Id, allowed, refusals

Made = Annotated[str, QueryParameter(max_length=2000, description="`made`, as the last answer had it.")]
Typed = Annotated[
    str,
    QueryParameter(
        max_length=LONGEST_WORDS,
        description="What you do: the words of a choice, `on`, `back`; or what you want to know: `help`, `hand`.",
    ),
]


class LessonView(msgspec.Struct):
    """Where somebody is in a lesson."""

    made: Annotated[str, msgspec.Meta(description="All that you have done so far; send it along with what is next.")]
    told: Annotated[list[str], msgspec.Meta(description="What happened on the way.")]
    idea: Annotated[str, msgspec.Meta(description="What the step says; empty at the end.")]
    choices: Annotated[list[str], msgspec.Meta(description="What the step asks for; none: `on` leads to the next.")]
    others: Annotated[list[str], msgspec.Meta(description="What could be chosen besides; the lesson says why not.")]
    scene: Annotated[str, msgspec.Meta(description="The table in lines of text.")]
    said: Annotated[list[str], msgspec.Meta(description="The answer to what you wanted to know.")]
    learned: Annotated[list[str], msgspec.Meta(description="What you know now; empty before the end.")]
    over: bool


@get("/games/{name:str}/lesson/step", **allowed(""), responses=refusals(404, 422), summary="Learn step by step")
async def step(person: Asker, name: Id, made: Made = "", do: Typed = "") -> LessonView:
    """A step of the lesson: the one after what you have made, and after what you do now."""
    taught = TextLesson(pupil_after(find_game(name), made), person)
    answer = taught.answer(do)
    if answer and answer.refused:
        raise SparringError(" ".join(answer.said))
    if do and (further := taught.do(do)) is not None:
        taught = TextLesson(pupil_after(find_game(name), ".".join(further)), person)
    pupil = taught.pupil
    wanted, others = ([each.words for _, those in taught.offers(accepted=accepted) for each in those]
                      for accepted in (True, False))  # fmt: skip
    return LessonView(
        made=".".join(pupil.made), told=[taught.say.say(line) for line in together(pupil.told)],
        idea=taught.words(pupil.step.say) if pupil.step else "", choices=wanted, others=others, scene=str(taught.scene),
        said=list(answer.said) if answer else [], over=pupil.over,
        learned=[taught.words(line) for line in pupil.lesson.learned] if pupil.over else [],
    )  # fmt: skip


def router() -> Router:
    """What is learned."""
    return Router("/api", route_handlers=[step], tags=["games"])
