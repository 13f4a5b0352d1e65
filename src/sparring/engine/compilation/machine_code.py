"""Compile a game's drivers to machine code, and cache it on disk.

A driver is a plain function over a game's rules (see `drivers`). Numba compiles it with every rule it calls. The code
is cached in a folder named by a hash of everything it depends on (see `dependencies.fingerprint`), so stale code is
never found. Importing this module imports Numba, which is slow: the web server does not do it, its workers do.
"""

import gc
import inspect
import os
import shutil
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import cache, wraps
from pathlib import Path
from threading import RLock
from typing import Any

import numba
import numpy as np
from numba.core.caching import FunctionCache
from numba.core.errors import TypingError
from numba.extending import overload

from sparring.engine.game import Game

from . import linking, widening
from .dependencies import as_compiled, fingerprint, parts
from .drivers import Driver, is_careful
from .linking import as_a_whole, inlined
from .widening import widely

#: How many generations of a driver's code are kept per game.
KEPT = 3

#: Options for rules: no wrappers for Python or C, and no checks for division by zero.
PLAIN = {"error_model": "numpy", "no_cpython_wrapper": True, "no_cfunc_wrapper": True}

_one_at_a_time = RLock()
_registered: set[Callable[..., Any]] = set()


def cache_folder() -> Path:
    """Return the folder for compiled code: SPARRING_CACHE, or the user's cache folder."""
    chosen = os.environ.get("SPARRING_CACHE")
    if chosen:
        return Path(chosen)
    return Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache") / "sparring"


def code_folder(game: Game, make: Callable[[Game], Driver]) -> Path:
    """Return the folder for a driver's code, or the one with identical code of another game."""
    rules = game.rules
    driver = make(game)
    stamp = Path(inspect.getfile(driver)).stat()  # Numba recompiles when the file of a driver has changed
    made_by = map(inspect.getsource, (linking, widening))
    how = (PLAIN, linking.SHORT, is_careful(driver), *made_by, stamp.st_mtime_ns, stamp.st_size)
    name = f"{make.__name__}-{fingerprint(driver, rules.KIT.descr, rules.STATE.descr, len(rules.ACTIONS), *how)}"
    return next(cache_folder().glob(f"*-{name}"), cache_folder() / f"{game.name}-{name}")


def is_cached(game: Game, make: Callable[[Game], Driver]) -> bool:
    """Return whether the driver's machine code is on disk."""
    return any(code_folder(game, make).rglob("*.nbc"))


@cache
def compiled(game: Game, make: Callable[[Game], Driver]) -> Driver:
    """Return the driver as machine code, from the cache or compiled at its first call."""
    driver = make(game)
    folder = code_folder(game, make)
    _make_room(folder)
    code = _kept_in(folder, driver)

    @wraps(driver)
    def run(*args: Any) -> Any:
        nonlocal code
        if code.signatures:
            return code(*args)
        rules = parts(driver)[1:]
        with _one_at_a_time, as_a_whole(rules, carefully=is_careful(driver)), widely(), _keeping_all():
            try:
                return code(*args)
            except TypingError:  # not cached: Numba needs the rules to compile it; registering them is slow
                _register(rules)
                code = _kept_in(folder, driver)
                return code(*args)

    return run


@contextmanager
def _keeping_all() -> Iterator[None]:
    """Disable garbage collection: compiling makes millions of objects that stay alive."""
    collects = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if collects:
            gc.enable()


def _kept_in(folder: Path, driver: Driver) -> Any:
    """Return the Numba function for a driver, cached in this folder; Numba reads the setting only at this moment."""
    numba.config.CACHE_DIR = str(folder)  # type: ignore[attr-defined]
    driver.__qualname__ = folder.name  # machine code is found by name, so the name must be unique in this process
    code = numba.njit(error_model="numpy", nogil=True)(driver)
    code._cache = _CodeCache(driver)  # type: ignore[attr-defined]
    return code


class _CodeCache(FunctionCache):
    """Numba's cache, keyed by the folder alone, because its name covers everything that a driver closes over.

    Numba would pickle the closure, and functions loaded from `.pyc` files pickle differently from freshly compiled
    ones: after an installation everything would be compiled twice.
    """

    def _index_key(self, sig: Any, codegen: Any) -> tuple[Any, ...]:
        return sig, codegen.magic_tuple()

    def load_overload(self, sig: Any, target_context: Any) -> Any:
        """Load cached code; None if it refers to a package that no longer exists, so that it is compiled again."""
        try:
            return super().load_overload(sig, target_context)
        except ImportError:
            return None


def _register(rules: list[Callable[..., Any]]) -> None:
    """Tell Numba which functions may be called from compiled code."""
    short = inlined(rules)
    for rule in rules:
        if rule not in _registered:
            options: Any = {**PLAIN, "forceinline": rule in short}
            overload(rule, jit_options=options, strict=False)(_made_of(as_compiled(rule)))
            _registered.add(rule)


def _made_of(code: Callable[..., Any]) -> Callable[..., Any]:
    """Return a function that gives Numba the same code for all argument types."""
    return lambda *_args, **_kwargs: code


def _make_room(folder: Path) -> None:
    """Create the folder, and delete the oldest code that it replaces."""
    if folder.exists():
        return
    folder.mkdir(parents=True)
    family = folder.name.rpartition("-")[0]
    older = sorted(folder.parent.glob(f"{family}-*"), key=lambda path: path.stat().st_mtime)
    for path in older[:-KEPT]:
        shutil.rmtree(path, ignore_errors=True)


def blank_pair(game: Game) -> np.ndarray[Any, Any]:
    """Return two blank states, for drivers."""
    return np.zeros(2, game.rules.STATE)
