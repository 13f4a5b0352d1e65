"""Measure many matches: count during play, add up, and compute figures with 95% intervals.

>>> from sparring import games
>>> from sparring.lab.measures import figures, measure
>>> from sparring.lab.measures.match_plan import MatchPlan, line_up
>>> game = games()["high-card"]  # doctest: +SKIP
>>> plan = MatchPlan(game, {}, None, line_up(game, ["random"], 2), seed=0)  # doctest: +SKIP
>>> measured = measure(plan, first=0, count=1000)  # doctest: +SKIP
>>> figures(plan, measured.counts)["wins/seat 1"].value  # doctest: +SKIP

`measure` plays a range of match numbers and returns `counts`, which can be added (`a + b`), and `rows`, one per match.
All values are integers, so that the sums do not depend on how matches are divided into blocks. `columns` describes a
row; variants are compared by the differences of their rows, match by match. `figures` computes figures from counts:
each has a value and the variance of one match's contribution, so that its standard error after n matches is
sqrt(variance / n). `items` does the same for each item of the game, clustered by match, and `skill` for the bot of a
`skill_plan` that searches ten times as long as the others.
"""

from .counts import MatchColumn, MatchCounts, MeasuredMatches, columns, measure
from .figures import Figure, ItemFigures, ItemOutcome, figures, interval, items, kinds, skill, skill_plan

__all__ = [
    "Figure",
    "ItemFigures",
    "ItemOutcome",
    "MatchColumn",
    "MatchCounts",
    "MeasuredMatches",
    "columns",
    "figures",
    "interval",
    "items",
    "kinds",
    "measure",
    "skill",
    "skill_plan",
]  # fmt: skip
