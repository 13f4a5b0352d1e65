"""Player feed: the versions, beats, log and last exchange that one viewer of a table has been shown.

Everything here is derived from what the viewer may know. Versions count the changes that this viewer saw: a viewer who
can't see a choice doesn't learn that there was one.
"""

from collections import deque
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from functools import cached_property
from gettext import NullTranslations
from itertools import pairwise
from typing import Any, TypeVar, cast

from sparring.engine.match import Match
from sparring.engine.messages import LANGUAGE, property_by_language
from sparring.engine.new_deals import SENTENCE as NEW_DEAL
from sparring.engine.views import Beat, Transition, View
from sparring.scene import without_choices
from sparring.scene.descriptions import has_result
from sparring.scene.last_move import TokenPlaces, Trail, token_places, trails_between
from sparring.scene.sentences import ASIDE, AnyText, can_merge, importance_of, is_result, merge_asides

T = TypeVar("T")

#: The viewer's log, in order: the sentences of each event, kept together.
Log = list[tuple[AnyText, ...]]

#: How many versions to keep for slow listeners; a listener who missed more catches up in one step.
KEPT_VERSIONS = 16

#: How many beats with a result to search for the last exchange.
SEARCHED_BEATS = 12

#: How many views at rest to search for the last move of a token.
SEARCHED_MOVES = 12

#: Headlines beside the table: at most this many sentences, this many asides among them, from this many events.
HEADLINES, ASIDES, EVENTS = 6, 2, 4


class DecidedBeat:
    """A beat with a result, in one viewer's feed."""

    def __init__(self, beat: Beat, feed: "PlayerFeed", number: int = 0) -> None:
        self._view, self._feed = beat.view, feed
        #: The number of the exchange in the match if players may describe their moves in it; otherwise 0.
        self.number = number
        self.lines = tuple(line for line in beat.lines if is_result(line))

    @property_by_language
    def area(self) -> Any:
        """Return the play area of the exchange without its choices; None if there is nothing to keep."""
        exchange = self._feed.scene_of(self._view).exchange
        return None if exchange is None else without_choices(exchange)


class RestingView:
    """The table at rest after `seen` choices, with the places of its tokens."""

    def __init__(self, feed: "PlayerFeed", view: View, seen: int) -> None:
        self._feed, self.view, self.seen = feed, view, seen
        self._trails: tuple[Trail, ...] | None = None

    @cached_property
    def tokens(self) -> TokenPlaces:
        """Return where the tokens are."""
        return token_places(self._feed.scene_of(self.view))

    def trails_from(self, before: "RestingView") -> tuple[Trail, ...]:
        """Return the ways of the tokens since the view before this one."""
        if self._trails is None:
            self._trails = trails_between(before.tokens, self.tokens)
        return self._trails


@dataclass(frozen=True)
class FeedVersion:
    """A version of the table: the beats that led to it, and last the table at rest."""

    version: int
    beats: tuple[Beat, ...]
    #: Length of the log before and after this version.
    log: tuple[int, int]
    #: The beats with a result, before each of the beats.
    decided: tuple[tuple[DecidedBeat, ...], ...]
    #: The latest views at rest, this version's last.
    resting: tuple[RestingView, ...] = ()
    #: Whether the viewer made the choice that led to it.
    own: bool = False

    @cached_property
    def trails(self) -> tuple[Trail, ...]:
        """Return the ways of the tokens in the last move."""
        pairs = reversed(list(pairwise(self.resting)))
        return next(filter(None, (after.trails_from(before) for before, after in pairs)), ())


