"""`sparring play` as a server: where it says it is, what it refuses, how it stops, and how little it loads."""

import os
import re
import signal
import socket
import subprocess
import sys
from pathlib import Path

import httpx
import pytest

from sparring.web.serve import NoPort, listen

PLAY = "from sparring.cli import main; main()"


def environment(tmp_path: Path, toy_path: str) -> dict[str, str]:
    return {**os.environ, "PYTHONPATH": toy_path, "SPARRING_DATA": str(tmp_path), "PYTHONUNBUFFERED": "1"}


def test_a_port_in_use_gets_one_sentence() -> None:
    with listen("127.0.0.1", 0) as taken:
        taken.listen()
        port = taken.getsockname()[1]
        with pytest.raises(NoPort, match=f"Port {port} is in use .* choose another with --port"):
            listen("127.0.0.1", port)
    with pytest.raises(NoPort, match="There is no port 99999"):
        listen("127.0.0.1", 99999)


def test_play_says_where_it_is_lays_out_the_table_and_stops_quietly(tmp_path: Path, toy_path: str) -> None:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port = probe.getsockname()[1]
    command = [sys.executable, "-c", PLAY, "play", "hush", "--seats", "me,random", "--option", "wins=low"]
    server = subprocess.Popen(
        [*command, "--port", str(port), "--no-browser"], env=environment(tmp_path, toy_path), stdout=subprocess.PIPE,
        stderr=subprocess.PIPE, text=True,
    )  # fmt: skip
    assert server.stdout
    said = server.stdout.readline()
    found = re.search(r"The table is open at (http://127\.0\.0\.1:\d+/table/\S+)", said)
    assert found, said
    page = httpx.get(found[1]).raise_for_status().text
    assert "Sit down on seat 1" in page
    assert "<b>Bolt</b>, Random bot" in page
    assert "(usually high)" in page
    server.send_signal(signal.SIGINT)
    _, complaints = server.communicate(timeout=30)
    assert (server.returncode, complaints) == (0, "")


def test_the_server_loads_no_compiler_and_nothing_for_whoever_signs_in(tmp_path: Path, toy_path: str) -> None:
    code = """
import sys
from sparring.web.app import create_app
from sparring.web.settings import Settings
from sparring.engine.game import games
games()
create_app(Settings.usual())
late = ("numba", "llvmlite", "pydantic", "alembic", "argon2", "fido2", "cryptography")
assert not [name for name in sys.modules if name.partition(".")[0] in late]
"""
    subprocess.run([sys.executable, "-c", code], env=environment(tmp_path, toy_path), check=True)
