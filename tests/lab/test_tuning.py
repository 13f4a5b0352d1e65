"""Tuning: values that reach the objectives are found, bad candidates are stopped, and results are measured again."""

import json
from pathlib import Path
from typing import Any

import pytest

from sparring import SparringError
from sparring.cli import main
from sparring.games.high_card import GAME as HIGH_CARD
from sparring.lab.executors import SerialExecutor
from sparring.lab.measures import MatchCounts
from sparring.lab.objectives import read_objectives
from sparring.lab.report.files import write_tuning
from sparring.lab.tuning import FINAL_SEED_OFFSET, Tuning, TuningResult, read_tuning, tune
from wording import says

pytestmark = pytest.mark.compiled("world-of-fighters")

#: A match of High Card has two choices for each card of a hand: the objectives need four cards, and the share of
#: draws with `tie=first`.
FOUR = """
candidates = 20
matches = 600
aims = ["length 7..9 choices", { aim = "draws within 0.3..0.5", weight = 2 }]
[ranges]
options.hand = [1, 5]
options.tie = ["nobody", "first"]
"""


def tuning(folder: Path, text: str = FOUR) -> Tuning:
    (folder / "tune.toml").write_text(text)
    return read_tuning(folder / "tune.toml", "high-card")


@pytest.fixture(scope="module")
def found(tmp_path_factory: pytest.TempPathFactory) -> TuningResult:
    folder = tmp_path_factory.mktemp("tuned")
    return tune(tuning(folder), HIGH_CARD, folder, SerialExecutor())


def test_values_that_reach_the_objectives_are_found(found: TuningResult) -> None:
    assert found.tried[0].values == (4, "first")
    assert found.final.variants[1].changes == ("hand 4", "tie first")
    assert all(aim.is_met(those) for aim, those in zip(found.tuning.objectives, found.readings[1], strict=True))
    assert found.costs[1] < found.costs[0]


def test_clearly_worse_candidates_are_stopped_early(found: TuningResult) -> None:
    assert {one.matches for one in found.tried if one.stopped} <= set(range(60, 600))
    assert any(one.stopped for one in found.tried if one.values[0] in {1, 2})
    assert not found.tried[0].stopped


def test_results_are_measured_on_fresh_matches(found: TuningResult) -> None:
    assert found.final.study.seed == FINAL_SEED_OFFSET
    assert found.final.matches == 1200
    assert [variant.name for variant in found.final.variants][:2] == ["unchanged game", "candidate 1"]


def test_an_interrupted_tuning_resumes_with_the_same_candidates(found: TuningResult, tmp_path: Path) -> None:
    class Enough(Exception):
        pass

    def stop(done: int, best: float) -> None:
        if done == 7:
            raise Enough

    with pytest.raises(Enough):
        tune(tuning(tmp_path), HIGH_CARD, tmp_path, SerialExecutor(), stop)
    heard: list[int] = []
    again = tune(tuning(tmp_path), HIGH_CARD, tmp_path, SerialExecutor(), lambda done, best: heard.append(done))
    assert heard[0] == 7
    assert again.tried == found.tried
    assert again.costs == found.costs


def test_a_folder_of_another_tuning_is_refused(tmp_path: Path) -> None:
    short = FOUR.replace("20", "1").replace("600", "50")
    tune(tuning(tmp_path, short), HIGH_CARD, tmp_path, SerialExecutor())
    with pytest.raises(SparringError, match="belongs to another tuning"):
        tune(tuning(tmp_path, short.replace("7..9", "5..7")), HIGH_CARD, tmp_path, SerialExecutor())


def test_invalid_candidates_are_skipped(tmp_path: Path) -> None:
    """A reach that doesn't exist."""
    text = """
candidates = 8
matches = 50
aims = ["seats within 0.4..0.6"]
[ranges]
fighters."Milton Brown".reach = ["close", "short", "long"]
"""
    from sparring import games

    (tmp_path / "tune.toml").write_text(text)
    fighters = games()["world-of-fighters"]
    found = tune(read_tuning(tmp_path / "tune.toml", None), fighters, tmp_path, SerialExecutor())
    assert found.rejected > 0
    assert {one.values for one in found.tried} <= {("close",), ("long",)}
    only = text.replace('"close", "short", "long"', '"short", "wide"')
    (tmp_path / "none.toml").write_text(only)
    (tmp_path / "none").mkdir()
    with pytest.raises(SparringError, match=r"rejected every candidate; .* reach"):
        tune(read_tuning(tmp_path / "none.toml", None), fighters, tmp_path / "none", SerialExecutor())


