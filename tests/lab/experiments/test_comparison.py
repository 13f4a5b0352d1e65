"""Comparison of variants: independent of workers, paired by match, and stopped at the requested precision."""

from dataclasses import replace
from itertools import count, islice, pairwise
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from sparring import SparringError, games
from sparring.games.high_card import GAME as HIGH_CARD
from sparring.lab import compare
from sparring.lab.executors import SerialExecutor, WorkersLost
from sparring.lab.experiments.comparison import Comparison
from sparring.lab.experiments.stopping import REAL, UNCLEAR, holm
from sparring.lab.experiments.study import BLOCK, GROWTH, Study, first_block, later_blocks, play_block
from sparring.lab.experiments.variants import variants
from wording import says

pytestmark = pytest.mark.compiled("world-of-fighters")

FIGHTERS = games()["world-of-fighters"]


@pytest.fixture(scope="module")
def tie_comparison() -> Comparison:
    """Compare the option `tie`: a trick of equal cards goes to no one, or to the first."""
    return compare(HIGH_CARD, vary={"tie": ["nobody", "first"]}, precision=0.02, seed=3)


def same(one: Comparison, other: Comparison) -> bool:
    arrays = ("means", "low", "high", "differences", "differences_low", "differences_high", "p", "corrected")
    return one.matches == other.matches and all(
        np.array_equal(getattr(one, each), getattr(other, each)) for each in arrays
    )


def place(found: Comparison, name: str) -> int:
    return found.names.index(name)


def test_a_comparison_stops_at_the_requested_precision(tie_comparison: Comparison) -> None:
    reach = (tie_comparison.high - tie_comparison.low) / 2
    assert tie_comparison.unfinished == ""
    assert [name for name, asked in zip(tie_comparison.names, tie_comparison.requested, strict=True) if asked] == [
        "wins/seat 1",
        "wins/seat 2",
    ]
    assert (reach[:, tie_comparison.requested] <= 0.02).all()
    shorter = compare(
        HIGH_CARD, vary={"tie": ["nobody", "first"]}, precision=0.02, seed=3, matches=tie_comparison.matches * 4 // 5
    )
    assert ((shorter.high - shorter.low)[:, tie_comparison.requested] / 2 > 0.02).any()


def test_a_real_difference_is_found_and_a_missing_one_is_not(tie_comparison: Comparison) -> None:
    """With `tie=first` there are fewer draws; matches are as long as before."""
    draws, choices = place(tie_comparison, "draws"), place(tie_comparison, "length/choices")
    assert tie_comparison.pairs == ((0, 1),)
    assert tie_comparison.verdicts[0, draws] == REAL
    assert tie_comparison.differences_low[0, draws] > 0
    assert tie_comparison.verdicts[0, choices] == UNCLEAR
    assert tie_comparison.differences[0, choices] == 0


def test_differences_are_paired_by_match() -> None:
    """Compare a variant with itself: no match differs, so the interval is far narrower."""
    found = compare(HIGH_CARD, variant={"again": {"options": {"tie": "nobody"}}}, matches=2000)
    seat = place(found, "wins/seat 1")
    assert found.differences[0, seat] == 0
    assert found.differences_high[0, seat] < (found.high - found.low)[0, seat] / 2


def test_the_sums_of_a_block_equal_those_of_its_matches() -> None:
    study = Study(HIGH_CARD, tuple(variants(HIGH_CARD, {}, {"hand": [2, 3]}, [], {}, each=False)), ("random",), 2, 5)
    whole, parts = play_block(study, (10, 30)), [play_block(study, (10, 12)), play_block(study, (22, 18))]
    np.testing.assert_allclose(whole.sums, parts[0].sums + parts[1].sums)
    np.testing.assert_allclose(whole.products, parts[0].products + parts[1].products)
    assert parts[0].counts[1] + parts[1].counts[1] == whole.counts[1]
    lengths = [column.name for column in study.columns].index("length/choices")
    assert whole.sums[:, lengths].tolist() == [30 * 2 * 2, 30 * 3 * 2]
    assert whole.products[lengths, 0, 1] == 30 * 4 * 6


