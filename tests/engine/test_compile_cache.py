"""The cache of compiled code: what its name depends on, and when it is loaded."""

import gc
import os
import shutil
import subprocess
import sys
from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from numba.core.event import install_recorder

from sparring.cli.new_game import GameNames, create_package
from sparring.engine.compilation import linking
from sparring.engine.compilation import machine_code as module
from sparring.engine.compilation.dependencies import fingerprint
from sparring.engine.compilation.drivers import Driver, check_bounds, playouts, trace
from sparring.engine.compilation.machine_code import code_folder, compiled, is_cached
from sparring.engine.game import Game
from sparring.engine.rule import rule

from .toy_game import TOY

pytestmark = pytest.mark.compiled

SOURCE = """
from math import ceil as up
import numpy as np

LIMIT = 3
STEPS = np.arange(3000.0)

@rule
def deep(n, more=1, *, less=0):
    for step in range(n):
        n += more - less
    return up(n if n < LIMIT else LIMIT + STEPS[1500])

@rule
def shallow(n):
    return deep(n) + 1

def driver(n):
    return shallow(n)
"""


def named(source: str) -> str:
    """Return the cache key of the driver in a source text."""
    space: dict[str, Any] = {"rule": rule, "__name__": "toy_rules"}
    exec(source, space)
    return fingerprint(space["driver"])


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("+ 1", "+ 2"), ("+ 1", "- 1"), ("n < LIMIT", "n <= LIMIT"), ("LIMIT = 3", "LIMIT = 4"), ("more=1", "more=2"),
        ("LIMIT = 3", "LIMIT = 3.0"), ("deep(n) + 1", "deep(n, 2) + 1"), ("range(n)", "range(n, 9)"),
        ("less=0", "less=1"), ("ceil as", "floor as"), ("3000.0)", "3000.0)\nSTEPS[1500] += 1e-12"),
        ("shallow(n)\n", "deep(n)\n"),
    ],
)  # fmt: skip
def test_a_change_in_any_dependency_changes_the_key(old: str, new: str) -> None:
    assert named(SOURCE.replace(old, new)) != named(SOURCE)


@pytest.mark.parametrize(
    ("old", "new"),
    [("return shallow(n)", "return shallow(n)  # as before"), ("LIMIT = 3", "# the most\n\nLIMIT = 3\nOTHER = 1")],
)
def test_comments_and_unused_values_do_not_change_the_key(old: str, new: str) -> None:
    assert named(SOURCE.replace(old, new)) == named(SOURCE)


def test_rules_can_close_over_different_values_of_one_name() -> None:
    def made(first: int, second: int) -> str:
        def adds(size: int) -> Any:
            return rule(lambda n: n + size)

        one, other = adds(first), adds(second)
        return fingerprint(lambda n: one(n) * other(n))

    assert len({made(1, 2), made(2, 1), made(1, 1), made(2, 2)}) == 4


def test_calling_a_non_rule_is_refused() -> None:
    with pytest.raises(TypeError, match=r"toy_rules\.shallow calls deep, which is not a @rule\."):
        named(SOURCE.replace("@rule\ndef deep", "def deep"))


@pytest.fixture
def empty_cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """Use an empty cache, and forget what this process has compiled."""
    monkeypatch.setenv("SPARRING_CACHE", str(tmp_path))
    compiled.cache_clear()
    yield
    compiled.cache_clear()


def traced(make: Callable[[Game], Driver] = trace) -> list[int]:
    """Return the seat to choose after each of the first choices of a match, by compiled code."""
    setup = TOY.setup()
    states = np.zeros(3, TOY.rules.State.dtype)
    states[0].rng[:], states[0].seats = (1, 2, 3, 4), 2
    TOY.rules.setup(setup.params, states[0])
    out = np.zeros(len(TOY.rules.ACTIONS), np.int16)
    TOY.rules.legal(setup.params, states[0], out)
    compiled(TOY, make)(setup.params, states, out[:1])
    return [int(state.player) for state in states]


