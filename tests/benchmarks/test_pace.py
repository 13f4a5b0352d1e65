"""The statistics of waiting times at tables."""

from benchmarks.pace import HEADER, Wait, report


def cells(*waits: Wait) -> list[str]:
    return [cell.strip() for cell in report("mace", 3, "usual", waits).strip("|").split("|")]


def test_waits_for_bots_are_apart_from_what_the_table_shows() -> None:
    row = cells(Wait(1.0, 0.5), Wait(2.0, 4.0), Wait(3.0, 0.25))
    assert row == ["MACE", "3", "usual", "3", "3", "2.0", "3.0", "3.0", "0.5", "4.0"]
    assert len(row) == HEADER.splitlines()[0].count("|") - 1


def test_clicks_that_show_nothing_are_counted_but_do_not_lower_the_median() -> None:
    assert cells(Wait(0.0, 0.1), Wait(0.0, 0.1), Wait(4.0, 0.2))[3:6] == ["3", "1", "4.0"]


def test_a_match_without_events_is_reported() -> None:
    assert cells(Wait(0.0, 0.1))[3:6] == ["1", "1", "0.0"]
