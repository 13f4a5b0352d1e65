"""Machine code for a game's drivers, and the cache that keeps it.

A driver is a plain function over a game's rules (see `drivers`); Numba turns it, and every rule it calls, into machine
code. The code is kept on disk in a folder named by everything it was made from (see `reach.fingerprint`), so a stale
one is never found. Importing this module imports Numba, which takes a while: the web server does not, its workers do.
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

#: How many generations of a driver's code are kept for one game.
KEPT = 3

#: A rule is called from compiled code only, and divides as the processor does.
PLAIN = {"error_model": "numpy", "no_cpython_wrapper": True, "no_cfunc_wrapper": True}

_one_at_a_time = RLock()
_registered: set[Callable[..., Any]] = set()


def cache_folder() -> Path:
    """Where compiled code is kept: SPARRING_CACHE, or the user's cache folder."""
    chosen = os.environ.get("SPARRING_CACHE")
    if chosen:
        return Path(chosen)
    return Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache") / "sparring"


def code_folder(game: Game, make: Callable[[Game], Driver]) -> Path:
    """The folder for the code of a driver of a game, or of one that was made of it and is still the same."""
    rules = game.rules
    driver = make(game)
    stamp = Path(inspect.getfile(driver)).stat()  # Numba makes code anew when the file of a driver was written again
    made_by = map(inspect.getsource, (linking, widening))
    how = (PLAIN, linking.SHORT, is_careful(driver), *made_by, stamp.st_mtime_ns, stamp.st_size)
    name = f"{make.__name__}-{fingerprint(driver, rules.KIT.descr, rules.STATE.descr, len(rules.ACTIONS), *how)}"
    return next(cache_folder().glob(f"*-{name}"), cache_folder() / f"{game.name}-{name}")


def is_cached(game: Game, make: Callable[[Game], Driver]) -> bool:
    """Whether machine code of the driver lies ready on disk."""
    return any(code_folder(game, make).rglob("*.nbc"))


@cache
def compiled(game: Game, make: Callable[[Game], Driver]) -> Driver:
    """The driver as machine code: from the cache, or compiled at its first call."""
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
            except TypingError:  # not on disk: to compile it Numba has to know the rules, which takes a while
                _register(rules)
                code = _kept_in(folder, driver)
                return code(*args)

    return run


@contextmanager
def _keeping_all() -> Iterator[None]:
    """Look for no garbage meanwhile: compiling makes millions of objects that are still needed."""
    collects = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if collects:
            gc.enable()


def _kept_in(folder: Path, driver: Driver) -> Any:
    """The driver for Numba, which finds the folder of its code at this moment and in this way only."""
    numba.config.CACHE_DIR = str(folder)  # type: ignore[attr-defined]
    driver.__qualname__ = folder.name  # machine code is found by name: no other driver of this process has this one
    code = numba.njit(error_model="numpy", nogil=True)(driver)
    code._cache = _CodeCache(driver)  # type: ignore[attr-defined]
    return code


class _CodeCache(FunctionCache):
    """Numba's cache, in a folder whose name already tells all that a driver closes over.

    Numba would tell that by pickling it, and what is read from `.pyc` files is pickled otherwise than what has just
    been compiled from source: after an installation everything would be made twice.
    """

    def _index_key(self, sig: Any, codegen: Any) -> tuple[Any, ...]:
        return sig, codegen.magic_tuple()

    def load_overload(self, sig: Any, target_context: Any) -> Any:
        """What is kept. Code names the package that it was made for; if that is gone since, its copy makes it anew."""
        try:
            return super().load_overload(sig, target_context)
        except ImportError:
            return None


def _register(rules: list[Callable[..., Any]]) -> None:
    """Tell Numba what may be called from compiled code."""
    short = inlined(rules)
    for rule in rules:
        if rule not in _registered:
            options: Any = {**PLAIN, "forceinline": rule in short}
            overload(rule, jit_options=options, strict=False)(_made_of(as_compiled(rule)))
            _registered.add(rule)


def _made_of(code: Callable[..., Any]) -> Callable[..., Any]:
    """What Numba asks for the code of a rule, whatever the types of its arguments are."""
    return lambda *_args, **_kwargs: code


def _make_room(folder: Path) -> None:
    """Make the folder, and let go of the oldest code that it takes the place of."""
    if folder.exists():
        return
    folder.mkdir(parents=True)
    family = folder.name.rpartition("-")[0]
    older = sorted(folder.parent.glob(f"{family}-*"), key=lambda path: path.stat().st_mtime)
    for path in older[:-KEPT]:
        shutil.rmtree(path, ignore_errors=True)


def blank_pair(game: Game) -> np.ndarray[Any, Any]:
    """Two blank states, as drivers want them."""
    return np.zeros(2, game.rules.STATE)
