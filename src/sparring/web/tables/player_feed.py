"""What one viewer of a table has been shown: versions with their beats, the log, the last exchange.

Everything here is made from what that viewer may know. Versions count how often the table changed for this viewer
alone: somebody who may not see a choice is not told that there was one.
"""

from collections import deque
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from sparring.engine.match import Match
from sparring.engine.views import Beat, Transition, View
from sparring.scene import bare
from sparring.scene.sentences import AsideLine, ResultLine, belong_together, together

#: What a viewer was told, in order: the sentences that were said together, for every time that something was said.
Log = list[tuple[str, ...]]

#: How many versions are kept for listeners who are slow; who has missed more catches up at once.
KEPT = 16

#: How many beats with a result are looked through for the last exchange.
LOOKED_THROUGH = 12


#: The news beside a table: sentences at most, how many of them are asides, and from how many choices they come.
HEADLINES, ASIDES, SPOKEN = 6, 2, 4


class DecidedBeat:
    """A beat at which something was decided; `sight` is whose."""

    def __init__(self, beat: Beat, sight: "PlayerFeed", number: int = 0) -> None:
        self._view, self._sight = beat.view, sight
        #: Which exchange of the match it was, if people may describe what they did in it; else 0.
        self.number = number
        self.lines = tuple(line for line in beat.lines if isinstance(line, ResultLine))

    @cached_property
    def area(self) -> Any:
        """What lay there, with nothing left to choose; None if nothing is to be kept of it."""
        exchange = self._sight.scene_of(self._view).exchange
        return None if exchange is None else bare(exchange)


@dataclass(frozen=True)
class FeedVersion:
    """A version of the table: what was seen on the way to it, and last the table at rest."""

    version: int
    beats: tuple[Beat, ...]
    #: How long the log was before it, and is with it.
    log: tuple[int, int]
    #: Where the last exchange is found, before each of the beats.
    decided: tuple[tuple[DecidedBeat, ...], ...]


class PlayerFeed:
    """What a viewer has been shown. `version` counts the first `counted` choices, `seen` of them were looked at."""

    def __init__(self, viewer: int, match: Match, version: int = 1, counted: int = 0) -> None:
        self.viewer, self.version, self.counted, self.seen = viewer, version, counted, 0
        self.log: Log = []
        #: How many listen to it just now.
        self.listeners = 0
        self.decided: tuple[DecidedBeat, ...] = ()
        #: How many exchanges there were that people may describe.
        self.exchanges = 0
        #: What is drawn of it already, by what it is; made anew for every version.
        self.drawn: dict[object, Any] = {}
        #: Scenes by view; each beside its view, so that no other can have its number.
        self._scenes: dict[int, tuple[View, Any]] = {}
        self._match = match
        self._start = match.state.copy()
        self._news: deque[FeedVersion] = deque(maxlen=KEPT)
        #: How long the log was before each choice.
        self._told: list[int] = []
        #: What is seen of a choice that is about to be followed, beside the state it leads to.
        self._coming: tuple[Any, list[Beat]] | None = None

    @cached_property
    def view(self) -> View:
        """The table at rest."""
        return self._match.view_of(self._start, self.viewer)

    @property
    def scene(self) -> Any:
        """The table at rest in things."""
        return self.scene_of(self.view)

    def scene_of(self, view: View) -> Any:
        """What one of this viewer's views is in things: made once for every version, and kept no longer."""
        if id(view) not in self._scenes:
            self._scenes[id(view)] = view, view.laid_out()
        return self._scenes[id(view)][1]

    def beats(self, course: Transition) -> list[Beat]:
        """What this viewer sees of the choice that comes next."""
        if self._coming is None or self._coming[0] is not course.after:
            self._coming = course.after, self._match.beats(self.viewer, course, self.view)
        return self._coming[1]

    def follow(self, course: Transition) -> None:
        """Look at the next choice; whoever made it gets a new version in any case."""
        beats = list(self.beats(course))
        self._coming = None
        mine = int(course.before.player) + 1 == self.viewer
        lines = tuple(line for beat in beats for line in beat.lines)
        before, decided = len(self.log), [self.decided]
        self._told.append(before)
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
        if not known:  # who comes after a restart is shown where the table stands
            self.version += 1
            self._show(FeedVersion(self.version, tuple(beats), (before, len(self.log)), tuple(decided)))

    def _decide(self, beat: Beat) -> tuple[DecidedBeat, ...]:
        """The beats with a result, up to this one."""
        if is_decided(beat):
            described = bool(beat.view.deeds)
            self.exchanges += described
            decided = DecidedBeat(beat, self, self.exchanges if described else 0)
            self.decided = (*self.decided, decided)[-LOOKED_THROUGH:]
        return self.decided

    def forget(self, left: int, state: Any, version: int) -> None:
        """Only so many choices are left, and this true state; `version` is the one this viewer has now."""
        told = len(self.log)
        while self.seen > left:
            told = self._told.pop()
            self.seen -= 1
        keep = beginning(self.log, told)
        del self.log[told:]
        if version != self.version:
            self.version = version
            self.view = self._match.view_of(state, self.viewer)
            self._news.clear()  # they speak of what is no longer so
            self._show(FeedVersion(version, (Beat(self.view, ()),), (keep, told), (self.decided,)))

    def change(self, version: int) -> None:
        """Something else changed that everybody sees, such as who sits where."""
        self.version = version
        self._show(FeedVersion(version, (Beat(self.view, ()),), (len(self.log), len(self.log)), (self.decided,)))

    def after(self, version: int) -> FeedVersion | None:
        """The version that follows one; None if it is kept no more, or never was."""
        return next((news for news in self._news if news.version == version + 1), None)

    def since(self, choice: int) -> Log:
        """What was told from a choice on, by how many went before it."""
        return self.log[self._told[choice] :] if choice < len(self._told) else []

    @property
    def latest(self) -> FeedVersion:
        """The table at rest and the whole log, for somebody who catches up."""
        return FeedVersion(self.version, (Beat(self.view, ()),), (0, len(self.log)), (self.decided,))

    @contextmanager
    def heard(self) -> Iterator[None]:
        """For as long as somebody listens."""
        self.listeners += 1
        try:
            yield
        finally:
            self.listeners -= 1

    def _show(self, news: FeedVersion) -> None:
        self._news.append(news)
        self.drawn.clear()
        self._scenes.clear()