def flipped(content: bytes) -> bytes:
    """Return content with one byte changed in its middle."""
    middle = len(content) // 2
    return content[:middle] + bytes([content[middle] ^ 1]) + content[middle + 1 :]


@pytest.mark.usefixtures("empty_cache")
def test_cached_code_is_not_compiled_again() -> None:
    assert not is_cached(TOY, trace)
    with install_recorder("numba:compile") as first:
        made = traced()
    assert first.buffer
    assert is_cached(TOY, trace)
    compiled.cache_clear()
    with install_recorder("numba:compile") as second:
        assert traced() == made
    assert not second.buffer


def carefully(game: Game) -> Driver:
    return check_bounds(trace(game))


@pytest.mark.usefixtures("empty_cache")
def test_a_lightly_optimized_driver_is_cached_apart_with_equal_results(monkeypatch: pytest.MonkeyPatch) -> None:
    optimised: list[str] = []
    less = linking._optimize_lightly

    def noted(library: Any) -> None:
        optimised.append(library.name)
        less(library)

    monkeypatch.setattr(linking, "_optimize_lightly", noted)
    usual = traced()
    assert not optimised
    assert traced(carefully) == usual
    assert optimised
    folders = code_folder(TOY, trace), code_folder(TOY, carefully)
    assert folders[0].name.rpartition("-")[2] != folders[1].name.rpartition("-")[2]


