"""Benchmarks of speed and memory: they measure alternately; no test depends on how fast anything is."""

import pytest

from benchmarks.scaling import alternate, counting_speed, main, peak_memory, resident_memory
from sparring.games.high_card import GAME


def test_a_and_b_are_measured_alternately() -> None:
    heard: list[str] = []

    def of(name: str, value: float) -> float:
        heard.append(name)
        return value

    found = alternate({"a": lambda: of("a", 1.0), "b": lambda: of("b", 2.0)}, 3)
    assert heard == ["a", "b"] * 3
    assert found == {"a": [1.0] * 3, "b": [2.0] * 3}


def test_counting_is_compared_with_plain_play() -> None:
    assert counting_speed(GAME, 2, rounds=1, choices=2000) > 0


def test_peak_memory_is_that_during_a_call() -> None:
    kept_there: list[bytearray] = []
    before = resident_memory()
    assert peak_memory(lambda: kept_there.append(bytearray(b"x") * 100 * 2**20)) - before > 50_000


def test_invalid_options_are_refused_before_measuring(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit):
        main(["--memory", "many"])
    assert "invalid int value" in capsys.readouterr().err
