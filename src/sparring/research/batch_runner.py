"""Run the compiled loop of a batch, in one thread or several."""

import os
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from threading import Lock
from typing import Any

import numpy as np

from sparring.engine.compilation.machine_code import compiled
from sparring.engine.errors import SparringError
from sparring.engine.game import Box

from .batch_arrays import Array, BatchArrays
from .batch_driver import CHECK, ON_ILLEGAL, REFUSE, STEP, batch_driver

#: Unused elements around the scratch space of a thread: no two threads share a cache line.
MARGIN = 64


class BatchRunner:
    """The driver of a batch with its arguments, shared among threads, each with its own scratch space."""

    def __init__(self, box: Box, settings: Array, arrays: BatchArrays, threads: int) -> None:
        self._arrays, self._settings, size = arrays, settings, arrays.num_envs
        #: The first environment of each thread, and the one after its last.
        self.shares = [(size * k // threads, size * (k + 1) // threads) for k in range(threads)]
        self._scratch = [_scratch(box) for _ in self.shares]
        self._checks_first = threads > 1 and settings[ON_ILLEGAL] == REFUSE
        self._pool, self._lock, self._process = self._workers(), Lock(), os.getpid()
        self._driver = compiled(box.game, batch_driver)
        # Built once: for one environment, building them would take longer than the driver.
        self._kits = np.zeros(1, box.game.rules.KIT)
        self._kits[0] = box.kit
        self._before_final, self._after_final = arrays.before_final(), arrays.after_final()

    def run(
        self, operation: int, where: Array, count: int = 1, actions: Array | None = None, final_obs: Array | None = None
    ) -> int:  # fmt: skip
        """Run an operation of `batch_driver` in all environments; return what the driver returns.

        Raises SparringError if another thread uses the batch at the same time.
        """
        final_obs = self._arrays.final_obs if final_obs is None else final_obs

        def run_share(operation: int, first: int, last: int, scratch: tuple[Array, ...]) -> int:
            return self._driver(  # type: ignore[no-any-return]
                operation, count, first, last, self._kits, self._settings, *scratch, self._arrays.actions, where,
                *self._before_final, final_obs, *self._after_final,
            )  # fmt: skip

        self._acquire()
        try:
            if actions is not None:
                self._arrays.actions[:] = actions
            if self._pool is None:
                return run_share(operation, 0, self._arrays.num_envs, self._scratch[0])
            refused = -1
            if operation == STEP and self._checks_first:
                refused = run_share(CHECK, 0, self._arrays.num_envs, self._scratch[0])
            if refused < 0:
                refused = max(self._spread(lambda k: run_share(operation, *self.shares[k], self._scratch[k])))
            return refused
        finally:
            self._lock.release()

    def map(self, call: Callable[[int], Any]) -> list[Any]:
        """Call a function with the number of each thread, in that thread, and return the results.

        Raises SparringError if another thread uses the batch at the same time.
        """
        self._acquire()
        try:
            return self._spread(call)
        finally:
            self._lock.release()

    def _spread(self, call: Callable[[int], Any]) -> list[Any]:
        return list((self._pool.map if self._pool else map)(call, range(len(self.shares))))

    def _acquire(self) -> None:
        """Keep other threads out. After a fork, start threads: the child has none of them, and maybe a held lock."""
        if self._process != os.getpid():
            self._pool, self._lock, self._process = self._workers(), Lock(), os.getpid()
        if not self._lock.acquire(blocking=False):
            raise SparringError("Two threads use one batch at the same time; give each its own, or a lock.")

    def _workers(self) -> ThreadPoolExecutor | None:
        return ThreadPoolExecutor(len(self.shares)) if len(self.shares) > 1 else None


def _scratch(box: Box) -> tuple[Array, ...]:
    """Return the scratch space of one thread: `work`, `values`, `out` and `g` of the driver."""
    rules = box.game.rules
    sizes = (2, rules.STATE), (rules.FEATURES, np.float64), (len(rules.ACTIONS), np.int16), (4, np.int64)
    return tuple(np.zeros(size + 2 * MARGIN, dtype)[MARGIN : MARGIN + size] for size, dtype in sizes)
