"""A replayed match and what each viewer saw of it, moment by moment; drawn, as text, and in text mode.

A moment is a version of the table as one viewer saw it. Each viewer's moments are counted separately, so a choice
that a viewer can't see has no moment for them. Scenes come from the same views, beats and log as at the table
(`tables/state/player_feed.py`), and text mode has the same sections.
"""

from bisect import bisect_right
from collections.abc import Sequence
from dataclasses import replace
from typing import Any, NamedTuple, cast

from markupsafe import Markup

from sparring.engine.errors import BadRecord, ChoiceError
from sparring.engine.match import Match
from sparring.engine.messages import Text
from sparring.engine.records import NEW_DEAL, MatchStart
from sparring.engine.views import Transition, View
from sparring.scene import Prompt, svg
from sparring.scene import replace as replaced
from sparring.scene.html import render
from sparring.scene.markup import SeatNames, el, join
from sparring.scene.moves import with_trails
from sparring.scene.screen_reader import SceneSpeaker
from sparring.scene.sentences import AnyText, is_result, merge_asides, say
from sparring.site.pages.game_pictures import theme
from sparring.site.table_parts.table_html import beat_lines, exchange
from sparring.site.text_mode import text_sections
from sparring.tables.state.player_feed import (
    FeedVersion,
    PlayerFeed,
    described_exchange,
    first_entry_of_sentence,
    last_exchange,
    sentences,
)
from sparring.text import AT, HAND, SEATS, TABLE, WHAT, Command, CommandSet, TextView

from .moment_requests import MomentRequest, ShownMoment
from .open_information import OPEN, OpenMatch

#: The number of log sentences shown beside a moment.
LOG_SENTENCES = 12
#: The number of sentences shown on the table itself.
SENTENCES = 3
#: The parts of a scene in the picture of a position.
POSITION = ("seats", "banner", "left", "middle", "right", "prompt", "hand")
#: Shown on the table before the first sentence.
START = Text("The match begins.")


class TimelineMoment(NamedTuple):
    """A state that a viewer saw: after `choices` choices of the match, with the beats that led to it."""

    choices: int
    version: FeedVersion


class ViewerTimeline(PlayerFeed):
    """All moments of one viewer."""

    def __init__(self, viewer: int, match: Match) -> None:
        super().__init__(viewer, cast(Match, OpenMatch(match)) if viewer == OPEN else match)
        self.moments = [TimelineMoment(0, self.latest)]

    def scene_of(self, view: View) -> Any:
        """Return a view's scene without caching it, because a replay renders many."""
        return replace(view).scene

    def follow(self, transition: Transition) -> None:
        """Add the next choice."""
        super().follow(transition)
        if self.match.dealt_after(self.seen):
            self.version += 1
            self._show(self._at_rest((len(self.log) - 1, len(self.log)), (NEW_DEAL,)))
        while version := self.after(len(self.moments)):
            self.moments.append(TimelineMoment(self.seen, version))

    def at(self, choices: int) -> int:
        """Return the number of the moment after `choices` choices."""
        return bisect_right(self.moments, choices, key=lambda moment: moment.choices) - 1


class ReplayTimeline:
    """A replayed match; each viewer's moments are computed on demand."""

    def __init__(self, start: MatchStart) -> None:
        self.match = Match(start)
        self._transitions: list[Transition] = []
        self._viewer_timelines: dict[int, ViewerTimeline] = {}

    def is_continued_by(self, choices: Sequence[int]) -> bool:
        """Return whether these choices start with all those already replayed."""
        return self.match.history == list(choices[: len(self.match.history)])

    def extend(self, choices: Sequence[int]) -> None:
        """Replay the remaining choices. Raises BadRecord for an illegal one."""
        try:
            for action in choices[len(self._transitions) :]:
                self.match.choose(action)
                self._transitions.append(cast(Transition, self.match.last_transition))
        except ChoiceError as problem:
            raise BadRecord(say("This match file contains an illegal choice: {problem}", problem=problem)) from None

    def view_before(self, choice: int, seat: int) -> View:
        """Return what a seat knew before a choice, counted from 0."""
        return self.match.view_of(self._transitions[choice].before, seat)

    def viewer_timeline(self, viewer: int) -> ViewerTimeline:
        """Return a viewer's moments so far."""
        if viewer not in self._viewer_timelines:
            self._viewer_timelines[viewer] = ViewerTimeline(viewer, Match(self.match.start))
        timeline = self._viewer_timelines[viewer]
        while timeline.seen < len(self._transitions):
            timeline.follow(self._transitions[timeline.seen])
        return timeline


def steps(
    timeline: ViewerTimeline, at: int, names: Sequence[str], ended: str = "", *, only_rest: bool = False
) -> list[Markup]:
    """Render the play area at each beat of a moment and its final state, or `only_rest`, the final state.

    `ended` is the sentence for a match that ended other than by its rules.
    """
    version = timeline.moments[at].version
    last, ended = len(version.beats) - 1, _ending(timeline, at, ended)
    return [_drawn(timeline, version, beat, names, ended) for beat in range(last if only_rest else 0, last + 1)]


def position_svg(
    timeline: ReplayTimeline, choice: int, seat: int, better: int | None, names: Sequence[str]
) -> str:  # fmt: skip
    """Draw what a seat knew before a choice; mark the choice and a better one, as far as the seat sees them."""
    marks: dict[int | None, str] = {timeline.match.history[choice]: "chosen"}
    if better is not None:
        marks[better] = "better"
    scene = timeline.view_before(choice, seat).scene
    return svg.render(scene, names=names, style=theme(timeline.match.game), parts=POSITION, marks=marks)


