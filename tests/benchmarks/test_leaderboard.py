"""The leaderboard page is up to date, and its results can be replayed."""

from pathlib import Path

import msgspec
import pytest

from benchmarks.leaderboard import PAGE, RESULTS, merged, page, results
from research.games_under_test import KUHN
from sparring import SparringError
from sparring.lab.benchmark import SUITES, exact_result
from sparring.lab.benchmark_check import replay
from sparring.lab.benchmark_results import BenchmarkResult, PairResult, digest, encoded, rate, write
from sparring.lab.executors import SerialExecutor

FOUND = results(RESULTS / "v1")
GAMES = [(file, game.game) for file, result in FOUND.items() for game in result.games]

#: Bots that take seconds for a match.
SLOW = {"search:level=master", "plain:iterations=1000"}


def test_the_page_is_up_to_date() -> None:
    assert page() == PAGE.read_text(encoding="utf-8"), "`python -m benchmarks.leaderboard` writes it."


def test_every_anchor_met_every_other_one_in_every_game() -> None:
    suite = SUITES["v1"]
    for name in suite.games:
        game = merged(FOUND, name)
        assert game is not None
        assert {one.bot for one in game.ratings} >= set(suite.anchors)
        assert len(game.pairs) >= 15


@pytest.mark.parametrize("file", FOUND)
def test_results_have_their_digest_and_canonical_bytes(file: str) -> None:
    assert digest(FOUND[file]) == FOUND[file].digest
    assert encoded(FOUND[file]) == (RESULTS / "v1" / file).read_bytes()


@pytest.mark.parametrize(
    ("file", "name"), [pytest.param(*each, id=each[0], marks=pytest.mark.compiled(each[1])) for each in GAMES]
)
def test_a_part_of_the_matches_replays(file: str, name: str) -> None:
    """One match of each pair without slow bots; `sparring benchmark --check` replays more."""
    result = FOUND[file]
    game = next(each for each in result.games if each.game == name)
    quick = [pair for pair in game.pairs if not SLOW & {*pair.bots}]
    part = msgspec.structs.replace(game, pairs=quick, ratings=rate(quick))
    assert replay(msgspec.structs.replace(result, games=[part]).sealed(), SerialExecutor(), share=0.001) == []


@pytest.mark.compiled("kuhn-poker")
def test_exploitability_is_computed_again() -> None:
    stored = [one for result in FOUND.values() for one in result.exact if one.game == KUHN.name]
    quick = [one for one in stored if one.bot in ("random", "search:level=gentle", "search:level=steady")]
    assert len(quick) == 3
    assert [exact_result(one.streams, (KUHN.setup(), one.bot)) for one in quick] == quick


def test_the_longest_matches_of_a_pair_count_and_other_rules_are_refused(tmp_path: Path) -> None:
    file, name = GAMES[0]
    game = next(each for each in FOUND[file].games if each.game == name)

    def other(**changes: object) -> BenchmarkResult:
        return msgspec.structs.replace(FOUND[file], games=[msgspec.structs.replace(game, **changes)])

    shorter, longer = (PairResult.of(game.pairs[0].bots, winners) for winners in ("1", "2" * 3000))
    for pair, kept in ((shorter, game.pairs[0]), (longer, longer)):
        write(other(pairs=[pair]), tmp_path / "b.json")
        write(FOUND[file], tmp_path / "a.json")
        both = merged(results(tmp_path), name)
        assert both is not None
        assert (both.pairs[0], len(both.pairs)) == (kept, len(game.pairs))
    write(other(fingerprint="0"), tmp_path / "b.json")
    with pytest.raises(SparringError, match="differ in the rules"):
        merged(results(tmp_path), name)
