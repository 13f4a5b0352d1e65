"""Adding a game as CONTRIBUTING.md says: created, listed everywhere, and checked against the laws."""

import json
import os
import re
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest

from author_commands import ROOT, run
from wording import says

pytestmark = pytest.mark.server


@pytest.fixture(scope="module")
def my_game(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Run the commands of step 1 and install the game: its path, and its entry point."""
    home = tmp_path_factory.mktemp("installed")
    commands = re.search(r"1\. Create.*?```\n(.*?)```", (ROOT / "CONTRIBUTING.md").read_text("utf-8"), re.DOTALL)
    assert commands
    begin = "\n".join(line for line in commands[1].splitlines() if "pip install" not in line)
    path = os.pathsep.join([str(Path(sys.executable).parent), os.environ["PATH"]])
    subprocess.run(["sh", "-ec", begin], cwd=home, check=True, env={**os.environ, "PATH": path}, capture_output=True)
    place = home / "my-game"
    installed = place / "my_game-1.dist-info"
    installed.mkdir()
    project = tomllib.loads((place / "pyproject.toml").read_text("utf-8"))["project"]
    points = [f"{name} = {value}" for name, value in project["entry-points"]["sparring.games"].items()]
    (installed / "METADATA").write_text(
        f"Metadata-Version: 2.1\nName: {project['name']}\nVersion: 1\n", encoding="utf-8"
    )
    (installed / "entry_points.txt").write_text("\n".join(["[sparring.games]", *points]), encoding="utf-8")
    return place


def test_the_new_game_is_listed(my_game: Path) -> None:
    games = {game["name"]: game for game in json.loads(run(my_game, "sparring", "games", "--json"))}
    assert games["my-game"]["title"] == "My Game"
    assert games["my-game"]["seats"] == [2, 3, 4]
    assert [option["name"] for option in games["my-game"]["options"]] == ["hand", "tie", "call"]


def test_the_new_game_plays_in_the_terminal(my_game: Path) -> None:
    typed = "\n".join(["1"] * 3) + "\n"
    said = run(my_game, "sparring", "play", "my-game", "--terminal", "--seats", "me,random", "--seed", "3", typed=typed)
    assert "Your hand" in said
    assert "trick" in said


def test_the_new_game_has_a_tutorial(my_game: Path) -> None:
    said = run(my_game, "sparring", "learn", "my-game", typed="10\n\n4\n7\n")
    assert "1/4" in said
    assert says(said, "learned:")


def test_the_new_game_is_simulated(my_game: Path) -> None:
    result = json.loads(
        run(my_game, "sparring", "simulate", "my-game", "--matches", "20", "--bots", "random,random", "--json")
    )
    assert result["matches"] == 20
    assert result["mean_choices"] == 6
    assert result["endings"] == {"tricks": 20}


def test_the_new_game_keeps_the_laws(my_game: Path) -> None:
    assert says(run(my_game, "sparring", "check", "my-game", "--matches", "10"), "My Game", "laws", "all 10")


def test_the_new_game_plays_in_the_browser(my_game: Path) -> None:
    page = (
        "from litestar.testing import TestClient\n"
        "from sparring.app import create_app\n"
        "from sparring.settings import Settings\n"
        "import pathlib, tempfile\n"
        "with tempfile.TemporaryDirectory() as folder:\n"
        "    with TestClient(create_app(Settings.load(pathlib.Path(folder))), 'http://127.0.0.1') as client:\n"
        "        print(client.get('/').text)\n"
        "        form = {'name': 'Anna', 'seat1': 'me', 'seat2': 'open', 'option.call': 'leader'}\n"
        "        headers = {'Origin': 'http://127.0.0.1'}\n"
        "        print(client.post('/games/my-game', data=form, headers=headers).text)\n"
    )
    (my_game / "look.py").write_text(page, encoding="utf-8")
    seen = run(my_game, "look")
    assert seen.count("My Game") > 1
    assert not re.search("High Card", seen)
    for words in ("Which card takes this trick?", "Your hand", "call high", "call low"):
        assert words in seen
