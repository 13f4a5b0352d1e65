"""Find puzzles in self-play matches.

In a match every choice comes from a short search or, now and then, is random. Mistakes lead to positions in which there
is something to find, as in matches between people.
"""

from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import replace
from typing import Any, NamedTuple

import msgspec

from sparring.bots import stream
from sparring.bots.bot import Bot, random_action, run_search
from sparring.bots.search_trees import most_visited
from sparring.engine.chance import below
from sparring.engine.errors import SparringError
from sparring.engine.game import Box
from sparring.engine.match import Match
from sparring.engine.records import MatchStart
from sparring.engine.views import View

from .checks import (
    MAX_FOUND,
    MEASURING,
    MIN_ACTIONS,
    MIN_MARGIN,
    PICKING,
    CheckedPosition,
    ShallowResult,
    candidates_in,
    check_position,
    estimates,
    forced_search,
    look_shallowly,
)
from .explanation import determinized, expected_line
from .puzzle import AnswerValue, Puzzle

#: The puzzles taken from one match at most, and of those with the same best and second action.
MAX_PER_MATCH, MAX_SIMILAR = 2, 2
#: The positions checked in one match at most.
MAX_CHECKED = 6
#: The search that plays and looks for candidates has the strong level's iterations divided by this number, but at least
#: as many as these. One choice in `MISTAKES` is random.
PLAYING_SHARE, MIN_ITERATIONS, MISTAKES = 8, 200, 5
#: The number of decimals of returns in a puzzle.
DECIMALS = 3


class Progress(NamedTuple):
    """The state of the search after a position or a match: the match, and how many positions were checked."""

    match: int
    checked: int
    puzzle: Puzzle | None = None


def find_puzzles(box: Box, seats: int, first: int, known: Iterable[Puzzle], matches: int) -> Iterator[Progress]:
    """Play `matches` self-play matches from number `first` on, and yield the progress after every position checked.

    New puzzles differ from the `known` ones. The positions of a match depend only on its number.
    """
    seen, checked = _SeenPuzzles(known), 0
    for number in range(first, first + matches):
        found = 0
        for candidate in _candidates(box, seats, number):
            checked += 1
            puzzle = _puzzle(candidate, number, seen)
            if puzzle:
                seen.add(puzzle)
                found += 1
            yield Progress(number, checked, puzzle)
            if found == MAX_PER_MATCH:
                break
        yield Progress(number, checked)


class _SeenPuzzles:
    """What new puzzles are compared with: the ids of the others, and how often two actions were the two best ones."""

    def __init__(self, puzzles: Iterable[Puzzle]) -> None:
        self.ids, self.pairs = set[str](), Counter[tuple[str, str]]()
        for puzzle in puzzles:
            self.add(puzzle)

    def add(self, puzzle: Puzzle) -> None:
        """Remember a puzzle."""
        self.ids.add(puzzle.id)
        self.pairs[puzzle.best.words, puzzle.second.words] += 1

    def allows(self, puzzle: Puzzle) -> bool:
        """Return whether a puzzle differs enough from those before it."""
        return self.pairs[puzzle.best.words, puzzle.second.words] < MAX_SIMILAR


class _Candidate(NamedTuple):
    """A position in which a short search finds one action clearly best, and the shallow searches mostly do not."""

    view: View
    action: int
    shallow: ShallowResult
    seed: int


def _candidates(box: Box, seats: int, number: int) -> Iterator[_Candidate]:
    """Play a match and yield its candidates."""
    match, g = Match.deal(box, seats, number), stream(number, 1)
    strong = Bot("player", "Player", level="strong", evaluates=True).at_table(box, seats)
    player = replace(strong, iterations=max(MIN_ITERATIONS, strong.iterations // PLAYING_SHARE))
    checked = 0
    while match.seat and checked < MAX_CHECKED:
        view = match.view(match.seat)
        legal = candidates_in(view)
        if len(legal) == 1:
            match.choose(legal[0])
            continue
        nodes = run_search(player, view, g, False).nodes
        action = int(most_visited(nodes, view.seat))
        if len(legal) >= MIN_ACTIONS and _looks_clear(view, nodes, action):
            seed = int(below(g, 1 << 30))
            shallow = look_shallowly(view, seed, PICKING)
            if shallow.shares.get(action, 0.0) <= MAX_FOUND:
                checked += 1
                yield _Candidate(view, action, shallow, seed)
        if below(g, MISTAKES) == 0:
            action = random_action(legal, g)
        match.choose(action)


def _looks_clear(view: View, nodes: Any, action: int) -> bool:
    """Return whether a search's estimates of the other actions are all clearly lower."""
    values = estimates(view, nodes)
    return values.pop(action, 0.0) - max(values.values(), default=0.0) >= MIN_MARGIN


def _puzzle(candidate: _Candidate, number: int, seen: _SeenPuzzles) -> Puzzle | None:
    """Check a candidate; return it as a puzzle, or None."""
    view, action, shallow, seed = candidate
    identity = view.key().hex()[:10]
    found = look_shallowly(view, seed + PICKING, MEASURING).shares
    if identity in seen.ids or found.get(action, 0.0) > MAX_FOUND:
        return None
    checked = check_position(view, shallow.favourite, seed)
    if checked is None or found.get(checked.best, 0.0) > MAX_FOUND:
        return None
    game = view.box.game
    match = Match(MatchStart(view.box, determinized(view, stream(seed, view.seat)), 0))
    best, second, tempting = _answers(view, checked, shallow.favourite, seed)
    margin, low, high = (round(value, DECIMALS) for value in (checked.margin, checked.low, checked.high))
    puzzle = Puzzle(
        id=identity, game=game.name, version=game.version, match=number, seat=view.seat, best=best, second=second,
        tempting=tempting, margin=margin, low=low, high=high, found=found.get(checked.best, 0.0),
        position=match.position(),
    )  # fmt: skip
    try:
        # A position that doesn't give the same view can't be published.
        return puzzle if seen.allows(puzzle) and puzzle.view(game).key() == view.key() else None
    except SparringError:
        return None


def _answers(view: View, checked: CheckedPosition, tempting: int, seed: int) -> list[AnswerValue]:
    """Return the best, the second and the tempting action, with the expected lines after the first and the last."""
    answers = []
    for action in (checked.best, checked.second, tempting):
        words = view.box.game.scene.words(view.box, view.state, action)
        answers.append(AnswerValue(action, words, round(checked.values[action], DECIMALS)))
    for place in (0, 2):
        action = answers[place].action
        line = expected_line(view, forced_search(view, action, stream(seed, view.seat)), action)
        answers[place] = msgspec.structs.replace(answers[place], line=line)
    return answers
