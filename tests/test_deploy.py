"""Deployment files use existing commands, options and files."""

import os
import re
import shlex
import subprocess
from pathlib import Path

import pytest
from typer.main import get_command

from sparring.cli import app
from web.postgres import BIN, Postgres, postgres_server

__all__ = ["postgres_server"]

DEPLOY = Path(__file__).parent.parent / "deploy"


def is_valid_command(words: list[str]) -> bool:
    """Return whether the command line accepts these words, without running them."""
    name, *rest = words
    return bool(get_command(app).commands[name].make_context(name, rest))  # type: ignore[attr-defined]


@pytest.mark.parametrize("unit", ["sparring.service", "sparring-worker.service"])
def test_systemd_units_use_existing_commands(unit: str) -> None:
    (line,) = re.findall("^ExecStart=(.*)$", (DEPLOY / unit).read_text(encoding="utf-8"), re.MULTILINE)
    _, *words = shlex.split(line)
    assert is_valid_command(words)


def test_operator_commands_use_what_the_service_uses() -> None:
    unit, script = ((DEPLOY / name).read_text(encoding="utf-8") for name in ("sparring.service", "sparring"))
    for name in ("SPARRING_DATA", "SPARRING_CACHE"):
        assert re.findall(rf"{name}=(\S+)", unit) == re.findall(rf"{name}=(\S+)", script)
    assert re.findall("^User=(.*)$", unit, re.MULTILINE) == re.findall(r"runuser -u (\S+)", script)
    (line,) = re.findall("^ExecStart=(.*)$", unit, re.MULTILINE)
    assert f'{shlex.split(line)[0]} "$@"' in script
    assert "EnvironmentFile" not in unit, "operator commands wouldn't know these settings"


def test_the_container_uses_existing_commands_and_files() -> None:
    text = (DEPLOY / "Containerfile").read_text(encoding="utf-8")
    words = re.findall('"([^"]*)"', re.findall("^CMD (.*)$", text, re.MULTILINE)[-1])
    assert is_valid_command(words)
    assert words[words.index("--host") + 1] == "0.0.0.0", "a container's localhost can't be reached from outside"
    copied = [word for line in re.findall("^COPY (?!--)(.*)$", text, re.MULTILINE) for word in line.split()[:-1]]
    named = re.findall(r"-r (\S+)", text)
    assert all((DEPLOY.parent / file).exists() for file in [*copied, *named])


def test_docker_compose_uses_existing_commands() -> None:
    text = (DEPLOY / "compose.yaml").read_text(encoding="utf-8")
    commands = [
        [word.strip(' "') for word in line.split(",")]
        for line in re.findall(r"^    command: \[(.*)\]$", text, re.MULTILINE)
    ]
    assert [words[0] for words in commands] == ["play", "work"]
    assert all(is_valid_command(words) for words in commands)
    assert commands[0][commands[0].index("--host") + 1] == "0.0.0.0"


@pytest.mark.postgres
def test_workers_reach_the_database_of_jobs_only(postgres_server: Postgres) -> None:
    environment = {
        **os.environ, "PATH": f"{BIN}:{os.environ['PATH']}", "PGHOST": str(postgres_server.folder),
        "PGDATABASE": "sparring", "POSTGRES_USER": "sparring", "SPARRING_JOBS_PASSWORD": "it's a secret",
    }  # fmt: skip

    def psql(user: str, database: str, command: str) -> subprocess.CompletedProcess[str]:
        words = ["psql", "--username", user, "--dbname", database, "--tuples-only", "--no-align", "--command", command]
        return subprocess.run(words, env=environment, capture_output=True, text=True, check=False)

    assert psql("sparring", "postgres", "CREATE DATABASE sparring").returncode == 0
    subprocess.run(["sh", DEPLOY / "jobs.sh"], env=environment, check=True, stdout=subprocess.DEVNULL)
    assert psql("sparring_jobs", "sparring_jobs", "CREATE TABLE job (id int)").returncode == 0
    assert "permission denied for database" in psql("sparring_jobs", "sparring", "SELECT 1").stderr
    assert psql("sparring", "sparring", "SELECT 1").stdout == "1\n", "the owner still reaches its own database"
    stored = psql(
        "sparring", "postgres", "SELECT rolpassword LIKE 'SCRAM%' FROM pg_authid WHERE rolname='sparring_jobs'"
    )
    assert stored.stdout == "t\n"
