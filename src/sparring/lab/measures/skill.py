"""Skill: whoever thinks ten times as long must win more, and by how much tells luck from skill."""

from dataclasses import replace

from sparring.bots import Bot, parse
from sparring.engine.errors import BadBot
from sparring.lab.experiments.match_plan import MatchPlan

from .counts import MatchCounts, columns
from .figures import Figure

#: How many times as long the one side thinks.
TIMES = 10


def skill_plan(plan: MatchPlan) -> MatchPlan:
    """The same plan, but one bot has ten times the budget of the others, who all are as the first that searches."""
    weaker = next((bot for bot in plan.bots if bot.iterations), None)
    if weaker is None:
        raise BadBot("Skill is asked of a bot that searches by iterations, as search:iterations=300.")
    return replace(plan, bots=(_stronger(weaker), *[weaker] * (plan.seats - 1)))


def _stronger(bot: Bot) -> Bot:
    return parse(f"{bot.text.partition(':')[0]}:iterations={TIMES * bot.iterations}")


def skill(plan: MatchPlan, counts: MatchCounts) -> Figure:
    """How much more the first bot of a plan wins than each of the others: 0 is luck alone, 1 that it wins always."""
    names = [column.name for column in columns(plan)]
    k, n, others = names.index(f"wins/bot {plan.called[0]}"), counts.matches, plan.seats - 1
    unit = columns(plan)[k].unit
    won, squares = int(counts.sums[k]) / unit, int(counts.squares[k]) / unit**2
    decided = n - int(counts.sums[names.index("draws")])
    # What one match says: its share, less the mean of the others'; both are 0 in a draw.
    total = (plan.seats * won - decided) / others
    total_squares = (plan.seats**2 * squares - 2 * plan.seats * won + decided) / others**2
    value = total / n if n else 0.0
    variance = max(0.0, total_squares - n * value**2) / (n - 1) if n > 1 else 0.0
    return Figure("skill", n, value, variance, -1.0, 1.0)
