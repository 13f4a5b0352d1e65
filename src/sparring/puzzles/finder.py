"""Find puzzles in self-play matches and in finished ones, and say how play goes on from each answer.

In self-play every choice comes from a short search or, now and then, is random. Mistakes lead to positions in which
there is something to find, as in matches between people.
"""

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from typing import Any, NamedTuple

import msgspec
import numpy as np

from sparring.bots import stream
from sparring.bots.bot import Bot, Workspace, random_action, run_search
from sparring.bots.search import private_observation_rule
from sparring.bots.search_trees import MIN_VISITS, after_observation, child_of, most_visited
from sparring.engine.chance import below
from sparring.engine.errors import SparringError
from sparring.engine.game import Game, GameSetup
from sparring.engine.match import Match
from sparring.engine.records import MatchStart, read_record
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
from .puzzle import AnswerValue, BadPuzzle, Puzzle

#: How many determinizations are tried, how many actions a line has at most, and how many sentences are kept.
DETERMINIZATIONS, LONGEST_LINE, LONGEST_TEXT = 30, 6, 5

#: The maximum number of puzzles from one match, and of puzzles with the same best and second action.
MAX_PER_MATCH, MAX_SIMILAR = 2, 2

#: The maximum number of positions checked in one match.
MAX_CHECKED = 6

#: The search that plays and looks for candidates has the strong level's iterations divided by this number, but at least
#: as many as these. One choice in `MISTAKES` is random.
PLAYING_SHARE, MIN_ITERATIONS, MISTAKES = 8, 200, 5

#: The number of decimals of returns in a puzzle.
DECIMALS = 3


class _Line(NamedTuple):
    """The sentences of a line, its length in actions, and the visits of its last node."""

    length: int
    visits: int
    sentences: tuple[str, ...]


def expected_line(view: View, workspace: Workspace, first: int) -> tuple[str, ...]:
    """Return the sentences for the seat about the line that a search expects after the action `first`.

    The line of each determinization ends where the tree has too few visits; the longest line is worded. What chance
    brings in it, such as a card drawn, is one example.
    """
    g = workspace.fields.g.copy()
    lines = [_follow(view, workspace.nodes, first, g) for _ in range(DETERMINIZATIONS)]
    return tuple(map(str, max(lines).sentences[:LONGEST_TEXT]))


def determinized(view: View, g: Any) -> Any:
    """Return a random full state that is consistent with a view; `g` is a generator of the bots."""
    state = view.state.copy()
    view.setup.game.rules.determinize(view.setup.params, state, view.seat - 1, g)
    return state


def _follow(view: View, nodes: Any, first: int, g: Any) -> _Line:
    """Follow the line in one determinization."""
    match = Match(MatchStart(view.setup, determinized(view, g), 0))
    rules, seat, params = view.setup.game.rules, view.seat - 1, view.setup.params
    observe = private_observation_rule(view.setup.game)
    spare = np.zeros(1, rules.State.dtype)
    raw = spare.view(np.uint8).reshape(1, -1)
    node, action, length, observed = view.seat, first, 0, 0
    visits, sentences = 0, list[str]()
    while length < LONGEST_LINE:
        label = action if match.state.player == seat else rules.observe_action(params, match.state, action, seat)
        node = int(child_of(nodes, node, label))
        visits = int(nodes[node]["visits"]) if node else 0
        match.choose(action)
        sentences += match.sentences(view.seat)
        length += 1
        if match.over:
            return _Line(LONGEST_LINE, visits, tuple(sentences))
        observation = int(observe(params, spare, raw, match.state, seat))
        node = after_observation(nodes, node, observation, observed) if node else 0
        observed = observation or observed
        action = _most_visited(match, nodes, node, seat) if node else -1
        if action < 0:
            break
    return _Line(length, visits, tuple(sentences))


def _most_visited(match: Match, nodes: Any, node: int, seat: int) -> int:
    """Return the legal action with the most visits, as the seat observes it; -1 if none has enough."""
    rules, params, state = match.game.rules, match.setup.params, match.state
    best, most = -1, MIN_VISITS - 1
    for action in match.legal():
        label = action if state.player == seat else rules.observe_action(params, state, action, seat)
        child = int(child_of(nodes, node, label))
        if child and nodes[child]["visits"] > most and action not in match.game.conceding:
            best, most = action, int(nodes[child]["visits"])
    return best


class Progress(NamedTuple):
    """The state of the search after a position or a match: the match, and how many positions were checked."""

    match: int
    checked: int
    puzzle: Puzzle | None = None


def find_puzzles(setup: GameSetup, seats: int, first: int, known: Iterable[Puzzle], matches: int) -> Iterator[Progress]:
    """Play `matches` self-play matches from number `first` on, and yield the progress after every position checked.

    New puzzles differ from the `known` ones. The positions of a match depend only on its number.
    """
    seen, checked = _SeenPuzzles(known), 0
    for number in range(first, first + matches):
        for progress in _in_match(_candidates(Match.deal(setup, seats, number), number), number, seen, checked):
            checked = progress.checked
            yield progress


