"""The luck of the deal: how often the same seat wins when the same deal is played twice.

Both matches start from the same state with the same chance events ahead, but bots make other choices. If the deal
decided everything, the same seat would win both; if it decided nothing, that would happen as often as in matches of
different deals. The share between the two is the luck of the deal, as in the fixed seeds of J. Goodman,
D. Perez-Liebana and S. Lucas (Seeding for Success: Skill and Stochasticity in Tabletop Games, 2025).
"""

from dataclasses import replace
from typing import Any

import numpy as np

from sparring.lab.measures import Figure, interval, measure
from sparring.lab.measures.match_plan import MatchPlan
from sparring.lab.stats.intervals import wilson

from .detail import Detail, table_of

Array = np.ndarray[Any, Any]

#: The most deals that are played twice.
MAX_DEALS = 400

MEANING = (
    "Equal bots play each deal twice, with seats exchanged. The more often the same seat wins both matches, "
    "compared with two different deals, the more the deal decides. Intervals: 95% (Wilson)."
)


def deals(plan: MatchPlan, matches: int) -> Detail:
    """Measure how much the deal decides, with equal bots that search."""
    heads = "deals", "same", "low", "high", "expected", "luck", "luck_low", "luck_high"
    bot = next((bot for bot in plan.bots if bot.searches), None)
    if bot is None:
        why = ["The luck of the deal needs a bot that searches: for random players, everything is luck."]
        return Detail("deals", "Luck of the deal", MEANING, table_of(heads, []), why)
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
    return Detail("deals", "Luck of the deal", MEANING, table_of(heads, [row]), [told])


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
