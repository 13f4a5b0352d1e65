"""Rate limits are counted by all processes together, within seconds."""

from collections.abc import Callable, Iterator, Mapping
from pathlib import Path

import pytest

from sparring.people import rate_limits
from sparring.people.rate_limits import Requester
from sparring.store.database import Database
from sparring.store.group_commit import StoreError
from sparring.store.processes import RateLimitUse
from web.app_server import AppServer, settings
from web.cluster.rate_limit_checks import FEW, OF_RATE_LIMITS, count, tables_allowed
from web.cluster.test_several_processes import processes


@pytest.fixture(scope="module")
def two_servers(tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[AppServer, AppServer]]:
    """Two processes on one database, which exchange counters when a test says so."""
    with processes(tmp_path_factory.mktemp("two"), 2, limits=FEW) as (here, there):
        yield here, there


def test_unpublished_use_is_retried(two_servers: tuple[AppServer, AppServer], monkeypatch: pytest.MonkeyPatch) -> None:
    here, there = two_servers
    erna, counting, failed = Requester("Erna"), here.app.state.shared_rate_limits, list[Mapping[str, RateLimitUse]]()

    async def fail(used: Mapping[str, RateLimitUse], now: int) -> None:
        failed.append(used)
        raise StoreError("Not now.")

    assert tables_allowed(here, erna, 3) == 3
    with monkeypatch.context() as away:
        away.setattr(counting._store, "use", fail)
        with pytest.raises(StoreError):
            count(here)
    assert len(failed) == 1
    count(here, there)
    assert tables_allowed(there, erna, 3) == 1


def test_without_the_database_each_process_counts_alone(
    two_servers: tuple[AppServer, AppServer], monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    """Neither is a client locked out, nor are its limits gone; the log says so."""
    here = two_servers[0]
    otto, counting = Requester("Otto"), here.app.state.shared_rate_limits

    async def fail(used: Mapping[str, RateLimitUse], now: int) -> None:
        raise StoreError("Not now.") from OSError("the disk is full")

    monkeypatch.setattr(counting._store, "use", fail)
    monkeypatch.setattr(rate_limits, "OFTEN", 0.01)
    assert [tables_allowed(server, otto, 9) for server in two_servers] == [4, 4]
    with pytest.raises(StoreError, match="Not now"):  # its loop reports that, and starts again
        here.run(counting.follow())
    assert tables_allowed(here, otto, 1) == 0


def test_a_single_process_publishes_only_what_outlasts_it(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(Database, "shared", False)
    alone = AppServer(settings(tmp_path))
    tables_allowed(alone, Requester("Anna"), 3)
    assert {key.partition(" ")[0] for key in alone.tables.rate_limits.take_unpublished()} == {"stored"}
    alone.close()


@pytest.mark.parametrize("check", OF_RATE_LIMITS, ids=lambda check: check.__name__)
def test_shared_rate_limits(
    two_servers: tuple[AppServer, AppServer], check: Callable[[tuple[AppServer, AppServer]], None]
) -> None:
    check(two_servers)
