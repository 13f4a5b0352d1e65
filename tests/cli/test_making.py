"""`sparring new` begins a game of one's own, and `sparring check` holds a game to the laws."""

import tomllib
from pathlib import Path

import pytest

from cli.test_commands import refused, run
from sparring.cli.new_game import GameNames, named


@pytest.fixture(autouse=True)
def desk(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
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
def test_what_a_game_is_called_follows_from_its_title(title: str, names: GameNames) -> None:
    assert named(title) == names


@pytest.mark.parametrize(
    ("title", "said"),
    [
        ("!", "A game cannot be called “!”: a name has letters, digits and spaces"),
        ("21", "A game cannot be called “21”: a name has letters, digits and spaces"),
        ('Say "hi"', "a name has letters, digits and spaces, and begins with a letter"),
        ("Json", "Python knows something called json already"),
        ("class", "Python knows something called class already"),
        ("mace!", "There is a game called Mace! already"),
        ("World of Fighters", "There is a game called World of Fighters already"),
    ],
)
def test_what_cannot_be_a_name_is_refused_in_one_sentence(
    title: str, said: str, desk: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert said in refused(capsys, "new", title)
    assert list(desk.iterdir()) == []


def test_a_folder_that_is_there_is_left_alone(desk: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (desk / "hush-hush").mkdir()
    assert "There is a folder hush-hush here already" in refused(capsys, "new", "Hush Hush")
    assert list((desk / "hush-hush").iterdir()) == []


def test_what_is_begun_is_a_package_that_adds_a_game(desk: Path) -> None:
    assert "sparring check liars-dice" in run("new", "Liar's Dice")
    project = tomllib.loads((desk / "liars-dice/pyproject.toml").read_text("utf-8"))["project"]
    assert project["entry-points"]["sparring.games"] == {"liars-dice": "liars_dice:GAME"}
    assert 'title="Liar\'s Dice"' in (desk / "liars-dice/liars_dice/__init__.py").read_text("utf-8")


def test_content_that_is_none_is_refused(desk: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (desk / "mine.toml").write_text("cards = 3", encoding="utf-8")
    assert "mine.toml" in refused(capsys, "check", "make-your-moves", "--content", "mine.toml")
