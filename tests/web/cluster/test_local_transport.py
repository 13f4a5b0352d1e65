"""Processes of one machine reach each other directly, whatever happens to the broker between machines."""

import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from sparring.web import supervisor
from sparring.web.cluster.transport import address_from, address_on_machine
from sparring.web.settings import Settings
from web.app_server import House, settings
from web.cluster.chat_checks import everywhere
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


def until(houses: list[House], *, there: bool) -> None:
    """Wait until all processes have noticed that the broker is connected, or not."""
    for _ in range(1000):
        if all(house.app.state.others.broker.connected == there for house in houses):
            return
        time.sleep(0.02)
    raise AssertionError("the broker was not noticed")


@pytest.fixture
def machines(tmp_path: Path, broker: Broker, monkeypatch: pytest.MonkeyPatch) -> Iterator[tuple[list[House], House]]:
    """Three processes on one machine, and one on another machine that only the broker reaches."""
    wanted = settings(tmp_path, broker=broker.url, host="127.0.0.1", port=0)
    houses = [House(shared_by_processes(wanted, monkeypatch))]
    houses += [House(houses[0].settings) for _ in range(2)]
    houses.append(House(shared_by_processes(wanted, monkeypatch)))
    until(houses, there=True)
    yield houses[:3], houses[3]
    for house in houses:
        house.close()


@NEEDS_REDIS
def test_without_the_broker_every_process_of_a_machine_answers_for_every_table(
    machines: tuple[list[House], House], broker: Broker
) -> None:
    houses, elsewhere = machines
    tables = [house.table("Anna", "Ben") for house in houses]
    far = elsewhere.table("Anna", "Ben")
    people = [*everywhere(houses, "Anna"), elsewhere.person("Anna")]
    assert {person.get(f"/api/table/{table}").status_code for person in people for table in (*tables, far)} == {200}
    broker.kill()
    try:
        until([*houses, elsewhere], there=False)
        for person in people[:3]:
            assert [person.get(f"/api/table/{table}").status_code for table in tables] == [200] * 3
        assert [person.get(f"/api/table/{far}").status_code for person in people] == [503, 503, 503, 200]
        assert people[3].get(f"/api/table/{tables[0]}").status_code == 503
    finally:
        broker.start()


def test_an_address_leads_over_the_broker_from_every_other_machine() -> None:
    address = address_on_machine("broker:a", "here", "http://127.0.0.1:8100")
    assert address_from(address, "here") == "http://127.0.0.1:8100"
    assert address_from(address, "there") == address_from(address, "") == "broker:a"
    for plain in ("broker:a", "http://10.0.0.2:8100"):
        assert address_from(plain, "here") == address_from(plain, "") == plain
