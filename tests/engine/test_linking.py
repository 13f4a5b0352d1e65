"""Code compiled in several processes loads into one; linking works without the Numba internals it uses."""

import os
import subprocess
import sys
from pathlib import Path

import pytest
from numba.core import codegen

from sparring.engine.compilation.linking import whole_program
from sparring.games.high_card import GAME
from sparring.lab.simulate import simulate

pytestmark = pytest.mark.compiled

#: Two games with states of different sizes, and a rule that is long and called twice, so that it isn't inlined.
#: Compiled in separate processes, both get the same names from Numba's counter.
PROGRAM = """
import json, sys
from types import SimpleNamespace
import numpy as np
from sparring.engine.compilation.machine_code import compiled
from sparring.engine.rule import ActionSpace, rule
from sparring.engine.state import Header, Parameters, array, scalar

class Piles(SimpleNamespace):
    __hash__ = object.__hash__

def game(size):
    state = type("State", (Header,), {"banks": array(size, "i8"), "piles": array(size, "i4")}, seats=2)
    params = type("Params", (Parameters,), {"most": scalar("i8")})
    rules = SimpleNamespace(State=state, ACTIONS=ActionSpace(done=1))
    return Piles(name=f"piles-of-{size}", rules=rules, params=SimpleNamespace(Params=params))

@rule
def turn_over(s, by):
    for i in range(len(s.piles)):
        s.piles[i] += i % 3 + by
        if s.piles[i] > 5 + by:
            s.banks[i] -= s.piles[i] * by
        elif s.banks[i] > s.piles[i]:
            s.banks[i] += 7 % (1 + s.piles[i] * s.piles[i])
        else:
            s.piles[i] += s.banks[i] // (2 + s.piles[i] * s.piles[i])
        if s.turn > s.moment:
            s.turn -= s.piles[i] % 5
            s.moment += s.banks[i] % 3
        elif s.turn + s.piles[i] == s.moment:
            s.turn += s.piles[i] // 3
    s.moment += by
    s.piles[0] = s.turn * by
    s.banks[len(s.banks) - 1] = s.moment + by

@rule
def turn_all(s, times):
    for time in range(times):
        turn_over(s, time)
        if s.moment % 2:
            turn_over(s, times)

def turning(game):
    def turning(work, times):
        turn_all(work[0], times)
        return times
    return turning

for size in map(int, sys.argv[1:]):
    asked = game(size)
    plain, work = np.zeros((2, 1), asked.rules.State.dtype)
    turning(asked)(plain, 9)
    compiled(asked, turning)(work, 9)
    assert work.tobytes() == plain.tobytes(), f"another game's rule wrote into {asked.name}"
"""


def turn(folder: Path, *games: int) -> None:
    """Run these games in one new process that caches its code in this folder."""
    command = [sys.executable, str(folder / "program.py"), *map(str, games)]
    subprocess.run(command, env={**os.environ, "SPARRING_CACHE": str(folder)}, check=True)


def test_a_shared_rule_writes_into_the_state_of_its_game(tmp_path: Path) -> None:
    (tmp_path / "program.py").write_text(PROGRAM)
    turn(tmp_path, 8)
    turn(tmp_path, 64)
    turn(tmp_path, 8, 64)
    turn(tmp_path, 64, 8)


@pytest.mark.parametrize("part", ["CPUCodeLibrary._finalize_dynamic_globals", "CPUCodegen._module_pass_manager"])
def test_without_numba_internals_everything_still_compiles(part: str, monkeypatch: pytest.MonkeyPatch) -> None:
    library = codegen.JITCodeLibrary
    usual = library.finalize, library._optimize_final_module
    with whole_program(()):
        assert (library.finalize, library._optimize_final_module) != usual
    monkeypatch.delattr(f"numba.core.codegen.{part}")
    with whole_program(()):
        assert (library.finalize, library._optimize_final_module) == usual


#: Plays matches while one of the functions that use Numba internals fails.
BROKEN = """
import sys
from importlib import import_module
from sparring.games.high_card import GAME
from sparring.lab.simulate import simulate

def broken(*_):
    raise RuntimeError("no such attribute")

module, name = sys.argv[1].rsplit(".", 1)
setattr(import_module(module), name, broken)
print(simulate(GAME, 50, seed=1).wins_by_seat)
"""


@pytest.mark.parametrize("function", ["linking._link_rules", "linking._optimize", "linking.wide"])
def test_any_failure_of_fast_compilation_falls_back_to_numbas_own(function: str, tmp_path: Path) -> None:
    command = [sys.executable, "-c", BROKEN, f"sparring.engine.compilation.{function}"]
    env = {**os.environ, "SPARRING_CACHE": str(tmp_path)}
    played = subprocess.run(command, env=env, capture_output=True, text=True, check=True)
    assert played.stdout == f"{simulate(GAME, 50, seed=1).wins_by_seat}\n"
    assert "the slow way" in played.stderr
    assert "RuntimeError: no such attribute" in played.stderr
