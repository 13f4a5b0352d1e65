"""The newcomer: the README's commands as written, on a machine that has only Python, make and git."""

import contextlib
import os
import pty
import re
import shutil
import signal
import subprocess
import sys
from pathlib import Path

import httpx
import pytest

from journeys.installed import ROOT
from journeys.steps import Journey

pytestmark = pytest.mark.journey
README = (ROOT / "README.md").read_text(encoding="utf-8")
#: Commands in the README's code blocks, without comments.
COMMANDS: list[str] = [
    line.partition("    #")[0]
    for block in re.findall(r"^```\n(.*?)^```", README, re.MULTILINE | re.DOTALL)
    for line in block.splitlines()
]


def readme_command(start: str) -> str:
    """Return the README's command that starts with these words."""
    (found,) = (command for command in COMMANDS if command.startswith(start))
    return found


@pytest.fixture
def machine(tmp_path: Path) -> dict[str, str]:
    """Return the environment of a machine that has nothing but Python, make, git and what every system has."""
    programs = tmp_path / "bin"
    programs.mkdir()
    for name in ("make", "git", "sh", "touch"):
        (programs / name).symlink_to(shutil.which(name) or name)
    (programs / "python3").symlink_to(sys.executable)
    own = {"PATH": str(programs), "HOME": str(tmp_path), "SPARRING_PORT": "0", "SPARRING_WARMING": "false"}
    outer = ("PYTHONPATH", "MAKE", "MFLAGS", "ARGS")  # of the make that runs the tests
    return {name: value for name, value in os.environ.items() if not name.startswith(outer)} | own


@pytest.fixture
def clone(tmp_path: Path) -> Path:
    """Return a fresh clone."""
    subprocess.run(["git", "clone", "--quiet", "--depth", "1", f"file://{ROOT}", tmp_path / "sparring"], check=True)
    return tmp_path / "sparring"


def in_terminal(command: str, folder: Path, environment: dict[str, str], *typed: str) -> str:
    """Run a command in a terminal; answer its questions, and then quit; return what the terminal showed."""
    screen, keyboard = pty.openpty()
    with subprocess.Popen(
        command, shell=True, cwd=folder, env=environment, stdin=keyboard, stdout=keyboard, stderr=keyboard,
        start_new_session=True,
    ) as program:  # fmt: skip
        os.close(keyboard)
        shown, lines = "", iter(typed)
        with contextlib.suppress(OSError):  # Linux raises an error when the program has ended
            while part := os.read(screen, 10_000):
                shown += part.decode()
                if shown.endswith("> "):
                    os.write(screen, f"{next(lines, 'quit')}\n".encode())
        os.close(screen)
    assert program.returncode == 0, shown
    return shown


def see_the_table(journey: Journey, clone: Path, machine: dict[str, str]) -> None:
    """Run the first command of the README until it is stopped as by Ctrl-C; open the page it names, and a new table."""
    with subprocess.Popen(
        readme_command("make play"), shell=True, cwd=clone, env=machine, text=True, stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT, start_new_session=True,
    ) as play:  # fmt: skip
        assert play.stdout
        try:
            said = ""
            while "Ctrl-C" not in said and (line := play.stdout.readline()):
                said += line
            journey.keep(said)
            (address,) = re.findall(r"Sparring is running at (\S+)", said)
            with httpx.Client(base_url=address, headers={"Origin": address.rstrip("/")}, follow_redirects=True) as http:
                assert "What shall we play?" in http.get("/").raise_for_status().text
                table = http.post("/play/make-your-moves", data={"with": "bot"}).raise_for_status()
                assert '<form class="scene' in table.text
        finally:
            os.killpg(play.pid, signal.SIGINT)


def test_newcomer(journey: Journey, wheel: Path, clone: Path, machine: dict[str, str]) -> None:
    """Everything but the installation, which CI does with `make test` in a fresh clone, and the next test with pip."""
    (clone / ".venv").symlink_to(wheel.parent)
    for made in ("play.stamp", "bin/pip"):
        (clone / ".venv" / made).touch()
    with journey.step("Open Sparring in the browser"):
        see_the_table(journey, clone, machine)
    with journey.step("Play in the terminal"):
        command = readme_command(".venv/bin/sparring play make-your-moves --terminal")
        shown = in_terminal(command, clone, machine, "1", "1")
        journey.keep(shown)
        assert "Make Your Moves" in shown
    with journey.step("Print a game"):
        command = readme_command(".venv/bin/sparring print")
        subprocess.run(command, shell=True, cwd=clone, env=machine, check=True)
        assert list(clone.glob("*.pdf"))


@pytest.mark.soak
def test_newcomer_installs(journey: Journey, clone: Path, machine: dict[str, str]) -> None:
    """Download and install all packages, which takes a minute and needs the network."""
    with journey.step("Install and open Sparring in the browser"):
        see_the_table(journey, clone, machine)
