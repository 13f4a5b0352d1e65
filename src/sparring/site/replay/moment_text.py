"""Moments of a replay in text mode, with the same sections as at the table."""

from collections.abc import Sequence

from markupsafe import Markup

from sparring.engine.errors import SparringError
from sparring.scene.markup import SeatNames, el, join
from sparring.scene.screen_reader import SceneSpeaker
from sparring.scene.sentences import merge_asides
from sparring.site.text_mode import text_sections, typed_queries

from .open_information import OPEN
from .timeline import START, ViewerTimeline, final_scene, sentences_of

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