class ExchangeCounter:
    """The exchanges that all were told of, as those see them who watch: counted without all else that they see."""

    def __init__(self, match: Match) -> None:
        #: How many there were, and what was done in the last one that people may describe.
        self.number = 0
        self.deeds: Sequence[Any] = ()
        self._match = match
        self._looked = 0

    def follow(self, courses: Sequence[Transition]) -> None:
        """Count as far as these choices lead."""
        for course in courses[self._looked :]:
            for beat in self._match.beats(0, course) if course.marks else ():
                if is_decided(beat) and beat.view.deeds:
                    self.number, self.deeds = self.number + 1, beat.view.deeds
        self._looked = len(courses)

    def forget(self, left: int) -> None:
        """Only so many choices are left; what was taken back decided nothing, as a beat ends the moment."""
        self._looked = min(self._looked, left)


def is_decided(beat: Beat) -> bool:
    """Whether something was decided at a beat."""
    return bool(beat.view.beat) and any(isinstance(line, ResultLine) for line in beat.lines)


def last_exchange(decided: Sequence[DecidedBeat]) -> DecidedBeat | None:
    """The last of them of which something is to be kept."""
    return next((each for each in reversed(decided) if each.area is not None), None)


def headlines(log: Log) -> list[str]:
    """Return the latest sentences, oldest first, as the log has them; where they are too many, results stay."""
    told: list[str] = []
    heard = 0
    for lines in reversed(log):
        told[:0] = lines
        heard += any(not isinstance(line, AsideLine) for line in lines)
        if heard == SPOKEN:
            break
    latest = list(enumerate(together(told)))
    asides = [(number, line) for number, line in latest if isinstance(line, AsideLine)]
    spoken = [each for each in latest if each not in asides]
    spoken.sort(key=lambda each: isinstance(each[1], ResultLine))
    kept = (asides[-ASIDES:] + spoken)[-HEADLINES:]
    return [line for _, line in sorted(kept)]


def beginning(log: Log, entry: int) -> int:
    """Where the sentence begins in which entry `entry` is told: asides go on over several entries."""
    while 0 < entry < len(log) and belong_together(log[entry - 1][-1], log[entry][0]):
        entry -= 1
    return entry


def sentences(log: Log, entry: int = 0) -> list[tuple[int, str]]:
    """The sentences of a log from an entry on, each with the entry it begins in."""
    told: list[tuple[int, str]] = []
    for number in range(entry, len(log)):
        for line in log[number]:
            if told and belong_together(told[-1][1], line):
                told[-1] = (told[-1][0], together([told[-1][1], line])[0])
            else:
                told.append((number, line))
    return told
