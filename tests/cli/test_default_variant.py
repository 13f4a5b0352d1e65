"""All commands use the recommended variant of a game, and reports name it in their first line."""

from pathlib import Path

import pytest

from sparring.cli.common import settings
from sparring.engine.game import game
from sparring.lab.experiments.config import ExperimentConfig
from sparring.lab.tournament import read_tournament

GAME = game("five-circles")
LONGER = dict(GAME.preset("longer"))


def test_commands_start_from_the_recommended_preset() -> None:
    assert settings(GAME, None, None) == LONGER
    assert settings(GAME, ["life=5"], None) == {**LONGER, "life": "5"}
    assert settings(GAME, None, "standard") == {}


def test_a_set_that_chooses_options_keeps_them(tmp_path: Path) -> None:
    own = tmp_path / "own.toml"
    own.write_text(f"{GAME.content_text}\n[options]\nlife = 7\n", encoding="utf-8")
    assert settings(GAME, None, None, own) == {"life": 7}
    assert settings(GAME, None, "longer", own) == LONGER
    assert ExperimentConfig(content=[str(own)]).with_preset(GAME).preset is None


def test_the_lab_starts_from_the_recommended_preset() -> None:
    assert ExperimentConfig().with_preset(GAME).preset == "longer"
    assert ExperimentConfig(preset="standard").with_preset(GAME).preset == "standard"


def test_a_tournament_starts_from_the_recommended_preset(tmp_path: Path) -> None:
    file = tmp_path / "cup.toml"
    file.write_text('bots = ["random", "plain"]\ngames = ["five-circles"]\nmatches = 2\n', encoding="utf-8")
    (event,) = read_tournament(file).events
    assert event.options == GAME.setup(LONGER).options


@pytest.mark.parametrize(
    ("options", "words"),
    [
        (LONGER, "“longer”"),
        ({**LONGER, "life": 5}, "“longer” with life 5"),
        ({}, "“standard”"),
    ],
)
def test_options_are_named_by_the_closest_variant(options: dict[str, object], words: str) -> None:
    assert GAME.describe_options(GAME.setup(options).options) == words
