"""Recorded decisions: what the files hold, that they are reproducible, and what the reader refuses."""

from pathlib import Path

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from research.games_under_test import LEDUC
from sparring import Match, SparringError
from sparring.cli import main
from sparring.engine.features import relative_rule
from sparring.engine.game import Game, games
from sparring.lab.match_data import MATCHES_PER_GROUP, record_matches
from sparring.lab.measures.match_plan import MatchPlan, line_up
from sparring.research import data

MAKE_YOUR_MOVES = games()["make-your-moves"]


def plan(game: Game, *bots: str, seed: int = 5) -> MatchPlan:
    return MatchPlan(game, game.setup().options, None, line_up(game, bots, None), seed)


def check(decisions: data.Decisions, matches: list[dict[str, object]]) -> None:
    """Replay the records, and compare every decision with the match."""
    row = 0
    for played in matches:
        match = Match.new(str(decisions.description["game"]), seed=played["seed"], seats=2)  # type: ignore[arg-type]
        record = Match.from_record(str(played["record"]))
        for ply, action in enumerate(record.history):
            view = match.view(match.seat or 0)
            to_frame = relative_rule(match.game)
            legal = [a for a in view.legal if a not in match.game.conceding]
            turned = sorted(int(to_frame(match.setup.params, view.state, view.seat - 1, a)) for a in legal)
            assert (decisions.match[row], decisions.ply[row]) == (played["match"], ply)
            assert (decisions.seat[row], decisions.phase[row]) == (view.seat, view.state.phase)
            assert (decisions.observation[row] == view.observation()).all()
            assert np.flatnonzero(decisions.mask[row]).tolist() == turned
            assert decisions.action[row] == to_frame(match.setup.params, view.state, view.seat - 1, action)
            assert decisions.payoff[row] == played["payoffs"][view.seat - 1]  # type: ignore[index]
            assert decisions.bot[row] == played["bots"][view.seat - 1]  # type: ignore[index]
            match.choose(action)
            row += 1
        assert (match.ending, len(match.history)) == (played["ending"], played["length"])
    assert row == len(decisions)


@pytest.mark.compiled("make-your-moves")
def test_every_decision_is_that_of_the_record(tmp_path: Path) -> None:
    file = tmp_path / "x.parquet"
    count = record_matches(plan(MAKE_YOUR_MOVES, "random", "plain:iterations=30"), 3, file)
    decisions = data.read(file)
    assert len(decisions) == count
    check(decisions, data.read_matches(file))
    searched = decisions.shares.sum(axis=1) > 0
    assert decisions.shares[searched].sum(axis=1) == pytest.approx(1)
    assert not decisions.shares[~decisions.mask].any()
    assert set(decisions.bot[searched]) == {"plain:iterations=30"}
    assert (np.isnan(decisions.value) == ~searched).all()
    assert (np.abs(decisions.value[searched]) <= 1).all()
    assert set(np.bincount(decisions.match, decisions.bot == "random") > 0) == {True}  # bots change seats
    taken = decisions.shares[np.arange(count), decisions.action]
    assert (taken[searched] == decisions.shares.max(axis=1)[searched]).all()
    description = decisions.description
    assert description["layout"][0]["name"] == MAKE_YOUR_MOVES.rules.LAYOUT[0].name  # type: ignore[attr-defined]
    assert description["bots"] == ["random", "plain:iterations=30"]


@pytest.mark.compiled("leduc-poker")
def test_a_mixed_strategy_is_recorded_with_its_value_in_chips(tmp_path: Path) -> None:
    file = tmp_path / "x.parquet"
    record_matches(plan(LEDUC, "mix:iterations=60", "random"), 4, file)
    decisions = data.read(file)
    mixed = decisions.bot == "mix:iterations=60"
    assert decisions.shares[mixed].sum(axis=1) == pytest.approx(1)
    assert (np.abs(decisions.value[mixed & ~np.isnan(decisions.value)]) <= 13).all()
    assert np.isnan(decisions.value[~mixed]).all()


@pytest.mark.server
def test_the_same_command_gives_the_same_bytes(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    names = ("make-your-moves", "--bots", "random", "--matches", str(2 * MATCHES_PER_GROUP + 1), "--seed", "3")
    for folder, workers in (("a", "1"), ("b", "2")):
        (tmp_path / folder).mkdir()
        for shards in ("1", "2"):
            to = ("--workers", workers, "--shards", shards, "--to", str(tmp_path / folder / "x.parquet"))
            with pytest.raises(SystemExit) as done:
                main(["data", *names, *to])
            assert done.value.code == 0
    assert "decisions of 33 matches are in" in capsys.readouterr().out
    files = sorted(path.name for path in (tmp_path / "a").iterdir())
    assert len(files) == 6
    for name in files:
        assert (tmp_path / "a" / name).read_bytes() == (tmp_path / "b" / name).read_bytes()
    assert pq.ParquetFile(tmp_path / "a" / "x.parquet").num_row_groups == 3


def test_shards_are_read_as_one_file(tmp_path: Path) -> None:
    whole, parts, matches = tmp_path / "whole.parquet", tmp_path / "parts.parquet", 2 * MATCHES_PER_GROUP + 3
    assert record_matches(plan(LEDUC, "random"), matches, whole) == record_matches(
        plan(LEDUC, "random"), matches, parts, shards=3
    )
    names = sorted(path.name for path in tmp_path.glob("parts*"))
    assert names == [f"parts-{n}-of-3{kind}.parquet" for n in (1, 2, 3) for kind in (".matches", "")]
    one, many = data.read(whole), data.read(parts)
    for field in ("match", "ply", "seat", "observation", "mask", "action", "payoff"):
        assert (getattr(one, field) == getattr(many, field)).all()
    assert data.read_matches(parts) == data.read_matches(whole)
    assert set(data.read(tmp_path / "parts-2-of-3.parquet").match) == set(range(11, 23))

    last = tmp_path / "parts-3-of-3.parquet"
    content = last.read_bytes()
    last.unlink()
    with pytest.raises(SparringError, match=r"missing.* parts-3-of-3\.parquet"):
        data.read(parts)
    record_matches(plan(LEDUC, "random", seed=6), matches, tmp_path / "other.parquet", shards=3)
    last.write_bytes((tmp_path / "other-3-of-3.parquet").read_bytes())
    with pytest.raises(SparringError, match="different runs"):
        data.read(parts)
    last.write_bytes(content)
    (tmp_path / "parts-1-of-2.parquet").write_bytes(content)
    with pytest.raises(SparringError, match="several runs"):
        data.read(parts)
    with pytest.raises(SparringError, match="shards must be 1 to 2"):
        record_matches(plan(LEDUC, "random"), 2, parts, shards=3)


def test_other_files_are_refused(tmp_path: Path) -> None:
    file = tmp_path / "other.parquet"
    with pytest.raises(SparringError, match=r"Can't read .*other\.parquet"):
        data.read(file)
    pq.write_table(pa.table({"a": [1]}), file)
    with pytest.raises(SparringError, match=r"other\.parquet isn't a file of decisions"):
        data.read(file)
    with pytest.raises(SparringError, match="Can't write"):
        record_matches(plan(LEDUC, "random"), 1, tmp_path / "missing" / "x.parquet")
