"""The replay in text mode, with the moments and points of view of the one with pictures, and a table's sections."""

from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Any

from litestar import get
from litestar.params import FromQuery
from litestar.response import Template
from markupsafe import Markup

from sparring.engine.errors import SparringError
from sparring.engine.formats.choice_parser import read_command
from sparring.scene.markup import NOTHING, SeatNames, el, join
from sparring.scene.screen_reader import SceneSpeaker
from sparring.scene.sentences import merge_asides
from sparring.server.requests.identity import AnyRequest, CurrentPerson, TablesDep
from sparring.site.pages.table_pages import page
from sparring.site.text_mode import text_sections, typed_queries
from sparring.tables.play.action_requests import LONGEST_WORDS

from .moment_requests import MomentRequest, ShownMoment
from .open_information import OPEN
from .replay_access import ReplaySubject
from .replay_routes import MOST, TEXT_MODE, Id, Place, ReplaysDep, clamp_moment
from .review_jobs import MatchReview
from .timeline import START, ViewerTimeline, final_scene, sentences_of
from .win_chart import ChartScale, chances_html, costliest_html

#: Shown for a moment without sentences.
SILENT = "Nothing to report at this step."

HELP = (
    "Type a step to go to, and press Enter:",
    "a number: that step",
    "next or n: the next step; back or b: the previous step",
    "first or f: the first step; last or l: the last step",
    "Or type a query about this step:",
    "hand: the cards you can see from this point of view",
    "seats: the players and their state",
    "table: the cards and boards on the table",
    "at and a space, as in at c3: what was on that space",
    "what and a term: what it means",
    "help: list these commands",
)
#: The queries about a moment: replays have no choices, and the page already shows the log.
QUESTIONS = {
    word: question for word, question in typed_queries.QUERIES.items()
    if question in ("hand", "seats", "table", "at", "what", "help")
}  # fmt: skip


def speaker(timeline: ViewerTimeline, names: Sequence[str]) -> SceneSpeaker:
    """Return the speaker that turns a replay's scenes into sentences."""
    return SceneSpeaker(SeatNames(names), timeline.view.box.game.spoken_forms)


def sentences(timeline: ViewerTimeline, at: int, names: Sequence[str]) -> Markup:
    """Render the sentences of a moment, beat by beat."""
    say = speaker(timeline, names)
    beats = [merge_asides(beat.lines) for beat in timeline.moments[at].version.beats if beat.lines]
    if len(beats) > 1:
        return el("ol", join(el("li", text_sections.lines(lines, say)) for lines in beats), class_="beats")
    return text_sections.lines(beats[0] if beats else [SILENT if at else START], say)


def table(timeline: ViewerTimeline, at: int, names: Sequence[str], ended: str = "") -> Markup:
    """Render the table at a moment: result, hands, players and table."""
    say, scene, version = speaker(timeline, names), final_scene(timeline, at, ended), timeline.moments[at].version
    about = text_sections.descriptions(version.beats[-1].view, version)
    end = el(
        "p", say.spoken(scene.prompt.sentence) if scene.over else "", class_="asked", id="end", hidden=not scene.over
    )
    hands = text_sections.hand(scene, say, "All hands" if timeline.viewer == OPEN else text_sections.YOUR_HAND)
    last = text_sections.last_exchange_part(version.decided[-1], say)
    return join([end, hands, text_sections.seats(scene, say), text_sections.on_table(scene, say, last, about)])


def answer(
    timeline: ViewerTimeline, at: int, names: Sequence[str], ended: str, question: str, rest: str
) -> tuple[list[str], bool]:
    """Answer a query about a moment; return the lines and whether they are an error."""
    scene, say = final_scene(timeline, at, ended), speaker(timeline, names)
    queries = typed_queries.TypedQueries(
        scene, say, timeline.view.box.game.glossary, sentences_of(timeline, at), None, HELP
    )
    try:
        return queries.answer(question, rest), False
    except SparringError as problem:
        return [str(problem)], True


def so_far(timeline: ViewerTimeline, at: int, names: Sequence[str]) -> Markup:
    """Render the log up to a moment."""
    sentences = timeline.logged(end=timeline.moments[at].version.log[1])
    return text_sections.log(sentences, speaker(timeline, names))


