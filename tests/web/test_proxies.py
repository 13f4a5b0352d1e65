"""A server behind nginx and behind Caddy, with the files of `deploy/`."""

import contextlib
import itertools
import re
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import httpx
import pytest

from web.app_server import stream_blocks
from web.play_command import PLAY, environment
from web.proxies import STARTERS, UNSIGNED, Proxy, needs

pytestmark = pytest.mark.server

#: The operator's settings. Each test uses its own address, so that tests don't share limits.
SETTINGS = """
proxy = "127.0.0.1"
warming = false
[limits]
streams_from = 120
tables_at_once = 3
tables_each_hour = 1
"""
#: The number of streams per address: the limit of nginx, or else the server's.
STREAMS = {"nginx": 100, "caddy": 120}
ADDRESSES = (f"127.0.0.{number}" for number in itertools.count(2))
FORM = {"name": "Anna", "seat1": "me", "seat2": "random", "option-wins": "low"}


@dataclass
class ProxiedServer:
    """A proxy with a server behind it."""

    name: str
    proxy: Proxy
    server: str

    def client(self, address: str = "", url: str = "") -> httpx.Client:
        """Return a client at an address (by default a new one)."""
        transport = httpx.HTTPTransport(local_address=address or next(ADDRESSES), verify=UNSIGNED, limits=MANY)
        url = url or self.proxy.url
        return httpx.Client(base_url=url, transport=transport, headers={"Origin": url}, timeout=20)


MANY = httpx.Limits(max_connections=None)


@pytest.fixture(scope="module", params=[pytest.param(name, marks=needs(name)) for name in STARTERS])
def front(
    request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory, toy: None
) -> Iterator[ProxiedServer]:
    folder = tmp_path_factory.mktemp(request.param)
    (folder / "sparring.toml").write_text(SETTINGS)
    toy_path = str(Path(__file__).parent / "toy")
    server = subprocess.Popen(
        [sys.executable, "-c", PLAY, "play", "--no-browser", "--port", "0"], env=environment(folder, toy_path),
        stdout=subprocess.PIPE, text=True,
    )  # fmt: skip
    assert server.stdout
    found = re.search(r"http://127\.0\.0\.1:(\d+)", server.stdout.readline())
    assert found, "the server did not start"
    proxy = STARTERS[request.param](folder, int(found[1]))
    yield ProxiedServer(request.param, proxy, found[0])
    proxy.stop()
    server.send_signal(signal.SIGINT)
    server.communicate(timeout=30)


def test_pages_and_tables_work_over_tls(front: ProxiedServer) -> None:
    with front.client() as anna:
        response = anna.get("/", headers={"X-Forwarded-Proto": "http"}).raise_for_status()
        assert "<h1" in response.text
        assert response.headers["strict-transport-security"] == "max-age=31536000"
        opened = anna.post("/games/hush", data=FORM, headers={"X-Forwarded-Proto": "http"})
        assert (opened.status_code, "Secure" in opened.headers["set-cookie"]) == (303, True)
        table = opened.headers["location"]
        assert f'readonly value="{front.proxy.url}{table}"' in anna.get(table).text
    if front.proxy.plain:
        with front.client(url=f"http://127.0.0.1:{front.proxy.plain}") as plain:
            moved = plain.get("/games/hush")
            assert (moved.status_code, moved.headers["location"]) == (301, "https://127.0.0.1/games/hush")


def test_events_are_not_buffered(front: ProxiedServer) -> None:
    with front.client() as anna:
        table = anna.post("/games/hush", data=FORM).headers["location"]
        look = anna.get(f"/api{table}").raise_for_status().json()
        with anna.stream("GET", f"{table}/events?version=0") as stream:
            events = stream_blocks(stream)
            assert b"scene" in next(events)
            body = {"version": look["version"], "choice": look["choices"][0]["choice"]}
            anna.post(f"/api{table}/choose", json=body).raise_for_status()
            assert any(b"id: " in event for event in itertools.islice(events, 3))


def test_forwarded_addresses_of_clients_are_ignored(front: ProxiedServer) -> None:
    def open_one(client: httpx.Client, number: int) -> int:
        client.cookies.clear()
        said = f"192.0.2.{number}"
        headers = {
            "X-Forwarded-For": said,
            "Forwarded": f"for={said}",
            "X-Real-IP": said,
            "X-Forwarded-Host": "a.example",
        }
        return client.post("/games/hush", data=FORM, headers=headers).status_code

    with front.client() as attacker, front.client() as other:
        assert [open_one(attacker, number) for number in range(4)] == [303, 303, 303, 429]
        assert open_one(other, 1) == 303, "the proxy reports the client, and others continue"
    with front.client(url=front.server) as beside:
        assert [open_one(beside, number) for number in range(4)] == [303, 303, 303, 429], (
            "and only the proxy may report it"
        )


def test_streams_of_an_address_are_limited_without_blocking_others(front: ProxiedServer) -> None:
    with contextlib.ExitStack() as streams:
        attacker, other = (streams.enter_context(front.client()) for _ in range(2))
        table = other.post("/games/hush", data=FORM).headers["location"]

        def look(client: httpx.Client) -> int:
            response = client.send(client.build_request("GET", f"{table}/events"), stream=True)
            looks.callback(response.close)
            return response.status_code

        most, looks = STREAMS[front.name], streams.enter_context(contextlib.ExitStack())
        assert [look(attacker) for _ in range(most + 1)] == [200] * most + [429]
        assert look(other) == 200
        looks.close()
        for _ in range(200):  # closed streams soon stop counting
            if look(attacker) == 200:
                return
            time.sleep(0.05)
        raise AssertionError("closed streams still count")


def test_metrics_are_closed_behind_a_proxy(front: ProxiedServer) -> None:
    with front.client() as outside, front.client(url=front.server) as beside:
        for path in ("/metrics", "/metrics/", "//metrics", "/%6detrics", "/x/../metrics"):
            assert "sparring_processes" not in outside.get(path).text
        assert "sparring_processes 1" in beside.get("/metrics").text
        assert beside.get("/metrics", headers={"X-Forwarded-For": "192.0.2.1"}).status_code == 403


def test_an_overlong_body_is_refused(front: ProxiedServer) -> None:
    with front.client() as anna:
        response = anna.post("/games/hush", content=b"x" * (1280 * 1024 + 1))
        assert response.status_code == 413
        assert "too long: a file" not in response.text, "the proxy refuses it, and the server gets no request"


def test_incomplete_headers_time_out(front: ProxiedServer) -> None:
    bare = socket.create_connection(("127.0.0.1", front.proxy.port), timeout=20)
    with UNSIGNED.wrap_socket(bare) as caller:
        caller.sendall(b"GET / HTTP/1.1\r\nHost: 127.0.0.1")
        while caller.recv(4096):
            pass
