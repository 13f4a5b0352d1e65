"""Give the reason for a suggested action: why it beats the alternative.

It is a win, or else a sentence of the game that compares the action with the second best one (`Game.reasons`), or else
a sentence of the game's log that tells what the action leads to and the second best one doesn't.

For that, lines of play are sampled from the bot's trees, each from its own determinization, up to the next result. What
an action leads to is a sentence on which most lines agree. It depends only on what the seat knows.
"""

from collections import Counter
from collections.abc import Callable, Sequence
from typing import Any, NamedTuple

import numpy as np

from sparring.engine import chance
from sparring.engine.compilation.drivers import without_conceding
from sparring.engine.game import winners_of
from sparring.engine.messages import as_text
from sparring.engine.rule import collect_beats
from sparring.engine.views import Transition, View, beats_of
from sparring.scene.sentences import TURN, Text, is_result

from .search import private_observation_rule
from .search_trees import MIN_VISITS, after_observation, child_of, children_of

#: The number of sampled lines, and their maximum number of actions.
LINES, LONGEST = 40, 10

#: The shares of lines that make a sentence certain, and most likely. Less common ones aren't shown.
CERTAIN, PROBABLE = 0.95, 0.5

Array = np.ndarray[Any, Any]


class Line(NamedTuple):
    """What a seat reads in a line of play: the first results, its own actions before them, and whether it wins."""

    results: tuple[Text, ...]
    own: tuple[Text, ...]
    wins: bool = False


def reason(view: View, nodes: Array, g: Array, action: int, other: int | None) -> Text | None:
    """Return why an action is better than another; None if that is unclear."""
    sampler = _Sampler(view, nodes, g)
    lines = sampler.lines(action)
    leads_to = consequence(lines)
    if leads_to and sum(line.wins for line in lines) >= CERTAIN * LINES:
        return leads_to
    if compared := contrast(view, action, other):
        return compared
    differs = leads_to and (other is None or consequence(sampler.lines(other)) != leads_to)
    return leads_to if differs else None


def contrast(view: View, action: int, other: int | None) -> Text | None:
    """Return the game's first sentence for an action compared with another one; None if it has none."""
    if other is None or view.setup.game.reasons is None:
        return None
    found = view.setup.game.reasons.reasons_for(view.setup, view.state, action, other)
    return as_text(found[0]) if found else None


def consequence(lines: Sequence[Line]) -> Text | None:
    """Return what lines of play lead to: a result, or else what the seat does next; None if that is unclear."""
    sentence, count = _most_common([line.results for line in lines])
    if count < PROBABLE * LINES:
        sentence, count = _most_common([line.own[:1] for line in lines])
    if sentence is None or count < PROBABLE * LINES:
        return None
    forms = "Then, most likely, {what:inside}", "Then {what:inside}"
    return Text(forms[count >= CERTAIN * LINES], what=sentence)


def _outcome(line: Text) -> Text:
    """Return a sentence's outcome as a sentence: `You keep control` of `Your 5 goes through: you keep control.`."""
    outcome = line.values.get("outcome")
    return Text("{outcome}.", outcome=outcome) if isinstance(outcome, Text) else line


def _most_common(told: Sequence[Sequence[Text]]) -> tuple[Text | None, int]:
    """Return the most common sentence and its count; among equals a hit, or else the last one.

    If fewer than half of `told` agree on a sentence, compare outcomes.
    """
    best: tuple[Text | None, int] = None, 0
    clauses: tuple[Callable[[Text], Text], ...] = (lambda line: line, _outcome)
    for clause in clauses:
        counts = Counter(part for lines in told for part in {clause(line) for line in lines})
        order = {clause(line): (line.hit, place) for lines in told for place, line in enumerate(lines)}
        if counts:
            best = max(counts.items(), key=lambda each: (each[1], order[each[0]]))
        if best[1] >= PROBABLE * len(told):
            break
    return best


class _Sampler:
    """Sample lines of play from a seat's tree: its own best actions, and others' actions by their visits."""

    def __init__(self, view: View, nodes: Array, g: Array) -> None:
        self.view, self.nodes, self.g = view, nodes, g
        self.rules, self.params, self.seat = view.setup.game.rules, view.setup.params, view.seat - 1
        self.keep, self.observe = without_conceding(view.setup.game), private_observation_rule(view.setup.game)
        self.out = np.zeros(len(self.rules.ACTIONS), np.int16)
        self.spare = np.zeros(1, self.rules.State.dtype)
        self.raw = self.spare.view(np.uint8).reshape(1, -1)
        self.observed = 0

    def lines(self, action: int) -> list[Line]:
        """Return sampled lines after an action."""
        return [self.line(action) for _ in range(LINES)]

    def line(self, action: int) -> Line:
        """Return the line after an action, up to a result; a line that leaves the tree has none."""
        state, node, own = self.view.state.copy(), self.view.seat, list[Text]()
        self.rules.determinize(self.params, state, self.seat, self.g)
        label = action
        self.observed = 0
        for number in range(LONGEST):
            mine, before = state.player == self.seat, state.copy()
            with collect_beats() as marks:
                self.rules.step(self.params, state, action)
            told = self._told(Transition(before, action, "", tuple(marks), state))
            results = tuple(filter(is_result, told))
            if results or state.over:
                wins = bool(state.over) and bool(winners_of(state.payoff[: int(state.seats)])[self.seat])
                return Line(results, tuple(own), wins)
            own += [line for line in told if number and mine and line.subject == "you"]
            node = self._after(node, label, state)
            if not node or self.nodes[node]["visits"] < MIN_VISITS:
                break
            chosen = self._choose(node, state)
            if chosen is None:
                break
            action, label = chosen
        return Line((), tuple(own))

    def _told(self, transition: Transition) -> list[Text]:
        beats = beats_of(self.view.setup, transition, self.view.seat)
        return [line for beat in beats for line in beat.lines if line.importance != TURN]

    def _after(self, node: int, label: int, state: Any) -> int:
        """Return the node after an action, seen as `label`, led to `state`; 0: the line has left the tree."""
        node = int(child_of(self.nodes, node, label))
        observation = int(self.observe(self.params, self.spare, self.raw, state, self.seat))
        before, self.observed = self.observed, observation or self.observed
        return after_observation(self.nodes, node, observation, before) if node else 0

    def _choose(self, node: int, state: Any) -> tuple[int, int] | None:
        """Return the next action and how the seat sees it; None if the tree has none that is legal."""
        legal = self.out[: self.keep(self.out, self.rules.legal(self.params, state, self.out))].tolist()
        visits = {int(child["label"]): int(child["visits"]) for child in children_of(self.nodes, node)}
        if state.player == self.seat:
            best = max(legal, key=lambda action: visits.get(action, 0))
            return (best, best) if visits.get(best) else None
        seen = [(action, int(self.rules.observe_action(self.params, state, action, self.seat))) for action in legal]
        alike = Counter(label for _, label in seen)
        weights = np.cumsum([visits.get(label, 0) / alike[label] for _, label in seen])
        return seen[int(np.searchsorted(weights, chance.unit(self.g) * weights[-1], "right"))] if weights[-1] else None
