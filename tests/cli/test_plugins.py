"""Broken plug-in packages: every command works, and stderr names the package, the error, the file and the line."""

import json
import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

from sparring import games

pytestmark = pytest.mark.server

#: Faults: the module, the rest of the entry point, and the error that is named.
FAULTS = {
    "import": (
        "import json\nimport nowhere_at_all\n", ":THING",
        r"ModuleNotFoundError: No module named 'nowhere_at_all' \(.*/broken_import\.py, line 2\)",
    ),
    "syntax": ("x = 1\ndef broken(:\n", ":THING", r"SyntaxError: .+ \(.*/broken_syntax\.py, line 2\)"),
    "exception": (
        "def begin():\n    return 1 / 0\n\nTHING = begin()\n", ":THING",
        r"ZeroDivisionError: division by zero \(.*/broken_exception\.py, line 2\)",
    ),
    "exit": ("import sys\nsys.exit('bye')\n", ":THING", r"SystemExit: bye \(.*/broken_exit\.py, line 2\)"),
    "attribute": (
        "", ":THING", r"AttributeError: module 'broken_attribute' has no attribute 'THING' \(.*/broken_attribute\.py\)",
    ),
    "object": (
        "THING = 5\n", ":THING",
        r"TypeError: broken_object:THING must be a (Game|Typer), not int \(.*/broken_object\.py\)",
    ),
    "module": (None, ":THING", r"ModuleNotFoundError: No module named 'broken_module' \(broken_module:THING\)"),
    "value": ("", " and so on", r"AttributeError: .+ \(broken_value and so on\)"),
}  # fmt: skip
UNION = "import typer\nTHING = typer.Typer()\n@THING.command()\ndef odd(what: int | str): ...\n"


def install(place: Path, name: str, points: str) -> None:
    """Write the metadata that an install leaves behind: a package with its entry points."""
    installed = place / f"{name}-1.dist-info"
    installed.mkdir()
    (installed / "METADATA").write_text(f"Metadata-Version: 2.1\nName: {name}\nVersion: 1\n", encoding="utf-8")
    (installed / "entry_points.txt").write_text(points, encoding="utf-8")


def install_broken(place: Path, kind: str) -> None:
    """Install one package for each fault, which adds a game, a bot or a command."""
    for fault, (module, end, _) in FAULTS.items():
        if module is not None:
            (place / f"broken_{fault}.py").write_text(module, encoding="utf-8")
        install(place, f"{fault}-package", f"[sparring.{kind}s]\n{fault} = broken_{fault}{end}\n")


def run(place: Path, *words: str) -> subprocess.CompletedProcess[str]:
    path = os.pathsep.join([str(place), os.environ.get("PYTHONPATH", "")])
    done = subprocess.run(
        [sys.executable, "-m", "sparring", *words], capture_output=True, text=True, timeout=300, check=False,
        env={**os.environ, "PYTHONPATH": path},
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
    return done


def check_skipped(said: str, kind: str) -> None:
    lines = said.splitlines()
    assert len(lines) == len(FAULTS)
    for fault, (_, _, error) in FAULTS.items():
        start = f'Skipping the {kind} "{fault}" of package {fault}-package: '
        (line,) = [line for line in lines if line.startswith(start)]
        assert re.fullmatch(error, line.removeprefix(start)), line


def test_broken_games_are_named_and_skipped(tmp_path: Path) -> None:
    install_broken(tmp_path, "game")
    install(tmp_path, "sound-package", "[sparring.games]\nhigh-card = sparring.games.high_card:GAME\n")
    done = run(tmp_path, "games", "--json")
    assert {game["name"] for game in json.loads(done.stdout)} == {*games(), "high-card"}
    check_skipped(done.stderr, "game")


def test_broken_commands_are_named_and_skipped(tmp_path: Path) -> None:
    install_broken(tmp_path, "command")
    done = run(tmp_path, "--help")
    assert "simulate" in done.stdout
    assert "cards" in done.stdout  # the command that a built-in game adds by its entry point
    check_skipped(done.stderr, "command")


def test_a_command_that_cannot_be_built_is_skipped(tmp_path: Path) -> None:
    (tmp_path / "union_module.py").write_text(UNION, encoding="utf-8")
    install(tmp_path, "union-package", "[sparring.commands]\nodd = union_module:THING\n")
    done = run(tmp_path, "--help")
    assert "simulate" in done.stdout
    assert done.stderr.startswith('Skipping the command "odd" of package union-package: AssertionError: ')
    assert "Union types" in done.stderr


def test_a_broken_bot_disturbs_nothing_and_loses_with_the_reason(tmp_path: Path) -> None:
    install_broken(tmp_path, "bot")
    assert run(tmp_path, "games", "--json").stderr == ""
    done = run(tmp_path, "simulate", "make-your-moves", "--matches", "1", "--bots", "import,random", "--json")
    reason = "ModuleNotFoundError: No module named 'nowhere_at_all' (broken_import.py, line 2)"
    assert json.loads(done.stdout)["lost_clocks"]["import"]["first"] == f"stopped with an error: {reason}"


def test_a_broken_list_of_entry_points_leaves_other_packages_alone(tmp_path: Path) -> None:
    install(tmp_path, "broken-package", "[sparring.games]\nnothing\n")
    done = run(tmp_path, "games", "--json")
    assert len(json.loads(done.stdout)) == len(games())
    said = r"Skipping the \w+s of package broken-package, whose entry_points\.txt is broken: TypeError: .*"
    assert all(re.fullmatch(said, line) for line in done.stderr.splitlines())
    assert "games" in done.stderr


def test_workers_do_not_repeat_what_is_skipped(tmp_path: Path) -> None:
    (tmp_path / "broken_module.py").write_text("1 / 0\n", encoding="utf-8")
    install(tmp_path, "broken-package", "[sparring.games]\nbroken = broken_module:GAME\n")
    install(tmp_path, "sound-package", "[sparring.games]\nhigh-card = sparring.games.high_card:GAME\n")
    done = run(tmp_path, "lab", "high-card", "--matches", "20", "--workers", "2", "--to", str(tmp_path / "report"))
    assert done.stderr.count("Skipping") == 1
