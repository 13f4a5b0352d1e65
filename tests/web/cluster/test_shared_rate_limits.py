"""Rate limits are counted by all processes together, within seconds."""

from collections.abc import Iterator, Mapping
from dataclasses import replace

import pytest

from sparring.web.cluster.shared_rate_limits import SharedRateLimits
from sparring.web.security.rate_limits import Requester, TooMany
from sparring.web.storage import RateLimitStore, RateLimitUse, StoreError
from web.app_server import MUCH, House, settings

FEW = replace(MUCH, tables_at_once=4, tables_each_hour=1, reviews_at_once=4, reviews_each_hour=1)


@pytest.fixture(scope="module")
def two(tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[House, House]]:
    """Two processes on one database, which exchange counters when a test says so."""
    folder = tmp_path_factory.mktemp("two")
    houses = [House(settings(folder, inside="http://127.0.0.1:0", limits=FEW)) for _ in range(2)]
    yield houses[0], houses[1]
    for house in houses:
        house.close()


def count(*houses: House) -> None:
    """Do what processes do every three seconds."""
    for house in houses:
        house.run(house.app.state.others.rate_limits.count())


def opened(house: House, asking: Requester, times: int) -> int:
    """Return how many tables a person may still create."""
    for done in range(times):
        try:
            house.tables.rate_limits.create_table(asking)
        except TooMany:
            return done
    return times


def test_use_is_shared(two: tuple[House, House]) -> None:
    here, there = two
    anna = Requester("Anna", "192.0.2.7")
    assert opened(here, anna, 3) == 3
    count(here, there)
    assert opened(there, anna, 3) == 1
    assert opened(there, Requester("Ben", "192.0.2.8"), 9) == 4, "others have all of theirs"
    there.tables.rate_limits.request_review(anna)  # and so has she of what is counted apart
    count(there, here)
    assert opened(here, anna, 3) == 0
    assert opened(here, Requester("Carl", "192.0.2.7"), 3) == 0, "an address is counted as a person is"


def test_concurrent_use_adds_up(two: tuple[House, House]) -> None:
    dora = Requester("Dora")
    assert [opened(house, dora, 2) for house in two] == [2, 2]
    count(*two, *two)
    assert [opened(house, dora, 1) for house in two] == [0, 0]


def test_unpublished_use_is_retried(two: tuple[House, House], monkeypatch: pytest.MonkeyPatch) -> None:
    here, there = two
    erna, counting, failed = Requester("Erna"), here.app.state.others.rate_limits, list[Mapping[str, RateLimitUse]]()

    async def fail(used: Mapping[str, RateLimitUse], now: int) -> None:
        failed.append(used)
        raise StoreError("Not now.")

    assert opened(here, erna, 3) == 3
    with monkeypatch.context() as away:
        away.setattr(counting._store, "use", fail)
        with pytest.raises(StoreError):
            count(here)
    assert len(failed) == 1
    count(here, there)
    assert opened(there, erna, 3) == 1


def test_no_addresses_are_stored_and_full_counters_are_deleted(two: tuple[House, House]) -> None:
    here, _ = two
    store = RateLimitStore(here.tables.store)
    opened(here, Requester("Frida", "198.51.100.9"), 4)
    count(here)
    scarce = here.run(store.scarce(0))
    assert scarce
    assert not any("198" in key or "Frida" in key for key in scarce)
    here.run(store.use({"tables x": RateLimitUse(1, 1)}, max(scarce.values()) + 1))
    assert list(here.run(store.scarce(0))) == ["tables x"]


def test_a_single_process_publishes_nothing(two: tuple[House, House], tmp_path_factory: pytest.TempPathFactory) -> None:
    alone = House(settings(tmp_path_factory.mktemp("alone")))
    opened(alone, Requester("Anna"), 3)
    assert alone.tables.rate_limits.take_unpublished() == {}
    alone.close()
    assert isinstance(two[0].app.state.others.rate_limits, SharedRateLimits)
