"""`sparring new` creates a game and `sparring check` checks it against the laws."""

import tomllib
from pathlib import Path

import pytest

from cli.test_commands import refused, run
from sparring.cli.new_game import GameNames, derive_names


@pytest.fixture(autouse=True)
def workdir(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    return tmp_path


@pytest.mark.parametrize(
    ("title", "names"),
    [
        ("my-game", GameNames("My Game", "my-game", "my_game")),
        ("Liar's  Dice", GameNames("Liar's Dice", "liars-dice", "liars_dice")),
        ("Doppelkopf für 3", GameNames("Doppelkopf für 3", "doppelkopf-fur-3", "doppelkopf_fur_3")),
    ],
)
def test_a_games_names_are_derived_from_its_title(title: str, names: GameNames) -> None:
    assert derive_names(title) == names


@pytest.mark.parametrize(
    ("title", "said"),
    [
        ("!", "must start with a letter"),
        ("21", "must start with a letter"),
        ('Say "hi"', "must start with a letter and have only letters, digits, spaces"),
        ("Json", "Python already uses the name json"),
        ("class", "Python already uses the name class"),
        ("mace!", "There is already a game called Mace!"),
        ("World of Fighters", "There is already a game called World of Fighters"),
    ],
)
def test_an_invalid_title_gets_one_sentence(
    title: str, said: str, workdir: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert said in refused(capsys, "new", title)
    assert list(workdir.iterdir()) == []


def test_an_existing_folder_is_left_alone(workdir: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (workdir / "hush-hush").mkdir()
    assert "hush-hush already exists" in refused(capsys, "new", "Hush Hush")
    assert list((workdir / "hush-hush").iterdir()) == []


def test_a_new_game_is_a_package_that_adds_a_game(workdir: Path) -> None:
    assert "sparring check liars-dice" in run("new", "Liar's Dice")
    project = tomllib.loads((workdir / "liars-dice/pyproject.toml").read_text("utf-8"))["project"]
    assert project["entry-points"]["sparring.games"] == {"liars-dice": "liars_dice:GAME"}
    assert 'title="Liar\'s Dice"' in (workdir / "liars-dice/liars_dice/__init__.py").read_text("utf-8")


def test_invalid_content_is_refused(workdir: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (workdir / "mine.toml").write_text("cards = 3", encoding="utf-8")
    assert "mine.toml" in refused(capsys, "check", "make-your-moves", "--content", "mine.toml")
