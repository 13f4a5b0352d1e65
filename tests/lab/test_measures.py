"""Measures: counts match the events of a match, and sums don't depend on how matches are distributed."""

import pickle
from dataclasses import replace
from typing import Any

import numpy as np
import pytest

from sparring import BadBot, Game, Match
from sparring.engine import chance
from sparring.engine.compilation.counters import (
    DRAWN,
    FIRST,
    INTERVAL,
    SAMPLES,
    TURNS,
    WHOLE,
    begin,
    blank_counters,
    close_rule,
    count_leads,
    count_wins,
    note_rule,
    sample_lead_rule,
    winner_set,
)  # fmt: skip
from sparring.engine.compilation.drivers import counted_playouts
from sparring.engine.items import item_rules
from sparring.engine.rule import finish
from sparring.games.high_card import GAME
from sparring.lab.measures import (
    Figure,
    MatchCounts,
    columns,
    figures,
    interval,
    items,
    kinds,
    measure,
    skill,
    skill_plan,
)  # fmt: skip
from sparring.lab.measures.counts import play_interpreted
from sparring.lab.measures.match_plan import MatchPlan, line_up
from sparring.lab.stats import wilson

pytestmark = pytest.mark.compiled("high-card")


def plan(*words: str, seats: int | None = None, game: Game = GAME, **options: Any) -> MatchPlan:
    return MatchPlan(game, options, None, line_up(game, words, seats), 77)


def by_column(these: MatchPlan, row: Any) -> dict[str, float]:
    """Return a row as a dictionary by column name."""
    return {column.name: int(value) / column.unit for column, value in zip(columns(these), row, strict=True)}


@pytest.mark.parametrize("words", [("random",), ("search:iterations=4", "random")])
def test_a_match_depends_on_seed_and_number_only(words: tuple[str, ...]) -> None:
    these = plan(*words)
    whole, parts = measure(these, 0, 12), [measure(these, 0, 5), measure(these, 5, 7)]
    assert np.concatenate([part.rows for part in parts]).tolist() == whole.rows.tolist()
    assert parts[0].counts + parts[1].counts == whole.counts == parts[1].counts + parts[0].counts
    assert MatchCounts.blank(these) + whole.counts == whole.counts == pickle.loads(pickle.dumps(whole.counts))
    assert parts[0].counts != whole.counts


@pytest.mark.parametrize("by_lot", [(), (GAME.rules.PHASES[0],)])
def test_compiled_matches_equal_matches_played_choice_by_choice(by_lot: tuple[str, ...]) -> None:
    usual = plan("search:iterations=20", "random", "search:iterations=5", call="leader")
    these = replace(usual, by_lot=by_lot)
    assert (measure(these, 10, 6).rows.tolist() == measure(usual, 10, 6).rows.tolist()) == (not by_lot)
    whole, sheet = measure(these, 10, 6), blank_counters(these.setup)
    rows = np.zeros_like(whole.rows)
    play_interpreted(these, 10, sheet, rows)
    assert MatchCounts.of(these, sheet, rows, {}) == whole.counts
    assert rows.tolist() == whole.rows.tolist()


def test_holdings_are_sampled_at_the_first_choice_of_a_turn_and_the_end() -> None:
    """If a match is given up at its first choice, the second seat's holdings are counted at the end."""
    these = plan("random")
    sheet, state = blank_counters(these.setup), Match.new(GAME, seats=2, seed=1).state
    note, close, params = note_rule(GAME), close_rule(GAME), these.setup.params
    begin(state, sheet)
    hands = [state.hand[seat][1 : 1 + state.hand[seat][0]].tolist() for seat in (0, 1)]
    chooser = int(state.player)
    note(params, state, sheet, hands[chooser][0], 2)
    seen = [np.flatnonzero(sheet.marks[DRAWN, seat]).tolist() for seat in (0, 1)]
    assert seen[chooser] == sorted(hands[chooser])
    assert seen[1 - chooser] == []
    finish(state, 0, 1)
    close(params, state, sheet, 0)
    drawn = (
        MatchCounts.of(these, sheet, np.zeros((1, len(columns(these))), np.int64), {})
        .item_outcomes[:, DRAWN]
        .sum(axis=1)
    )
    assert np.flatnonzero(drawn).tolist() == sorted({*hands[0], *hands[1]})


