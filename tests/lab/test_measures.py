"""What is counted in a match is what happened in it; and sums are the same however matches are shared out."""

import pickle
from typing import Any

import numpy as np
import pytest

from sparring import Game, Match
from sparring.engine import chance
from sparring.engine.tally import FIRST, WHOLE, Sheet, count_wins, winning
from sparring.games.high_card import GAME
from sparring.lab.measures import Counts, columns, figures, interval, measure
from sparring.lab.measures.playing import one_by_one
from sparring.lab.plan import Plan, line_up


def plan(*words: str, seats: int | None = None, game: Game = GAME, **options: Any) -> Plan:
    return Plan(game, options, None, line_up(game, words, seats), 77)


def told(these: Plan, row: Any) -> dict[str, float]:
    """A row by the names of its columns."""
    return {column.name: int(value) / column.unit for column, value in zip(columns(these), row, strict=True)}


@pytest.mark.parametrize("words", [("random",), ("search:iterations=4", "random")])
def test_a_match_depends_on_the_seed_and_its_number_alone(words: tuple[str, ...]) -> None:
    these = plan(*words)
    whole, parts = measure(these, 0, 12), [measure(these, 0, 5), measure(these, 5, 7)]
    assert np.concatenate([part.rows for part in parts]).tolist() == whole.rows.tolist()
    assert parts[0].counts + parts[1].counts == whole.counts == parts[1].counts + parts[0].counts
    assert Counts.blank(these) + whole.counts == whole.counts == pickle.loads(pickle.dumps(whole.counts))
    assert parts[0].counts != whole.counts


def test_whole_matches_in_machine_code_are_the_matches_that_bots_play_choice_by_choice() -> None:
    these = plan("search:iterations=20", "random", "search:iterations=5", call="leader")
    whole, sheet = measure(these, 10, 6), Sheet.blank(these.box, 3)
    rows = np.zeros_like(whole.rows)
    one_by_one(these, 10, sheet, rows)
    assert Counts.of(these, sheet, rows, {}) == whole.counts
    assert rows.tolist() == whole.rows.tolist()


def test_what_is_counted_is_what_happened() -> None:
    """Random play of the API, with the same seed."""
    these = plan("random", call="leader")
    measured = measure(these, 3, 1)
    match = Match.new(GAME, seats=2, seed=80, options={"call": "leader"})
    g = np.zeros(4, np.int64)
    chance.seed(g, 80, chance.CHOICES)
    first, turns, widths, phases = match.seat, set(), [], []
    while not match.over:
        legal = match.legal()
        turns.add(int(match.state.turn))
        widths.append(len(legal))
        phases.append(match.phase)
        match.choose(legal[int(chance.below(g, len(legal)))])
    row = told(these, measured.rows[0])
    assert row["length/choices"] == len(match.history)
    assert row["length/turns"] == len(turns)
    assert row["decisions"] == sum(width > 1 for width in widths)
    assert row["width"] == pytest.approx(np.mean([width for width in widths if width > 1]), abs=1 / WHOLE)
    assert measured.counts.widths.tolist() == np.bincount(widths, minlength=len(GAME.rules.ACTIONS) + 1).tolist()
    payoffs = match.payoffs or {}
    assert [row[f"wins/seat {seat}"] for seat in (1, 2)] == [payoffs[1] > 0, payoffs[2] > 0]
    assert row["wins/place 1"] == (payoffs[first or 0] > 0)
    assert row["wins/bot random#2"] == (payoffs[1] > 0)  # match number 3: the bots have changed seats
    assert row[f"ends/{match.ending}"] == 1
    by_phase = dict(zip(GAME.rules.PHASES, measured.counts.kinds.sum(axis=1).tolist(), strict=True))
    assert by_phase == {phase: phases.count(phase) for phase in GAME.rules.PHASES}


def test_shared_wins_are_shared_and_draws_are_nobodys() -> None:
    """Three seats, of which the second began; the bots sit as in match number 1: seat 3 is played by bot 1."""
    these = plan("random", seats=3)
    sheet, state = Sheet.blank(these.box, 3), Match.new(GAME, seats=3, seed=1).state
    sheet.now[FIRST] = 1
    for payoffs, seats, places, bots, draws in (
        ([2.0, -1, -1], [1, 0, 0], [0, 0, 1], [0, 1, 0], 0),
        ([0.5, -1, 0.5], [0.5, 0, 0.5], [0, 0.5, 0.5], [0.5, 0.5, 0], 0),
        ([0, 0, 0], [0, 0, 0], [0, 0, 0], [0, 0, 0], 1),
    ):
        state.payoff[:3] = payoffs
        row = np.zeros(len(columns(these)), np.int64)
        count_wins(state, sheet, winning(state), 1, row)
        assert [value / WHOLE for value in row[:9]] == [*seats, *places, *bots]
        assert row[9] == draws


def test_a_figure_has_the_mean_and_the_variance_of_its_matches() -> None:
    these = plan("random")
    measured = measure(these, 0, 40)
    choices = measured.rows[:, [column.name for column in columns(these)].index("length/choices")]
    figure = figures(these, measured.counts)["length/choices"]
    assert (figure.n, figure.group) == (40, "length")
    assert figure.value == pytest.approx(choices.mean())
    assert figure.variance == pytest.approx(choices.var(ddof=1))
    reach = 1.96 * choices.std(ddof=1) / 40**0.5
    assert interval(figure) == pytest.approx((choices.mean() - reach, choices.mean() + reach))