def test_results_do_not_depend_on_the_number_of_workers() -> None:
    alone, together = (
        compare("world-of-fighters", vary={"board": ["5x5", "7x5"]}, precision=0.1, workers=n) for n in (1, 2)
    )
    assert same(alone, together)


def test_block_sizes_depend_on_match_lengths_only() -> None:
    study = Study(HIGH_CARD, tuple(variants(HIGH_CARD, {}, {}, [], {}, each=False)), ("random",), 2)
    _, first = first_block(study, None)
    tasks = list(islice(later_blocks(study, first, 6.0, None), 200))
    assert all(before + count == after for (before, count), (after, _) in pairwise(tasks))
    assert all(count <= max(first, GROWTH * before) for before, count in tasks)
    assert tasks[-1][1] == tasks[-2][1] == BLOCK // 6
    assert list(later_blocks(study, 200, 6.0, 450)) == [(200, 200), (400, 50)]
    thinking = replace(study, bots=("search:iterations=500",))
    assert first_block(thinking, None) == (0, 2)
    assert [count for _, count in islice(later_blocks(thinking, 1, 40.0, None), 10, 20)] == [1] * 5 + [2] * 4 + [3]
    assert first_block(study, 7) == (0, 7)


def test_the_stronger_bot_is_found_in_each_variant() -> None:
    found = compare(HIGH_CARD, bots=["search:iterations=30", "random"], matches=60)
    assert [name for name, asked in zip(found.names, found.requested, strict=True) if asked][2:] == [
        "wins/bot search:iterations=30", "wins/bot random",
    ]  # fmt: skip


def test_measures_are_selected_by_name_and_lengths_are_relative_to_their_mean() -> None:
    found = compare("world-of-fighters", measures=["length/turns"], precision=0.05)
    turns = place(found, "length/turns")
    assert found.requested.tolist() == [name == "length/turns" for name in found.names]
    assert (found.high - found.low)[0, turns] / 2 <= 0.05 * found.means[0, turns]


def test_tables_contain_all_results(tie_comparison: Comparison) -> None:
    tables = tie_comparison.tables
    assert list(tables) == ["measures", "figures", "items", "lengths", "differences"]
    table = tables["measures"]
    assert len(set(map(len, table.values()))) == 1
    row = list(zip(table["variant"], table["measure"], strict=True)).index(("tie first", "draws"))
    assert table["mean"][row] == tie_comparison.means[1, place(tie_comparison, "draws")]
    lengths = tables["lengths"]
    for variant in ("tie nobody", "tie first"):
        chosen = (lengths["variant"] == variant) & (lengths["unit"] == "choices")
        assert lengths["matches"][chosen].sum() == tie_comparison.matches


def test_items_are_reported_per_variant(tie_comparison: Comparison) -> None:
    """Every match plays six cards, and the highest card wins more than the lowest."""
    table = tie_comparison.tables["items"]
    first = table["variant"] == "tie first"
    assert table["plays"][first].sum() == 6 * tie_comparison.matches
    best, worst = (int(np.flatnonzero(first & (table["item"] == name))[0]) for name in ("10, number 20", "1, number 1"))
    assert table["wins_when_played_low"][best] > table["wins_when_played_high"][worst]
    assert table["lift_when_played"][best] > 0 > table["lift_when_played"][worst]


def test_gain_from_ten_times_the_budget() -> None:
    options = {"hand": 5, "call": "leader"}
    found = compare(HIGH_CARD, options=options, bots=["search:iterations=4"], matches=150, skill=True)
    assert found.skill_run
    assert found.skill_run.study.bots == ("search:iterations=40", "search:iterations=4")
    table = found.tables["skill"]
    won = found.skill_run.means[0, found.skill_run.names.index("wins/bot search:iterations=40")]
    assert table["wins"][0] == won > 0.5
    assert table["skill_low"][0] < table["skill"][0] < table["skill_high"][0]
    with pytest.raises(SparringError, match="Skill needs a bot that searches"):
        compare(HIGH_CARD, matches=10, skill=True)