class PlayerFeed:
    """One viewer's feed. `version` covers the first `counted` choices; `seen` choices have been processed so far."""

    def __init__(self, viewer: int, match: Match, notes: Mapping[int, AnyText] | None = None) -> None:
        self.viewer, self.version, self.counted, self.seen = viewer, 1, 0, 0
        #: The version since when the match is as this viewer sees it; later ones are about clocks, people and the like.
        self.unchanged_since = self.version
        self.log: Log = []
        #: How many event streams listen now.
        self.listeners = 0
        self.results: tuple[DecidedBeat, ...] = ()
        #: How many exchanges players could describe so far.
        self.exchanges = 0
        #: Rendered parts by language and key; cleared with every version.
        self.rendered: dict[tuple[NullTranslations | None, object], Any] = {}
        #: Scenes by language and the id of their view; the view is kept too, so that no other object can get its id.
        self._scenes: dict[tuple[NullTranslations | None, int], tuple[View, Any]] = {}
        self.match = match
        self._start = match.state.copy()
        self._versions: deque[FeedVersion] = deque(maxlen=KEPT_VERSIONS)
        #: Sentences for the log by the number of choices before them, such as a take-back that all agreed to.
        self.notes = notes or {}
        #: Length of the log before each choice, and now; without the note there.
        self._log_lengths: list[int] = []
        self._resting: deque[RestingView] = deque(maxlen=SEARCHED_MOVES)
        #: An entry of the log in which a sentence begins, and how many sentences come before it.
        self._counted = 0, 0
        self._add_note()
        #: The beats of a choice that is about to be processed, with the state it leads to.
        self._next_beats: tuple[Any, list[Beat]] | None = None

    @cached_property
    def view(self) -> View:
        """Return the table at rest."""
        return self.match.view_of(self._start, self.viewer)

    @property
    def scene(self) -> Any:
        """Return the scene of the table at rest."""
        return self.scene_of(self.view)

    def scene_of(self, view: View) -> Any:
        """Return the scene of one of this viewer's views, cached until the next version."""
        key = LANGUAGE.get(), id(view)
        if key not in self._scenes:
            self._scenes[key] = view, view.build_scene()
        return self._scenes[key][1]

    def beats(self, transition: Transition) -> list[Beat]:
        """Return what this viewer sees of the next choice."""
        if self._next_beats is None or self._next_beats[0] is not transition.after:
            self._next_beats = transition.after, self.match.beats(self.viewer, transition, self.view)
        return self._next_beats[1]

    def has_seen(self, transitions: Sequence[Transition]) -> bool:
        """Return whether this viewer saw anything of some choices."""
        mine = any(int(transition.before.player) + 1 == self.viewer for transition in transitions)
        return mine or any(self.match.beats(self.viewer, transition) for transition in transitions)

    def follow(self, transition: Transition) -> None:
        """Process the next choice. The seat that made it always gets a new version."""
        beats = list(self.beats(transition))
        self._next_beats = None
        mine = int(transition.before.player) + 1 == self.viewer
        lines = tuple(line for beat in beats for line in beat.lines)
        before, decided = len(self.log), [self.results]
        if lines:
            self.log.append(lines)
        decided += [self._decide(beat) for beat in beats]
        self.seen += 1
        self._add_note()
        already_counted = self.seen <= self.counted
        self.counted = max(self.counted, self.seen)
        if beats or mine:
            if not self._resting:
                self._resting.append(RestingView(self, self.view, self.seen - 1))
            if not beats or beats[-1].view.beat:
                beats.append(Beat(self.match.view_of(transition.after, self.viewer), ()))
            self.view = beats[-1].view
            self._resting.append(RestingView(self, self.view, self.seen))
            if not already_counted:  # after a restart viewers see the current state, not the beats that led to it
                self.version += 1
                self.unchanged_since = self.version
                logged = before, before + bool(lines)
                self._show(
                    FeedVersion(self.version, tuple(beats), logged, tuple(decided), tuple(self._resting), own=mine)
                )
        if self.match.dealt_after(self.seen):
            state = transition.after.copy()
            self.match.redraw(state, self.seen)
            self.view = self.match.view_of(state, self.viewer)

    def _add_note(self) -> None:
        self._log_lengths.append(len(self.log))
        if note := self.notes.get(self.seen):
            self.log.append((note,))
        if self.match.dealt_after(self.seen):
            self.log.append((NEW_DEAL,))

    def _decide(self, beat: Beat) -> tuple[DecidedBeat, ...]:
        """Return the latest beats with a result, this one included."""
        if has_result(beat):
            described = bool(beat.view.named_moves)
            self.exchanges += described
            decided = DecidedBeat(beat, self, self.exchanges if described else 0)
            self.results = (*self.results, decided)[-SEARCHED_BEATS:]
        return self.results

    def undo(self, count: int, state: Any, *, seen: bool) -> None:
        """Undo choices until `count` are left. `state` is the true state then; if `seen`, add a version."""
        length = len(self.log)
        self.counted = min(self.counted, count)
        if self.seen >= count:
            length, self.seen = self._log_lengths[count], count
            del self._log_lengths[count:]
        while self._resting and self._resting[-1].seen > count:
            self._resting.pop()
        unchanged = first_entry_of_sentence(self.log, length)
        self._counted = 0, 0
        if self.seen == count:
            del self.log[length:]
            self._add_note()
        if seen:
            self.version += 1
            self.unchanged_since = self.version
            self.view = self.match.view_of(state, self.viewer)
            self._versions.clear()  # they describe what was undone
            self._show(self._at_rest((unchanged, len(self.log))))

    def change(self, *, renamed: bool = False) -> None:
        """Add a version for a change that isn't a choice.

        `renamed`: a player has come or gone, so it tells the whole log again, which names them.
        """
        self.version += 1
        self._show(self._at_rest((0 if renamed else len(self.log), len(self.log))))

    def once(self, key: object, render: Callable[[], T]) -> T:
        """Return what `render` makes, rendered once per version and language.

        It isn't kept if the version changed meanwhile, because it may show the earlier one.
        """
        known = LANGUAGE.get(), key
        if known in self.rendered:
            return cast(T, self.rendered[known])
        version, made = self.version, render()
        if version == self.version:
            self.rendered[known] = made
        return made

    def after(self, version: int) -> FeedVersion | None:
        """Return the version after `version`; None if it is no longer kept."""
        return next((kept for kept in self._versions if kept.version == version + 1), None)

    def logged(self, first: int = 0, end: int | None = None) -> list[AnyText]:
        """Return the sentences of the log from entry `first` on, up to entry `end`."""
        return [line for _, line in sentences(self.log[:end], first)]

    def news(self, version: FeedVersion, *, full: bool = False) -> tuple[int, list[AnyText]]:
        """Return the number of the first sentence that a version adds or replaces, and the sentences from there on.

        Each viewer's sentences are numbered from 0 without gaps, so that a client sees when it has missed one, and
        no one learns what others were told. `full` returns all sentences.
        """
        first = 0 if full else first_entry_of_sentence(self.log, version.log[0])
        entry, count = self._counted if self._counted[0] <= first else (0, 0)
        count += len(self.logged(entry, first))
        if first < len(self.log):  # else the next entry may still belong to the sentence before
            self._counted = first, count
        return count, self.logged(first, version.log[1])

    def view_after(self, choices: int) -> View | None:
        """Return what this viewer saw at rest after some choices; None if that isn't kept."""
        if self.match.dealt_after(choices):
            return None
        return next((each.view for each in reversed(self._resting) if each.seen <= choices), None)

    def since(self, choice: int) -> Log:
        """Return the log from choice number `choice` on."""
        return self.log[self._log_lengths[choice] :] if choice < self.seen else []

    @property
    def latest(self) -> FeedVersion:
        """Return the table at rest with the whole log, for a viewer who catches up."""
        return self._at_rest((0, len(self.log)))

    def _at_rest(self, log: tuple[int, int]) -> FeedVersion:
        """Return the current version without beats."""
        return FeedVersion(self.version, (Beat(self.view, ()),), log, (self.results,), tuple(self._resting))

    @contextmanager
    def listening(self) -> Iterator[None]:
        """Count a listener while the block runs."""
        self.listeners += 1
        try:
            yield
        finally:
            self.listeners -= 1

    def _show(self, version: FeedVersion) -> None:
        self._versions.append(version)
        self.rendered.clear()
        self._scenes.clear()