def test_counts_match_the_events_of_a_match() -> None:
    """Compare with random play through the API, with the same seed."""
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
    row = by_column(these, measured.rows[0])
    assert row["length/choices"] == len(match.history)
    assert row["length/turns"] == len(turns)
    assert row["decisions"] == sum(width > 1 for width in widths)
    assert row["width"] == pytest.approx(np.mean([width for width in widths if width > 1]), abs=1 / WHOLE)
    assert measured.counts.widths.tolist() == np.bincount(widths, minlength=len(GAME.rules.ACTIONS) + 1).tolist()
    payoffs = match.payoffs or {}
    assert [row[f"wins/seat {seat}"] for seat in (1, 2)] == [payoffs[1] > 0, payoffs[2] > 0]
    assert row["wins/place 1"] == (payoffs[first or 0] > 0)
    assert row["wins/bot random#2"] == (payoffs[1] > 0)  # match number 3: the bots have swapped seats
    assert row[f"ends/{match.ending}"] == 1
    by_phase = dict(zip(GAME.rules.PHASES, measured.counts.kinds.sum(axis=1).tolist(), strict=True))
    assert by_phase == {phase: phases.count(phase) for phase in GAME.rules.PHASES}


def test_shared_wins_are_divided_and_draws_count_for_no_seat() -> None:
    """Three seats, the second one first; the bots sit as in match number 1, so bot 1 plays seat 3."""
    these = plan("random", seats=3)
    sheet, state = blank_counters(these.setup), Match.new(GAME, seats=3, seed=1).state
    sheet.now[FIRST] = 1
    for payoffs, seats, places, bots, draws in (
        ([2.0, -1, -1], [1, 0, 0], [0, 0, 1], [0, 1, 0], 0),
        ([0.5, -1, 0.5], [0.5, 0, 0.5], [0, 0.5, 0.5], [0.5, 0.5, 0], 0),
        ([0, 0, 0], [0, 0, 0], [0, 0, 0], [0, 0, 0], 1),
    ):
        state.payoff[:3] = payoffs
        count_wins(state, sheet, winner_set(state), 1)
        row = sheet.row
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


def test_items_are_counted_when_drawn_played_and_held_at_the_end() -> None:
    """High Card, 30 matches through the API: every card, and who won with it."""
    these = plan("random", seats=3)
    told = {figures.item: figures for figures in items(these, measure(these, 0, 30).counts)}
    names = GAME.items.names(these.setup) if GAME.items else ()
    drawn, won = np.zeros((30, len(names))), np.zeros((30, len(names)))
    for number in range(30):
        match = Match.new(GAME, seats=3, seed=77 + number)
        g = np.zeros(4, np.int64)
        chance.seed(g, 77 + number, chance.CHOICES)
        hands = [[int(card) for card in hand[1 : hand[0] + 1]] for hand in match.state.hand[:3]]
        while not match.over:
            legal = match.legal()
            match.choose(legal[int(chance.below(g, len(legal)))])
        winners = [seat for seat, payoff in enumerate((match.payoffs or {}).values()) if payoff > 0]
        for seat, hand in enumerate(hands):
            for card in hand:
                drawn[number, card] += 1
                won[number, card] += (seat in winners) / max(len(winners), 1)
    field = won.sum() / drawn.sum()
    for card, name in enumerate(names):
        figure = told[name]
        assert figure.drawn.seats.value == figure.played.seats.value == pytest.approx(drawn[:, card].mean() / 3)
        assert (figure.kept.seats.value, figure.kept.wins.n) == (0.0, 0)  # every card of a hand is played
        share = won[:, card].sum() / drawn[:, card].sum()
        assert figure.drawn.wins.value == pytest.approx(share)
        assert figure.drawn.wins.n == (drawn[:, card] > 0).sum()
        assert figure.drawn.lift.value == pytest.approx(share - field)
        assert figure.plays == drawn[:, card].sum()


def test_the_interval_of_an_item_is_based_on_matches() -> None:
    """As wide as a bootstrap over matches, with several seats at once."""
    these, card = plan("random", seats=4), 7
    parts = [measure(these, 200 * i, 200).counts for i in range(60)]
    whole = sum(parts[1:], parts[0])
    figure = items(these, whole)[card].drawn
    each = [items(these, part)[card].drawn for part in parts]
    for name in ("seats", "wins", "lift"):
        seen = np.std([getattr(part, name).value for part in each]) / 60**0.5
        said = (getattr(figure, name).variance / getattr(figure, name).n) ** 0.5
        assert said == pytest.approx(seen, rel=0.25), name


def test_lost_leads() -> None:
    """Three turns: seat 1 leads, then no one, then seat 1 again; seat 2 wins in the end."""
    these = plan("random")
    sheet, state = blank_counters(these.setup), Match.new(GAME, seats=2, seed=1).state
    begin(state, sheet)
    sheet.now[TURNS] = 4
    sheet.progress[:4, :2] = [[0.25, 0.0], [0.5, 0.5], [0.5, 0.5], [0.5, 1.0]]
    count_leads(state, sheet, 0b10, 0)
    changes, *rest = sheet.row[:10].tolist()
    assert changes == 1
    assert rest[:6] == [0, 0, 1, 0, 0, 0]  # at a quarter and at half no one leads, at three quarters the winner
    count_leads(state, sheet, 0b01, 0)
    assert sheet.row[:7].tolist() == [1, 0, 0, 1, 0, 0, 1]  # the same lead, lost
    assert [value / WHOLE for value in sheet.row[7:10]] == pytest.approx([0.5**0.5, 0.25, 1.0], abs=1e-3)


