"""Compile a game's drivers to machine code, and cache it on disk.

A driver is a plain function that calls a game's rules (see `drivers`). Numba compiles it with every rule it calls. The
code is cached in a folder named by a hash of everything it depends on (see `dependencies.fingerprint`), so stale code
is never found. Importing this module imports Numba, which is slow; the web server leaves that to its workers.
"""

import gc
import hashlib
import inspect
import io
import logging
import os
import shutil
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, nullcontext, suppress
from functools import cache, wraps
from pathlib import Path
from threading import RLock
from typing import Any

import numba
import numpy as np
from numba.core.caching import FunctionCache, IndexDataCacheFile
from numba.core.errors import TypingError
from numba.core.options import DefaultOptions
from numba.extending import overload

from sparring.engine.game import Game
from sparring.engine.rule import zeros

from . import board_sets, dependencies, linking, vectors
from .dependencies import allocates, compiled_form, fingerprint, makes_slices, reachable_rules
from .drivers import Driver, checks_bounds
from .linking import inlined, whole_program, widen_arguments

#: The number of versions of a driver's code that are kept per game.
GENERATIONS = 3

#: The length of the digest at the end of a cached file.
DIGEST = 16

#: Options for drivers.
DRIVER_OPTIONS = {"error_model": "numpy", "nogil": True}

#: Options for rules: no wrappers for Python or C, and no checks for division by zero.
RULE_OPTIONS = {"error_model": "numpy", "no_cpython_wrapper": True, "no_cfunc_wrapper": True}

log = logging.getLogger(__name__)
_compile_lock = RLock()
_registered: set[Callable[..., Any]] = {zeros}


def cache_folder() -> Path:
    """Return the folder for compiled code: the environment variable SPARRING_CACHE, or the user's cache folder."""
    chosen = os.environ.get("SPARRING_CACHE")
    if chosen:
        return Path(chosen)
    return Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache") / "sparring"


def code_folder(game: Game, make: Callable[[Game], Driver]) -> Path:
    """Return the folder for a driver's code: an existing one with identical code of any game, or a new one."""
    rules = game.rules
    records = game.params.Params.dtype.descr, rules.State.dtype.descr
    driver = make(game)
    file = Path(inspect.getfile(driver)).stat()  # Numba recompiles when the file of a driver has changed
    parts = board_sets, dependencies, linking, vectors
    sources = map(inspect.getsource, parts)
    settings = (
        DRIVER_OPTIONS,
        RULE_OPTIONS,
        linking.SHORT,
        DIGEST,
        checks_bounds(driver),
        *sources,
        file.st_mtime_ns,
        file.st_size,
    )
    name = f"{make.__name__}-{fingerprint(driver, *records, len(rules.ACTIONS), *settings)}"
    return next(cache_folder().glob(f"*-{name}"), cache_folder() / f"{game.name}-{name}")


def is_cached(game: Game, make: Callable[[Game], Driver]) -> bool:
    """Return whether the driver's machine code is on disk and intact."""
    folder = code_folder(game, make)
    _delete_if_broken(folder)
    return any(folder.rglob("*.nbi")) and any(folder.rglob("*.nbc"))


def _delete_if_broken(folder: Path) -> None:
    """Delete the cached files of a driver if one of them is truncated or otherwise damaged."""
    files = list(folder.rglob("*.nb[ic]"))
    for file in files:
        try:
            content = file.read_bytes()
        except FileNotFoundError:
            continue  # another process has deleted it
        if content[-DIGEST:] != _digest(content[:-DIGEST]):
            log.warning("The cached code %s is damaged and is compiled again", file)
            for each in files:
                each.unlink(missing_ok=True)
            return


def _digest(content: bytes) -> bytes:
    return hashlib.blake2b(content, digest_size=DIGEST).digest()


@cache
def compiled(game: Game, make: Callable[[Game], Driver]) -> Driver:
    """Return a game's driver as machine code, loaded from the cache or compiled at its first call.

    `make` makes the driver for a game, as in `drivers`.
    """
    driver = make(game)
    folder = code_folder(game, make)
    _prepare_folder(folder)
    code = _cached_function(folder, driver)
    ready = False  # asking Numba for the signatures at each call would take longer than a step of one match

    def prepare(args: tuple[Any, ...]) -> None:
        """Load or compile the code for these arguments, and reload the cached code for others."""
        nonlocal code, ready
        with _compile_lock, _gc_disabled():
            wanted = tuple(map(code.typeof_pyval, args))
            if wanted in code.signatures:  # by another thread
                return
            prepared = _cached_function(folder, driver)
            for types in (*code.signatures, wanted):
                prepared = _compile(folder, driver, prepared, types)
            prepared.disable_compile()  # Numba would compile further types without `whole_program`, and abort
            code, ready = prepared, True

    @wraps(driver)
    def run(*args: object) -> Any:
        if not ready:
            prepare(args)
        try:
            return code(*args)
        except TypeError as problem:
            if not str(problem).startswith("No matching definition"):
                raise
        prepare(args)
        return code(*args)

    return run