def find_in_record(game: Game, record: str | bytes, known: Iterable[Puzzle]) -> Iterator[Progress]:
    """Look for puzzles in a finished match of a game instead; their match number is 0.

    :raises BadRecord: The record is damaged, or from another version.
    :raises BadPuzzle: It is of another game, or was played with custom content, which a puzzle can't contain.
    """
    start, actions = read_record(record, None, None)
    if start.setup.game is not game:
        raise BadPuzzle(f"This is a match of {start.setup.game.title}, not of {game.title}.")
    if start.setup.own_content:
        raise BadPuzzle("This match was played with custom content; puzzles need the game's own.")
    return _in_match(_candidates(Match(start), 0, actions), 0, _SeenPuzzles(known), 0)


def _in_match(
    candidates: Iterable["_Candidate"], number: int, seen: "_SeenPuzzles", checked: int
) -> Iterator[Progress]:
    """Check the candidates of one match, and yield the progress after each of them and at the end."""
    found = 0
    for candidate in candidates:
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
    """The puzzles so far, to compare new ones with: their ids, and how often two actions were the two best ones."""

    def __init__(self, puzzles: Iterable[Puzzle]) -> None:
        self.ids, self.pairs = set[str](), Counter[tuple[str, str]]()
        for puzzle in puzzles:
            self.add(puzzle)

    def add(self, puzzle: Puzzle) -> None:
        """Remember a puzzle."""
        self.ids.add(puzzle.id)
        self.pairs[puzzle.best.words, puzzle.second.words] += 1

    def allows(self, view: View, checked: CheckedPosition) -> bool:
        """Return whether a position differs enough from the puzzles before it."""
        best, second = (
            view.setup.game.scene.words(view.setup, view.state, each) for each in (checked.best, checked.second)
        )
        return self.pairs[best, second] < MAX_SIMILAR


class _Candidate(NamedTuple):
    """A position in which a short search finds one action clearly best, and most shallow searches don't."""

    view: View
    action: int
    shallow: ShallowResult
    seed: int


def _candidates(match: Match, number: int, actions: Sequence[int] | None = None) -> Iterator[_Candidate]:
    """Play a match, in self-play or with these actions, and yield its candidates."""
    setup, seats, g = match.setup, match.seats, stream(number, 1)
    strong = Bot("player", "Player", level="strong", evaluates=True).at_table(setup, seats)
    player = replace(strong, iterations=max(MIN_ITERATIONS, strong.iterations // PLAYING_SHARE))
    checked, limit = 0, MAX_CHECKED if actions is None else len(actions)
    while match.seat and checked < limit and (actions is None or len(match.history) < len(actions)):
        view = match.view(match.seat)
        legal = candidates_in(view)
        if len(legal) == 1:
            match.choose(legal[0] if actions is None else actions[len(match.history)])
            continue
        nodes = run_search(player, view, g, False).nodes
        action = int(most_visited(nodes, view.seat))
        if len(legal) >= MIN_ACTIONS and _looks_clear(view, nodes, action):
            seed = int(below(g, 1 << 30))
            shallow = look_shallowly(view, seed, PICKING)
            if shallow.shares.get(action, 0.0) <= MAX_FOUND:
                checked += 1
                yield _Candidate(view, action, shallow, seed)
        if actions is not None:
            action = actions[len(match.history)]
        elif below(g, MISTAKES) == 0:
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
    if checked is None or found.get(checked.best, 0.0) > MAX_FOUND or not seen.allows(view, checked):
        return None
    game = view.setup.game
    match = Match(MatchStart(view.setup, determinized(view, stream(seed, view.seat)), 0))
    best, second, tempting = _answers(view, checked, shallow.favourite, seed)
    margin, low, high = (round(value, DECIMALS) for value in (checked.margin, checked.low, checked.high))
    puzzle = Puzzle(
        id=identity, game=game.name, version=game.version, match=number, seat=view.seat, best=best, second=second,
        tempting=tempting, margin=margin, low=low, high=high, found=found.get(checked.best, 0.0),
        position=match.position(),
    )  # fmt: skip
    try:
        # A position that doesn't give the same view can't be published.
        return puzzle if puzzle.view(game).key() == view.key() else None
    except SparringError:
        return None


def _answers(view: View, checked: CheckedPosition, tempting: int, seed: int) -> list[AnswerValue]:
    """Return the best, the second and the tempting action, with the expected lines after the first and the last."""
    answers = []
    for action in (checked.best, checked.second, tempting):
        words = view.setup.game.scene.words(view.setup, view.state, action)
        answers.append(AnswerValue(action, words, round(checked.values[action], DECIMALS)))
    for place in (0, 2):
        action = answers[place].action
        line = expected_line(view, forced_search(view, action, stream(seed, view.seat)), action)
        answers[place] = msgspec.structs.replace(answers[place], line=line)
    return answers
