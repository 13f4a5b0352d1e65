"""Measure skill against luck: how much more a bot wins with ten times the search budget."""

from dataclasses import replace

from sparring.bots import Bot, parse
from sparring.engine.errors import BadBot
from sparring.lab.measures.match_plan import MatchPlan

from .counts import MatchCounts, columns
from .figures import Figure

#: The factor between the search budgets.
BUDGET_FACTOR = 10


def skill_plan(plan: MatchPlan) -> MatchPlan:
    """Return the plan with one bot at ten times the budget and all others like its first searching bot.

    Raises BadBot if no bot searches by iterations.
    """
    weaker = next((bot for bot in plan.bots if bot.iterations), None)
    if weaker is None:
        raise BadBot("Skill needs a bot that searches by iterations, such as search:iterations=300.")
    return replace(plan, bots=(_stronger(weaker), *[weaker] * (plan.seats - 1)))


def _stronger(bot: Bot) -> Bot:
    return parse(f"{bot.text.partition(':')[0]}:iterations={BUDGET_FACTOR * bot.iterations}")


def skill(plan: MatchPlan, counts: MatchCounts) -> Figure:
    """Return how much more often the first bot wins than each other bot: 0 is pure luck, 1 means it always wins."""
    names = [column.name for column in columns(plan)]
    k, n, others = names.index(f"wins/bot {plan.bot_names[0]}"), counts.matches, plan.seats - 1
    unit = columns(plan)[k].unit
    won, squares = int(counts.sums[k]) / unit, int(counts.squares[k]) / unit**2
    decided = n - int(counts.sums[names.index("draws")])
    # A match contributes the share of the first bot minus the mean share of the others; both are 0 in a draw.
    total = (plan.seats * won - decided) / others
    total_squares = (plan.seats**2 * squares - 2 * plan.seats * won + decided) / others**2
    value = total / n if n else 0.0
    variance = max(0.0, total_squares - n * value**2) / (n - 1) if n > 1 else 0.0
    return Figure("skill", n, value, variance, -1.0, 1.0)
