"""Rate limits are counted by all processes together, within seconds."""

from collections.abc import Iterator, Mapping
from dataclasses import replace

import pytest

from sparring.web.cluster.shared_rate_limits import SharedRateLimits
from sparring.web.security.rate_limits import Requester, TooMany
from sparring.web.storage import RateLimitStore, RateLimitUse, StoreError
from web.app_server import HIGH_LIMITS, AppServer, settings

FEW = replace(HIGH_LIMITS, tables_at_once=4, tables_each_hour=1, reviews_at_once=4, reviews_each_hour=1)


@pytest.fixture(scope="module")
def two_servers(tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[AppServer, AppServer]]:
    """Two processes on one database, which exchange counters when a test says so."""
    folder = tmp_path_factory.mktemp("two")
    servers = [AppServer(settings(folder, inside="http://127.0.0.1:0", limits=FEW)) for _ in range(2)]
    yield servers[0], servers[1]
    for server in servers:
        server.close()


def count(*servers: AppServer) -> None:
    """Do what processes do every three seconds."""
    for server in servers:
        server.run(server.app.state.others.rate_limits.count())


def tables_allowed(server: AppServer, asking: Requester, times: int) -> int:
    """Return how many tables a person may still create."""
    for done in range(times):
        try:
            server.tables.rate_limits.take("tables", asking)
        except TooMany:
            return done
    return times


def test_use_is_shared(two_servers: tuple[AppServer, AppServer]) -> None:
    here, there = two_servers
    anna = Requester("Anna", "192.0.2.7")
    assert tables_allowed(here, anna, 3) == 3
    count(here, there)
    assert tables_allowed(there, anna, 3) == 1
    assert tables_allowed(there, Requester("Ben", "192.0.2.8"), 9) == 4, "other people's limits are unaffected"
    there.tables.rate_limits.take("reviews", anna)  # and so has she for limits counted separately
    count(there, here)
    assert tables_allowed(here, anna, 3) == 0
    assert tables_allowed(here, Requester("Carl", "192.0.2.7"), 3) == 0, "addresses are counted like people"


def test_concurrent_use_adds_up(two_servers: tuple[AppServer, AppServer]) -> None:
    dora = Requester("Dora")
    assert [tables_allowed(server, dora, 2) for server in two_servers] == [2, 2]
    count(*two_servers, *two_servers)
    assert [tables_allowed(server, dora, 1) for server in two_servers] == [0, 0]


def test_unpublished_use_is_retried(two_servers: tuple[AppServer, AppServer], monkeypatch: pytest.MonkeyPatch) -> None:
    here, there = two_servers
    erna, counting, failed = Requester("Erna"), here.app.state.others.rate_limits, list[Mapping[str, RateLimitUse]]()

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


def test_no_addresses_are_stored_and_full_counters_are_deleted(two_servers: tuple[AppServer, AppServer]) -> None:
    here, _ = two_servers
    store = RateLimitStore(here.tables.store)
    tables_allowed(here, Requester("Frida", "198.51.100.9"), 4)
    count(here)
    scarce = here.run(store.nearly_exhausted(0))
    assert scarce
    assert not any("198" in key or "Frida" in key for key in scarce)
    here.run(store.use({"tables x": RateLimitUse(1, 1)}, max(scarce.values()) + 1))
    assert list(here.run(store.nearly_exhausted(0))) == ["tables x"]


def test_a_single_process_publishes_nothing(
    two_servers: tuple[AppServer, AppServer], tmp_path_factory: pytest.TempPathFactory
) -> None:
    alone = AppServer(settings(tmp_path_factory.mktemp("alone")))
    tables_allowed(alone, Requester("Anna"), 3)
    assert alone.tables.rate_limits.take_unpublished() == {}
    alone.close()
    assert isinstance(two_servers[0].app.state.others.rate_limits, SharedRateLimits)
