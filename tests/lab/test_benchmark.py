"""The benchmark suite: fixed matches, results that resume and replay, and what a changed result gives away."""

from pathlib import Path
from typing import Any

import msgspec
import pytest

from research.games_under_test import KUHN
from sparring import BadBot, BadOption, SparringError, games
from sparring.cli import main
from sparring.lab.benchmark import SUITES, Suite, exact_result, run, suite_named
from sparring.lab.benchmark_check import replay
from sparring.lab.benchmark_results import BenchmarkResult, PairResult, encoded, limits_of, rate, read, write
from sparring.lab.executors import SerialExecutor
from wording import says

SMALL = Suite(
    "small", anchors=("random", "plain:iterations=4", "search:iterations=9"), games={"world-of-fighters": {}},
    exact=("kuhn-poker",), matches=6, seed=5, streams=2,
)  # fmt: skip

pytestmark = pytest.mark.compiled("world-of-fighters")


@pytest.fixture(autouse=True)
def small_suite(monkeypatch: pytest.MonkeyPatch) -> None:
    """Add a small suite, install Kuhn poker, and measure CPU times in a moment."""
    monkeypatch.setitem(SUITES, "small", SMALL)
    monkeypatch.setitem(games(), KUHN.name, KUHN)
    monkeypatch.setattr("sparring.lab.benchmark.CPU_SECONDS", 0.0)


def play(folder: Path, **wanted: Any) -> tuple[BenchmarkResult, dict[str, int]]:
    """Run the small suite, and return the result and how much was done in each step."""
    steps: dict[str, int] = {}

    def progress(step: str, more: int, total: int) -> None:
        steps[step] = steps.get(step, 0) + more
        assert steps[step] <= total

    return run(SMALL, SMALL.tournament(**wanted), [KUHN], folder, SerialExecutor(), progress), steps


def shared(result: BenchmarkResult) -> dict[tuple[str, str], str]:
    return {pair.bots: pair.winners for pair in result.games[0].pairs}


def test_a_run_resumes_and_gives_the_same_result(tmp_path: Path) -> None:
    whole, steps = play(tmp_path / "whole")
    assert steps == {"Matches": 18, "Exploitability": 3, "CPU time": 3}
    play(tmp_path / "parts", matches=2)
    resumed, steps = play(tmp_path / "parts")
    assert steps == {"Matches": 12, "CPU time": 3}
    assert resumed.digest == whole.digest
    assert [pair.matches for pair in whole.games[0].pairs] == [6, 6, 6]
    assert list(whole.games[0].milliseconds) == list(SMALL.anchors)
    assert min(whole.games[0].milliseconds.values()) > 0
    again, steps = play(tmp_path / "parts")
    assert (steps, again.digest) == ({"CPU time": 3}, whole.digest)


def test_a_bot_meets_the_anchors_in_the_same_matches_as_among_them(tmp_path: Path) -> None:
    anchors, _ = play(tmp_path, matches=4)
    measured, _ = play(tmp_path, bots=["search:iterations=7"], limits={"plain:iterations=4": 3})
    assert {bots: len(winners) for bots, winners in shared(measured).items()} == {
        ("random", "search:iterations=7"): 6,
        ("plain:iterations=4", "search:iterations=7"): 3,
        ("search:iterations=9", "search:iterations=7"): 6,
    }
    assert measured.bots == ["search:iterations=7"]
    assert [one.bot for one in measured.exact] == ["search:iterations=7"]
    assert (measured.limits, anchors.limits) == ({"plain:iterations=4": 3}, {})
    assert len({one.bot for one in rate([*anchors.games[0].pairs, *measured.games[0].pairs])}) == 4


def test_replayed_matches_have_the_same_winners(tmp_path: Path) -> None:
    result, _ = play(tmp_path)
    done = []
    assert replay(result, SerialExecutor(), share=0.3, progress=lambda *now: done.append(now)) == []
    assert done == [(2, 6), (2, 6), (2, 6)]
    assert replay(result, SerialExecutor(), share=1) == []


def changed(result: BenchmarkResult, **changes: Any) -> BenchmarkResult:
    """Change the first game, and seal the result again, as a forger would."""
    game = msgspec.structs.replace(result.games[0], **changes)
    return msgspec.structs.replace(result, games=[game]).sealed()


