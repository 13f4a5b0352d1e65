"""Adding a bot as CONTRIBUTING.md says: the installed example, and the class and entry point shown there."""

import json
import re
from pathlib import Path

import pytest

from author_commands import ROOT, run
from sparring import bots, games
from sparring.bots.external_bot import SECONDS

pytestmark = [pytest.mark.compiled, pytest.mark.server]

CONTRIBUTING = (ROOT / "CONTRIBUTING.md").read_text("utf-8").partition("## Add a bot")[2]


def install(place: Path, name: str, table: str) -> Path:
    """Write what an install leaves behind: the entry points of a `pyproject.toml`."""
    found = re.search(r'\[project\.entry-points\."(.*?)"\]\n(.*?)\n', table)
    assert found
    installed = place / f"{name}-1.dist-info"
    installed.mkdir(parents=True)
    (installed / "METADATA").write_text(f"Metadata-Version: 2.1\nName: {name}\nVersion: 1\n", encoding="utf-8")
    (installed / "entry_points.txt").write_text(f"[{found[1]}]\n{found[2].replace(chr(34), '')}\n", encoding="utf-8")
    return place


@pytest.fixture(scope="module")
def careful(tmp_path_factory: pytest.TempPathFactory) -> Path:
    source = ROOT / "examples" / "careful_bot"
    place = install(tmp_path_factory.mktemp("installed"), "careful_bot", (source / "pyproject.toml").read_text("utf-8"))
    (place / "careful_bot.py").write_text((source / "careful_bot.py").read_text("utf-8"), encoding="utf-8")
    return place


@pytest.fixture(autouse=True)
def _long_time_limit(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(SECONDS, "60")


def ready(game: str) -> None:
    """Compile the search that the careful bot uses, since it would get fewer iterations otherwise."""
    bots.compile_searches(games()[game])


def simulated(place: Path, game: str, matches: int, bots: str) -> dict[str, dict[str, float]]:
    said = run(place, "sparring", "simulate", game, "--matches", str(matches), "--bots", bots, "--json")
    return json.loads(said)  # type: ignore[no-any-return]


def test_the_careful_bot_plays_in_the_lab_and_beats_chance(careful: Path) -> None:
    ready("make-your-moves")
    result = simulated(careful, "make-your-moves", 8, "careful,random")
    assert result["lost_clocks"] == {}
    assert result["wins_by_bot"]["careful"] >= 6


@pytest.mark.parametrize(
    "game",
    [
        "world-of-fighters",
        *(pytest.param(name, marks=pytest.mark.soak) for name in ("untitled-movement", "five-circles")),
    ],
)
def test_the_careful_bot_plays_every_game(careful: Path, game: str) -> None:
    ready(game)
    assert simulated(careful, game, 1, "careful,random")["lost_clocks"] == {}


def test_the_careful_bot_plays_in_the_terminal(careful: Path) -> None:
    said = run(careful, "sparring", "play", "make-your-moves", "--terminal", "--seats", "careful,random", "--seed", "3")
    assert "Bolt: Careful bot." in said
    assert re.search(r"(Bolt|Cog) wins", said)
    assert "takes over" not in said


def test_the_bot_of_the_documentation_plays(tmp_path: Path) -> None:
    code = re.search(r"```python\n(.*?)```", CONTRIBUTING, re.DOTALL)
    assert code
    place = install(tmp_path, "my_bot", CONTRIBUTING)
    (place / "my_bot.py").write_text(code[1], encoding="utf-8")
    result = simulated(place, "make-your-moves", 2, "mine,random")
    assert (result["lost_clocks"], sum(result["endings"].values())) == ({}, 2)
