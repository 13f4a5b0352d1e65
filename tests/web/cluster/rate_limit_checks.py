"""What must be true of rate limits that processes share, on every database."""

from dataclasses import replace

from sqlalchemy import select

from sparring.people.rate_limits import KINDS, WITHOUT_ADDRESS, Requester, TooMany
from sparring.store.processes import RateLimitStore, RateLimitUse
from sparring.store.schema import RateLimitRow
from web.app_server import HIGH_LIMITS, AppServer

FEW = replace(HIGH_LIMITS, tables_at_once=4, tables_each_hour=1, reviews_at_once=4, reviews_each_hour=1)


def count(*servers: AppServer) -> None:
    """Do what processes do every three seconds."""
    for server in servers:
        server.run(server.app.state.shared_rate_limits.count())


def tables_allowed(server: AppServer, asking: Requester, times: int) -> int:
    """Return how many tables a person may still create."""
    for done in range(times):
        try:
            server.tables.rate_limits.take("tables", asking)
        except TooMany:
            return done
    return times


def check_use_is_shared(two_servers: tuple[AppServer, AppServer]) -> None:
    here, there = two_servers
    olga = Requester("Olga", "192.0.2.7")  # other tests use the same database, but not her
    assert tables_allowed(here, olga, 3) == 3
    count(here, there)
    assert tables_allowed(there, olga, 3) == 1
    assert tables_allowed(there, Requester("Oleg", "192.0.2.8"), 9) == 4, "other people's limits are unaffected"
    there.tables.rate_limits.take("reviews", olga)  # and so has she for limits counted separately
    count(there, here)
    assert tables_allowed(here, olga, 3) == 0
    assert tables_allowed(here, Requester("Carl", "192.0.2.7"), 3) == 0, "addresses are counted like people"


def check_concurrent_use_adds_up(two_servers: tuple[AppServer, AppServer]) -> None:
    dora = Requester("Dora")
    assert [tables_allowed(server, dora, 2) for server in two_servers] == [2, 2]
    count(*two_servers, *two_servers)
    assert [tables_allowed(server, dora, 1) for server in two_servers] == [0, 0]


def check_no_addresses_are_stored_and_full_counters_are_deleted(two_servers: tuple[AppServer, AppServer]) -> None:
    here, _ = two_servers
    store = RateLimitStore(here.tables.store)
    tables_allowed(here, Requester("Frida", "198.51.100.9"), 4)
    count(here)
    scarce = here.run(store.nearly_exhausted(0))
    assert scarce
    assert not any("198" in key or "Frida" in key for key in scarce)
    here.run(store.use({"tables x": RateLimitUse(1, 1)}, max(scarce.values()) + 1))
    assert list(here.run(store.nearly_exhausted(0))) == ["tables x"]


def check_the_longest_key_of_every_kind_is_shared(two_servers: tuple[AppServer, AppServer]) -> None:
    here, there = two_servers
    long = Requester("p" * 32, "2001:db8:1111:2222::/64")
    for kind in KINDS:
        here.tables.rate_limits.take(kind, "n" * 500 if kind in WITHOUT_ADDRESS else long)
    count(here)
    rows = here.run(_keys(here))
    assert {key.partition(" ")[0] for key in rows} >= set(KINDS)
    tables_allowed(here, Requester("Gerd"), 4)
    count(here, there)
    assert tables_allowed(there, Requester("Gerd"), 1) == 0, "and what comes later is shared too"


async def _keys(server: AppServer) -> list[str]:
    async with server.tables.store.reading() as session:
        return list(await session.scalars(select(RateLimitRow.key)))


#: All of these.
OF_RATE_LIMITS = [
    check_use_is_shared,
    check_concurrent_use_adds_up,
    check_the_longest_key_of_every_kind_is_shared,
    check_no_addresses_are_stored_and_full_counters_are_deleted,
]
