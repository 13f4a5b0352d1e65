"""A moment of a match in words, for people who listen: the parts that a page of words has at the table too."""

from collections.abc import Sequence

from markupsafe import Markup

from sparring.engine.errors import SparringError
from sparring.scene.html import described_here
from sparring.scene.markup import NOTHING, SeatNames, el, join
from sparring.scene.screen_reader import SceneSpeaker
from sparring.scene.sentences import together
from sparring.web.tables.player_feed import last_exchange
from sparring.web.text_mode import sections, typed_queries

from .open_information import OPEN
from .timeline import BEGINS, MomentRange, resting, sentences_of

#: What is told of a moment at which nothing was said.
SILENT = "Nothing was told here."

HELP = (
    "Type where to go, and press Enter:",
    "a number: that moment",
    "next or n, back or b: the next moment, the one before",
    "first or f, last or l: the beginning, the end",
    "Or what you want to know of this moment:",
    "hand: the cards that are seen from here",
    "seats: everybody who played, and how they stood",
    "table: what lay on the table",
    "at, and a place, as in at c3: what was there",
    "what, and a word: what it means",
    "help: these words",
)
#: What can be asked of a moment. Nothing is chosen there, and what happened stands on the page.
QUESTIONS = {
    word: question for word, question in typed_queries.QUESTIONS.items()
    if question in ("hand", "seats", "table", "at", "what", "help")
}  # fmt: skip


def speaker(reel: MomentRange, names: Sequence[str]) -> SceneSpeaker:
    """Who says everything."""
    return SceneSpeaker(SeatNames(names), reel.view.box.game.aloud)


def told(reel: MomentRange, at: int, names: Sequence[str]) -> Markup:
    """What was told on the way to a moment, beat by beat."""
    say = speaker(reel, names)
    beats = [together(beat.lines) for beat in reel.moments[at].news.beats if beat.lines]
    if len(beats) > 1:
        return el("ol", join(el("li", sections.lines(lines, say)) for lines in beats), class_="beats")
    return sections.lines(beats[0] if beats else [SILENT if at else BEGINS], say)


def table(reel: MomentRange, at: int, names: Sequence[str], ended: str = "") -> Markup:
    """How it ended, if it did, and the table as it lay then: hands, seats, all else."""
    say, scene, news = speaker(reel, names), resting(reel, at, ended), reel.moments[at].news
    decided = last_exchange(news.decided[-1])
    about = described_here(decided.number, NOTHING) if decided and decided.number else NOTHING
    end = el("p", say.say(scene.prompt.sentence) if scene.over else "", class_="asked", id="end", hidden=not scene.over)
    hands = sections.hand(scene, say, "All hands" if reel.viewer == OPEN else sections.YOURS)
    last = sections.last_time(news.decided[-1], say)
    return join([end, hands, sections.seats(scene, say), sections.on_table(scene, say, last, about)])


def answer(
    reel: MomentRange, at: int, names: Sequence[str], ended: str, question: str, rest: str
) -> tuple[list[str], bool]:
    """What is said to a question about a moment, and whether that is why there is no answer."""
    scene, say = resting(reel, at, ended), speaker(reel, names)
    asked = typed_queries.TypedQueries(scene, say, reel.view.box.game.glossary, sentences_of(reel, at), None, HELP)
    try:
        return asked.answer(question, rest), False
    except SparringError as problem:
        return [str(problem)], True


def so_far(reel: MomentRange, at: int, names: Sequence[str]) -> Markup:
    """All that was told until then."""
    return sections.log(reel, speaker(reel, names), upto=reel.moments[at].news.log[1])
