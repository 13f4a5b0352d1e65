"""Fixed-sample intervals and tests: against SciPy, by simulation, and where the report uses them."""

import json
import re
from pathlib import Path

import numpy as np
import pytest

from sparring.cli import main
from sparring.games.high_card import GAME as HIGH_CARD
from sparring.lab import Comparison, compare
from sparring.lab.experiments.stopping import REAL, mean_interval, paired_t_test
from sparring.lab.measures import MatchColumn
from sparring.lab.report.figures import ReportFigures
from sparring.lab.report.files import say, summary
from wording import says

pytestmark = pytest.mark.compiled

LENGTH = MatchColumn("length/choices", high=3700.0)
DRAWS = MatchColumn("draws", high=1.0)
STUDIES = 2000


@pytest.mark.parametrize("n", [5, 20, 400])
def test_intervals_of_lengths_match_the_paired_t_test(n: int) -> None:
    from scipy.stats import ttest_rel  # imported here because collecting all tests would load it

    random = np.random.default_rng(n)
    one, other = random.geometric(0.06, (2, n))
    apart = one - other
    low, high, p = paired_t_test(LENGTH, n, float(apart.sum()), float((apart**2).sum()))
    expected = ttest_rel(one, other)
    ends = expected.confidence_interval()
    assert (low, high) == pytest.approx((ends.low, ends.high), rel=0.01)
    assert p == pytest.approx(max(expected.pvalue, 0.5 ** (n - 1)), abs=0.002)


def test_intervals_cover_the_truth_in_19_of_20_studies() -> None:
    """Lengths as skewed as those of matches; three standard errors of the simulation are 1.5 percent."""
    random = np.random.default_rng(11)
    lengths = 2 + random.geometric(0.06, (STUDIES, 200))
    longer = lengths + random.geometric(0.2, (STUDIES, 200))
    ends = [mean_interval(LENGTH, 200, float(one.sum()), float((one**2).sum())) for one in lengths]
    tests = [
        paired_t_test(LENGTH, 200, float(one.sum()), float((one**2).sum())) for one in lengths - longer
    ]  # fmt: skip
    means = np.mean([low <= 2 + 1 / 0.06 <= high for low, high in ends])
    differences = np.mean([low <= -5 <= high for low, high, _ in tests])
    assert 0.935 <= means <= 0.965
    assert 0.935 <= differences <= 0.965


@pytest.mark.parametrize("chance", [0.5, 0.05])
@pytest.mark.parametrize("n", [3, 10, 100])
def test_false_positives_are_at_most_5_percent(n: int, chance: float) -> None:
    random = np.random.default_rng(12)
    shares = random.binomial(1, chance, (2, STUDIES, n))
    apart = shares[0] - shares[1]
    p = np.array([paired_t_test(DRAWS, n, float(one.sum()), float((one**2).sum()))[2] for one in apart])
    assert (p <= 0.05).mean() <= 0.065
    lengths = random.geometric(0.06, (2, STUDIES, n))
    apart = lengths[0] - lengths[1]
    p = np.array([paired_t_test(LENGTH, n, float(one.sum()), float((one**2).sum()))[2] for one in apart])
    assert (p <= 0.05).mean() <= 0.065


def test_a_few_equal_results_prove_nothing() -> None:
    for column in (DRAWS, LENGTH):
        assert paired_t_test(column, 1, 1.0, 1.0)[2] == 1
        assert paired_t_test(column, 4, 4.0, 4.0)[2] >= 0.125
    assert paired_t_test(LENGTH, 400, 0.0, 0.0) == (0, 0, 1)
    low, high, _ = paired_t_test(DRAWS, 400, 0.0, 0.0)
    assert low < 0 < high


@pytest.fixture(scope="module")
def life_comparison() -> Comparison:
    """Compare Five Circles with little and much life."""
    return compare("five-circles", vary={"life": [3, 10]}, matches=300, seed=1)


def test_lengths_are_compared_if_the_number_of_matches_was_fixed(life_comparison: Comparison) -> None:
    c = life_comparison.names.index("length/choices")
    assert life_comparison.fixed_in_advance
    assert life_comparison.valid is life_comparison.fixed
    assert (life_comparison.verdicts[0, c], life_comparison.fixed.verdicts[0, c]) == (REAL, REAL)
    low, high = life_comparison.fixed.differences_low[0, c], life_comparison.fixed.differences_high[0, c]
    assert -20 < low < life_comparison.differences[0, c] < high < -10
    words = " ".join(summary(life_comparison))
    assert re.search(r"Match length in actions: 1\d\.\d+ more with life 10 than with life 3 \(", words), words
    assert says(words, "ordinary 95% interval", "300", "fixed")
    lines = "\n".join(say(ReportFigures(life_comparison), "side_by_side"))
    assert "Match length in actions, life 3 minus life 10: -1" in lines
    assert "95% interval, fixed number of matches: -1" in lines
    assert "95% interval, valid at any time: -" in lines


def test_a_run_stopped_by_its_results_uses_confidence_sequences() -> None:
    found = compare(HIGH_CARD, vary={"tie": ["nobody", "first"]}, precision=0.05, matches=100_000, seed=3)
    assert found.matches < 100_000
    assert not found.fixed_in_advance
    assert found.valid.low is found.low
    assert says(summary(found), "95% confidence sequence")
    assert found.fixed.high[0, 0] - found.fixed.low[0, 0] < found.high[0, 0] - found.low[0, 0]


def test_the_report_has_both_kinds_of_interval(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as ended:
        main(["lab", "five-circles", "--vary", "life=3,10", "--matches", "300", "--to", str(tmp_path)])
    assert ended.value.code == 0
    told = capsys.readouterr().out
    assert "95% interval, fixed number of matches: -1" in told
    assert "95% interval, valid at any time: -" in told
    data = json.loads((tmp_path / "report.json").read_text("utf-8"))
    assert data["fixed_in_advance"] is True
    row = next(row for row in data["tables"]["differences"] if row["measure"] == "length/choices")
    assert row["low"] < row["fixed_low"] < row["difference"] < row["fixed_high"] < row["high"] < 0
    assert (row["verdict"], row["fixed_verdict"]) == (REAL, REAL)
    page = (tmp_path / "report.html").read_text("utf-8")
    assert "valid at any time" in page[page.index('id="differences"') :]
    assert "fixed number of matches" in page[page.index('id="differences"') :]
