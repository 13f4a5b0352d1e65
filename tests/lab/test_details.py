"""Match-ups, pairs and tension from matches with a known answer."""

import numpy as np
import pytest

from sparring.bots import parse
from sparring.engine.game import Item
from sparring.games.high_card import GAME as HIGH_CARD
from sparring.lab import decisions, match_ups, traces
from sparring.lab.decisions import JudgedDecision, luck_of_deals
from sparring.lab.measures.match_plan import MatchPlan
from sparring.lab.traces import MatchTraces
from wording import says

PLAN = MatchPlan(HIGH_CARD, {}, None, (parse("random"),) * 2, 0)
ITEMS = tuple(Item("fighter", name) for name in ("Ann", "Bob", "Cy", "Di"))
MATCHES = 4000


def traces_of(has: np.ndarray, won: np.ndarray, leads: list[np.ndarray]) -> MatchTraces:
    """Return traces from the items of each seat, shape (matches, seats, items), and the winning seats."""
    wins = np.eye(2, dtype=bool)[won]
    return MatchTraces(ITEMS, has.sum(axis=1), (has * wins[:, :, None]).sum(axis=1), wins, leads)


def test_a_fighter_that_beats_another_is_marked(monkeypatch: pytest.MonkeyPatch) -> None:
    """Ann beats Bob in 4 of 5 matches; all other match-ups are even."""
    random = np.random.default_rng(1)
    picked = np.array([random.choice(4, 2, replace=False) for _ in range(MATCHES)])
    chance = np.where((picked == [0, 1]).all(axis=1), 0.2, np.where((picked == [1, 0]).all(axis=1), 0.8, 0.5))
    won = (random.random(MATCHES) < chance).astype(int)
    found = traces_of(np.eye(4, dtype=int)[picked], won, [])
    monkeypatch.setattr("sparring.lab.match_ups.trace", lambda plan, matches: found)
    detail = match_ups.match_ups(PLAN, MATCHES)
    names, wins, marks = match_ups.matrix(detail, "fighter")
    assert names == ["Ann", "Bob", "Cy", "Di"]
    assert wins[0, 1] == pytest.approx(0.8, abs=0.05)
    assert wins[1, 0] == pytest.approx(1 - wins[0, 1])
    assert marks.sum() == 2
    assert marks[0, 1]
    assert marks[1, 0]


@pytest.mark.parametrize("bonus", [0.0, 0.3])
def test_only_a_pair_that_wins_more_together_is_marked(bonus: float, monkeypatch: pytest.MonkeyPatch) -> None:
    """Ann is strong alone, which is no interaction; Cy and Di win more together by `bonus`."""
    random = np.random.default_rng(2)
    has = random.integers(0, 2, (MATCHES, 2, 4))
    strength = 0.2 * has[:, :, 0] + bonus * has[:, :, 2] * has[:, :, 3]
    won = (random.random(MATCHES) < 0.5 + (strength[:, 1] - strength[:, 0]) / 2).astype(int)
    found = traces_of(has, won, [])
    monkeypatch.setattr("sparring.lab.match_ups.trace", lambda plan, matches: found)
    table = match_ups.pairs(PLAN, MATCHES).table
    marked = list(zip(table["item"][table["marked"]], table["other"][table["marked"]], strict=True))
    assert marked == ([("Cy", "Di")] if bonus else [])


def test_pairs_of_matches_without_a_winner_are_not_judged(monkeypatch: pytest.MonkeyPatch) -> None:
    random = np.random.default_rng(4)
    has = random.integers(0, 2, (MATCHES, 2, 4))
    drawn = np.zeros((MATCHES, 2), bool)
    found = MatchTraces(ITEMS, has.sum(axis=1), np.zeros_like(has.sum(axis=1)), drawn, [])
    monkeypatch.setattr("sparring.lab.match_ups.trace", lambda plan, matches: found)
    detail = match_ups.pairs(PLAN, MATCHES)
    assert not len(detail.table["item"])
    assert says(detail.sentences[0], "single winner")


@pytest.mark.parametrize("luck", [0.0, 0.5, 0.9])
def test_the_interval_of_luck_contains_the_true_luck(luck: float) -> None:
    """The deal decides a share of matches; in all others both seats win equally often, whatever the deal."""
    random, covered = np.random.default_rng(5), 0
    for _ in range(1000):
        deal, free = random.integers(0, 2, 100), random.integers(0, 2, (2, 100))
        decided = random.random(100) < luck
        _, _, low, high = luck_of_deals(*np.where(decided, deal, free))
        covered += low <= luck <= high
    assert covered >= 930


def test_luck_is_known_less_well_with_few_deals_and_never_negative_in_width() -> None:
    same = np.array([0, 1, 0, 1])
    expected, luck, low, high = luck_of_deals(same, same)
    assert (expected, luck) == (0.5, 1.0)
    assert low < 0.5 < high


def test_the_tension_curve_rises_from_an_even_start_to_certainty(monkeypatch: pytest.MonkeyPatch) -> None:
    """The lead is a random walk of 20 steps, and who leads at the end wins."""
    random = np.random.default_rng(3)
    walks = np.cumsum(random.choice([-1.0, 1.0], (MATCHES, 21)), axis=1)
    won = (walks[:, -1] < 0).astype(int)
    leads = [np.stack([walk, -walk], axis=1) for walk in walks]
    found = traces_of(np.zeros((MATCHES, 2, 4), int), won, leads)
    monkeypatch.setattr("sparring.lab.traces.trace", lambda plan, matches: found)
    mean = traces.tension(PLAN, MATCHES).table["mean"]
    assert 0.5 < mean[0] < 0.65
    assert mean[-1] > 0.99
    assert mean[0] < mean[5] < mean[10] < mean[20]


def test_decisions_and_doublings_are_told_in_words() -> None:
    judged = [JudgedDecision(match, 0.1, "move", kind, 0.0)
              for match in range(4) for kind in ("forced", "close", "interesting", "interesting")]  # fmt: skip
    told = decisions._sentences(judged)
    assert says(told, "25% forced", "one legal action", "25% close", "as good", "50% interesting")
    assert says(told, "third")
    rows = [(50, 25, 100, 0.6, 0.52, 0.68, 0.5), (100, 50, 100, 0.51, 0.43, 0.59, 0.5)]
    told = decisions._ladder_sentences(rows)
    assert says(told, "50 iterations against 25", "60% (52 to 68)", "50% is even")
    assert says(told, "1 of 2 doublings")