def as_text(timeline: ViewerTimeline, at: int, ended: str = "") -> list[str]:
    """Return all beats of a moment as lines of text."""
    version = timeline.moments[at].version
    return [str(_scene(timeline, version, beat, _ending(timeline, at, ended))) for beat in range(len(version.beats))]


def final_scene(timeline: ViewerTimeline, at: int, ended: str = "") -> Any:
    """Return the scene of a moment's final state."""
    version = timeline.moments[at].version
    return _scene(timeline, version, len(version.beats) - 1, _ending(timeline, at, ended))


def _ending(timeline: ViewerTimeline, at: int, ended: str) -> str:
    return ended if at == len(timeline.moments) - 1 else ""


def _scene(timeline: ViewerTimeline, version: FeedVersion, number: int, ended: str) -> Any:
    """Return the scene at one beat of a moment.

    The prompt of the final state says what happened, or how the match ended.
    """
    view, resting = version.beats[number].view, number == len(version.beats) - 1
    by_rules = view.state.over and not ended
    scene = timeline.scene_of(view if resting and by_rules else view.past)
    if resting and ended:
        return replaced(scene, over=True, prompt=Prompt(ended))
    if resting and not by_rules:
        return replaced(scene, prompt=Prompt(" ".join(_most_important(timeline, version))))
    return scene


def _drawn(timeline: ViewerTimeline, version: FeedVersion, number: int, names: Sequence[str], ended: str) -> Markup:
    """Render the play area at one beat of a moment."""
    resting = number == len(version.beats) - 1
    scene = with_trails(_scene(timeline, version, number, ended), version.trails if resting else ())
    scene = replaced(scene, effects=version.beats[number].effects)
    return render(
        scene, version=version.version, names=names, animated=beat_lines(timeline, version, number),
        exchange=exchange(timeline, version, number), glossary=timeline.view.setup.game.glossary,
        describing=described_exchange(version.beats[number].view, version.decided[number]),
    )  # fmt: skip


def _most_important(timeline: ViewerTimeline, version: FeedVersion) -> list[str]:
    """Return a moment's most important sentences: its results, otherwise the latest sentences."""
    lines = merge_asides([line for beat in version.beats for line in beat.lines])
    lines = lines or timeline.logged(end=version.log[1])[-1:] or [START]
    return [*map(str, [*filter(is_result, lines)] or lines)][-SENTENCES:]


def sentences_of(timeline: ViewerTimeline, at: int) -> list[str]:
    """Return the sentences of a moment."""
    return [*map(str, merge_asides([line for beat in timeline.moments[at].version.beats for line in beat.lines]))]


def log_html(timeline: ViewerTimeline, at: int, names: Sequence[str]) -> Markup:
    """Render the end of the log at a moment, with the moment's own sentences marked."""
    seat_names, (first, end) = SeatNames(names), timeline.moments[at].version.log
    log = timeline.log[:end]
    lines = sentences(log, first_entry_of_sentence(log, max(0, len(log) - LOG_SENTENCES)))
    return join(
        el("li", seat_names.marked(line), class_=_classes(line, entry >= first))
        for entry, line in lines[-LOG_SENTENCES:]
    )


def _classes(line: AnyText, new: bool) -> str:
    return " ".join(name for name, applies in (("result", is_result(line)), ("now", new)) if applies)


#: Shown in text mode for a moment without sentences.
SILENT = Text("Nothing to report at this step.")

#: What can be typed in text mode: replays have no choices, and the page already shows the log.
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
    """Render a moment for text mode: its sentences and the table, the log so far, and the answer to a query."""
    moment = timeline.moments[at]
    version, last = moment.version, last_exchange(moment.version.decided[-1])
    view = TextView(
        final_scene(timeline, at, ended), timeline.view.setup, SeatNames(request.names), COMMANDS,
        last=(last.area, last.lines) if last else None,
    )  # fmt: skip
    said = _sentences_in_words(version, view.say, SILENT if at else START)
    parts = [said, _table_in_words(version, view, timeline.viewer)]
    log = text_sections.lines(timeline.logged(end=version.log[1]), view.say, "li")
    answer = view.reply(request.query) if request.query else None
    answered, refused = (list(answer.said), answer.refused) if answer else ([], False)
    return ShownMoment(at, moment.choices, [str(part) for part in parts], str(log), answered, refused)


def _sentences_in_words(version: FeedVersion, speaker: SceneSpeaker, silent: AnyText) -> Markup:
    """Render the sentences of a moment for text mode, beat by beat."""
    beats = [merge_asides(beat.lines) for beat in version.beats if beat.lines]
    if len(beats) > 1:
        return el("ol", join(el("li", text_sections.lines(lines, speaker)) for lines in beats), class_="beats")
    return text_sections.lines(beats[0] if beats else [silent], speaker)


def _table_in_words(version: FeedVersion, view: TextView, viewer: int) -> Markup:
    """Render the table at a moment for text mode: result, hands, players and table."""
    ending = view.say.spoken(view.scene.prompt.sentence) if view.scene.over else ""
    end = el("p", ending, class_="asked", id="end", hidden=not view.scene.over)
    hands = text_sections.hand(view, say("All hands") if viewer == OPEN else "")
    about = text_sections.descriptions(version.beats[-1].view, version)
    return join([end, hands, text_sections.seats(view), text_sections.on_table(view, about)])