@pytest.mark.usefixtures("empty_cache")
def test_two_processes_can_create_a_cache_folder_at_the_same_time(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder, other = tmp_path / "toy-driver-1", tmp_path / "toy-driver-0"
    exists, found = Path.exists, Path.glob

    def exists_just_after(path: Path) -> bool:
        """Let another process create the folder after the look."""
        before = exists(path)
        if path == folder:
            path.mkdir()
        return before

    def found_just_before(path: Path, pattern: str) -> list[Path]:
        """Let another process delete an old folder after the look."""
        return [*found(path, pattern), other]

    monkeypatch.setattr(Path, "exists", exists_just_after)
    monkeypatch.setattr(Path, "glob", found_just_before)
    module._prepare_folder(folder)
    assert folder.is_dir()


@pytest.mark.usefixtures("empty_cache")
def test_each_driver_has_its_own_cache_folder() -> None:
    first, second = compiled(TOY, trace), compiled(TOY, playouts)
    traced()
    assert first is compiled(TOY, trace)
    assert is_cached(TOY, trace)
    assert not is_cached(TOY, playouts)
    assert second is compiled(TOY, playouts)


@pytest.mark.usefixtures("empty_cache")
def test_unusable_cached_code_is_recompiled() -> None:
    made = traced()
    for index in code_folder(TOY, trace).rglob("*.nbi"):
        index.unlink()
    compiled.cache_clear()
    assert traced() == made


@pytest.mark.usefixtures("empty_cache")
@pytest.mark.parametrize("pattern", ["*.nbc", "*.nbi"])
@pytest.mark.parametrize("damage", [lambda content: content[: len(content) // 2], lambda _: b"", flipped])
def test_damaged_cached_code_is_deleted_and_recompiled(pattern: str, damage: Callable[[bytes], bytes]) -> None:
    made = traced()
    for used in (is_cached, lambda *_: traced() != made):
        (file,) = code_folder(TOY, trace).rglob(pattern)
        file.write_bytes(damage(file.read_bytes()))
        compiled.cache_clear()
        assert not used(TOY, trace)
        compiled.cache_clear()
        assert traced() == made
        assert is_cached(TOY, trace)


@pytest.mark.usefixtures("empty_cache")
def test_a_copied_game_uses_the_code_of_its_original() -> None:
    copy = replace(TOY, name="my-game")
    assert code_folder(copy, trace) != code_folder(TOY, trace)
    traced()
    assert is_cached(copy, trace)
    assert code_folder(copy, trace) == code_folder(TOY, trace)


def test_a_copied_game_outlives_its_original(tmp_path: Path) -> None:
    """`sparring new` twice, then the first game is deleted: the second one finds its code in the cache."""
    for title, name in (("Gone", "gone"), ("Stays", "stays")):
        create_package(GameNames(title, name, name), tmp_path / name)
        play = (
            f"import numpy as np; from {name} import GAME; "
            "from sparring.engine.compilation.machine_code import compiled; "
            "from sparring.engine.compilation.drivers import trace; "
            "compiled(GAME, trace)(GAME.setup().params, np.zeros(1, GAME.rules.State.dtype), np.zeros(0, np.int16))"
        )
        home = {**os.environ, "SPARRING_CACHE": str(tmp_path / "cache"), "PYTHONPATH": str(tmp_path / name)}
        done = subprocess.run([sys.executable, "-c", play], env=home, capture_output=True, text=True, check=False)
        assert done.returncode == 0, done.stderr
        shutil.rmtree(tmp_path / name)
    assert len(list((tmp_path / "cache").iterdir())) == 1, "otherwise this tests nothing"


@pytest.mark.usefixtures("empty_cache")
def test_garbage_collection_resumes_after_compiling(monkeypatch: pytest.MonkeyPatch) -> None:
    looked: list[bool] = []
    kept: Any = module._CodeCache
    save = kept.save_overload

    def watched(*given: Any) -> None:
        looked.append(gc.isenabled())
        save(*given)

    monkeypatch.setattr(kept, "save_overload", watched)
    traced()
    assert looked == [False]
    assert gc.isenabled()


def test_the_next_process_loads_cached_code(tmp_path: Path) -> None:
    program = """
import sys
sys.path[:0] = sys.argv[1:]
from engine.toy_game import TOY
from sparring.engine.compilation import machine_code as module
from sparring.lab.simulate import prepare
kept, register = [], module._register
module._register = lambda rules: (kept.append(rules), register(rules))
prepare(TOY, "random")
print(len(kept))
"""
    env = {**os.environ, "SPARRING_CACHE": str(tmp_path / "code"), "PYTHONPYCACHEPREFIX": str(tmp_path / "pyc")}
    env.pop("PYTHONDONTWRITEBYTECODE", None)
    command = [sys.executable, "-c", program, str(Path(__file__).parents[1])]
    told = [subprocess.run(command, env=env, capture_output=True, text=True, check=True).stdout for _ in range(2)]
    assert told == ["1\n", "0\n"]


@pytest.mark.usefixtures("empty_cache")
def test_only_the_newest_generations_stay_cached(monkeypatch: pytest.MonkeyPatch) -> None:
    folders = []
    for version in range(module.GENERATIONS + 2):
        monkeypatch.setitem(module.RULE_OPTIONS, "version", version)
        folders.append(code_folder(TOY, trace))
        module._prepare_folder(folders[-1])
        os.utime(folders[-1], (version, version))  # file times may be too coarse to tell them apart
    assert [folder.exists() for folder in folders] == [False, False, True, True, True]


TRACE_WITH = """
import sys
import numpy as np
from sparring.engine.compilation.drivers import trace
from sparring.engine.compilation.machine_code import compiled
from sparring.engine.match import Match
from sparring.games.high_card import GAME

match = Match.new(GAME, seed=1)
while not match.over:
    match.choose(match.legal()[0])
for dtype in sys.argv[1:]:
    states = np.zeros(len(match.history) + 1, GAME.rules.State.dtype)
    states[0] = match.start.state
    compiled(GAME, trace)(match.setup.params, states, np.array(match.history, dtype))
    assert states[-1].tobytes() == match.state.tobytes(), dtype
"""


def test_cached_code_takes_integers_of_another_type(tmp_path: Path) -> None:
    """A new process loads the code for int64, then gets other actions; their code needs rules unknown to Numba."""
    for dtypes in (["int64"], ["int64", "int32", "uint8", "int64"]):
        subprocess.run(
            [sys.executable, "-c", TRACE_WITH, *dtypes],
            env={**os.environ, "SPARRING_CACHE": str(tmp_path)},
            check=True,
        )
