"""One household with IPv6 has 256 networks, a tunnel broker's client 65,536: each limit also counts the wider networks.

`HOME` has addresses of one /56, `ELSEWHERE` is another one in the same /48, and `FAR` in another /48.
"""

import asyncio
import contextlib
from collections.abc import Callable, Sequence
from itertools import count
from typing import Any

import pytest

from sparring.engine.game import game
from sparring.engine.match import Match
from sparring.people.fair_queue import Busy, Caller, FairQueue, caller
from sparring.people.rate_limits import RateLimits, Requester, TooMany
from sparring.server.protocol import ConnectionLimits
from sparring.server.requests.middleware import StreamLimits
from sparring.settings import Limits
from sparring.store.moderation import Ban, BanList, key
from sparring.store.networks import keyed, keyed_turn, network, shares, turn_of
from sparring.store.person import Person
from sparring.tables.state.table_settings import TableSettings
from sparring.tables.workers.bot_players import BotQuestion
from web.app_server import AppServer, StartServer

HOME = [network(f"2001:db8:7:{number:x}::1") for number in range(20)]
ELSEWHERE = [network(f"2001:db8:7:{number:x}00::1") for number in range(1, 20)]
FAR = network("2001:db8:8::1")


def allowed(act: Callable[[str], Any], addresses: list[str]) -> int:
    """Return how often something can be done in turn from these addresses, twice from each."""
    done = 0
    for address in addresses * 2:
        with contextlib.suppress(TooMany):
            act(address)
            done += 1
    return done


def test_an_address_counts_in_its_networks() -> None:
    assert shares(HOME[5]) == {"2001:db8:7:5::/64": 1, "2001:db8:7::/56": 2, "2001:db8:7::/48": 4}
    assert [shares(each) for each in ("192.0.2.7", "a name", "")] == [{"192.0.2.7": 1}, {"a name": 1}, {}]


@pytest.mark.parametrize("kind", ["tables", "chat_lines", "accounts"])
def test_rate_limits(kind: str) -> None:
    rate_limits = RateLimits(Limits(tables_at_once=2, chat_lines_at_once=2, accounts_at_once=2, people_per_address=1))
    people = count()

    def act(address: str) -> None:
        rate_limits.take(kind, Requester(f"Guest {next(people)}", address))

    assert allowed(act, HOME) == 4
    assert allowed(act, ELSEWHERE) == 4, "the /48 has 8"
    assert allowed(act, [FAR, "192.0.2.7"]) == 4


def test_passwords() -> None:
    rate_limits = RateLimits(Limits(names_at_once=3))
    tried = allowed(lambda address: rate_limits.try_password(Requester("", address), "anna"), [*HOME, *ELSEWHERE])
    assert tried == 3, "as from a /24 of IPv4"


def test_event_streams() -> None:
    with contextlib.ExitStack() as open_streams:
        streams = StreamLimits(Limits(streams_from=2))
        people = count()

        def look(address: str) -> None:
            person = f"Guest {next(people)}"
            streams.check(person, address)
            open_streams.enter_context(streams.open(person, address))

        assert (allowed(look, HOME), allowed(look, ELSEWHERE), allowed(look, [FAR, "192.0.2.7"])) == (4, 4, 4)
        assert streams.by_person.total() == 12
    assert (streams.by_person, streams.by_address) == ({}, {})


def test_a_home_cannot_have_all_event_streams() -> None:
    limits = Limits()
    assert limits.streams_from * max(shares(FAR).values()) < limits.streams


def test_a_network_has_one_share_of_a_queue() -> None:
    async def ask(address: str, queue: FairQueue, served: list[str], done: asyncio.Event) -> None:
        caller.set(Caller(turn_of(address)))
        with contextlib.suppress(Busy):
            async with queue.turn():
                served.append(address)
                await done.wait()

    async def crowd() -> list[str]:
        queue, served, done = FairQueue(1, most=10), list[str](), asyncio.Event()
        clients = [*HOME, *ELSEWHERE, FAR, "192.0.2.7"]
        waiting = [asyncio.create_task(ask(address, queue, served, done)) for address in clients]
        await asyncio.sleep(0)
        done.set()
        await asyncio.gather(*waiting)
        return served

    served = asyncio.run(crowd())
    assert served[1:3] == [FAR, "192.0.2.7"], "a full queue makes room for them, and they are next"
    assert len(served) == 11


def test_a_network_has_one_share_of_the_bots(server: AppServer, monkeypatch: pytest.MonkeyPatch) -> None:
    """Tables have the share of who opened them."""
    turns = list[Sequence[str]]()

    async def noted(question: BotQuestion, turn: Sequence[str]) -> int:
        turns.append(turn)
        return question.legal[0]

    monkeypatch.setattr(server.bots, "choose", noted)
    table = server.table("bot", "Ben", requester=Requester("Ben", HOME[0]))
    server.person("Ben").look(table)
    server.wait_until(lambda: turns)
    assert turns[0] == (*keyed_turn(server.held(table).creator), "")


def test_connections_and_ratings_count_the_48() -> None:
    connections = ConnectionLimits(Limits())
    assert {connections.origin_of(each).network for each in (*HOME, *ELSEWHERE)} == {"2001:db8:7::/48"}
    assert keyed(HOME[0], "secret") == keyed(ELSEWHERE[0], "secret") != keyed(FAR, "secret")


@pytest.fixture
def strict_server(start_server: StartServer) -> AppServer:
    """A server with limits of two on everything that is counted in the database."""
    return start_server(limits=Limits(
        tables_going_on=2, public_waiting=2, sets_from=2, records_from=2, tables_at_once=1000, sets_at_once=1000,
        records_at_once=1000,
    ))  # fmt: skip


def unfinished_table(server: AppServer, person: Person, requester: Requester) -> None:
    server.table(person.id, "Ben", requester=requester)


def public_table(server: AppServer, person: Person, requester: Requester) -> None:
    server.table(person.id, "", settings=TableSettings(public=True), requester=requester)


def studio_set(server: AppServer, person: Person, requester: Requester) -> None:
    server.run(server.app.state.sets.create(game("hush"), person, "A set", None, requester))


def saved_match(server: AppServer, person: Person, requester: Requester) -> None:
    record = Match.new("hush", seed=1).record()
    server.run(server.app.state.replays.records.upload(person, record, "a.json", requester))


@pytest.mark.parametrize("act", [unfinished_table, public_table, studio_set, saved_match])
def test_what_is_counted_in_the_database(
    strict_server: AppServer, act: Callable[[AppServer, Person, Requester], None]
) -> None:
    people = count()

    def once(address: str) -> None:
        guest = Person(f"Guest {next(people)}", "Guest")
        act(strict_server, guest, Requester(guest.id, address))

    assert allowed(once, HOME[:4]) == 4
    assert allowed(once, ELSEWHERE[:4]) == 4, "the /48 has 8"
    assert allowed(once, [FAR, "192.0.2.7"]) == 4


@pytest.mark.parametrize(
    ("banned", "expected"),
    [
        (HOME[0], [True, False, False, False]),
        ("2001:db8:7::/56", [True, True, False, False]),
        ("2001:db8:7::/48", [True, True, True, False]),
    ],
)
def test_bans_of_networks(strict_server: AppServer, banned: str, expected: list[bool]) -> None:
    async def stored() -> dict[str, Ban]:
        return {key(address=banned): Ban()}

    bans = BanList(stored)
    strict_server.run(bans.reload())
    assert [bans.is_banned(["Eve"], each) for each in (HOME[0], HOME[1], ELSEWHERE[0], FAR)] == expected
