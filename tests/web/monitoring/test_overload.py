"""Overload: when a process counts as overloaded, who has to wait then, and what goes on."""

import asyncio
import inspect
import re
from pathlib import Path

import pytest
from litestar.handlers import HTTPRouteHandler
from litestar.routes import HTTPRoute

from sparring import monitoring
from sparring.monitoring import CALM_FOR, LAG, NO_ROOM, REFUSES, WAIT, Overload
from sparring.server.requests.identity import EVERYONE
from sparring.store import database as database_module
from sparring.store.database import Database
from web.app_server import AppServer, Client

#: What a handler calls that creates a table other than a rematch.
CREATES = re.compile(r"creation\.create\(|lobby\.(quick_match|recommended_table)\(|play_on\(|friends\.challenge\(")


class Waits:
    """An overload's measurements, injected."""

    def __init__(self, connections: int = monitoring.FEW) -> None:
        self.wait = 0.0
        self.overload = Overload(lambda: self.wait, lambda: connections)

    def measure(self, times: int, lag: float = 0.0) -> bool:
        for _ in range(times):
            self.overload.measure(lag)
        return self.overload.active


def test_a_late_event_loop_is_overload_but_one_pause_is_not() -> None:
    waits = Waits()
    assert not waits.measure(1, 3600.0)
    assert not waits.measure(1000, 0.9 * LAG)
    assert waits.measure(50, 1.5 * LAG)


def test_waiting_reads_are_overload() -> None:
    waits = Waits()
    waits.wait = 1.5 * WAIT
    assert waits.measure(50)


def test_few_people_are_not_refused() -> None:
    assert not Waits(connections=monitoring.FEW - 1).measure(100, 10 * LAG)


def test_newcomers_are_let_in_only_after_it_has_been_calm_for_a_while(caplog: pytest.LogCaptureFixture) -> None:
    waits = Waits()
    waits.measure(100, 2 * LAG)
    assert waits.measure(1000, 0.9 * LAG), "still as busy as at the limit"
    waits.measure(CALM_FOR // 2)
    assert waits.measure(20, LAG), "calm for a moment only"
    assert not waits.measure(2 * CALM_FOR)
    assert ["Overloaded" in caplog.messages[0], "let in again" in caplog.messages[1]] == [True, True]
    assert len(caplog.messages) == 2


def test_the_wait_for_a_connection_is_measured(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(database_module, "CONNECTIONS", {"sqlite": 1})

    async def live() -> None:
        store = Database(f"sqlite+aiosqlite:///{tmp_path / 'tables.sqlite3'}")
        await store.open()
        async with store.reading():
            assert store.longest_wait() == 0
            second = asyncio.create_task(store.size())
            while not store.longest_wait():  # noqa: ASYNC110 - it has no event for that
                await asyncio.sleep(0)
        await second
        assert store.longest_wait() == 0
        assert store.waits.figures("waits")["waits_count"] == 2
        await store.close()

    asyncio.run(live())


@pytest.fixture
def full(server: AppServer, monkeypatch: pytest.MonkeyPatch) -> AppServer:
    """Return a server that stays overloaded."""
    monkeypatch.setattr(Overload, "measure", lambda *_: None)
    monkeypatch.setattr(server.app.state.overload, "active", True)
    return server


def refused(client: Client, method: str, path: str) -> bool:
    """Return whether a request is refused as that of a newcomer."""
    response = client.http.request(method, path)
    assert (response.status_code == 503) == ("retry-after" in response.headers) == (NO_ROOM in response.text)
    return response.status_code == 503


def test_who_plays_goes_on(full: AppServer) -> None:
    table = full.table("Anna", "Ben")
    anna, program = full.person("Anna"), full.program("Anna")
    for path in ("/", "/lobby", f"/table/{table}", f"/table/{table}/text"):
        assert anna.get(path).status_code == 200
    for opened in (anna.stream(table), anna.text_stream(table, 0), program.api_stream(table)):
        with opened as events:
            assert b"id: " in next(events)
    assert anna.choose(table, "give up").status_code == 200
    rematch = anna.post(f"/table/{table}/again")
    assert (rematch.status_code, anna.get(rematch.headers["location"]).status_code) == (303, 200)


def test_newcomers_wait(full: AppServer) -> None:
    table = full.table("Anna", "Ben", "")
    tables = full.run(full.tables.store.tables(100))
    stranger, guest, program = full.stranger(), full.person("Cara"), full.program("Cara")
    seats = ("/table/{0}", "/table/{0}/text", "/table/{0}/events", "/table/{0}/text/events")
    for path in (*seats, "/create-account"):
        assert refused(stranger, "GET", path.format(table))
        assert refused(guest, "GET", path.format(table))
    for path in ("/", "/lobby", "/games/hush", "/play/hush"):
        assert refused(stranger, "GET", path)
        assert not refused(guest, "GET", path)
    for path in (
        "/games/hush", "/quick", "/play/hush", "/table/{0}/sit", "/table/{0}/review/1/play", "/friends/1/challenge",
        "/me/keep", "/me/passkeys/begin", "/studio/1/play", "/studio/shared/1/play", "/studio/1/tune/1/try",
    ):  # fmt: skip
        assert refused(guest, "POST", path.format(table))
    for method, path in (
        ("GET", "/table/{0}"), ("GET", "/table/{0}/events"), ("POST", "/table/{0}/sit"), ("POST", "/tables"),
        ("POST", "/quick"), ("POST", "/me/friends/1/challenge"),
    ):  # fmt: skip
        assert refused(program, method, f"/api{path}".format(table))
    assert len(full.run(full.tables.store.tables(100))) == len(tables)


def test_a_refused_page_tries_again_by_itself_and_health_says_why(full: AppServer) -> None:
    page = full.stranger().get("/")
    assert f'<meta http-equiv="refresh" content="{page.headers["retry-after"]}">' in page.text
    assert 'http-equiv="refresh"' not in full.stranger().post("/quick").text
    assert REFUSES in full.stranger().get("/health").json()["says"]
    assert "sparring_overloaded 1\n" in full.stranger().get("/metrics").text


def test_every_route_that_creates_a_table_is_declared(server: AppServer) -> None:
    handlers = {each for route in server.app.routes if isinstance(route, HTTPRoute) for each in route.route_handlers}
    creating = [each for each in handlers if CREATES.search(source(each))]
    assert len(creating) == 10
    assert [each.handler_name for each in creating if not declared(each)] == []


def source(handler: HTTPRouteHandler) -> str:
    """Return the source of a handler's function, which Litestar wraps if it is synchronous."""
    return inspect.getsource(getattr(handler.fn, "func", handler.fn))


def declared(handler: HTTPRouteHandler) -> bool:
    return EVERYONE.items() <= handler.opt.items()
