"""Compiled drivers don't count references to arrays, where Numba lets them."""

from typing import Any

import numba
import numpy as np
import pytest

from sparring.engine.compilation import machine_code


def last(values: Any) -> Any:
    return values[-1]


def test_a_numba_without_the_private_option_counts_references(monkeypatch: pytest.MonkeyPatch) -> None:
    asked: list[set[str]] = []
    njit = numba.njit

    def public_options_only(*function: Any, **options: Any) -> Any:
        asked.append(set(options))
        if "_nrt" in options:
            raise KeyError("Unrecognized options: {'_nrt'}.")
        return njit(*function, **options)

    monkeypatch.setattr(numba, "njit", public_options_only)
    assert machine_code._jitted(last, counts_references=False)(np.array([1, 2])) == 2
    assert asked[:2] == [{*machine_code.DRIVER_OPTIONS, "_nrt"}, {*machine_code.DRIVER_OPTIONS}]
