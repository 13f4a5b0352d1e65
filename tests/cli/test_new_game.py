"""`sparring new` creates a game and `sparring check` checks it against the laws."""

import subprocess
import sys
import tomllib
from importlib import import_module
from pathlib import Path

import pytest

from cli.command_line import refused, run
from sparring import Game, games
from sparring.cli.document_checks import document_faults
from sparring.cli.new_game import TEMPLATES, GameNames, derive_names
from sparring.engine.laws import check_match
from sparring.engine.texts import examples, rules_text


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


@pytest.mark.parametrize("template", TEMPLATES)
def test_a_copy_says_nothing_that_is_true_of_its_template_only(template: str, workdir: Path) -> None:
    run("new", "Quiet Bridge", "--template", template)
    copied: Game = import_module(TEMPLATES[template].package).GAME
    files = [file for file in (workdir / "quiet-bridge").rglob("*") if file.is_file()]
    assert len(files) == len(list(copied.folder.glob("*.*"))) + 2
    words = (copied.title, copied.name, copied.folder.name, copied.summary, "template", "smallest")
    for file in files:
        text = file.read_text("utf-8").casefold()
        assert not [word for word in words if word.casefold() in text], file
    registration = (workdir / "quiet-bridge/quiet_bridge/__init__.py").read_text("utf-8")
    assert 'Credit("Quiet Bridge", "its author", "no source stated", "no licence stated")' in registration
    assert 'summary="A new game."' in registration


def test_a_template_and_a_set_are_not_combined(workdir: Path, capsys: pytest.CaptureFixture[str]) -> None:
    said = refused(capsys, "new", "Quiet Bridge", "--template", "board", "--from-set", "mine.toml")
    assert "Use --template or --from-set, not both." in said


@pytest.mark.compiled("high-card")
@pytest.mark.parametrize("start", ["--template=cards", "--template=board", "--from-set=mine.toml"])
def test_the_tests_of_a_new_game_pass_and_can_fail(start: str, workdir: Path) -> None:
    """Run them in a new process, as an author does. Then reverse an assertion: the case fails."""
    (workdir / "mine.toml").write_text(designed_set(), encoding="utf-8")
    run("new", "Bridge Brawl", start)
    from_set = start.startswith("--from-set")
    folder = workdir / "bridge-brawl"
    command = [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", str(folder)]
    if from_set:  # its laws take a minute here, and another test covers them
        command += ["-k", "not laws"]
    passed = subprocess.run(command, capture_output=True, text=True, check=False)
    assert f"{2 if from_set else 3} passed" in passed.stdout, passed.stdout
    case = folder / "tests/test_bridge_brawl.py"
    case.write_text(case.read_text("utf-8").replace('"] == [', '"] != ['), "utf-8")
    failed = subprocess.run([*command, "-k", "takes"], capture_output=True, text=True, check=False)
    assert "1 failed" in failed.stdout


def designed_set() -> str:
    """Return the Training Duel under other names, with options, in the middle of the file as people may write it."""
    text = games()["card-duel"].content_text.replace("Gate Warden", "Door Card Duel").replace("Spark", "Zap")
    first, _, rest = text.partition("[[cards]]")
    return f'name = "Brawl"\n{first}[options]\nlife = 12\ncombat = "lanes"\n\n[[cards]]{rest}'


def test_a_set_becomes_a_package_with_its_cards_and_options(workdir: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (workdir / "mine.toml").write_text(designed_set(), encoding="utf-8")
    assert "sparring check castle-brawl" in run("new", "Castle Brawl", "--from-set", "mine.toml")
    # Listed before the import, because Python may add bytecode.
    written = list((workdir / "castle-brawl").rglob("*.*"))
    assert not [file for file in written if "pyc" in file.suffix]
    monkeypatch.syspath_prepend(str(workdir / "castle-brawl"))
    found: Game = import_module("castle_brawl").GAME
    assert [card.name for card in found.content.cards][3] == "Door Card Duel"
    assert len(found.content.cards) == len(games()["card-duel"].content.cards)
    assert dict(found.preset(found.recommended)) == {"life": 12, "combat": "lanes"}
    assert not found.template
    assert list(document_faults(found)) == []
    assert (found.setup().title, found.summary) == (
        "Castle Brawl", "Play characters and events, and take all of your opponent's life.",
    )  # fmt: skip
    told = rules_text(found.recommended_setup) or ""
    assert "You start with 4 cards and 12 life." in told
    assert "strikes straight ahead" in told
    assert "Brawl is a template" not in (found.folder / "rules.md").read_text("utf-8")
    shown = examples(found.recommended_setup)
    assert len(shown) == 3
    assert all(shown)
    assert "Spark" not in told
    check_match(found.setup(found.preset(found.recommended)), 2, seed=1, compiled=False)
    assert (workdir / "castle-brawl/castle_brawl/table_art/surface.css").exists()
    for file in written:
        assert file.name == "content.toml" or "card" + "-duel" not in file.read_text("utf-8"), file


def test_the_rules_of_a_new_game_follow_its_options(workdir: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    run("new", "Quiet Cards")
    params = workdir / "quiet-cards/quiet_cards/params.py"
    params.write_text(params.read_text("utf-8").replace("number_option(3, 1, 5", "number_option(2, 1, 5"), "utf-8")
    monkeypatch.syspath_prepend(str(workdir / "quiet-cards"))
    found: Game = import_module("quiet_cards").GAME
    told = rules_text(found.setup()) or ""
    assert told.startswith("# Quiet Cards\n")
    assert "Everyone gets 2 cards." in told
    assert "| R1 | Everyone gets 2 cards; the rest are not used. | `hand`: 1 to 5, default 2 |" in told
    assert "the highest or the lowest takes the trick" in (rules_text(found.setup({"call": "leader"})) or "")


def test_a_set_that_is_not_valid_makes_no_package(workdir: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (workdir / "mine.toml").write_text("cards = 3", encoding="utf-8")
    assert "mine.toml" in refused(capsys, "new", "Tower Brawl", "--from-set", "mine.toml")
    assert "nothing.toml" in refused(capsys, "new", "Tower Brawl", "--from-set", "nothing.toml")
    assert [file.name for file in workdir.iterdir()] == ["mine.toml"]


def test_invalid_content_is_refused(workdir: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (workdir / "mine.toml").write_text("cards = 3", encoding="utf-8")
    assert "mine.toml" in refused(capsys, "check", "make-your-moves", "--content", "mine.toml")
