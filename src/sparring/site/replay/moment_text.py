"""Moments of a replay in text mode, with the same sections as at the table."""

from markupsafe import Markup

from sparring.engine.messages import Text
from sparring.scene.markup import SeatNames, el, join
from sparring.scene.screen_reader import SceneSpeaker
from sparring.scene.sentences import AnyText, merge_asides, say
from sparring.site.text_mode import text_sections
from sparring.tables.state.player_feed import FeedVersion, last_exchange
from sparring.text import AT, HAND, SEATS, TABLE, WHAT, Command, CommandSet, TextView

from .moment_requests import MomentRequest, ShownMoment
from .open_information import OPEN
from .timeline import START, ViewerTimeline, final_scene

#: Shown for a moment without sentences.
SILENT = Text("Nothing to report at this step.")

#: What can be typed: replays have no choices, and the page already shows the log.
COMMANDS = CommandSet(
    Text("Type a step to go to, and press Enter:"),
    Text("a number: that step"),
    Command("next", Text("the next step"), ("n", "on"), Text("{words:or}", words=("next", "n"))),
    Command("back", Text("the previous step"), ("b", "previous", "p"), Text("{words:or}", words=("back", "b"))),
    Command("first", Text("the first step"), ("f", "beginning"), Text("{words:or}", words=("first", "f"))),
    Command("last", Text("the last step"), ("l", "end"), Text("{words:or}", words=("last", "l"))),
    Text("Or type a query about this step:"),
    HAND._replace(help=Text("the cards you can see from this point of view")),
    SEATS,
    TABLE,
    AT._replace(help=Text("what was on that space")),
    WHAT,
    Command("help", Text("list these commands"), ("?",)),
)


def moment_in_words(timeline: ViewerTimeline, request: MomentRequest, at: int, ended: str) -> ShownMoment:
    """Render a moment: its sentences and the table, the log so far, and the answer to the query of the request."""
    moment = timeline.moments[at]
    version, last = moment.version, last_exchange(moment.version.decided[-1])
    view = TextView(
        final_scene(timeline, at, ended), timeline.view.setup, SeatNames(request.names), COMMANDS,
        last=(last.area, last.lines) if last else None,
    )  # fmt: skip
    steps = [_sentences(version, view.say, SILENT if at else START), _table(version, view, timeline.viewer)]
    log = text_sections.lines(timeline.logged(end=version.log[1]), view.say, "li")
    answer = view.reply(request.query) if request.query else None
    said, refused = (list(answer.said), answer.refused) if answer else ([], False)
    return ShownMoment(at, moment.choices, [str(step) for step in steps], str(log), said, refused)


def _sentences(version: FeedVersion, speaker: SceneSpeaker, silent: AnyText) -> Markup:
    """Render the sentences of a moment, beat by beat."""
    beats = [merge_asides(beat.lines) for beat in version.beats if beat.lines]
    if len(beats) > 1:
        return el("ol", join(el("li", text_sections.lines(lines, speaker)) for lines in beats), class_="beats")
    return text_sections.lines(beats[0] if beats else [silent], speaker)


def _table(version: FeedVersion, view: TextView, viewer: int) -> Markup:
    """Render the table at a moment: result, hands, players and table."""
    ending = view.say.spoken(view.scene.prompt.sentence) if view.scene.over else ""
    end = el("p", ending, class_="asked", id="end", hidden=not view.scene.over)
    hands = text_sections.hand(view, say("All hands") if viewer == OPEN else "")
    about = text_sections.descriptions(version.beats[-1].view, version)
    return join([end, hands, text_sections.seats(view), text_sections.on_table(view, about)])
