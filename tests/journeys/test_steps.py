"""Check that a mark on a known fault can fail."""

import pytest

from journeys.steps import expected_to_fail


def test_a_known_fault_lets_later_steps_run(capsys: pytest.CaptureFixture[str]) -> None:
    with expected_to_fail("The history loses a line."):
        assert ["a", "b"] == ["a"]
    assert "Known fault: The history loses a line." in capsys.readouterr().out


def test_a_mended_fault_fails_until_its_mark_is_removed() -> None:
    with (
        pytest.raises(pytest.fail.Exception, match="remove its mark: The history loses"),
        expected_to_fail("The history loses a line."),
    ):
        assert ["a"] == ["a"]


def test_a_mistake_in_the_test_is_no_known_fault() -> None:
    with pytest.raises(KeyError), expected_to_fail("The history loses a line."):
        dict[str, str]()["history"]
