"""The quick start of docs/research.md, and the version history of environments."""

import re
from pathlib import Path

import pytest

from research.games_under_test import ALL
from sparring.engine.game import Game

DOCS = Path(__file__).parents[2] / "docs"


@pytest.mark.compiled
def test_the_quick_start_can_be_pasted(capsys: pytest.CaptureFixture[str]) -> None:
    section = (DOCS / "research.md").read_text(encoding="utf-8").partition("## Quick start")[2]
    found = re.search(r"^```python\n(.*?)^```$", section, re.MULTILINE | re.DOTALL)
    assert found
    assert len([line for line in found[1].splitlines() if line]) <= 10
    exec(found[1], {})
    first, second = map(float, capsys.readouterr().out.strip("[ ]\n").split())
    assert first > 100
    assert second > 100


@pytest.mark.parametrize("game", ALL, ids=lambda game: game.name)
def test_the_current_version_is_in_the_version_history(game: Game) -> None:
    page = (DOCS / "environments.md").read_text(encoding="utf-8")
    assert f"| `{game.name}` | {game.version} | " in page
