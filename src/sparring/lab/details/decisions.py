"""How much decisions matter: what the second best action costs, compared with the best one.

Searches estimate the win probability (or payoff share) after each action of a decision. A decision is *forced* with one
legal action, *close* if the second best costs at most `CLOSE`, *obvious* if it costs at least `OBVIOUS`, and otherwise
*interesting*. Searches try good actions most, so that costs are a little too large in close decisions.
"""

from dataclasses import replace
from typing import Any, NamedTuple

import numpy as np

from sparring.bots import Bot, parse, stream
from sparring.bots.bot import non_conceding
from sparring.bots.search_trees import MIN_VISITS, children_of
from sparring.engine.match import Match
from sparring.lab.measures.match_plan import MatchPlan
from sparring.scene.locations import ordinal

from .detail import Detail, table_of

Array = np.ndarray[Any, Any]

#: The iterations of the searches that judge decisions, and the most matches.
ITERATIONS, MAX_MATCHES = 400, 40

#: Costs in win probability.
CLOSE, OBVIOUS = 0.02, 0.15

#: The parts of a match.
PARTS = ("first third", "second third", "last third")

#: The kinds of decisions, and what they mean to a player.
IN_WORDS = {
    "forced": "one legal action", "close": "the two best are as good", "interesting": "the second best costs a little",
    "obvious": "the second best costs a lot",
}  # fmt: skip
KINDS = tuple(IN_WORDS)

MEANING = (
    f"A decision is forced with one legal action, close if the second best costs at most {100 * CLOSE:.0f} points of "
    f"win probability, obvious if it costs at least {100 * OBVIOUS:.0f}, and interesting in between. Searches of "
    f"{ITERATIONS} iterations judge them. Intervals: 95%, clustered by match."
)


class JudgedDecision(NamedTuple):
    """A decision: its match, its place in the match from 0 to 1, its phase, its kind, and the second best's cost."""

    match: int
    progress: float
    phase: str
    kind: str
    cost: float


def decisions(plan: MatchPlan, matches: int) -> Detail:
    """Judge the decisions of some matches."""
    judge = replace(parse(f"search:iterations={ITERATIONS}"), prior=False)
    judged = [one for number in range(min(matches, MAX_MATCHES)) for one in judge_match(plan, number, judge)]
    rows: list[tuple[Any, ...]] = []
    for part, group in _groups(judged):
        rows += [(part, kind, len(group), *_share(group, kind)) for kind in KINDS]
        free = [one for one in group if one.kind != "forced"]
        if free:
            rows.append((part, "mean cost", len(free), *_mean([one.match for one in free], [one.cost for one in free])))
    heads = "part", "kind", "decisions", "value", "low", "high"
    return Detail("decisions", "How much decisions matter", MEANING, table_of(heads, rows), _sentences(judged))


def judge_match(plan: MatchPlan, number: int, judge: Bot) -> list[JudgedDecision]:
    """Play a match of the plan and judge each of its decisions."""
    match = Match.deal(plan.box, plan.seats, plan.seed + number)
    streams = [stream(plan.seed + number, bot + 1) for bot in range(plan.seats)]
    judging = stream(plan.seed + number, plan.seats + 1)
    found = []
    while match.seat:
        bot = (match.seat - 1 + number) % plan.seats
        view = match.view(match.seat, memory=plan.bots[bot].remembers)
        by_lot = plan.random_phase_mask >> int(match.state.phase) & 1
        player = parse("random") if by_lot else plan.bots[bot]
        if not by_lot:
            kind, cost = "forced", 0.0
            if len(non_conceding(plan.game, view.legal)) > 1:
                kind, cost = _judge(judge, view, judging)
            found.append((plan.game.rules.PHASES[int(match.state.phase)], kind, cost))
        match.choose(player.choose(view, streams[bot]))
    return [JudgedDecision(number, (place + 0.5) / len(found), *each) for place, each in enumerate(found)]


def _judge(judge: Bot, view: Any, judging: Array) -> tuple[str, float]:
    """Return the kind of a decision and what its second best action costs."""
    answer = judge.answer(view, judging, even=True)
    nodes = answer.workspace.nodes if answer.workspace else np.zeros(0)
    tried = [
        float(child["value"]) / int(child["visits"])
        for child in children_of(nodes, view.seat)
        if int(child["visits"]) >= MIN_VISITS and int(child["label"]) in view.legal
    ]
    if len(tried) < 2:  # the search hardly looked at any other action
        return "obvious", OBVIOUS
    best, second = sorted(tried, reverse=True)[:2]
    cost = best - second
    return "close" if cost <= CLOSE else "obvious" if cost >= OBVIOUS else "interesting", cost


def _groups(judged: list[JudgedDecision]) -> list[tuple[str, list[JudgedDecision]]]:
    """Group the decisions: all, by third of the match, and by phase of the rules."""
    groups = [("whole match", judged)]
    groups += [(part, [one for one in judged if int(3 * one.progress) == third]) for third, part in enumerate(PARTS)]
    phases = dict.fromkeys(one.phase for one in judged)
    if len(phases) > 1:
        groups += [
            (f"phase {phase.replace('_', ' ')}", [one for one in judged if one.phase == phase]) for phase in phases
        ]
    return [(name, group) for name, group in groups if group]


def _share(group: list[JudgedDecision], kind: str) -> tuple[float, float, float]:
    return _mean([one.match for one in group], [float(one.kind == kind) for one in group], 0.0, 1.0)


def _mean(
    matches: list[int], values: list[float], low: float = 0.0, high: float = np.inf
) -> tuple[float, float, float]:
    """Return a mean with its 95% interval, clustered by match and limited to the possible values."""
    mean = float(np.mean(values))
    _, cluster = np.unique(matches, return_inverse=True)
    rest = np.bincount(cluster, np.asarray(values) - mean)
    count = len(rest)
    scale = count / (count - 1) if count > 1 else 0.0
    half = 1.96 * float(np.sqrt(scale * (rest**2).sum())) / len(values)
    return mean, max(mean - half, low), min(mean + half, high)


def _sentences(judged: list[JudgedDecision]) -> list[str]:
    if not judged:
        return ["Too few matches to judge decisions."]
    shares = [f"{100 * _share(judged, kind)[0]:.0f}% {kind} ({means})" for kind, means in IN_WORDS.items()]
    first = [
        next((place for place, one in enumerate(of_match, 1) if one.kind in ("interesting", "obvious")), None)
        for number in dict.fromkeys(one.match for one in judged)
        for of_match in [[one for one in judged if one.match == number]]
    ]
    known = [place for place in first if place is not None]
    sentences = [f"Decisions: {', '.join(shares)}."]
    if known:
        place = int(np.median(known))
        sentences.append(f"The first decision that matters is typically the {ordinal(place)} of a match.")
    return sentences
