"""The comparison with boardgame.io, with a fake peer: how responses are counted, and timeouts."""

import asyncio
import importlib.util
import os
import sys
from collections.abc import Callable
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest

ROOT = Path(__file__).parents[2]

#: Replaces Node.js: a server that reports that it is ready, and clients that report these times (ms).
STAND_IN = f"""#!{sys.executable}
import json, sys, time
if sys.argv[1] == "server.cjs":
    {{server}}
else:
    assert sys.argv[4:] == ["3", "0.5", "0.1"], "not those who were asked for"
    {{people}}
"""
READY = "print('ready', flush=True); time.sleep(1000)"
PLAYS = "print(json.dumps({'answers': [1.0, 2.0, 3.0, 4.0], 'cpu': 0}))"
HANGS = "time.sleep(1000)"
FAILS = "sys.exit(1)"


@pytest.fixture(scope="module")
def compare() -> ModuleType:
    """Import the script, which isn't part of the package."""
    return importlib.import_module("benchmarks.web_peers.compare")


@pytest.fixture
def node(tmp_path: Path, compare: ModuleType, monkeypatch: pytest.MonkeyPatch) -> Callable[[str, str], None]:
    """Replace Node.js by a fake; timeouts apply only to one that hangs."""

    def stand_in(server: str, people: str) -> None:
        program = tmp_path / "bin" / "node"
        program.parent.mkdir()
        program.write_text(STAND_IN.format(server=server, people=people), encoding="utf-8")
        program.chmod(0o755)
        monkeypatch.setenv("PATH", str(program.parent))
        monkeypatch.setattr(compare, "PRODUCTION", dict(os.environ))
        monkeypatch.setattr(compare, "BEGINNING", 0.2 if server == HANGS else 60.0)
        monkeypatch.setattr(compare, "ENDING", 0.2 if people == HANGS else 60.0)

    return stand_in


def one_round(compare: ModuleType, folder: Path) -> Any:
    """Return the results of one round with the fake."""

    async def played() -> Any:
        with compare.begun(folder) as play:
            return await play(compare.Wanted(pairs=3, seconds=0.5, think=0.1))

    return asyncio.run(played())


def test_responses_are_counted_as_reported_by_the_peers_clients(
    compare: ModuleType, node: Callable[[str, str], None], tmp_path: Path
) -> None:
    node(READY, PLAYS)
    found = one_round(compare, tmp_path)
    assert found.answers == [0.001, 0.002, 0.003, 0.004]
    assert found.memory > 1


def test_figures_are_medians_of_the_rounds(compare: ModuleType) -> None:
    responses = [number / 1000 for number in range(1, 101)]
    rounds = [compare.Round(responses, took, 0.2, 50.0) for took in (2.0, 4.0, 5.0)]
    assert compare.table({"A server": rounds}).splitlines()[-1] == (
        "| A server | 25 | 50.5 ms | 96.0 ms | 100.0 ms | 2.00 ms | 50 MB |"
    )
    with pytest.raises(compare.NotCompared, match="too few answers"):
        compare.table({"A server": [compare.Round([0.1], 1.0, 0.1, 1.0)]})


@pytest.mark.parametrize(
    ("server", "people", "told"),
    [
        (HANGS, PLAYS, "boardgame.io's server did not start."),
        (FAILS, PLAYS, "boardgame.io's server did not start."),
        (READY, HANGS, "did not stop in time."),
        (READY, FAILS, "failed; see the output"),
    ],
)
def test_a_peer_that_hangs_times_out(
    compare: ModuleType, node: Callable[[str, str], None], tmp_path: Path, server: str, people: str, told: str
) -> None:
    node(server, people)
    with pytest.raises(compare.NotCompared, match=told):
        one_round(compare, tmp_path)


@pytest.mark.parametrize("words", [[], ["--modules", "here"]])
def test_a_missing_node_gets_one_sentence(
    compare: ModuleType, words: list[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PATH", str(tmp_path))
    monkeypatch.setattr("sys.argv", ["compare.py", *words])
    with pytest.raises(SystemExit) as ended:
        compare.main()
    assert ended.value.code == "Node.js and npm are needed to install and to run boardgame.io."