def test_data_frames_use_any_installed_library(tie_comparison: Comparison, monkeypatch: pytest.MonkeyPatch) -> None:
    import sys
    from types import ModuleType

    polars = ModuleType("polars")
    polars.DataFrame = list  # type: ignore[attr-defined]
    monkeypatch.setitem(sys.modules, "pandas", None)
    monkeypatch.setitem(sys.modules, "polars", polars)
    assert tie_comparison.frame("measures") == list(tie_comparison.tables["measures"])
    monkeypatch.setitem(sys.modules, "polars", None)
    with pytest.raises(SparringError, match="pandas or polars"):
        tie_comparison.frame("measures")


def test_results_are_kept_when_time_runs_out() -> None:
    found = compare(HIGH_CARD, precision=0.0001, at_most="0.2s")
    assert says(found.unfinished, "time ran out", "precision", 0.0001)
    assert found.matches > 0
    assert not np.isnan(found.means).any()


@pytest.mark.parametrize("problem", [WorkersLost("The connection to the cluster was lost."), KeyboardInterrupt()])
def test_results_are_kept_when_workers_are_lost_or_stopped(
    problem: BaseException, monkeypatch: pytest.MonkeyPatch
) -> None:
    """One block is sent, then another one, then many together."""
    begin, asked = SerialExecutor.submit, count(1)

    def fail_later(self: SerialExecutor, work: Any, job: Any, task: Any) -> Any:
        if next(asked) > 2:
            raise problem
        return begin(self, work, job, task)

    monkeypatch.setattr(SerialExecutor, "submit", fail_later)
    found = compare(HIGH_CARD, matches=5000)
    assert found.unfinished == (str(problem) or "You stopped the run.")
    assert 0 < found.matches < 5000


def test_holm_correction_for_the_number_of_comparisons() -> None:
    """The example of Holm's paper by hand: 0.01 times three, then 0.03 times two, then never less than before."""
    assert holm(np.array([0.03, 0.01, 0.04])).tolist() == pytest.approx([0.06, 0.03, 0.06])
    assert holm(np.array([])).tolist() == []


@pytest.mark.parametrize(
    ("wrong", "said"),
    [
        ({"precision": 0.0}, "precision must be more than 0 and less than 0.5, not 0"),
        ({"precision": 3.0}, "precision must .* not 3"),
        ({"matches": 0}, "matches must be at least 1"), ({"at_most": "soon"}, "A time must look like 90s"),
        ({"measures": ["beauty"]}, "measure .beauty.; known measures are wins, draws"),
        ({"bots": ["clever"]}, "There is no bot called clever"), ({"vary": {"hand": [99]}}, "hand must be"),
        ({"vary": {"hands": [1]}}, "has no option hands"),
        ({"content": ["nowhere.toml"]}, "Can't read nowhere.toml"),
        ({"seed": -1}, "The seed must be"), ({"seats": 9}, "needs 2 to 4 seats"),
        ({"workers": 0}, "workers must be at least 1, not 0"),
    ],
)  # fmt: skip
def test_invalid_comparisons_are_refused_before_any_match(wrong: dict[str, Any], said: str) -> None:
    with pytest.raises(SparringError, match=said):
        compare(HIGH_CARD, **wrong)


def test_content_files_are_compared(tmp_path: Path) -> None:
    (tmp_path / "flat.toml").write_text(f"values = {[5] * 20}")
    (tmp_path / "usual.toml").write_text((HIGH_CARD.folder / "content.toml").read_text())
    found = compare(HIGH_CARD, content=[tmp_path / "flat.toml", tmp_path / "usual.toml"], matches=500)
    assert [variant.name for variant in found.variants] == ["flat", "usual"]
    assert found.means[0, place(found, "draws")] == 1
    assert found.means[1, place(found, "draws")] < 0.5
