"""The fault log: one entry per kind, cause and minute, with a count."""

import logging
from types import SimpleNamespace

import pytest
from sqlalchemy.exc import OperationalError

from sparring import monitoring
from sparring.monitoring import FaultLog, cause_of
from sparring.server.monitoring import LOGGING, Throttle
from sparring.store.group_commit import StoreError


def test_a_kind_of_fault_is_logged_once_a_minute_with_its_count(caplog: pytest.LogCaptureFixture) -> None:
    clock = SimpleNamespace(now=0.0)
    faults = FaultLog(lambda: clock.now)
    caplog.handler.addFilter(Throttle())
    first = [faults.report("Writing failed", "disk full") for _ in range(3)]
    other = faults.report("Writing failed", "locked")
    assert len({*first, other}) == 2
    assert caplog.messages == [f"[{first[0]}] Writing failed: disk full", f"[{other}] Writing failed: locked"]
    clock.now = monitoring.MINUTE
    second = faults.report("Writing failed", "disk full")
    assert second not in first
    assert caplog.messages[2:] == [
        f"[{first[0]}] Writing failed: 3 times within a minute",
        f"[{second}] Writing failed: disk full",
    ]
    assert faults.counts == {"Writing failed": 5}
    clock.now += monitoring.RECENT
    assert faults.recent() == []


def test_many_causes_share_one_entry_of_their_kind(caplog: pytest.LogCaptureFixture) -> None:
    faults = FaultLog()
    for number in range(2 * monitoring.MOST):
        faults.report("Writing failed", f"cause {number}")
    assert len(faults.recent()) == len(caplog.messages) == monitoring.MOST + 1
    assert faults.counts.total() == 2 * monitoring.MOST


def test_causes_leave_out_the_values_of_a_statement() -> None:
    problem = StoreError("Please try again.")
    problem.__cause__ = OperationalError("insert into people values (?)", ("Anna",), OSError("disk full"))
    assert cause_of(problem) == "OSError: disk full"


def test_a_bug_is_logged_with_its_traceback(caplog: pytest.LogCaptureFixture) -> None:
    FaultLog().report("A page failed", KeyError("seat"))
    FaultLog().report("A page failed", StoreError("Please try again."))
    assert [bool(record.exc_info) for record in caplog.records] == [True, False]


def test_lines_of_the_log_have_a_time() -> None:
    line = logging.Formatter(LOGGING["formatters"]["plain"]["format"]).format(logging.makeLogRecord({"msg": "x"}))
    assert line[:5].rstrip("-").isdecimal()
