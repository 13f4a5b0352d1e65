"""Many addresses that fill the server or its proxy with half-sent requests, while newcomers and players use it."""

import contextlib
import itertools
import socket
import threading
import time
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import httpx
import pytest

from web.app_server import HIGH_LIMITS, AppServer, StartServer
from web.proxies import STARTERS, UNSIGNED, needs

HALVES = (
    b"GET / HTTP/1.1\r\nHost: 127.0.0.1\r\nX-Long",
    b"POST /theme HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Length: 9\r\n\r\ntheme",
)
ATTACKERS = [f"127.0.0.{number}" for number in range(2, 14)]
NEWCOMERS = [f"127.0.0.{number}" for number in range(100, 132)]


def send_half(url: str, address: str, half: bytes) -> socket.socket:
    """Open a connection from an address and send half a request."""
    port = int(url.rpartition(":")[2])
    caller = socket.create_connection(("127.0.0.1", port), timeout=5, source_address=(address, 0))
    with contextlib.suppress(OSError):
        if url.startswith("https:"):
            caller = UNSIGNED.wrap_socket(caller)
        caller.sendall(half)
    return caller


@contextlib.contextmanager
def attack(url: str, *, each: int, period: float) -> Iterator[list[int]]:
    """Keep `each` half-sent requests open from every attacker, reopen them every `period` s, and list the rounds."""
    stop, rounds = threading.Event(), list[int]()
    first = threading.Event()

    def run() -> None:
        callers = dict[tuple[int, str], socket.socket]()
        while not stop.is_set():
            for place in itertools.product(range(each), ATTACKERS):
                if place in callers:
                    callers.pop(place).close()
                with contextlib.suppress(OSError):
                    callers[place] = send_half(url, place[1], HALVES[place[0] % 2])
            rounds.append(len(callers))
            first.set()
            stop.wait(period)
        for caller in callers.values():
            caller.close()

    thread = threading.Thread(target=run)
    thread.start()
    try:
        assert first.wait(30)
        yield rounds
    finally:
        stop.set()
        thread.join()


def gets_in(url: str, address: str) -> bool:
    """Ask for the start page once, from an address that has no connection yet."""
    transport = httpx.HTTPTransport(local_address=address, verify=UNSIGNED)
    with httpx.Client(transport=transport, base_url=url, timeout=5) as newcomer:
        try:
            return newcomer.get("/").status_code == 200
        except httpx.TransportError:
            return False


def check(server: AppServer, url: str) -> int:
    """Check that newcomers and players use the server at a URL during an attack; return its most connections."""
    table, most = server.table("Anna", "Ben"), 0
    anna, ben = server.person("Anna"), server.person("Ben")
    for player in (anna, ben):
        cookies, headers = player.http.cookies, {"Origin": url}
        player.http = httpx.Client(base_url=url, cookies=cookies, headers=headers, timeout=30, verify=UNSIGNED)
    with anna.stream(table, anna.version(table)) as events, attack(url, each=10, period=0.5) as rounds:
        assert b"nothing new" in next(events)
        inside = 0
        for address in NEWCOMERS:
            inside += gets_in(url, address)
            most = max(most, len(server.uvicorn.server_state.connections))
            time.sleep(0.05)  # the attackers reopen their connections several times meanwhile
        assert len(rounds) > 2
        assert inside >= 0.9 * len(NEWCOMERS)
        asked = next(player for player in (anna, ben) if player.look(table)["is_turn"])
        assert asked.choose(table, asked.look(table)["choices"][0]["choice"]).status_code == 200
        assert any(b"id: " in event for event in events), "a running event stream is never dropped"
    return most


def test_half_sent_requests_keep_out_neither_newcomers_nor_players(start_server: StartServer) -> None:
    server = start_server(limits=replace(HIGH_LIMITS, connections=99, connections_each=10))  # no overload
    check(server, server.url)


@pytest.mark.server
@pytest.mark.parametrize("name", [pytest.param(name, marks=needs(name)) for name in STARTERS])
def test_a_proxy_keeps_half_sent_requests_from_a_server_without_limits(
    start_server: StartServer, monkeypatch: pytest.MonkeyPatch, tmp_path: Path, name: str
) -> None:
    monkeypatch.setattr("sparring.serve.limited", lambda *_: "httptools")  # uvicorn's own protocol
    server = start_server(proxy="127.0.0.1")
    proxy = STARTERS[name](tmp_path, int(server.url.rpartition(":")[2]))
    try:
        assert check(server, proxy.url) < 20, "none of the 120 attackers reached the server"
    finally:
        proxy.stop()
