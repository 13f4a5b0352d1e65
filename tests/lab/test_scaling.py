"""What is measured of speed and memory is measured in turns; how fast it is, no test asks."""

import pytest

from sparring.games.high_card import GAME
from sparring.lab.benchmarks.scaling import alternate, counting_speed, main, peak_memory, resident_memory


def test_a_and_b_are_measured_in_turns() -> None:
    heard: list[str] = []

    def of(name: str, value: float) -> float:
        heard.append(name)
        return value

    found = alternate({"a": lambda: of("a", 1.0), "b": lambda: of("b", 2.0)}, 3)
    assert heard == ["a", "b"] * 3
    assert found == {"a": [1.0] * 3, "b": [2.0] * 3}


def test_counting_is_compared_with_bare_play() -> None:
    assert counting_speed(GAME, 2, rounds=1, choices=2000) > 0


def test_the_peak_memory_is_what_something_took_meanwhile() -> None:
    kept_there: list[bytearray] = []
    before = resident_memory()
    assert peak_memory(lambda: kept_there.append(bytearray(b"x") * 100 * 2**20)) - before > 50_000


def test_what_is_not_asked_for_is_not_measured(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit):
        main(["--memory", "many"])
    assert "invalid int value" in capsys.readouterr().err