def described_exchange(view: View, decided: Sequence[DecidedBeat]) -> int:
    """Return the number of the exchange whose moves a view shows, `decided` before it; 0 if it shows none."""
    return max((each.number for each in decided), default=0) + 1 if view.named_moves else 0


def last_exchange(decided: Sequence[DecidedBeat]) -> DecidedBeat | None:
    """Return the last beat that has an exchange to keep."""
    return next((each for each in reversed(decided) if each.area is not None), None)


def headlines(log: Log) -> list[AnyText]:
    """Return the latest sentences, oldest first. If there are too many, prefer results."""
    recent: list[AnyText] = []
    events = 0
    for lines in reversed(log):
        recent[:0] = lines
        events += any(importance_of(line) != ASIDE for line in lines)
        if events == EVENTS:
            break
    latest = list(enumerate(merge_asides(recent)))
    asides = [(number, line) for number, line in latest if importance_of(line) == ASIDE]
    others = [each for each in latest if each not in asides]
    others.sort(key=lambda each: is_result(each[1]))
    kept = (asides[-ASIDES:] + others)[-HEADLINES:]
    return [line for _, line in sorted(kept)]


def first_entry_of_sentence(log: Log, entry: int) -> int:
    """Return the entry in which the sentence of `entry` begins, since asides can span several entries."""
    while 0 < entry < len(log) and can_merge(log[entry - 1][-1], log[entry][0]):
        entry -= 1
    return entry


def sentences(log: Log, entry: int = 0) -> list[tuple[int, AnyText]]:
    """Return the sentences of a log from an entry on, each with the entry in which it begins."""
    merged: list[tuple[int, AnyText]] = []
    for number in range(entry, len(log)):
        for line in log[number]:
            if merged and can_merge(merged[-1][1], line):
                merged[-1] = (merged[-1][0], merge_asides([merged[-1][1], line])[0])
            else:
                merged.append((number, line))
    return merged
