"""Player feed: the versions, beats, log and last exchange that one viewer of a table has been shown.

Everything here is derived from what the viewer may know. Versions count the changes that this viewer saw: a viewer who
can't see a choice doesn't learn that there was one.
"""

from collections import deque
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from sparring.engine.match import Match
from sparring.engine.views import Beat, Transition, View
from sparring.scene import without_choices
from sparring.scene.sentences import AsideLine, ResultLine, can_merge, merge_asides

#: The viewer's log, in order: the sentences of each event, kept together.
Log = list[tuple[str, ...]]

#: How many versions to keep for slow listeners; a listener who missed more catches up in one step.
KEPT_VERSIONS = 16

#: How many beats with a result to search for the last exchange.
SEARCHED_BEATS = 12


#: Headlines beside the table: the most sentences, the most asides among them, and how many events they cover.
HEADLINES, ASIDES, EVENTS = 6, 2, 4


class DecidedBeat:
    """A beat with a result, in one viewer's feed."""

    def __init__(self, beat: Beat, sight: "PlayerFeed", number: int = 0) -> None:
        self._view, self._sight = beat.view, sight
        #: The number of the exchange in the match if players may describe their moves in it; otherwise 0.
        self.number = number
        self.lines = tuple(line for line in beat.lines if isinstance(line, ResultLine))

    @cached_property
    def area(self) -> Any:
        """Return the play area of the exchange without its choices; None if there is nothing to keep."""
        exchange = self._sight.scene_of(self._view).exchange
        return None if exchange is None else without_choices(exchange)


@dataclass(frozen=True)
class FeedVersion:
    """A version of the table: the beats that led to it, and last the table at rest."""

    version: int
    beats: tuple[Beat, ...]
    #: Length of the log before and after this version.
    log: tuple[int, int]
    #: The beats with a result, before each of the beats.
    decided: tuple[tuple[DecidedBeat, ...], ...]


class PlayerFeed:
    """One viewer's feed. `version` covers the first `counted` choices; `seen` of them have been processed."""

    def __init__(self, viewer: int, match: Match, version: int = 1, counted: int = 0) -> None:
        self.viewer, self.version, self.counted, self.seen = viewer, version, counted, 0
        self.log: Log = []
        #: How many event streams listen now.
        self.listeners = 0
        self.results: tuple[DecidedBeat, ...] = ()
        #: How many exchanges players could describe so far.
        self.exchanges = 0
        #: Rendered parts by key; cleared with every version.
        self.drawn: dict[object, Any] = {}
        #: Scenes by the id of their view; the view is kept too, so that no other object can get its id.
        self._scenes: dict[int, tuple[View, Any]] = {}
        self._match = match
        self._start = match.state.copy()
        self._versions: deque[FeedVersion] = deque(maxlen=KEPT_VERSIONS)
        #: Length of the log before each choice.
        self._log_lengths: list[int] = []
        #: The beats of a choice that is about to be processed, with the state it leads to.
        self._next_beats: tuple[Any, list[Beat]] | None = None

    @cached_property
    def view(self) -> View:
        """Return the table at rest."""
        return self._match.view_of(self._start, self.viewer)

    @property
    def scene(self) -> Any:
        """Return the scene of the table at rest."""
        return self.scene_of(self.view)

    def scene_of(self, view: View) -> Any:
        """Return the scene of one of this viewer's views, cached until the next version."""
        if id(view) not in self._scenes:
            self._scenes[id(view)] = view, view.build_scene()
        return self._scenes[id(view)][1]

    def beats(self, course: Transition) -> list[Beat]:
        """Return what this viewer sees of the next choice."""
        if self._next_beats is None or self._next_beats[0] is not course.after:
            self._next_beats = course.after, self._match.beats(self.viewer, course, self.view)
        return self._next_beats[1]

    def follow(self, course: Transition) -> None:
        """Process the next choice. The seat that made it always gets a new version."""
        beats = list(self.beats(course))
        self._next_beats = None
        mine = int(course.before.player) + 1 == self.viewer
        lines = tuple(line for beat in beats for line in beat.lines)
        before, decided = len(self.log), [self.results]
        self._log_lengths.append(before)
        if lines:
            self.log.append(lines)
        decided += [self._decide(beat) for beat in beats]
        self.seen += 1
        known = self.seen <= self.counted
        self.counted = max(self.counted, self.seen)
        if not beats and not mine:
            return
        if not beats or beats[-1].view.beat:
            beats.append(Beat(self._match.view_of(course.after, self.viewer), ()))
        self.view = beats[-1].view
        if not known:  # after a restart viewers see the current state, not the beats that led to it
            self.version += 1
            self._show(FeedVersion(self.version, tuple(beats), (before, len(self.log)), tuple(decided)))

    def _decide(self, beat: Beat) -> tuple[DecidedBeat, ...]:
        """Return the latest beats with a result, this one included."""
        if has_result(beat):
            described = bool(beat.view.deeds)
            self.exchanges += described
            decided = DecidedBeat(beat, self, self.exchanges if described else 0)
            self.results = (*self.results, decided)[-SEARCHED_BEATS:]
        return self.results

    def undo(self, left: int, state: Any, version: int) -> None:
        """Undo choices until `left` are left, in the true `state`; `version` is the viewer's new version."""
        told = len(self.log)
        while self.seen > left:
            told = self._log_lengths.pop()
            self.seen -= 1
        keep = beginning(self.log, told)
        del self.log[told:]
        if version != self.version:
            self.version = version
            self.view = self._match.view_of(state, self.viewer)
            self._versions.clear()  # they describe what was undone
            self._show(FeedVersion(version, (Beat(self.view, ()),), (keep, told), (self.results,)))

    def change(self, version: int) -> None:
        """Add a version for a public change that isn't a choice, such as a new player."""
        self.version = version
        self._show(FeedVersion(version, (Beat(self.view, ()),), (len(self.log), len(self.log)), (self.results,)))

    def after(self, version: int) -> FeedVersion | None:
        """Return the version after `version`; None if it is no longer kept."""
        return next((news for news in self._versions if news.version == version + 1), None)

    def since(self, choice: int) -> Log:
        """Return the log from choice number `choice` on."""
        return self.log[self._log_lengths[choice] :] if choice < len(self._log_lengths) else []

    @property
    def latest(self) -> FeedVersion:
        """Return the table at rest with the whole log, for a viewer who catches up."""
        return FeedVersion(self.version, (Beat(self.view, ()),), (0, len(self.log)), (self.results,))

    @contextmanager
    def listening(self) -> Iterator[None]:
        """Count a listener while the block runs."""
        self.listeners += 1
        try:
            yield
        finally:
            self.listeners -= 1

    def _show(self, news: FeedVersion) -> None:
        self._versions.append(news)
        self.drawn.clear()
        self._scenes.clear()


