"""The skill ladder: how often a bot beats one that thinks half as long, for several doublings.

A game in which every step wins more than an even share leaves room to improve; where a step wins no more, more thought
no longer helps. R. Gaina and others (TAG: A Tabletop Games Framework, 2020) compare search budgets in the same way.
"""

from collections.abc import Sequence
from dataclasses import replace

from sparring.bots import parse
from sparring.engine.compilation.counters import WHOLE
from sparring.lab.measures import measure
from sparring.lab.measures.match_plan import MatchPlan
from sparring.lab.stats.intervals import wilson

from .detail import Detail, table_of

#: The number of doublings, the most matches in each, and the weakest bot if none of the players searches.
STEPS, MAX_MATCHES, WEAKEST = 4, 300, "search:iterations=25"

MEANING = (
    "How often a bot wins against bots that think half as long. The dashed line is an even share: no gain from "
    "more thought. Intervals: 95% (Wilson)."
)


def skill_ladder(plan: MatchPlan, matches: int) -> Detail:
    """Measure the win rate of each doubling of the search budget."""
    bot = next((bot for bot in plan.bots_at_level if bot.iterations), parse(WEAKEST))
    kind, count, rows = bot.text.partition(":")[0], min(matches, MAX_MATCHES), []
    for step in range(STEPS):
        weaker, stronger = (parse(f"{kind}:iterations={bot.iterations << power}") for power in (step, step + 1))
        played = measure(replace(plan, bots=(stronger, *[weaker] * (plan.seats - 1))), 0, count).rows
        # The columns of wins by bot follow those by seat and by place (see `measures.columns`).
        wins = float(played[:, 2 * plan.seats].sum()) / WHOLE
        draws = int(played[:, 3 * plan.seats].sum())
        rows.append((stronger.iterations, weaker.iterations, count, wins / count, *wilson(wins, count),
                     (1 - draws / count) / plan.seats))  # fmt: skip
    heads = "iterations", "against", "matches", "wins", "low", "high", "even"
    return Detail("skill-ladder", "Skill ladder", MEANING, table_of(heads, rows), _sentences(rows))


def _sentences(rows: Sequence[tuple[float, ...]]) -> list[str]:
    clear = [row for row in rows if row[4] > row[6]]
    steps = "; ".join(
        f"{row[0]} iterations against {row[1]} win {100 * row[3]:.0f}% ({100 * row[4]:.0f} to {100 * row[5]:.0f})"
        for row in rows
    )
    return [
        f"Twice as much thought: {steps}, where {100 * rows[0][6]:.0f}% is even.",
        f"{len(clear)} of {len(rows)} doublings clearly help." if clear else "No doubling clearly helps.",
    ]
