"""Variants compared: the same numbers whoever plays, differences match by match, and an end when it is enough."""

from dataclasses import replace
from itertools import count, islice, pairwise
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from sparring import SparringError, games
from sparring.games.high_card import GAME as HIGH_CARD
from sparring.lab import compare
from sparring.lab.executors.executor import SerialExecutor, WorkersLost
from sparring.lab.experiments.accumulators import holm
from sparring.lab.experiments.comparison import Comparison
from sparring.lab.experiments.fixed_sample import REAL, UNCLEAR
from sparring.lab.experiments.study import BLOCK, GROWTH, Study, first_block, later_blocks, play_block
from sparring.lab.experiments.variants import variants
from wording import says

FIGHTERS = games()["world-of-fighters"]


@pytest.fixture(scope="module")
def ties() -> Comparison:
    """Who takes a trick of equal cards: nobody, or the first."""
    return compare(HIGH_CARD, vary={"tie": ["nobody", "first"]}, precision=0.02, seed=3)


def same(one: Comparison, other: Comparison) -> bool:
    arrays = ("means", "low", "high", "differences", "differences_low", "differences_high", "p", "corrected")
    return one.matches == other.matches and all(
        np.array_equal(getattr(one, each), getattr(other, each)) for each in arrays
    )


def place(found: Comparison, name: str) -> int:
    return found.names.index(name)


def test_it_plays_until_what_was_asked_for_is_narrow_enough_and_no_longer(ties: Comparison) -> None:
    reach = (ties.high - ties.low) / 2
    assert ties.unfinished == ""
    assert [name for name, asked in zip(ties.names, ties.requested, strict=True) if asked] == [
        "wins/seat 1",
        "wins/seat 2",
    ]
    assert (reach[:, ties.requested] <= 0.02).all()
    shorter = compare(
        HIGH_CARD, vary={"tie": ["nobody", "first"]}, precision=0.02, seed=3, matches=ties.matches * 4 // 5
    )
    assert ((shorter.high - shorter.low)[:, ties.requested] / 2 > 0.02).any()


def test_a_difference_that_is_there_is_found_and_one_that_is_not_is_left_open(ties: Comparison) -> None:
    """Where the first takes a trick of equal cards there are fewer draws; matches are as long as before."""
    draws, choices = place(ties, "draws"), place(ties, "length/choices")
    assert ties.pairs == ((0, 1),)
    assert ties.verdicts[0, draws] == REAL
    assert ties.differences_low[0, draws] > 0
    assert ties.verdicts[0, choices] == UNCLEAR
    assert ties.differences[0, choices] == 0


def test_differences_are_taken_match_by_match() -> None:
    """A variant against itself under another name: no match differs, so that the interval is far narrower."""
    found = compare(HIGH_CARD, variant={"again": {"options": {"tie": "nobody"}}}, matches=2000)
    seat = place(found, "wins/seat 1")
    assert found.differences[0, seat] == 0
    assert found.differences_high[0, seat] < (found.high - found.low)[0, seat] / 2


def test_the_sums_of_a_block_are_those_of_its_matches() -> None:
    study = Study(HIGH_CARD, tuple(variants(HIGH_CARD, {}, {"hand": [2, 3]}, [], {}, each=False)), ("random",), 2, 5)
    whole, parts = play_block(study, (10, 30)), [play_block(study, (10, 12)), play_block(study, (22, 18))]
    np.testing.assert_allclose(whole.sums, parts[0].sums + parts[1].sums)
    np.testing.assert_allclose(whole.products, parts[0].products + parts[1].products)
    assert parts[0].counts[1] + parts[1].counts[1] == whole.counts[1]
    lengths = [column.name for column in study.columns].index("length/choices")
    assert whole.sums[:, lengths].tolist() == [30 * 2 * 2, 30 * 3 * 2]
    assert whole.products[lengths, 0, 1] == 30 * 4 * 6


def test_the_number_of_workers_changes_nothing() -> None:
    alone, together = (
        compare("world-of-fighters", vary={"board": ["5x5", "7x5"]}, precision=0.1, workers=n) for n in (1, 2)
    )
    assert same(alone, together)


def test_blocks_follow_from_how_long_matches_are_and_from_nothing_else() -> None:
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


def test_a_bot_that_wins_more_is_found_in_each_variant() -> None:
    found = compare(HIGH_CARD, bots=["search:iterations=30", "random"], matches=60)
    assert [name for name, asked in zip(found.names, found.requested, strict=True) if asked][2:] == [
        "wins/bot search:iterations=30", "wins/bot random",
    ]  # fmt: skip


