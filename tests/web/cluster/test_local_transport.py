"""Processes of one machine reach each other directly, whatever happens to the broker between machines."""

import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from sparring.web import supervisor
from sparring.web.cluster.transport import address_from, address_on_machine
from sparring.web.settings import Settings
from web.app_server import AppServer, settings
from web.cluster.chat_checks import check_chat
from web.redis import NEEDS_REDIS, Broker, broker

__all__ = ["broker"]  # a fixture


def shared_by_processes(wanted: Settings, patch: pytest.MonkeyPatch) -> Settings:
    """Return the settings that `serve_many` hands to each of its processes."""
    handed = list[Settings]()

    class Supervisor:
        def __init__(self, shared: Settings, *_: Any) -> None:
            handed.append(shared)

        async def run(self, processes: int) -> None:
            """Start nothing."""

    patch.setattr(supervisor, "_Supervisor", Supervisor)
    supervisor.serve_many(wanted, 3, browser=False, say=lambda _: None)
    return handed[0]


def wait_for_broker(servers: list[AppServer], *, there: bool) -> None:
    """Wait until all processes have noticed that the broker is connected, or not."""
    for _ in range(1000):
        if all(server.app.state.others.broker.connected == there for server in servers):
            return
        time.sleep(0.02)
    raise AssertionError("the broker was not noticed")


@pytest.fixture
def machines(
    tmp_path: Path, broker: Broker, monkeypatch: pytest.MonkeyPatch
) -> Iterator[tuple[list[AppServer], AppServer]]:
    """Three processes on one machine, and one on another machine that only the broker reaches."""
    wanted = settings(tmp_path, broker=broker.url, host="127.0.0.1", port=0)
    servers = [AppServer(shared_by_processes(wanted, monkeypatch))]
    servers += [AppServer(servers[0].settings) for _ in range(2)]
    servers.append(AppServer(shared_by_processes(wanted, monkeypatch)))
    wait_for_broker(servers, there=True)
    yield servers[:3], servers[3]
    for server in servers:
        server.close()


@NEEDS_REDIS
def test_processes_of_one_machine_need_no_broker(machines: tuple[list[AppServer], AppServer], broker: Broker) -> None:
    servers, elsewhere = machines
    tables = [server.table("Anna", "Ben") for server in servers]
    far = elsewhere.table("Anna", "Ben")
    people = [*check_chat(servers, "Anna"), elsewhere.person("Anna")]
    assert {person.get(f"/api/table/{table}").status_code for person in people for table in (*tables, far)} == {200}
    broker.kill()
    try:
        wait_for_broker([*servers, elsewhere], there=False)
        for person in people[:3]:
            assert [person.get(f"/api/table/{table}").status_code for table in tables] == [200] * 3
        assert [person.get(f"/api/table/{far}").status_code for person in people] == [503, 503, 503, 200]
        assert people[3].get(f"/api/table/{tables[0]}").status_code == 503
    finally:
        broker.start()


def test_other_machines_are_reached_over_the_broker() -> None:
    address = address_on_machine("broker:a", "here", "http://127.0.0.1:8100")
    assert address_from(address, "here") == "http://127.0.0.1:8100"
    assert address_from(address, "there") == address_from(address, "") == "broker:a"
    for plain in ("broker:a", "http://10.0.0.2:8100"):
        assert address_from(plain, "here") == address_from(plain, "") == plain
