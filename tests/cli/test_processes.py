"""`sparring play --processes`: the number of server processes."""

from pathlib import Path
from typing import Any

import pytest
from typer.testing import CliRunner

from sparring import serve, server_processes
from sparring.cli import app
from sparring.settings import InvalidSettings

POSTGRES = "postgresql+asyncpg://sparring@localhost/sparring"


@pytest.fixture
def process_counts(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> list[int]:
    """Record the numbers of processes that servers start with, on a machine with four cores."""
    started = list[int]()

    def one(*_: Any, **__: Any) -> None:
        started.append(1)

    def several(_: Any, processes: int, **__: Any) -> None:
        started.append(processes)

    monkeypatch.setenv("SPARRING_DATA", str(tmp_path))
    monkeypatch.delenv("SPARRING_DATABASE", raising=False)
    monkeypatch.setattr("sparring.settings.server._cores", lambda: 4)
    monkeypatch.setattr(serve, "serve", one)
    monkeypatch.setattr(server_processes, "serve_many", several)
    return started


@pytest.mark.parametrize(
    ("words", "processes"),
    [
        ([], 1),
        (["--processes", "auto"], 1),
        (["--processes", "3"], 3),
        (["--database", POSTGRES], 4),
        (["--database", POSTGRES, "--processes", "auto"], 4),
        (["--database", POSTGRES, "--processes", "1"], 1),
    ],
)
def test_a_server_has_a_process_for_each_core_on_postgresql(
    process_counts: list[int], words: list[str], processes: int
) -> None:
    CliRunner().invoke(app, ["play", "--no-browser", *words], catch_exceptions=False)
    assert process_counts == [processes]


def test_the_settings_file_accepts_auto_and_an_option_overrides_it(process_counts: list[int], tmp_path: Path) -> None:
    (tmp_path / "sparring.toml").write_text('processes = "auto"\n')
    for words in ([], ["--processes", "2"]):
        CliRunner().invoke(app, ["play", "--no-browser", *words], catch_exceptions=False)
    assert process_counts == [1, 2]


@pytest.mark.parametrize("number", ["0", "-1", "many"])
def test_an_invalid_number_gets_one_sentence(process_counts: list[int], number: str) -> None:
    with pytest.raises(InvalidSettings, match="--processes must be a whole number, at least 1, or"):
        CliRunner().invoke(app, ["play", "--no-browser", f"--processes={number}"], catch_exceptions=False)
    assert not process_counts