def test_the_report_has_results_and_all_candidates(found: TuningResult, tmp_path: Path) -> None:
    page = write_tuning(found, tmp_path).read_text()
    assert says(page, "candidate 1", "closest to the objectives", "hand 4 and tie first", "options")
    assert says(page, "length 7..9 choices", "met", "8 ± 0", "unchanged game", "6 ± 0")
    data = json.loads((tmp_path / "tuning.json").read_text())
    assert data["form"] == "sparring-tuning-1"
    assert len(data["candidates"]) == len(found.tried)
    assert data["anew"][1]["aims"][0]["met"] is True
    assert (tmp_path / "tune.toml").read_text() == FOUR


#: Points of Ingrid Solberg that may move; in the default content she has 1, 1, 3 and 2.
POINTS = """
candidates = 12
matches = 40
aims = ["seats within 0.4..0.6"]
[ranges]
fighters."Ingrid Solberg" = { punch = [0, 3], kick = [0, 2], grapple = [2, 4], block = [0, 2], sum = 7 }
"""


def test_points_move_between_stats_with_a_constant_sum(tmp_path: Path) -> None:
    from sparring import games

    (tmp_path / "tune.toml").write_text(POINTS)
    found = tune(read_tuning(tmp_path / "tune.toml", None), games()["world-of-fighters"], tmp_path, SerialExecutor())
    values = [one.values for one in found.tried]
    assert len(set(values)) == 12
    assert all(sum(one) == 7 for one in values)
    bounds = ((0, 3), (0, 2), (2, 4), (0, 2))
    assert all(low <= stat <= high for one in values for stat, (low, high) in zip(one, bounds, strict=True))


def test_the_first_candidate_is_the_unchanged_game(found: TuningResult, tmp_path: Path) -> None:
    """If it is within the ranges; it isn't measured twice among the best."""
    from sparring import games

    game = games()["world-of-fighters"]
    (tmp_path / "tune.toml").write_text(POINTS)
    tuning_of_her = read_tuning(tmp_path / "tune.toml", None)
    assert tuning_of_her.unchanged_values(game) == (1, 1, 3, 2)
    (tmp_path / "other.toml").write_text(POINTS.replace("block = [0, 2], sum = 7", "block = [0, 2], sum = 8"))
    assert read_tuning(tmp_path / "other.toml", None).unchanged_values(game) is None
    usual = found.tuning.unchanged_values(HIGH_CARD)
    assert usual in {one.values for one in found.tried}
    assert usual not in found.values


def test_random_phases_pick_every_fighter_equally_often(tmp_path: Path) -> None:
    """A search always picks its favourite; random picks show all eight about equally often."""
    from sparring.lab import compare

    some = compare("world-of-fighters", bots=["search:iterations=2"], matches=160, by_lot=["pick"])
    table = some.tables["items"]
    drawn = [share for share, sort in zip(table["drawn"], table["sort"], strict=True) if sort == "fighter"]
    assert min(drawn) > 0.5 / 8
    assert max(drawn) < 1.6 / 8
    with pytest.raises(SparringError, match='World of Fighters has no phase "lunch"'):
        compare("world-of-fighters", matches=1, by_lot=["lunch"])


def test_the_cost_of_an_objective_is_the_distance_from_its_range() -> None:
    from sparring.lab.objectives import ObjectiveValue

    (aim,) = read_objectives([{"aim": "seats within 0.4..0.6", "weight": 3}], "x")
    assert (aim.measure, aim.low, aim.high, aim.every) == ("wins/seat", 0.4, 0.6, False)
    middle, edge, outside = ([ObjectiveValue("a", value, 0.05)] for value in (0.5, 0.6, 0.8))
    assert aim.cost(middle) == 0
    assert 0 < aim.cost(edge) < 0.01
    assert aim.cost(outside) == pytest.approx(3 * (1 + 0.01 * 2.25))
    assert aim.cost(outside, leniency=1.0) < aim.cost(outside)
    assert aim.cost([*middle, *outside]) < aim.cost(outside)


