"""What many matches of a plan tell: counted while they are played, added up, and read as figures with intervals.

>>> from sparring import games
>>> from sparring.lab.measures import figures, measure
>>> from sparring.lab.experiments.match_plan import Plan, line_up
>>> game = games()["high-card"]  # doctest: +SKIP
>>> plan = Plan(game, {}, None, line_up(game, ["random"], 2), seed=0)  # doctest: +SKIP
>>> measured = measure(plan, first=0, count=1000)  # doctest: +SKIP
>>> figures(plan, measured.counts)["wins/seat 1"].value  # doctest: +SKIP

`measure` plays matches by their numbers and gives `counts`, which can be added (`a + b`), and `rows`, what each match
gave. All of it are whole numbers, so the counts of many chunks are exactly those of one. `columns` says what stands in
a row; the differences of two plans' rows, match by match, are what variants are compared by. `figures` reads the
counts: each figure has a value and the variance of what one match adds to it, so that its standard error after n
matches is the root of variance / n; `items` does so for each item of the game, clustered by match, and `skill` for the
bot of a `skill_plan`, which thinks ten times as long as the others.
"""

from .counts import MatchColumn, MatchCounts, MeasuredMatches, columns
from .figures import Figure, figures, interval, kinds
from .item_figures import ItemFigures, ItemOutcome, items
from .play import measure
from .skill import skill, skill_plan

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