def test_measures_by_name_and_lengths_as_a_share_of_their_mean() -> None:
    found = compare("world-of-fighters", measures=["length/turns"], precision=0.05)
    turns = place(found, "length/turns")
    assert found.requested.tolist() == [name == "length/turns" for name in found.names]
    assert (found.high - found.low)[0, turns] / 2 <= 0.05 * found.means[0, turns]


def test_tables_hold_everything_that_was_found(ties: Comparison) -> None:
    tables = ties.tables
    assert list(tables) == ["measures", "figures", "items", "lengths", "differences"]
    table = tables["measures"]
    assert len(set(map(len, table.values()))) == 1
    row = list(zip(table["variant"], table["measure"], strict=True)).index(("tie first", "draws"))
    assert table["mean"][row] == ties.means[1, place(ties, "draws")]
    lengths = tables["lengths"]
    for variant in ("tie nobody", "tie first"):
        chosen = (lengths["variant"] == variant) & (lengths["unit"] == "choices")
        assert lengths["matches"][chosen].sum() == ties.matches


def test_items_are_told_of_each_variant(ties: Comparison) -> None:
    """Every match plays six cards, and the highest wins more than the lowest."""
    table = ties.tables["items"]
    first = table["variant"] == "tie first"
    assert table["plays"][first].sum() == 6 * ties.matches
    best, worst = (int(np.flatnonzero(first & (table["item"] == name))[0]) for name in ("10, number 20", "1, number 1"))
    assert table["wins_when_played_low"][best] > table["wins_when_played_high"][worst]
    assert table["lift_when_played"][best] > 0 > table["lift_when_played"][worst]


def test_what_thinking_ten_times_as_long_is_worth() -> None:
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


def test_frames_are_made_by_whichever_library_is_there(ties: Comparison, monkeypatch: pytest.MonkeyPatch) -> None:
    import sys
    from types import ModuleType

    polars = ModuleType("polars")
    polars.DataFrame = list  # type: ignore[attr-defined]
    monkeypatch.setitem(sys.modules, "pandas", None)
    monkeypatch.setitem(sys.modules, "polars", polars)
    assert ties.frame("measures") == list(ties.tables["measures"])
    monkeypatch.setitem(sys.modules, "polars", None)
    with pytest.raises(SparringError, match="pandas or polars"):
        ties.frame("measures")


def test_when_time_is_out_what_was_measured_is_kept() -> None:
    found = compare(HIGH_CARD, precision=0.0001, at_most="0.2s")
    assert says(found.unfinished, "time ran out", "precision", 0.0001)
    assert found.matches > 0
    assert not np.isnan(found.means).any()


@pytest.mark.parametrize("problem", [WorkersLost("The connection to the cluster was lost."), KeyboardInterrupt()])
def test_when_the_work_is_lost_or_stopped_what_was_measured_is_kept(
    problem: BaseException, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The first block goes out, another one, and then many together."""
    begin, asked = SerialExecutor.submit, count(1)

    def fail_later(self: SerialExecutor, work: Any, job: Any, task: Any) -> Any:
        if next(asked) > 2:
            raise problem
        return begin(self, work, job, task)

    monkeypatch.setattr(SerialExecutor, "submit", fail_later)
    found = compare(HIGH_CARD, matches=5000)
    assert found.unfinished == (str(problem) or "You stopped the run.")
    assert 0 < found.matches < 5000


def test_holm_corrects_for_how_many_were_compared() -> None:
    """The example of Holm's paper by hand: 0.01 of three, then 0.03 of two, then never less than before."""
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
def test_what_cannot_be_compared_is_told_before_anything_is_played(wrong: dict[str, Any], said: str) -> None:
    with pytest.raises(SparringError, match=said):
        compare(HIGH_CARD, **wrong)


def test_content_files_are_compared(tmp_path: Path) -> None:
    (tmp_path / "flat.toml").write_text(f"values = {[5] * 20}")
    (tmp_path / "usual.toml").write_text((HIGH_CARD.folder / "content.toml").read_text())
    found = compare(HIGH_CARD, content=[tmp_path / "flat.toml", tmp_path / "usual.toml"], matches=500)
    assert [variant.name for variant in found.variants] == ["flat", "usual"]
    assert found.means[0, place(found, "draws")] == 1
    assert found.means[1, place(found, "draws")] < 0.5