def _compile(folder: Path, driver: Driver, code: Any, types: tuple[Any, ...]) -> Any:
    """Load or compile a driver for these argument types; if the fast ways fail, compile it as Numba does by default."""
    rules = reachable_rules(driver)[1:]
    for counts_references in sorted({allocates(driver), True}):  # Numba may refuse code that doesn't count them
        try:
            with whole_program(rules, bounds_checked=checks_bounds(driver)), widen_arguments():
                try:
                    code.compile(types)
                except TypingError:  # not cached: only now register the rules with Numba, which is slow
                    _register(rules)
                    code = _cached_function(folder, driver, counts_references=counts_references)
                    code.compile(types)
                return code
        except Exception as problem:  # noqa: BLE001 - another version of Numba may break its internals in any way
            reason = f"{type(problem).__name__}: {problem}".partition("\n")[0]
            _register(rules)
            code = _cached_function(folder, driver, counts_references=True)
    with _bounds_checked() if checks_bounds(driver) else nullcontext():
        code.compile(types)  # raises if the rules themselves are wrong
    log.warning("Compiling %s the slow way, because Numba %s failed: %s", driver.__name__, numba.__version__, reason)
    return code


@contextmanager
def _bounds_checked() -> Iterator[None]:
    """Compile with Numba's own setting for bounds checks."""
    config: Any = numba.config
    usual, config.BOUNDSCHECK = config.BOUNDSCHECK, 1
    try:
        yield
    finally:
        config.BOUNDSCHECK = usual


@contextmanager
def _gc_disabled() -> Iterator[None]:
    """Disable garbage collection: compilation creates millions of objects that stay alive."""
    was_enabled = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if was_enabled:
            gc.enable()


def _cached_function(folder: Path, driver: Driver, *, counts_references: bool = False) -> Any:
    """Return the Numba function for a driver, cached in this folder.

    Numba counts the references to every array at each call of a rule, with atomic instructions: a step of a small game
    took five times as long. Callers hold their arrays during a call, so this is needed only for arrays that rules make.
    """
    # Numba reads the folder when the function is made.
    numba.config.CACHE_DIR = str(folder)  # type: ignore[attr-defined]
    driver.__qualname__ = folder.name  # machine code is found by name, so the name must be unique in this process
    code = _jitted(driver, counts_references=counts_references or allocates(driver))
    code._cache = _CodeCache(driver)
    return code


def _jitted(driver: Driver, *, counts_references: bool) -> Any:
    """Return the Numba function for a driver. A Numba without the private option always counts references."""
    njit: Any = numba.njit
    if not counts_references:
        with suppress(KeyError):
            return njit(**DRIVER_OPTIONS, _nrt=False)(driver)
    return njit(**DRIVER_OPTIONS)(driver)


class _CheckedFile(IndexDataCacheFile):
    """Numba's files of cached code, each with its digest at the end: machine code that is damaged can do anything."""

    @contextmanager
    def _open_for_write(self, filepath: str) -> Iterator[io.BytesIO]:
        with super()._open_for_write(filepath) as file:
            content = io.BytesIO()
            yield content
            file.write(content.getvalue() + _digest(content.getvalue()))


class _CodeCache(FunctionCache):
    """Numba's cache without the driver's closure in its key, because the folder's name covers it.

    Numba would pickle the closure, and functions loaded from `.pyc` files pickle differently from freshly compiled
    ones: after an installation everything would be compiled twice.
    """

    def __init__(self, driver: Driver) -> None:
        super().__init__(driver)
        stamp = self._impl.locator.get_source_stamp()
        self._cache_file = _CheckedFile(self._cache_path, self._impl.filename_base, stamp)

    def _index_key(self, sig: object, codegen: Any) -> tuple[Any, ...]:
        return sig, codegen.magic_tuple()

    def load_overload(self, sig: Any, target_context: Any) -> Any:
        """Load cached code; None, so that it is compiled again, if it is damaged or refers to a missing package."""
        _delete_if_broken(Path(self._cache_path))
        try:
            return super().load_overload(sig, target_context)
        except ImportError:
            return None


def _register(rules: list[Callable[..., Any]]) -> None:
    """Register rules with Numba, so that compiled code can call them."""
    short = inlined(rules)
    for rule in rules:
        if rule not in _registered:
            options: Any = {**RULE_OPTIONS, "forceinline": rule in short}
            # Numba lets only code that counts references return slices.
            if makes_slices(rule) and hasattr(DefaultOptions, "_nrt"):
                options["_nrt"] = True
            overload(rule, jit_options=options, strict=False)(_constant_overload(compiled_form(rule)))
            _registered.add(rule)


def _constant_overload(code: Callable[..., Any]) -> Callable[..., Any]:
    """Return an overload function that gives Numba the same code for all argument types."""
    return lambda *_args, **_kwargs: code


def _prepare_folder(folder: Path) -> None:
    """Create the folder for a driver's code, and delete the oldest versions that it replaces.

    Other processes may do the same at the same time.
    """
    if folder.exists():
        return
    folder.mkdir(parents=True, exist_ok=True)
    family = folder.name.rpartition("-")[0]
    for path in sorted(folder.parent.glob(f"{family}-*"), key=_changed)[:-GENERATIONS]:
        shutil.rmtree(path, ignore_errors=True)


def _changed(path: Path) -> float:
    """Return when a folder was changed; now if another process has deleted it."""
    try:
        return path.stat().st_mtime
    except FileNotFoundError:
        return time.time()


def blank_pair(game: Game) -> np.ndarray[Any, Any]:
    """Return two blank states, for drivers."""
    return np.zeros(2, game.rules.State.dtype)