#: Commands that move to another moment, as functions of the current one.
MOVES: dict[str, Callable[[int], int]] = {
    **dict.fromkeys(("next", "n", "on"), lambda at: at + 1),
    **dict.fromkeys(("back", "b", "previous", "p"), lambda at: at - 1),
    **dict.fromkeys(("first", "f", "beginning"), lambda _: 0),
    **dict.fromkeys(("last", "l", "end"), lambda _: MOST),
}  # fmt: skip


@get(["/table/{table_id:str}/replay/text", "/records/{record_id:str}/replay/text"], include_in_schema=False)
async def replay_in_words(
    request: AnyRequest, person: CurrentPerson, tables: TablesDep, replays: ReplaysDep, table_id: Id = "",
    record_id: Id = "",
    view: FromQuery[str] = "", at: Place = None, choices: Place = None, to: FromQuery[str] = "",
) -> Template:  # fmt: skip
    """Show a moment in text mode: the one in the URL, the one that `to` leads to, or the answer to the query `to`."""
    subject = replace(await replays.subject(tables, person, table_id, record_id), page=TEXT_MODE)
    viewer, problem = subject.viewer(view, choices), ""
    if at is None and subject.over:
        at = 0
    target, typed = at, to[:LONGEST_WORDS].strip()
    query = None if typed.casefold() in MOVES else read_command(typed, QUESTIONS, ())
    moves = bool(typed) and not query
    try:
        target = parse_target(typed, at or 0) if moves else at
    except SparringError as refused:
        problem = str(refused)
    response = await replays.show(
        subject,
        MomentRequest(
            subject.record,
            viewer,
            list(subject.names),
            clamp_moment(target),
            clamp_moment(choices),
            form="words",
            query=query,
        ),
    )
    moment = response.moments[0]
    if moment.refused:
        problem = " ".join(moment.answer)
    sentences, table = map(subject.complete, moment.steps)
    review = await replays.reviews.find(subject.record) if subject.over else None
    return page(
        "replay_text.html", request, person, 422 if problem else 200, kept=subject, box=subject.box,
        game=subject.game, viewer=viewer, view="open" if viewer == OPEN else str(viewer), at=moment.at,
        last=response.last, choices=moment.choices,
        told=sentences, lying=table, so_far=Markup(moment.log), seen=_seen(subject, viewer), typed=typed,
        problem=problem, beyond=_beyond(target, response.last) if moves else "", longest=LONGEST_WORDS, help=HELP,
        answer=moment.answer, path=subject.link(viewer, at=moment.at), **_reviewed(subject, review, moment),
    )  # fmt: skip


def parse_target(typed: str, at: int) -> int:
    """Return the moment that typed text leads to, which may be out of range. Raises a SparringError if it isn't one."""
    word = typed.casefold().removeprefix("moment").removeprefix("step").strip()
    if word in MOVES:
        return MOVES[word](at)
    if word.isascii() and word.isdigit():
        return int(word[:9])
    raise SparringError(f"“{typed}” isn't a step. Type a number, next, back, first, last or help.")


def _beyond(target: int | None, last: int) -> str:
    """Return a notice for a moment before the first or after the last; empty otherwise."""
    if target is None or 0 <= target <= last or target == MOST:
        return ""
    return "This is the first step." if target < 0 else f"This is the last step, {last}."


def _seen(subject: ReplaySubject, viewer: int) -> str:
    """Return the point of view in words."""
    if subject.open:
        return dict(subject.views())["open" if viewer == OPEN else str(viewer)]
    return "as you saw it" if viewer else "as a spectator"


def _reviewed(subject: ReplaySubject, review: MatchReview | None, moment: ShownMoment) -> dict[str, Any]:
    """Return the template context of the review at this moment."""
    if review is None:
        return {"review": None}
    scale = ChartScale(subject.game, len(subject.names))
    names = SeatNames(subject.names)
    read = SceneSpeaker(names, subject.game.spoken_forms).spoken
    costly = costliest_html(subject, review, scale, names, read) if review.done else NOTHING
    return {"review": review, "hopes": chances_html(subject, review, moment.choices), "scale": scale, "costly": costly}


HANDLERS: list[Any] = [replay_in_words]
