"""Benchmarks of speed and memory: they measure alternately; no test depends on how fast anything is."""

import itertools
from typing import Any

import pytest

from benchmarks import scaling
from benchmarks.scaling import alternate, counting_speed, main, peak_memory, resident_memory
from sparring.engine.compilation.drivers import playouts
from sparring.engine.compilation.machine_code import compiled
from sparring.games.high_card import GAME


def test_a_and_b_are_measured_alternately() -> None:
    heard: list[str] = []

    def of(name: str, value: float) -> float:
        heard.append(name)
        return value

    found = alternate({"a": lambda: of("a", 1.0), "b": lambda: of("b", 2.0)}, 3)
    assert heard == ["a", "b"] * 3
    assert found == {"a": [1.0] * 3, "b": [2.0] * 3}


def test_counting_is_compared_with_plain_play_of_as_many_matches(monkeypatch: pytest.MonkeyPatch) -> None:
    """The result is the median of the rounds' ratios: 1/4 of 1/2, 1/4 and 1/8 here."""
    clock = itertools.accumulate((0, 1, 0, 2, 0, 1, 0, 4, 0, 1, 0, 8))  # a start and an end each: bare, then counted
    monkeypatch.setattr("time.process_time", lambda: next(clock))
    played: list[int] = []
    bare = compiled(GAME, playouts)

    def counted_bare(*args: Any) -> Any:
        played.append(args[-1])
        return bare(*args)

    monkeypatch.setattr(scaling, "measure", lambda plan, first, matches: played.append(matches))
    monkeypatch.setattr(scaling, "compiled", lambda *_: counted_bare)
    assert counting_speed(GAME, 2, rounds=3, choices=2000) == 0.25
    assert len(played) == 2 + 6, "one run of each to begin with, then six that are timed"
    assert len(set(played[2:])) == 1


def test_peak_memory_is_that_during_a_call() -> None:
    kept_there: list[bytearray] = []
    before = resident_memory()
    assert peak_memory(lambda: kept_there.append(bytearray(b"x") * 100 * 2**20)) - before > 50_000


def test_invalid_options_are_refused_before_measuring(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit):
        main(["--memory", "many"])
    assert "invalid int value" in capsys.readouterr().err
