"""Set balance: measured in portions, with the lab's own estimates, until they are precise enough."""

from statistics import median
from typing import Any

import numpy as np
import pytest

from sparring.engine.compilation import machine_code
from sparring.engine.game import game
from sparring.games.high_card import GAME as HIGH_CARD
from sparring.lab import compare
from sparring.lab.experiments.config import ExperimentConfig
from sparring.lab.experiments.set_balance import BalanceMeasurement
from sparring.lab.measures import columns, measure
from sparring.lab.measures.match_plan import MatchPlan, line_up

pytestmark = pytest.mark.compiled("five-circles")

#: The duration of a portion in seconds: so short that each portion is as small as possible.
GLANCE = 1e-9


def measured(precision: float = 0.02, content: Any = None, **more: Any) -> BalanceMeasurement:
    made = BalanceMeasurement(HIGH_CARD, content, {}, "random", precision, time_limit=1e9, **more)
    while not made.is_finished:
        made.run(GLANCE)
    return made


def test_it_stops_at_the_requested_precision() -> None:
    worth = measured().balance
    assert worth.precise
    assert all(seat.half_width <= 0.02 for seat in worth.seats)
    reaches = [one.wins_drawn.half_width for one in worth.items if one.wins_drawn]
    assert reaches
    assert max(reaches) <= 0.02


def test_intervals_narrow_portion_by_portion() -> None:
    made = BalanceMeasurement(HIGH_CARD, None, {}, "random", 0.001, time_limit=1e9)
    matches, reaches = [], []
    for _ in range(5):
        made.run(GLANCE)
        matches.append(made.balance.matches)
        reaches.append(made.balance.seats[0].half_width)
    assert matches == sorted(set(matches))
    assert reaches == sorted(reaches, reverse=True)
    assert not made.is_finished


@pytest.mark.parametrize("threads", [1, 2])
def test_results_equal_those_of_the_lab(threads: int) -> None:
    made = measured(threads=threads)
    found = compare(HIGH_CARD, matches=made.accumulator.matches)
    seat = found.names.index("wins/seat 1")
    assert made.balance.seats[0].value == found.means[0, seat]
    items = found.tables["items"]
    told = {one.name: one.wins_drawn.value for one in made.balance.items if one.wins_drawn}
    assert told == {str(name): wins for name, wins in zip(items["item"], items["wins_when_drawn"], strict=True)
                    if name in told}  # fmt: skip
    own = made.comparison(ExperimentConfig()).tables
    assert np.array_equal(own["items"]["wins_when_drawn"], items["wins_when_drawn"])


def test_it_works_without_compiled_code(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(machine_code, "compiled", None)
    plan = MatchPlan(HIGH_CARD, {}, None, line_up(HIGH_CARD, ("random",), None), 0)
    played = measure(plan, 3, 20, compiled=False)
    names = [column.name for column in columns(plan)]
    ends = [played.rows[:, names.index(name)].sum() for name in names if name.startswith("ends/")]
    assert sum(ends) == played.counts.matches == 20
    slow = BalanceMeasurement(HIGH_CARD, None, {}, "random", 0.02, time_limit=1e9, compiled=False)
    slow.run(GLANCE)
    assert slow.balance.matches == 1, "every match is reported at once"


def test_rarely_picked_fighters_are_measured_too() -> None:
    made = BalanceMeasurement(game("world-of-fighters"), None, {}, "search:iterations=1", 0.4, time_limit=1e9)
    while made.accumulator.matches < 40:
        made.run(GLANCE)
    drawn = {one.name: one.drawn for one in made.balance.items if one.sort == "fighter"}
    assert all(drawn.values()), drawn


def test_the_median_is_taken_per_kind_of_item() -> None:
    circles = game("five-circles")
    made = BalanceMeasurement(circles, None, {}, "random", 0.4, time_limit=1e9)
    made.run(GLANCE)
    worth = made.balance
    own = [one.wins_drawn.value for one in worth.items if one.sort == "character" and one.wins_drawn]
    assert worth.medians("character")[0] == median(own)
    assert worth.medians("no such sort") == (None, None)