class ExchangeCounter:
    """Count the public exchanges, without building a feed for spectators."""

    def __init__(self, match: Match) -> None:
        #: How many there were, and the moves of the last one that players may describe.
        self.number = 0
        self.deeds: Sequence[Any] = ()
        self._match = match
        self._looked = 0

    def follow(self, courses: Sequence[Transition]) -> None:
        """Count the exchanges among transitions that are new."""
        for course in courses[self._looked :]:
            for beat in self._match.beats(0, course) if course.marks else ():
                if has_result(beat) and beat.view.deeds:
                    self.number, self.deeds = self.number + 1, beat.view.deeds
        self._looked = len(courses)

    def undo(self, left: int) -> None:
        """Drop undone choices. They hold no exchange, since a beat ends the moment in which choices can be undone."""
        self._looked = min(self._looked, left)


def has_result(beat: Beat) -> bool:
    """Return whether a beat has a result."""
    return bool(beat.view.beat) and any(isinstance(line, ResultLine) for line in beat.lines)


def last_exchange(decided: Sequence[DecidedBeat]) -> DecidedBeat | None:
    """Return the last beat that has an exchange to keep."""
    return next((each for each in reversed(decided) if each.area is not None), None)


def headlines(log: Log) -> list[str]:
    """Return the latest sentences, oldest first. If there are too many, keep results."""
    told: list[str] = []
    heard = 0
    for lines in reversed(log):
        told[:0] = lines
        heard += any(not isinstance(line, AsideLine) for line in lines)
        if heard == EVENTS:
            break
    latest = list(enumerate(merge_asides(told)))
    asides = [(number, line) for number, line in latest if isinstance(line, AsideLine)]
    spoken = [each for each in latest if each not in asides]
    spoken.sort(key=lambda each: isinstance(each[1], ResultLine))
    kept = (asides[-ASIDES:] + spoken)[-HEADLINES:]
    return [line for _, line in sorted(kept)]


def beginning(log: Log, entry: int) -> int:
    """Return the entry in which the sentence of `entry` begins, since asides can span several entries."""
    while 0 < entry < len(log) and can_merge(log[entry - 1][-1], log[entry][0]):
        entry -= 1
    return entry


def sentences(log: Log, entry: int = 0) -> list[tuple[int, str]]:
    """Return the sentences of a log from an entry on, each with the entry in which it begins."""
    told: list[tuple[int, str]] = []
    for number in range(entry, len(log)):
        for line in log[number]:
            if told and can_merge(told[-1][1], line):
                told[-1] = (told[-1][0], merge_asides([told[-1][1], line])[0])
            else:
                told.append((number, line))
    return told
