"""`sparring admin settings`, and the settings file that all server commands read."""

import json
import re
import tomllib
from pathlib import Path

import pytest
from typer.testing import CliRunner

from sparring.cli import app, main
from sparring.settings import SETTINGS, Limits, find_settings


@pytest.fixture(autouse=True)
def data(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A data folder for this test."""
    monkeypatch.setenv("SPARRING_DATA", str(tmp_path / "data"))
    monkeypatch.delenv("SPARRING_DATABASE", raising=False)
    return tmp_path / "data"


def run(*words: str) -> str:
    result = CliRunner().invoke(app, ["admin", *words], catch_exceptions=False)
    assert result.exit_code == 0, result.output
    return result.stdout


def test_settings_are_shown_with_default_origin_and_meaning(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    file = tmp_path / "own.toml"
    file.write_text('profile = "club"\n[limits]\nstreams = 900\n')
    monkeypatch.setenv("SPARRING_PORT", "9000")
    told = run("--settings", str(file), "settings").splitlines()
    assert any(line.startswith('# host = "127.0.0.1"  # ') for line in told)
    assert any(line.startswith("port = 9000  # SPARRING_PORT, default 8000: ") for line in told)
    assert any(line.startswith(f"streams = 900  # {file}, default 800: ") for line in told)
    assert any(line.startswith('connections = 2000  # profile "club", default 1000: ') for line in told)
    assert len([line for line in told if " = " in line]) == len(SETTINGS)


def test_what_is_shown_is_a_settings_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SPARRING_NAMES", 'a.example,"b"')
    monkeypatch.setenv("SPARRING_LIMITS_STREAMS", "7")
    shown = run("settings")
    assert tomllib.loads(shown) == {
        "names": ["a.example", '"b"'], "mail": {}, "push": {}, "limits": {"streams": 7}
    }  # fmt: skip
    everything = tmp_path / "everything.toml"
    everything.write_text("\n".join(line.removeprefix("# ") for line in shown.splitlines()))
    assert {name: each.value for name, each in find_settings(file=everything).items()} == {
        name: each.value for name, each in find_settings().items()
    }


def test_no_password_is_shown(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SPARRING_DATABASE", "postgresql+asyncpg://sparring:Sesame@localhost/sparring")
    monkeypatch.setenv("SPARRING_JOBS", "postgresql://worker:Sesame@10.0.0.9/jobs")
    monkeypatch.setenv("SPARRING_MAIL_SERVER", "smtps://play%40table.example:Sesame@mail.example:465")
    shown = run("settings") + run("settings", "--json")
    assert "Sesame" not in shown
    assert shown.count("postgresql://worker:***@10.0.0.9/jobs") == shown.count("sparring:***@localhost/sparring") == 2


@pytest.mark.parametrize(
    "address",
    [
        "postgresql+asyncpgg://sparring:Sesame@localhost/sparring", "postgresql:/sparring:Sesame@localhost/sparring",
        "postgresql+asyncpg://sparring:Sesame@localhost:x/sparring", "sparring:Sesame@localhost/sparring",
        "postgresql+asyncpg://sparring:Ses/ame@localhost:1/sparring",
        "postgresql+asyncpg://sparring:x@Sesame@[::1]:1/x",
        "postgresql+asyncpg://localhost:1/sparring?user=sparring&password=Sesame",
    ],
)  # fmt: skip
def test_an_address_with_a_typo_gets_a_sentence_without_its_password(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], address: str
) -> None:
    monkeypatch.setenv("SPARRING_DATABASE", address)
    shown = run("settings") + run("settings", "--json")
    for command in ("tables", "init"):
        with pytest.raises(SystemExit):
            main(["admin", command])
        shown += capsys.readouterr().err
    assert "atabase" in shown
    assert not re.search("Ses/?ame", shown)


def test_settings_as_json_match() -> None:
    (streams,) = (each for each in json.loads(run("settings", "--json")) if each["name"] == "limits.streams")
    assert streams.pop("meaning")
    assert streams == {
        "name": "limits.streams", "value": Limits().streams, "default": Limits().streams, "origin": "default",
        "variable": "SPARRING_LIMITS_STREAMS", "allowed": "a whole number, at least 1",
    }  # fmt: skip


def test_other_commands_read_the_database_from_the_settings(tmp_path: Path, data: Path) -> None:
    file, database = tmp_path / "own.toml", tmp_path / "elsewhere.sqlite3"
    file.write_text(f'database = "sqlite+aiosqlite:///{database}"')
    run("--settings", str(file), "init")
    assert run("--settings", str(file), "tables") == "No tables found.\n"
    assert database.exists()
    assert not (data / "tables.sqlite3").exists()
    run("init")
    assert (data / "tables.sqlite3").exists(), "--settings applies to one command only"


@pytest.mark.parametrize("command", [["admin", "tables"], ["play"], ["work"]])
def test_every_mistake_is_reported_before_anything_is_done(
    data: Path, capsys: pytest.CaptureFixture[str], command: list[str]
) -> None:
    data.mkdir()
    (data / "sparring.toml").write_text("prot = 1\nwarming = 2\n")
    with pytest.raises(SystemExit) as left:
        main(command)
    assert left.value.code == 2
    assert capsys.readouterr().err.replace(str(data), "DATA").splitlines() == [
        "prot in DATA/sparring.toml isn't a setting; did you mean port?",
        "warming in DATA/sparring.toml must be true or false, not 2.",
    ]
    assert [file.name for file in data.iterdir()] == ["sparring.toml"]
