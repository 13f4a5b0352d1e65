"""Decisions, luck and skill: what the second best action costs, how often a deal decides, what longer thinking gains.

Searches estimate the win probability (or payoff share) after each action of a decision. A decision is *forced* with one
legal action, *close* if the second best costs at most `CLOSE`, *obvious* if it costs at least `OBVIOUS`, and otherwise
*interesting*. Searches try good actions most, so that costs are a little too large in close decisions.

For the luck of the deal, the same deal is played twice: both matches start from the same state with the same chance
events ahead, but bots make other choices. If the deal decided everything, the same seat would win both; if it decided
nothing, that would happen as often as in matches of different deals. The share between the two is the luck of the deal,
as in the fixed seeds of J. Goodman, D. Perez-Liebana and S. Lucas (Seeding for Success: Skill and Stochasticity in
Tabletop Games, 2025).

The skill ladder lets a bot play one that thinks half as long, and so on. A game in which every step wins more than an
even share leaves room to improve; where a step wins no more, more thought no longer helps. R. Gaina and others (TAG: A
Tabletop Games Framework, 2020) compare search budgets in the same way.
"""

from collections.abc import Sequence
from dataclasses import replace
from typing import Any, NamedTuple

import numpy as np

from sparring.bots import Bot, parse, stream
from sparring.bots.bot import non_conceding
from sparring.bots.search_trees import MIN_VISITS, children_of
from sparring.engine.compilation.counters import WHOLE
from sparring.engine.match import Match
from sparring.scene.locations import ordinal

from .measures import Figure, interval, measure
from .measures.match_plan import MatchPlan
from .stats import wilson
from .traces import Detail, table_of

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
    match = Match.deal(plan.setup, plan.seats, plan.seed + number)
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


#: The most deals that are played twice.
MAX_DEALS = 400

DEALS_MEANING = (
    "Equal bots play each deal twice, with seats exchanged. The more often the same seat wins both matches, "
    "compared with two different deals, the more the deal decides. Intervals: 95% (Wilson)."
)


def deals(plan: MatchPlan, matches: int) -> Detail:
    """Measure how much the deal decides, with equal bots that search."""
    heads = "deals", "same", "low", "high", "expected", "luck", "luck_low", "luck_high"
    bot = next((bot for bot in plan.bots if bot.searches), None)
    if bot is None:
        why = ["The luck of the deal needs a bot that searches: for random players, everything is luck."]
        return Detail("deals", "Luck of the deal", DEALS_MEANING, table_of(heads, []), why)
    count = min(matches, MAX_DEALS)
    equal = replace(plan, bots=(bot,) * plan.seats)
    # Match i + 1 from a seed lower by 1 has the deal of match i, with the bots one seat further.
    again = replace(equal, seed=plan.seed - 1)
    rows = [measure(each, first, count).rows for each, first in ((equal, 0), (again, 1))]
    one, other = (
        np.where(row[:, : plan.seats].max(axis=1) > 0, row[:, : plan.seats].argmax(axis=1), -1) for row in rows
    )
    same = float((one == other).mean())
    low, high = wilson(same * count, count)
    expected, *luck = luck_of_deals(one, other)
    row = (count, same, low, high, expected, *luck)
    told = (
        f"If a deal is played twice, the same seat wins both in {100 * same:.0f}% of cases ({100 * low:.0f} to "
        f"{100 * high:.0f}); with different deals it would be {100 * expected:.0f}%. So the deal decides about "
        f"{100 * max(luck[0], 0):.0f}% of the result ({100 * max(luck[1], 0):.0f} to {100 * max(luck[2], 0):.0f})."
    )
    return Detail("deals", "Luck of the deal", DEALS_MEANING, table_of(heads, [row]), [told])


def luck_of_deals(one: Array, other: Array) -> tuple[float, float, float, float]:
    """Return how often different deals would have the same winner, and the luck with the ends of its 95% interval.

    `one` and `other` have the winner of each deal's two matches: a seat from 0, or -1 for none.
    """
    count, most = len(one), int(max(one.max(), other.max())) + 2
    first, second = (np.bincount(winners + 1, minlength=most) / count for winners in (one, other))
    expected, same = float((first * second).sum()), one == other
    rest = max(1 - expected, 1e-9)
    # Both shares are estimates from the same deals: the delta method adds what `expected` contributes to the variance.
    spread = same + (same.mean() - 1) / rest * (second[one + 1] + first[other + 1])
    variance = float(spread.var(ddof=1)) if count > 1 else 0.0
    ends = interval(Figure("same", count, float(same.mean()), variance, 0.0, 1.0))
    luck, low, high = ((value - expected) / rest for value in (float(same.mean()), *ends))
    return expected, luck, low, high


#: The number of doublings, the most matches in each, and the weakest bot if none of the players searches.
STEPS, LADDER_MATCHES, WEAKEST = 4, 300, "search:iterations=25"

LADDER_MEANING = (
    "How often a bot wins against bots that think half as long. The dashed line is an even share: no gain from "
    "more thought. Intervals: 95% (Wilson)."
)


def skill_ladder(plan: MatchPlan, matches: int) -> Detail:
    """Measure the win rate of each doubling of the search budget."""
    bot = next((bot for bot in plan.bots_at_level if bot.iterations), parse(WEAKEST))
    kind, count, rows = bot.text.partition(":")[0], min(matches, LADDER_MATCHES), []
    for step in range(STEPS):
        weaker, stronger = (parse(f"{kind}:iterations={bot.iterations << power}") for power in (step, step + 1))
        played = measure(replace(plan, bots=(stronger, *[weaker] * (plan.seats - 1))), 0, count).rows
        # The columns of wins by bot follow those by seat and by place (see `measures.columns`).
        wins = float(played[:, 2 * plan.seats].sum()) / WHOLE
        draws = int(played[:, 3 * plan.seats].sum())
        rows.append((stronger.iterations, weaker.iterations, count, wins / count, *wilson(wins, count),
                     (1 - draws / count) / plan.seats))  # fmt: skip
    heads = "iterations", "against", "matches", "wins", "low", "high", "even"
    return Detail("skill-ladder", "Skill ladder", LADDER_MEANING, table_of(heads, rows), _ladder_sentences(rows))


def _ladder_sentences(rows: Sequence[tuple[float, ...]]) -> list[str]:
    clear = [row for row in rows if row[4] > row[6]]
    steps = "; ".join(
        f"{row[0]} iterations against {row[1]} win {100 * row[3]:.0f}% ({100 * row[4]:.0f} to {100 * row[5]:.0f})"
        for row in rows
    )
    return [
        f"Twice as much thought: {steps}, where {100 * rows[0][6]:.0f}% is even.",
        f"{len(clear)} of {len(rows)} doublings clearly help." if clear else "No doubling clearly helps.",
    ]
