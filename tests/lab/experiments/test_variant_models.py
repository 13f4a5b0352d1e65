"""Value models in the lab: variants without one are named, and models are trained on request."""

import inspect
import json
from importlib import import_module
from pathlib import Path

import pytest

from bots.random_value_models import random_model, save_model
from sparring import Match, bots
from sparring.bots import value_models
from sparring.bots.value_models import has_own_model
from sparring.cli import main
from sparring.cli.training import train as train_command
from sparring.engine.errors import BadOption
from sparring.games.high_card import GAME as HIGH_CARD
from sparring.lab import compare
from sparring.lab.executors import SerialExecutor
from sparring.lab.experiments.config import ExperimentConfig, as_toml, read_config
from sparring.lab.experiments.runner import study_of
from sparring.lab.experiments.study import Study, first_block, later_blocks, train_missing
from sparring.lab.experiments.variants import variants
from sparring.lab.report.files import summary
from sparring.lab.tournament import Tournament, TournamentEvent
from sparring.lab.training import ITERATIONS, MATCHES
from wording import says

pytestmark = [pytest.mark.usefixtures("own_value_models"), pytest.mark.compiled("world-of-fighters")]

HANDS = {"hand": [3, 5]}
BOTS = ["search:iterations=5", "random"]


@pytest.fixture
def quick_training(monkeypatch: pytest.MonkeyPatch) -> None:
    """Train on a handful of matches."""
    monkeypatch.setattr("sparring.lab.experiments.study.MATCHES", 40)
    monkeypatch.setattr("sparring.lab.experiments.study.ITERATIONS", 5)


def test_variants_without_a_value_model_are_named() -> None:
    played = compare(HIGH_CARD, vary=HANDS, bots=BOTS, matches=4)
    assert not played.variants_without_value_model, "a game without value models is played without one"
    save_model(Match.new(HIGH_CARD, seats=2, seed=1), random_model(HIGH_CARD))
    played = compare(HIGH_CARD, vary=HANDS, bots=BOTS, matches=4)
    assert played.variants_without_value_model == ["hand 5"]
    assert says(summary(played), "no value model", "hand 5", "search:iterations=5")
    assert says(summary(played), "--learn")
    alone = compare(HIGH_CARD, options={"hand": 5}, bots=BOTS, matches=4)
    assert says(summary(alone), "no value model", "search:iterations=5")
    assert not says(summary(alone), "--learn")
    assert not compare(
        HIGH_CARD, vary=HANDS, bots=["plain:iterations=5", "random"], matches=4
    ).variants_without_value_model


@pytest.mark.usefixtures("quick_training")
def test_models_of_all_variants_are_trained_on_request() -> None:
    save_model(Match.new(HIGH_CARD, seats=2, seed=1), random_model(HIGH_CARD, exploration=0.25))
    usual, other = HIGH_CARD.setup(), HIGH_CARD.setup({"hand": 5})
    before = value_models.find_model(usual, 2)
    played = compare(HIGH_CARD, vary=HANDS, bots=BOTS, matches=4, learn=True)
    after = value_models.find_model(usual, 2)
    assert before is not None
    assert after is not None
    assert after.linear.tolist() == before.linear.tolist(), "a fitting model is not trained again"
    assert has_own_model(other, 2)
    assert not played.variants_without_value_model
    assert "learn = true" in as_toml(played.config)
    assert bots.parse("search").title_at(other, 2) == "Strong bot"


@pytest.mark.usefixtures("quick_training")
def test_the_command_trains_a_content_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(import_module("sparring.cli.compare"), "find", lambda name: HIGH_CARD)
    own = (HIGH_CARD.folder / "content.toml").read_text("utf-8")
    (tmp_path / "mine.toml").write_text(own.replace("= [1,", "= [50,", 1), "utf-8")
    content = HIGH_CARD.read_content(tmp_path / "mine.toml")
    asked = ["--content", str(tmp_path / "mine.toml"), "--bots", ",".join(BOTS), "--matches", "4", "--learn"]
    with pytest.raises(SystemExit) as ended:
        main(["lab", "high-card", *asked, "--to", str(tmp_path / "report")])
    assert ended.value.code == 0
    assert has_own_model(HIGH_CARD.setup(content=content), 2)
    assert not has_own_model(HIGH_CARD.setup(), 2)
    assert "no value model" not in " ".join(json.loads((tmp_path / "report/report.json").read_text())["words"])
    assert read_config(tmp_path / "report/lab.toml").learn


def test_no_model_is_trained_for_plain_bots_or_remote_workers() -> None:
    study = study_of(ExperimentConfig(bots=["plain:iterations=5"]), HIGH_CARD)
    train_missing(study, SerialExecutor())
    assert not has_own_model(HIGH_CARD.setup(), 2)

    class Elsewhere(SerialExecutor):
        is_local = False

    with pytest.raises(BadOption, match="cluster workers"):
        train_missing(study, Elsewhere())


def test_training_uses_the_defaults_of_the_train_command() -> None:
    said = inspect.signature(train_command).parameters
    assert (said["matches"].default, said["iterations"].default) == (MATCHES, ITERATIONS)


def test_a_tournament_names_bots_without_a_model() -> None:
    save_model(Match.new(HIGH_CARD, seats=2, seed=1), random_model(HIGH_CARD))
    usual, other = (TournamentEvent(HIGH_CARD, HIGH_CARD.setup({"hand": hand}).options, None, 2) for hand in (3, 5))
    cup = Tournament(("search:level=gentle", "plain:iterations=5"), (usual, other), 4)
    assert [cup.bots_without_value_model(event) for event in cup.events] == [[], ["search:level=gentle"]]


def test_a_level_has_the_block_size_of_its_iterations() -> None:
    """So that time limits hold and progress is reported."""
    several = tuple(variants(HIGH_CARD, {}, {}, [], {}, each=False))
    level, same = (Study(HIGH_CARD, several, (bot,), 2) for bot in ("search:level=strong", "search:iterations=5000"))
    assert first_block(level, None) == first_block(same, None) == (0, 1)
    one, other = (later_blocks(study, 1, 6.0, 50) for study in (level, same))
    assert list(one) == list(other)
