"""The replay in text mode, with the same moments and points of view as the one with pictures."""

from collections.abc import Callable
from dataclasses import replace
from typing import Any

from litestar import get
from litestar.params import FromQuery
from litestar.response import Template
from markupsafe import Markup

from sparring.engine.errors import SparringError
from sparring.scene.markup import NOTHING, SeatNames
from sparring.scene.screen_reader import SceneSpeaker
from sparring.scene.sentences import say
from sparring.server.requests.identity import AnyRequest, CurrentPerson
from sparring.site.pages.table_pages import page
from sparring.tables.action_requests import LONGEST_WORDS

from .moment_requests import MomentRequest, ShownMoment
from .open_information import OPEN
from .replay_access import ReplaySubject
from .replay_routes import MOST, TEXT_MODE, Place, ReplaysDep, SubjectDep, clamp_moment
from .review_jobs import MatchReview
from .timeline import COMMANDS
from .win_chart import ChartScale, chances_html, costliest_html

#: The moments that commands lead to, as functions of the current one.
MOVES: dict[str, Callable[[int], int]] = {
    "next": lambda at: at + 1, "back": lambda at: at - 1, "first": lambda _: 0, "last": lambda _: MOST,
}  # fmt: skip


@get(["/table/{table_id:str}/replay/text", "/records/{record_id:str}/replay/text"])
async def replay_in_words(
    request: AnyRequest, person: CurrentPerson, subject: SubjectDep, replays: ReplaysDep, view: FromQuery[str] = "",
    at: Place = None, choices: Place = None, to: FromQuery[str] = "",
) -> Template:  # fmt: skip
    """Show a moment in text mode: the one in the URL, the one that `to` leads to, or the answer to the query `to`."""
    subject = replace(subject, page=TEXT_MODE)
    viewer, problem = subject.viewer(view, choices), ""
    if at is None and subject.over:
        at = 0
    target, typed, query = at, to[:LONGEST_WORDS].strip(), ""
    try:
        if typed and (target := parse_target(typed, at or 0)) is None:
            target, query = at, typed
    except SparringError as refused:
        problem = str(refused)
    names, place = list(subject.names), (clamp_moment(target), clamp_moment(choices))
    response = await replays.show(
        subject, MomentRequest(subject.record, viewer, names, *place, form="words", query=query)
    )
    moment = response.moments[0]
    if moment.refused:
        problem = " ".join(moment.answer)
    sentences, table = map(subject.complete, moment.steps)
    review = await replays.reviews.find(subject.record) if subject.over else None
    return page(
        "replay_text.html", request, person, 422 if problem else 200, kept=subject, setup=subject.setup,
        game=subject.game, viewer=viewer, view="open" if viewer == OPEN else str(viewer), at=moment.at,
        last=response.last, choices=moment.choices,
        told=sentences, lying=table, so_far=Markup(moment.log), seen=_seen(subject, viewer), typed=typed,
        problem=problem, beyond=_beyond(target, response.last) if typed and not query else "", longest=LONGEST_WORDS,
        help=COMMANDS.help, answer=moment.answer, path=subject.link(viewer, at=moment.at),
        **_reviewed(subject, review, moment),
    )  # fmt: skip


def parse_target(typed: str, at: int) -> int | None:
    """Return the moment that typed text leads to, which may be out of range, or None for a query.

    Raises a SparringError if it is neither.
    """
    command, rest = COMMANDS.read(typed)
    if command in MOVES and not rest:
        return MOVES[command](at)
    if command and command not in MOVES:
        return None
    number = typed.casefold().removeprefix("moment").removeprefix("step").strip()
    if number.isascii() and number.isdigit():
        return int(number[:9])
    raise SparringError(say("“{typed}” isn't a step. Type a number, next, back, first, last or help.", typed=typed))


def _beyond(target: int | None, last: int) -> str:
    """Return a notice for a moment before the first or after the last; empty otherwise."""
    if target is None or 0 <= target <= last or target == MOST:
        return ""
    return say("This is the first step.") if target < 0 else say("This is the last step, {last}.", last=last)


def _seen(subject: ReplaySubject, viewer: int) -> str:
    """Return the point of view in words."""
    if subject.open:
        return dict(subject.views())["open" if viewer == OPEN else str(viewer)]
    return say("as you saw it") if viewer else say("as a spectator")


def _reviewed(subject: ReplaySubject, review: MatchReview | None, moment: ShownMoment) -> dict[str, Any]:
    """Return the template context of the review at this moment."""
    if review is None:
        return {"review": None}
    scale = ChartScale(subject.game, len(subject.names))
    names = SeatNames(subject.names)
    read = SceneSpeaker(names, subject.game.spoken_forms).spoken
    costly = costliest_html(subject, review, scale, names, read) if review.done else NOTHING
    return {"review": review, "hopes": chances_html(subject, review, moment.choices), "scale": scale, "costly": costly}