def test_a_changed_result_is_noticed(tmp_path: Path) -> None:
    result, _ = play(tmp_path)
    game = result.games[0]
    (first, *others), swapped = game.pairs, str.maketrans("12", "21")
    forged = [PairResult.of(first.bots, first.winners.translate(swapped)), *others]
    (problem,) = replay(changed(result, pairs=forged, ratings=rate(forged)), SerialExecutor(), share=1)
    assert says(problem, "world-of-fighters", *first.bots, "winners", first.matches)
    for changes, told in (
        ({"ratings": [msgspec.structs.replace(one, rating=1500) for one in game.ratings]}, "ratings"),
        ({"fingerprint": "0"}, "rules"),
        ({"model": "0"}, "model"),
        ({"options": {**game.options, "board": "5x5"}}, "options"),
    ):
        (problem,) = replay(changed(result, **changes), SerialExecutor())
        assert says(problem, "world-of-fighters", told)
    exact = [msgspec.structs.replace(result.exact[0], exploitability=0.0), *result.exact[1:]]
    (problem,) = replay(msgspec.structs.replace(result, exact=exact).sealed(), SerialExecutor(), share=1)
    assert says(problem, "kuhn-poker", "random", "0.458333")
    assert says(replay(msgspec.structs.replace(result, exact=exact), SerialExecutor()), "digest")
    assert says(replay(msgspec.structs.replace(result, seed=6).sealed(), SerialExecutor()), "seed", 6, 5)


def test_a_check_runs_no_commands_and_only_the_exact_games_of_the_suite(tmp_path: Path) -> None:
    result, _ = play(tmp_path / "run", matches=1)
    game, mark = result.games[0], tmp_path / "mark"
    pairs = [PairResult.of((f"pipe:touch {mark}", "random"), "1")]
    exact = [msgspec.structs.replace(result.exact[0], game="world-of-fighters")]
    forged = msgspec.structs.replace(changed(result, pairs=pairs, ratings=rate(pairs)), exact=exact).sealed()
    told = replay(forged, SerialExecutor(), share=1)
    assert any("command" in one and str(mark) in one for one in told)
    assert says(told, game.game, "exploitability")
    assert not mark.exists()


def test_a_check_replays_at_least_one_match_of_each_pair(tmp_path: Path) -> None:
    result, _ = play(tmp_path, matches=1)
    done = []
    assert replay(result, SerialExecutor(), share=0, progress=lambda *numbers: done.append(numbers)) == []
    assert done == [(1, 3)] * 3


def test_uniform_play_is_as_exploitable_as_computed_elsewhere() -> None:
    assert exact_result(1, (KUHN.setup(), "random")).exploitability == pytest.approx(0.4583333, abs=1e-6)


def test_draws_are_half_a_win() -> None:
    pair = PairResult.of(("a", "b"), "1203")
    assert (pair.matches, pair.share) == (4, 0.5)
    assert rate([pair])[0].rating == rate([pair])[1].rating == 1500


def test_a_file_has_canonical_bytes(tmp_path: Path) -> None:
    result, _ = play(tmp_path, matches=1)
    write(result, tmp_path / "x.json")
    assert read(tmp_path / "x.json") == result
    assert encoded(read(tmp_path / "x.json")) == (tmp_path / "x.json").read_bytes()
    for text, told in (("{}", "not a benchmark result"), (encoded(result).decode().replace(": 1,", ": 9,"), "format")):
        (tmp_path / "y.json").write_text(text)
        with pytest.raises(SparringError, match=told):
            read(tmp_path / "y.json")
    with pytest.raises(SparringError, match="Can't read"):
        read(tmp_path / "missing.json")
    pair = result.games[0].pairs[0]
    for winners in ("9", pair.winners + "1"):
        write(changed(result, pairs=[msgspec.structs.replace(pair, winners=winners)]), tmp_path / "y.json")
        with pytest.raises(SparringError, match="winners"):
            read(tmp_path / "y.json")


def test_wrong_wishes_are_refused(tmp_path: Path) -> None:
    suite = suite_named("v1")
    with pytest.raises(BadOption, match="v1"):
        suite_named("v0")
    with pytest.raises(BadBot, match="anchor"):
        suite.tournament(["random"])
    with pytest.raises(BadBot, match="no bot called"):
        suite.tournament(["unknown"])
    with pytest.raises(BadOption, match="not in the suite"):
        suite.tournament(games=["chess"])
    with pytest.raises(BadOption, match="doesn't play"):
        suite.tournament(limits={"mix": 3})
    for text in ("random", "random=0", "random=x"):
        with pytest.raises(SparringError, match="BOT=NUMBER"):
            limits_of([text])
    (tmp_path / "exact.json").write_text("[]")
    with pytest.raises(SparringError, match=r"exact\.json"):
        play(tmp_path, matches=1)


def test_the_command_runs_and_checks(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    def command(*words: str) -> tuple[object, str]:
        with pytest.raises(SystemExit) as done:
            main(["benchmark", *words])
        return done.value.code, capsys.readouterr().out

    folder = tmp_path / "here"
    code, told = command("--suite", "small", "--matches", "3", "--limit", "random=1", "--to", str(folder))
    assert code == 0
    assert says(told, "World of Fighters")
    assert says(told, "Kuhn Poker", "random", "0.458")
    assert [pair.matches for pair in read(folder / "result.json").games[0].pairs] == [1, 1, 3]
    assert command("--check", str(folder / "result.json")) == (0, "3 matches replayed; all winners agree.\n")
    forged = changed(read(folder / "result.json"), fingerprint="")
    write(forged, folder / "forged.json")
    code, told = command("--check", str(folder / "forged.json"))
    assert code == 1
    assert says(told, "rules")
