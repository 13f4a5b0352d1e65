"""Describe what a search expects: the log sentences of its most visited line in a determinization."""

from typing import Any, NamedTuple

import numpy as np

from sparring.bots.bot import Workspace
from sparring.bots.search import private_observation_rule
from sparring.bots.search_trees import MIN_VISITS, after_observation, child_of
from sparring.engine.match import Match
from sparring.engine.records import MatchStart
from sparring.engine.views import View

#: How many determinizations are tried, how many actions a line has at most, and how many sentences are kept.
DETERMINIZATIONS, LONGEST_LINE, LONGEST_TEXT = 30, 6, 5


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
    view.box.game.rules.determinize(view.box.kit, state, view.seat - 1, g)
    return state


def _follow(view: View, nodes: Any, first: int, g: Any) -> _Line:
    """Follow the line in one determinization."""
    match = Match(MatchStart(view.box, determinized(view, g), 0))
    rules, seat, kit = view.box.game.rules, view.seat - 1, view.box.kit
    observe = private_observation_rule(view.box.game)
    spare = np.zeros(1, rules.STATE)
    raw = spare.view(np.uint8).reshape(1, -1)
    node, action, length, observed = view.seat, first, 0, 0
    visits, sentences = 0, list[str]()
    while length < LONGEST_LINE:
        label = action if match.state.player == seat else rules.observe_action(kit, match.state, action, seat)
        node = int(child_of(nodes, node, label))
        visits = int(nodes[node]["visits"]) if node else 0
        match.choose(action)
        sentences += match.sentences(view.seat)
        length += 1
        if match.over:
            return _Line(LONGEST_LINE, visits, tuple(sentences))
        observation = int(observe(kit, spare, raw, match.state, seat))
        node = after_observation(nodes, node, observation, observed) if node else 0
        observed = observation or observed
        action = _most_visited(match, nodes, node, seat) if node else -1
        if action < 0:
            break
    return _Line(length, visits, tuple(sentences))


def _most_visited(match: Match, nodes: Any, node: int, seat: int) -> int:
    """Return the legal action with the most visits, as the seat observes it; -1 if none has enough."""
    rules, kit, state = match.game.rules, match.box.kit, match.state
    best, most = -1, MIN_VISITS - 1
    for action in match.legal():
        label = action if state.player == seat else rules.observe_action(kit, state, action, seat)
        child = int(child_of(nodes, node, label))
        if child and nodes[child]["visits"] > most and action not in match.game.conceding:
            best, most = action, int(nodes[child]["visits"])
    return best
