"""The report: prose, plots and tables in one self-contained file, its data, and its plan."""

import csv
import json
import re
from dataclasses import replace
from importlib.resources import files
from pathlib import Path

import numpy as np
import pytest
from jsonschema_rs import Draft202012Validator
from playwright.sync_api import Browser

from sparring import SparringError
from sparring.cli import main
from sparring.games.high_card import GAME as HIGH_CARD
from sparring.lab import Comparison, compare
from sparring.lab.report import write_report
from sparring.lab.report.figures import ReportFigures
from sparring.lab.report.files import findings, summary
from sparring.lab.report.plots import all_plots
from web.browser_helpers import assert_accessible
from wording import says

pytestmark = pytest.mark.compiled("world-of-fighters")


@pytest.fixture(scope="module")
def found() -> Comparison:
    return compare(HIGH_CARD, vary={"tie": ["nobody", "first"]}, matches=3000, seed=3)


@pytest.fixture(scope="module")
def report(found: Comparison, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Write a report and return its folder."""
    return write_report(found, tmp_path_factory.mktemp("report") / "of-ties").parent


def test_the_report_starts_with_a_summary(found: Comparison, report: Path) -> None:
    words = summary(found)
    assert says(words[1:2], "seat 1", "wins", "with tie nobody", "fair", "with tie first", "too much")
    assert says(words, "random", "2 variants", "High Card", "3,000 matches", "2 seats")
    difference = r"Wins of seat 1: [\d.]+ percentage points .* tie first .* tie nobody \([\d.]+ to [\d.]+\)"
    assert any(re.search(difference, sentence) for sentence in words)
    page = (report / "report.html").read_text()
    assert page.index(words[0]) < page.index("<svg") < page.index("<table")


def test_the_answer_to_what_was_asked_comes_first(found: Comparison) -> None:
    def told(asked: list[str] | None) -> list[str]:
        return findings(ReportFigures(replace(found, config=replace(found.config, ask=asked))))

    assert says(told(None)[0], "wins")
    for question, word in (("length", "Matches last"), ("fair", "wins")):
        assert says(told([question])[0], word)
        assert sorted(told([question])) == sorted(told(None))


def test_too_few_matches_come_with_the_number_that_would_tell(found: Comparison) -> None:
    """The estimate is checked by playing that many: then the answer is there."""
    few = compare(HIGH_CARD, bots=["random"], matches=60, seed=3)
    told = [each for each in summary(few) if says(each, "matches", "would tell", "speed")]
    assert says(summary(few)[1:2], "seat 1", "too few matches to tell")
    number = int(re.findall(r"--matches (\d+)", told[0])[0])
    assert 500 < number < 1500, "an ordinary interval of 3 points around 47% needs about 1,060 matches"
    enough = compare(HIGH_CARD, bots=["random"], matches=number, seed=3)
    assert not says(summary(enough)[1:2], "too few matches to tell")


def test_any_measure_may_be_requested(found: Comparison) -> None:
    """For a measure that is 0 in every match, no number of matches would tell a difference."""
    for name in found.names:
        requested = np.array([each == name for each in found.names])
        for precision in (None, 0.1):
            rule = replace(found.stopping_rule, precision=precision)
            told = summary(replace(found, requested=requested, stopping_rule=rule))
            assert told == [sentence.strip() for sentence in told]


def test_the_starter_and_the_seats_do_not_contradict_each_other() -> None:
    """Seat 1 was `fair` beside a first player who wins too often: the report says why both are true."""
    found = compare("make-your-moves", bots=["random"], matches=400, seed=1)
    told = findings(ReportFigures(found))
    assert says(told[0], "player who begins", "too much")
    assert says(told[1], "who begins changes", "seat 1")


def test_a_plot_of_endings_needs_more_than_one(found: Comparison) -> None:
    ends = [name for name in found.names if name.startswith("ends/") and found.means[:, found.names.index(name)].max()]
    assert ("endings" in {plot.key for plot in all_plots(ReportFigures(found))}) == (len(ends) > 1)


def test_the_page_is_self_contained(report: Path) -> None:
    page = (report / "report.html").read_text()
    assert "<script" not in page
    assert "<link" not in page
    assert set(re.findall(r'(?:src|href)="([^"#][^"]*)"', page)) == set()
    assert not re.search(r"url\((?!#)", page)
    ids = re.findall(r'\bid="([^"]+)"', page)
    assert len(ids) == len(set(ids))


def test_plots_use_the_colours_of_the_page(report: Path) -> None:
    plots = re.findall(r"<svg.*?</svg>", (report / "report.html").read_text(), re.DOTALL)
    assert len(plots) == 3 + 2  # wins, differences and lengths, and the items of each variant
    for plot in plots:
        assert set(re.findall(r"#[0-9a-f]{6}\b", plot)) <= {"#ffffff"}
        assert "<text" in plot


def test_results_are_written_as_json_with_a_schema(found: Comparison, report: Path) -> None:
    data = json.loads((report / "report.json").read_text())
    schema = json.loads((files("sparring.lab.report") / "schema.json").read_text())
    Draft202012Validator(schema).validate(data)
    assert data["matches"] == 3000
    assert data["words"] == summary(found)
    row = next(row for row in data["tables"]["measures"] if (row["variant"], row["measure"]) == ("tie first", "draws"))
    assert row["mean"] == pytest.approx(found.means[1, found.names.index("draws")])


def test_skill_has_a_plot_a_table_and_a_sentence(tmp_path: Path) -> None:
    found = compare(HIGH_CARD, bots=["search:iterations=2"], matches=20, skill=True)
    page = write_report(found, tmp_path).read_text()
    assert page.count("Luck or skill") == 5  # its plot (with a text alternative), its table, and both in the contents
    assert "search:iterations=20 wins " in page
    assert len(json.loads((tmp_path / "report.json").read_text())["tables"]["skill"]) == 1


def test_every_table_is_a_csv_file_too(found: Comparison, report: Path) -> None:
    for name, table in found.tables.items():
        with (report / f"{name}.csv").open(newline="") as file:
            rows = list(csv.reader(file))
        assert rows[0] == list(table)
        assert len(rows) - 1 == len(next(iter(table.values())))


def test_the_plan_in_the_report_reproduces_its_numbers(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Requested with a time limit and a content file, then run again from the folder of the report."""
    monkeypatch.chdir(tmp_path)
    own = Path(__file__).parents[3] / "src/sparring/games/world_of_fighters/content.toml"
    (tmp_path / "mine.toml").write_text(own.read_text().replace("punch = 3", "punch = 1"))
    (tmp_path / "lab.toml").write_text(
        'at-most = "60s"\nprecision = 0.08\ncontent = ["mine.toml"]\n[vary]\nboard = ["5x5", "7x5"]\n'
        '[variant."more kick"]\nfighters."Milton Brown".kick = 4\n'
    )
    for asked in (["world-of-fighters", "--plan", "lab.toml"], ["--plan", "lab-world-of-fighters/lab.toml"]):
        with pytest.raises(SystemExit) as ended:
            main(["lab", *asked])
        assert ended.value.code == 0
    first, again = (tmp_path / f"lab-world-of-fighters{number}" for number in ("", "-2"))
    for name in ("measures.csv", "differences.csv", "figures.csv", "items.csv", "lengths.csv", "mine.toml"):
        assert (first / name).read_text() == (again / name).read_text()
    assert "more kick" in (first / "measures.csv").read_text()


def run(*words: str) -> int:
    with pytest.raises(SystemExit) as ended:
        main(["lab", *words])
    return int(ended.value.code or 0)


def test_the_command_prints_results_and_the_path_of_the_report(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    shown: list[str] = []
    monkeypatch.setattr("typer.launch", shown.append)
    assert (
        run("world-of-fighters", "--vary", "board=5x5,7x5", "--matches", "300", "--to", f"{tmp_path}/x", "--open") == 0
    )
    told = capsys.readouterr().out
    assert says(told.splitlines()[1:2], "seat 1", "wins", "with board 5x5", "with board 7x5")
    assert says(told, "random", "2 variants", "World of Fighters", "300 matches each", "2 seats")
    assert f"Report: {tmp_path}/x/report.html" in told
    assert shown == [(tmp_path / "x/report.html").as_uri()]
    assert run("world-of-fighters", "--matches", "300", "--to", f"{tmp_path}/x", "--json") == 0
    assert json.loads(capsys.readouterr().out)["matches"] == 300


def test_a_missed_precision_is_reported_and_results_are_kept(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run("world-of-fighters", "--precision", "0.0001", "--at-most", "0.1s", "--to", f"{tmp_path}/x") == 2
    told = capsys.readouterr().err
    assert says(told, "time ran out", "precision", 0.0001)
    assert told.count("\n") == 1
    assert "wins/seat 1" in (tmp_path / "x/measures.csv").read_text()


@pytest.mark.parametrize(
    ("asked", "said"),
    [
        ([], "The game is missing; name one"), (["chess"], "There is no game called chess"),
        (["mace", "--vary", "x"], "Write values to try as option=value,value, not x."),
        (["mace", "--vary", "x=1"], "has no option x"), (["mace", "--plan", "no.toml"], "Can't read no.toml"),
        (["mace", "--to", "/dev/null/x"], "write a report to /dev/null/x"),
        (["mace", "--precision", "7"], "less than 0.5, not 7"),
        (["mace", "--at-most", "soon"], "90s, 10m or 2h, not soon"),
        (["mace", "--measure", "beauty"], 'Unknown measure "beauty"'),
        (["mace", "--cluster", "tcp://127.0.0.1:9"], "No cluster answers at tcp://127.0.0.1:9"),
    ],
)  # fmt: skip
def test_invalid_input_gets_one_sentence(
    asked: list[str], said: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr("sparring.lab.executors.CONNECT_TIMEOUT", 0.5)
    assert run(*asked) == 2
    told = capsys.readouterr().err
    assert said in told
    assert told.count("\n") == 1


def test_a_failure_to_write_the_report_is_reported(found: Comparison, tmp_path: Path) -> None:
    (tmp_path / "report.json").mkdir()
    with pytest.raises(SparringError, match="write the report to"):
        write_report(found, tmp_path)


@pytest.mark.browser
@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_the_page_is_accessible(scheme: str, report: Path, browser: Browser) -> None:
    context = browser.new_context(color_scheme=scheme, viewport={"width": 390, "height": 844})  # type: ignore[arg-type]
    page = context.new_page()
    page.goto((report / "report.html").as_uri())
    assert_accessible(page)
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
    context.close()
