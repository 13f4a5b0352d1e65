"""Many addresses that fill the server with half-sent requests, while newcomers and players use it."""

import contextlib
import itertools
import socket
import threading
import time
from collections.abc import Iterator
from dataclasses import replace

import httpx

from web.app_server import HIGH_LIMITS, SSL_CONTEXT, AppServer, StartServer
from web.attacks.test_connections import connect

HALF_A_HEAD = b"GET / HTTP/1.1\r\nHost: 127.0.0.1\r\nX-Long"
ATTACKERS = [f"127.0.0.{number}" for number in range(2, 14)]
NEWCOMERS = [f"127.0.0.{number}" for number in range(100, 132)]


@contextlib.contextmanager
def attack(server: AppServer, *, each: int, period: float) -> Iterator[list[int]]:
    """Keep `each` half-sent heads open from every attacker, reopen them every `period` seconds, and list the rounds."""
    stop, rounds = threading.Event(), list[int]()
    first = threading.Event()

    def run() -> None:
        callers = dict[tuple[int, str], socket.socket]()
        while not stop.is_set():
            for place in itertools.product(range(each), ATTACKERS):
                if place in callers:
                    callers.pop(place).close()
                with contextlib.suppress(OSError):
                    callers[place] = connect(server, HALF_A_HEAD, place[1])
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


def gets_in(server: AppServer, address: str) -> bool:
    """Ask for the start page once, from an address that has no connection yet."""
    transport = httpx.HTTPTransport(local_address=address, verify=SSL_CONTEXT)
    with httpx.Client(transport=transport, base_url=server.url, timeout=5) as newcomer:
        try:
            return newcomer.get("/").status_code == 200
        except httpx.TransportError:
            return False


def test_half_sent_requests_keep_out_neither_newcomers_nor_players(start_server: StartServer) -> None:
    server = start_server(limits=replace(HIGH_LIMITS, connections=100, connections_each=10))
    table = server.table("Anna", "Ben")
    anna, ben = server.person("Anna"), server.person("Ben")
    with anna.stream(table, anna.version(table)) as events, attack(server, each=10, period=0.5) as rounds:
        assert b"nothing new" in next(events)
        inside = 0
        for address in NEWCOMERS:
            inside += gets_in(server, address)
            time.sleep(0.05)  # the attackers reopen their connections several times meanwhile
        assert len(rounds) > 2
        assert inside >= 0.9 * len(NEWCOMERS)
        asked = next(player for player in (anna, ben) if player.look(table)["is_turn"])
        assert asked.choose(table, asked.look(table)["choices"][0]["choice"]).status_code == 200
        assert any(b"id: " in event for event in events), "a running event stream is never dropped"
