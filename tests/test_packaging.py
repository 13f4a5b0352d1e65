"""Check the package as it is installed, its lock files, and that every threat in the docs has a test."""

import contextlib
import os
import re
import subprocess
import sys
import time
import tomllib
import zipfile
from itertools import chain, pairwise
from pathlib import Path

import httpx
import pytest
from flit_core import buildapi

from sparring.serve import listen

ROOT = Path(__file__).parent.parent
SOURCE = ROOT / "src" / "sparring"
PIN = re.compile(r"^([a-z0-9-]+)==(\S+)(?: ; [^\\]+)? \\$", re.MULTILINE)


def lock(name: str) -> str:
    return (ROOT / "requirements" / f"{name}.txt").read_text(encoding="utf-8")


def name_of(requirement: str) -> str:
    return re.split(r"[\[<>=]", requirement)[0].replace("_", "-")


def test_an_install_holds_every_file_of_the_package(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(ROOT)
    with zipfile.ZipFile(tmp_path / buildapi.build_wheel(str(tmp_path))) as wheel:
        held = {name for name in wheel.namelist() if name.startswith("sparring/")}
        entries = next(wheel.read(name).decode() for name in wheel.namelist() if name.endswith("entry_points.txt"))
    files = (path for path in SOURCE.rglob("*") if path.is_file() and "__pycache__" not in path.parts)
    assert held == {path.relative_to(SOURCE.parent).as_posix() for path in files}
    assert "sparring=sparring.cli:main" in entries
    assert "[sparring.games]" in entries


@pytest.mark.server
def test_the_wheel_opens_a_table_in_an_empty_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Install the wheel apart from this checkout, and play from it; all other packages are those of the tests."""
    monkeypatch.chdir(ROOT)
    with zipfile.ZipFile(tmp_path / buildapi.build_wheel(str(tmp_path))) as wheel:
        wheel.extractall(tmp_path / "installed")
    (tmp_path / "empty").mkdir()
    own = {"PYTHONPATH": str(tmp_path / "installed"), "SPARRING_DATA": str(tmp_path / "data")}
    python = [sys.executable, "-m", "sparring"]
    with listen("127.0.0.1", 0) as probe:
        port = probe.getsockname()[1]

    def start(*words: str) -> "subprocess.Popen[str]":
        return subprocess.Popen(
            [*python, *words],
            cwd=tmp_path / "empty",
            env={**os.environ, **own},
            text=True,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
        )

    with start("--version") as version:
        assert version.communicate()[0].startswith("Sparring 0.1.0, Python")
    with start("play", "--no-browser", "--port", str(port)) as server:
        page = wait_for_page(f"http://127.0.0.1:{port}/", server)
        server.terminate()
    assert "Make Your Moves" in page
    assert not any((tmp_path / "empty").iterdir())


def wait_for_page(address: str, server: "subprocess.Popen[str]") -> str:
    while server.poll() is None:
        with contextlib.suppress(httpx.TransportError):
            return httpx.get(address).raise_for_status().text
        time.sleep(0.1)
    raise AssertionError(server.communicate()[0])


@pytest.mark.parametrize("name", ["play", "serve", "dev", "peers", "others"])
def test_a_lock_pins_everything_by_hash_and_names_no_address(name: str) -> None:
    lines = lock(name).splitlines()
    hashes = [line for line in lines if re.fullmatch(r"    --hash=sha256:[0-9a-f]{64}(?: \\)?", line)]
    pins = [line for line in lines if PIN.fullmatch(line)]
    assert len(pins) + len(hashes) == len(lines)
    assert all(after in hashes for line, after in pairwise(lines) if line in pins)


def test_the_locks_agree_and_hold_what_the_project_asks_for() -> None:
    play, serve, dev, *more = (set(PIN.findall(lock(name))) for name in ("play", "serve", "dev", "peers", "others"))
    assert play <= serve <= dev
    held, besides = {name for name, _ in dev}, set().union(*more)
    assert {(name, version) for name, version in besides if name in held} <= dev
    table = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
    builds, project = table["build-system"]["requires"], table["project"]
    assert {name_of(entry) for entry in [*project["dependencies"], *builds]} <= {name for name, _ in play}
    extras = chain.from_iterable(project["optional-dependencies"].values())
    assert {name_of(entry) for entry in extras} - {"sparring"} <= held | {name for name, _ in besides}
    assert table["dependency-groups"]["build"] == builds


def test_every_threat_names_the_tests_that_try_it() -> None:
    """Resolve bare names in the folder of their section; every other name is a full path."""
    paper = (ROOT / "docs" / "security.md").read_text(encoding="utf-8")
    for section in re.split("^## ", paper, flags=re.MULTILINE)[1:]:
        told = re.search(r"[Tt]he\s+tests\s+are\s+in\s+`(tests/[a-z_/]+)`", section)
        folder = told[1] if told else "tests/web/attacks/"
        for table in re.findall(r"(?:^\|.*\n)+", section, re.MULTILINE):
            head, _, *rows = table.splitlines()
            if head != "| Threat | Defence | Test |":
                continue
            for row in rows:
                threat, _, tests = row.strip("| ").split(" | ")
                names = re.findall(r"`([^`]+)`", tests)
                assert names, threat
                for name in names:
                    path = name if "/" in name else f"{folder}{name}"
                    assert (ROOT / path).is_file(), (threat, name)


def test_every_door_names_a_test() -> None:
    """The tables of doors name test functions, or files by their names or paths."""
    sources = {path: path.read_text(encoding="utf-8") for path in (ROOT / "tests").rglob("*.py")}
    functions = {
        name for text in sources.values() for name in re.findall(r"^(?:async )?def (test_\w+)", text, re.MULTILINE)
    }
    files = {path.name for path in sources} | {str(path.relative_to(ROOT)) for path in sources}
    paper = (ROOT / "docs" / "security.md").read_text(encoding="utf-8")
    tables = re.findall(r"^\| Door \| Test \|\n\|---\|---\|\n((?:^\|.*\n)+)", paper, re.MULTILINE)
    assert tables
    for row in "".join(tables).splitlines():
        names = re.findall(r"`([^`]+)`", row.strip("| ").rpartition(" | ")[2])
        assert names, row
        assert not [name for name in names if name not in functions | files], row