def test_an_item_objective_uses_the_wins_of_seats_that_had_it() -> None:
    from sparring import games
    from sparring.lab.measures import measure
    from sparring.lab.measures.match_plan import MatchPlan, line_up

    game = games()["world-of-fighters"]
    plan = MatchPlan(game, game.setup().options, None, line_up(game, ["random"], 2), 0)
    counts: MatchCounts = measure(plan, 0, 500).counts
    (aim,) = read_objectives(["every fighter within 0.45..0.55"], "x")
    readings = {one.name: one.value for one in aim.figures(plan, counts)}
    assert readings.keys() == {fighter.name for fighter in game.content.fighters}
    assert all(0.2 < value < 0.8 for value in readings.values())
    (one,) = read_objectives(["Milton Brown within 0.45..0.55"], "x")
    assert [(each.name, each.value) for each in one.figures(plan, counts)] == [
        ("Milton Brown", readings["Milton Brown"])
    ]
    (aim,) = read_objectives(["every unicorn within 0.45..0.55"], "x")
    with pytest.raises(SparringError, match=r'unknown measure "unicorn"; .* fighter'):
        aim.figures(plan, counts)


@pytest.mark.parametrize(
    ("old", "new", "said"),
    [
        ("7..9", "9..7", "the smaller number first"),
        ("length 7..9 choices", "be fun", "the aim be fun; .* seats within"),
        ("weight = 2", "weight = 0", "weight must be a number greater than 0"),
        ("weight", "wait", "an aim must be text, or a table"),
        ("[1, 5]", "[5, 1]", "options hand: put the smaller number first"),
        ("hand = [1, 5]", "hand = [1, 5]\noptions.sum = 9", "options: sum needs ranges of whole numbers"),
        ("hand = [1, 5]\noptions.tie = [\"nobody\", \"first\"]", "hand = [1, 5]\noptions.sum = 9",
         "sum must be 1 to 5"),
        ("[1, 5]", "3", r"options hand must be a range such as \[0, 4\]"),
        ("candidates = 20", "candidates = 0", "candidates must be a whole number"),
        ("candidates = 20", "candidate = 20", 'unknown field "candidate"; .* game, bots'),
        ("candidates = 20", 'by-lot = ["lunch"]', 'High Card has no phase "lunch"'),
        ("candidates = 20", "bots = 3", "bots must be a list"), ("[ranges]", "[range]", 'unknown field "range"'),
        ("hand", "hands", "High Card has no option hands"),
        ("options.hand", 'cards."Ace".power', 'unknown name "cards"'),
        ("draws within", "beauty within", 'unknown measure "beauty"; .* seats, starter'),
    ],
)  # fmt: skip
def test_an_invalid_tuning_gets_one_sentence(old: str, new: str, said: str, tmp_path: Path) -> None:
    assert old in FOUR
    with pytest.raises(SparringError, match=said) as told:
        tune(tuning(tmp_path, FOUR.replace(old, new).replace("600", "20")), HIGH_CARD, tmp_path, SerialExecutor())
    assert "\n" not in str(told.value)


@pytest.mark.parametrize("file", sorted((Path(__file__).parents[2] / "examples" / "balance").glob("*.toml")), ids=str)
def test_published_balance_studies_can_be_rerun(file: Path) -> None:
    """The files of docs/balance.md: their ranges give candidates, their changes variants."""
    from sparring import games
    from sparring.lab.experiments.config import read_config
    from sparring.lab.experiments.runner import study_of

    if "[ranges" not in file.read_text():
        config = read_config(file)
        assert len(study_of(config, games()[config.game or ""]).variants) > 1
        return
    asked = read_tuning(file, None)
    game = games()[asked.config.game or ""]
    usual = asked.unchanged_values(game)
    assert usual is not None
    assert asked.study(game, usual).seats == 2


def run(*words: Any) -> int:
    with pytest.raises(SystemExit) as ended:
        main(["lab", *map(str, words)])
    return int(ended.value.code or 0)


def test_the_command_tunes(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    monkeypatch.chdir(tmp_path)
    Path("small.toml").write_text(
        'candidates = 3\nmatches = 200\naims = ["length 50..60 choices"]\n'
        '[ranges]\noptions.board = ["5x5", "7x7", "7x5"]'
    )
    assert run("world-of-fighters", "--tune", "small.toml") == 0
    told = capsys.readouterr().out
    assert says(told, "candidate 1", "closest to the objectives", "board 5x5")
    assert "Report: small/report.html" in told
    assert run("world-of-fighters", "--tune", "small.toml", "--json") == 0
    assert json.loads(capsys.readouterr().out) == json.loads(Path("small/tuning.json").read_text())
    for wrong, said in (
        (("--tune", "small.toml"), "The game is missing"), (("mace", "--tune", "no.toml"), "Can't read no.toml"),
        (("mace", "--tune", "small.toml", "--matches", 3), "reads all settings from its file"),
        (("world-of-fighters", "--tune", "small.toml", "--to", "/dev/null/x"), "Can't write a report"),
    ):  # fmt: skip
        assert run(*wrong) == 2
        assert said in capsys.readouterr().err
