"""The replay in text mode, with the same moments and points of view as the one with pictures."""

from collections.abc import Callable
from dataclasses import replace
from typing import Any

from litestar import get
from litestar.params import FromQuery
from litestar.response import Template
from markupsafe import Markup

from sparring.engine.errors import SparringError
from sparring.engine.formats.choice_parser import read_command
from sparring.scene.markup import NOTHING, SeatNames
from sparring.scene.screen_reader import SceneSpeaker
from sparring.web.pages.table_pages import page
from sparring.web.requests.action_routes import LONGEST_WORDS
from sparring.web.requests.identity_and_errors import AnyRequest, Asker, TheTables

from .moment_requests import MomentRequest, ShownMoment
from .moment_text import HELP, QUESTIONS
from .open_information import OPEN
from .replay_access import ReplaySubject
from .replay_routes import MOST, TEXT_MODE, Id, Place, TheReplays, clamp_moment
from .review_jobs import MatchReview
from .win_chart import ChartScale, chances_html, costliest_html

#: Commands that move to another moment, as functions of the current one.
MOVES: dict[str, Callable[[int], int]] = {
    **dict.fromkeys(("next", "n", "on"), lambda at: at + 1),
    **dict.fromkeys(("back", "b", "previous", "p"), lambda at: at - 1),
    **dict.fromkeys(("first", "f", "beginning"), lambda _: 0),
    **dict.fromkeys(("last", "l", "end"), lambda _: MOST),
}  # fmt: skip


@get(["/table/{table_id:str}/replay/text", "/records/{record_id:str}/replay/text"], include_in_schema=False)
async def replay_in_words(
    request: AnyRequest, person: Asker, tables: TheTables, cinema: TheReplays, table_id: Id = "", record_id: Id = "",
    view: FromQuery[str] = "", at: Place = None, choices: Place = None, to: FromQuery[str] = "",
) -> Template:  # fmt: skip
    """Show a moment in text mode: the one in the URL, the one that `to` leads to, or the answer to the query `to`."""
    kept = replace(await cinema.subject(tables, person, table_id, record_id), page=TEXT_MODE)
    viewer, problem = kept.viewer(view, choices), ""
    if at is None and kept.over:
        at = 0
    wanted, typed = at, to[:LONGEST_WORDS].strip()
    asked = None if typed.casefold() in MOVES else read_command(typed, QUESTIONS, ())
    leading = bool(typed) and not asked
    try:
        wanted = parse_target(typed, at or 0) if leading else at
    except SparringError as refused:
        problem = str(refused)
    showing = await cinema.show(
        kept,
        MomentRequest(
            kept.record,
            viewer,
            list(kept.names),
            clamp_moment(wanted),
            clamp_moment(choices),
            form="words",
            asked=asked,
        ),
    )
    moment = showing.moments[0]
    if moment.refused:
        problem = " ".join(moment.answer)
    told, lying = map(kept.complete, moment.steps)
    review = await cinema.reviews.find(kept.record) if kept.over else None
    return page(
        "replay_text.html", request, person, 422 if problem else 200, kept=kept, game=kept.game, viewer=viewer,
        view="open" if viewer == OPEN else str(viewer), at=moment.at, last=showing.last, choices=moment.choices,
        told=told, lying=lying, so_far=Markup(moment.said), seen=_seen(kept, viewer), typed=typed, problem=problem,
        beyond=_beyond(wanted, showing.last) if leading else "", longest=LONGEST_WORDS, help=HELP, answer=moment.answer,
        path=kept.link(viewer, at=moment.at), **_reviewed(kept, review, moment),
    )  # fmt: skip


def parse_target(typed: str, at: int) -> int:
    """Return the moment that typed text leads to, which may be out of range. Raises a SparringError if it isn't one."""
    word = typed.casefold().removeprefix("moment").removeprefix("step").strip()
    if word in MOVES:
        return MOVES[word](at)
    if word.isascii() and word.isdigit():
        return int(word[:9])
    raise SparringError(f"“{typed}” isn't a step. Type a number, next, back, first or last; or help.")


def _beyond(wanted: int | None, last: int) -> str:
    """Return a notice for a moment before the first or after the last; empty otherwise."""
    if wanted is None or 0 <= wanted <= last or wanted == MOST:
        return ""
    return "This is the first step." if wanted < 0 else f"This is the last step, {last}."


def _seen(kept: ReplaySubject, viewer: int) -> str:
    """Return the point of view in words."""
    if kept.open:
        return dict(kept.views())["open" if viewer == OPEN else str(viewer)]
    return "as you saw it" if viewer else "as a spectator"


def _reviewed(kept: ReplaySubject, review: MatchReview | None, moment: ShownMoment) -> dict[str, Any]:
    """Return the template context of the review at this moment."""
    if review is None:
        return {"review": None}
    scale = ChartScale(kept.game, len(kept.names))
    names = SeatNames(kept.names)
    read = SceneSpeaker(names, kept.game.spoken_forms).spoken
    costly = costliest_html(kept, review, scale, names, read) if review.done else NOTHING
    return {"review": review, "hopes": chances_html(kept, review, moment.choices), "scale": scale, "costly": costly}


HANDLERS: list[Any] = [replay_in_words]