def test_long_matches_are_sampled_less_often() -> None:
    """If a match has more turns than there is room for, every second one is kept."""
    these = plan("random")
    sheet, state = blank_counters(these.setup), Match.new(GAME, seats=2, seed=1).state
    begin(state, sheet)
    look = sample_lead_rule(GAME)
    for turn in range(SAMPLES + 40):
        state.turn, state.tricks[0] = turn, turn % 4
        look(these.setup.params, state, sheet)
    assert (sheet.now[TURNS], sheet.now[INTERVAL]) == (SAMPLES + 40, 2)
    assert sheet.progress[: SAMPLES // 2 + 20, 0].tolist() == pytest.approx(
        [turn % 4 / 3 for turn in range(0, SAMPLES + 40, 2)]
    )


def test_a_game_without_items_is_measured_by_kinds_of_action() -> None:
    these = plan("random", game=replace(GAME, items=None), call="leader")
    sheet = blank_counters(these.setup)
    counted_playouts(these.game)(
        these.setup.params, *state_and_room(these), these.seed, 0, 2, sheet, np.zeros((1, 99), np.int64)[:, :20]
    )
    assert [str(item) for item in item_rules(these.game).names(these.setup)] == [
        "choice card",
        "choice high",
        "choice low",
    ]
    assert sheet.times[:3].tolist() == sheet.kinds.sum(axis=0).tolist()
    assert figures(these, MatchCounts.blank(these)).keys().isdisjoint({"drama", "open"})


def state_and_room(these: MatchPlan) -> tuple[Any, Any]:
    """Return what a driver works with: states, and room for legal actions."""
    return np.zeros(2, these.game.rules.State.dtype), np.zeros(len(these.game.rules.ACTIONS), np.int16)


def test_compiled_and_interpreted_counts_agree() -> None:
    these = plan("random", seats=4, call="leader")
    whole, sheet = measure(these, 5, 4), blank_counters(these.setup)
    rows = np.zeros_like(whole.rows)
    counted_playouts(GAME)(these.setup.params, *state_and_room(these), these.seed, 5, 4, sheet, rows)
    assert MatchCounts.of(these, sheet, rows, {}) == whole.counts
    assert rows.tolist() == whole.rows.tolist()


def test_a_larger_budget_wins_more() -> None:
    """Skill with three seats: how much more the first bot wins than the others on average."""
    these = skill_plan(plan("search:iterations=4", seats=3))
    assert [bot.text for bot in these.bots] == ["search:iterations=40", *["search:iterations=4"] * 2]
    rows = np.zeros((4, len(columns(these))), np.int64)
    names = [column.name for column in columns(these)]
    rows[:3, names.index("wins/bot search:iterations=40")] = [WHOLE, WHOLE // 2, 0]
    rows[3, names.index("draws")] = 1
    sheet = blank_counters(these.setup)
    sheet.sums[: len(names)], sheet.squares[: len(names)] = rows.sum(axis=0), (rows**2).sum(axis=0)
    more = [1.0, 0.5 - 0.25, -0.5, 0.0]
    figure = skill(these, MatchCounts.of(these, sheet, rows, {}))
    assert (figure.n, figure.value, figure.variance) == pytest.approx((4, np.mean(more), np.var(more, ddof=1)))
    with pytest.raises(BadBot, match="searches by iterations"):
        skill_plan(plan("random"))


def test_a_share_of_0_or_1_has_an_interval() -> None:
    always = Figure("draws", 50, 0.0, 0.0, 0.0, 1.0)
    assert interval(always) == pytest.approx(wilson(0, 50))
    half = Figure("wins/seat 1", 100, 0.5, 0.25, 0.0, 1.0)
    assert interval(half) == pytest.approx(wilson(50, 100))
    assert interval(half._replace(variance=0.125)) == pytest.approx(wilson(100, 200))  # many shared wins: less variance


def test_the_interval_of_an_action_kind_is_based_on_matches() -> None:
    """Computed from the choices of each match: a third are calls, in matches of different length."""
    these = plan("random", call="leader")
    measured = measure(these, 0, 50)
    shares = kinds(these, measured.counts)
    assert set(shares) == {"kind/card", "kind/high", "kind/low"}
    assert sum(figure.value for figure in shares.values()) == pytest.approx(1)
    assert shares["kind/card"].value == pytest.approx(2 / 3)
    made = np.array([measure(these, match, 1).counts.kinds.sum(axis=0) for match in range(50)], float)
    high, choices = made[:, list(GAME.rules.ACTIONS.blocks).index("high")], made.sum(axis=1)
    figure = shares["kind/high"]
    beyond = (high - figure.value * choices) / choices.mean()
    assert figure.variance == pytest.approx((beyond**2).sum() / 49)
    assert figures(these, measured.counts)["kind/high"] == figure
