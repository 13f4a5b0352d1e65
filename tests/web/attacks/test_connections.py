"""Connection attacks: many connections from one address or person, slow ones, and silent ones."""

import contextlib
import json
import logging
import socket
import subprocess
import sys
from collections.abc import Iterator
from typing import Any

import httpx
import pytest

from sparring.server.monitoring import LOGGING, Throttle
from sparring.server.protocol import ConnectionLimits, Origin
from sparring.server.requests.middleware import StreamLimits
from sparring.settings import Limits
from sparring.store.networks import network
from web.app_server import SSL_CONTEXT, AppServer, StartServer

pytestmark = pytest.mark.server

SOON = 0.05
POST = (
    b"POST /theme HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Type: application/x-www-form-urlencoded\r\n"
    b"Content-Length: 9\r\n\r\n"
)


def connect(server: AppServer, say: bytes = b"", address: str = "127.0.0.1") -> socket.socket:
    """Open a connection that sends something and then waits."""
    port = int(server.url.rpartition(":")[2])
    caller = socket.create_connection(("127.0.0.1", port), timeout=20, source_address=(address, 0))
    caller.sendall(say)
    return caller


@contextlib.contextmanager
def connections(
    server: AppServer, count: int, say: bytes = b"", address: str = "127.0.0.1"
) -> Iterator[list[socket.socket]]:
    """Open `count` connections that send something (by default nothing) and then wait."""
    with contextlib.ExitStack() as stack:
        yield [stack.enter_context(connect(server, say, address)) for _ in range(count)]


def listening(server: AppServer) -> bytes:
    """Return a request that runs until its client leaves: for the event stream of a new table."""
    return f"GET /table/{server.table('Anna', 'Ben')}/events HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n".encode()


def wait_for_connections(server: AppServer, count: int) -> None:
    """Wait until `count` connections are open."""
    server.wait_until(lambda: server.app.state.connections.by_address.total() == count)


def status_from(server: AppServer, address: str) -> int:
    """Return the status of the start page for a client at an address."""
    transport = httpx.HTTPTransport(local_address=address, verify=SSL_CONTEXT)
    with httpx.Client(transport=transport, base_url=server.url) as client:
        return client.get("/").status_code


def read_all(caller: socket.socket) -> bytes:
    """Return everything received until the server closes the connection."""
    said = b""
    with contextlib.suppress(ConnectionResetError):
        while more := caller.recv(4096):
            said += more
    return said


def test_connections_of_an_address_are_limited(start_server: StartServer) -> None:
    server = start_server(limits=Limits(connections_each=5))
    with connections(server, 5, listening(server)):
        wait_for_connections(server, 5)
        with connect(server) as one_more:
            head, _, body = read_all(one_more).partition(b"\r\n\r\n")
        assert head.startswith(b"HTTP/1.1 503 Service Unavailable\r\n")
        assert b"\r\nretry-after: 30" in head
        refused = json.loads(body)  # the path is not known yet, so this is JSON for all clients
        assert (refused["accepted"], "too many connections" in refused["reason"]) == (False, True)
        assert status_from(server, "127.0.0.2") == 200
    wait_for_connections(server, 0)
    assert server.stranger().get("/").status_code == 200


def test_connections_of_a_network_are_limited(start_server: StartServer) -> None:
    server = start_server(limits=Limits(connections_each=2, connections_network=4))
    ask = listening(server)
    with connections(server, 2, ask, "127.0.0.2"), connections(server, 2, ask, "127.0.0.3"):
        wait_for_connections(server, 4)
        assert status_from(server, "127.0.0.4") == 503
        assert status_from(server, "127.0.1.4") == 200
    wait_for_connections(server, 0)
    assert status_from(server, "127.0.0.4") == 200


def test_a_network_never_has_fewer_connections_than_an_address(start_server: StartServer) -> None:
    server = start_server(limits=Limits(connections_each=4, connections_network=1))
    with connections(server, 3, listening(server)):
        wait_for_connections(server, 3)
        assert status_from(server, "127.0.0.2") == 200


def test_an_idle_connection_of_the_same_address_is_dropped(start_server: StartServer) -> None:
    server = start_server(limits=Limits(connections_each=3))
    with connect(server, listening(server)) as running, connect(server) as oldest, connect(server) as newer:
        wait_for_connections(server, 3)
        assert status_from(server, "127.0.0.1") == 200
        assert read_all(oldest) == b"", "the connection that has waited longest is dropped"
        newer.sendall(b"GET / HTTP/1.0\r\nHost: 127.0.0.1\r\n\r\n")
        for caller in (running, newer):
            assert caller.recv(100).startswith(b"HTTP/1.1 200")


def test_half_sent_bodies_make_room(start_server: StartServer) -> None:
    server = start_server(limits=Limits(connections=3))
    with connections(server, 3, POST + b"theme") as attackers:
        wait_for_connections(server, 3)
        assert status_from(server, "127.0.0.2") == 200
        assert read_all(attackers[0]) == b""


def test_behind_a_proxy_the_client_with_most_half_sent_bodies_loses_one(start_server: StartServer) -> None:
    server = start_server(limits=Limits(connections=4), proxy="127.0.0.1")

    def half(client: str) -> bytes:
        return POST.replace(b"\r\n", b"\r\nX-Forwarded-For: " + client.encode() + b"\r\n", 1) + b"theme"

    with connect(server, half("192.0.2.1")) as first:
        wait_for_connections(server, 1)
        with connections(server, 3, half("192.0.2.2")) as others:
            wait_for_connections(server, 4)
            assert status_from(server, "127.0.0.1") == 200
            assert read_all(others[0]) == b""
            first.sendall(b"=dar")
            assert first.recv(100).startswith(b"HTTP/1.1 ")
    wait_for_connections(server, 0)
    assert server.app.state.connections._waiting == {}, "closed connections leave nothing behind"


def test_the_address_with_most_idle_connections_is_dropped_first(start_server: StartServer) -> None:
    server = start_server(limits=Limits(connections=4))
    with connect(server, address="127.0.0.2") as first:
        wait_for_connections(server, 1)
        with connections(server, 3, address="127.0.0.3") as others:
            wait_for_connections(server, 4)
            assert status_from(server, "127.0.0.4") == 200
            first.sendall(b"GET / HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n")
            assert first.recv(100).startswith(b"HTTP/1.1 200")
            assert read_all(others[0]) == b""


def test_an_idle_browser_connection_is_dropped_and_reopened(start_server: StartServer) -> None:
    server = start_server(limits=Limits(connections=1))
    client = server.stranger()
    assert client.get("/").status_code == 200  # its connection stays open for more
    wait_for_connections(server, 1)
    assert status_from(server, "127.0.0.2") == 200
    assert client.get("/").status_code == 200


def test_a_response_that_is_not_read_makes_room(start_server: StartServer) -> None:
    server = start_server(limits=Limits(connections=1))
    ask = b"GET /games/five-circles/rules HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n"
    with connect(server) as caller:
        caller.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
        caller.settimeout(0.5)
        with contextlib.suppress(TimeoutError):
            caller.sendall(ask * 400)  # the server stops reading these while its answers are not read
        wait_for_connections(server, 1)
        connection: Any = next(iter(server.uvicorn.server_state.connections))
        server.wait_until(lambda: connection._stalled is not None)
        assert status_from(server, "127.0.0.2") == 200


class OpenStreams:
    """A connection without a socket, which can't be dropped."""

    transport: Any = None

    def __init__(self, origin: Origin) -> None:
        self.origin = self.client_origin = origin

    def drop(self) -> bool:
        return False


@pytest.mark.parametrize(("proxy", "neighbour"), [("10.0.0.1", "10.0.0.2"), ("2001:db8::1", "2001:db8:0:1::1")])
def test_behind_a_proxy_only_the_total_is_limited(proxy: str, neighbour: str) -> None:
    limits = ConnectionLimits(Limits(connections_each=1, connections_network=1, connections=3), proxy=proxy)
    opened = [OpenStreams(limits.origin_of(proxy)) for _ in range(4)]
    assert [limits.admit(each) for each in opened] == [True, True, True, False]
    limits.release(opened[0])
    beside = [OpenStreams(limits.origin_of(neighbour)) for _ in range(2)]
    assert [limits.admit(each) for each in beside] == [True, False], "the proxy's do not count for its network"
    for each in (*opened[1:3], beside[0]):
        limits.release(each)
    assert [*limits.by_address, *limits.by_network, *limits._waiting] == [], "closed connections leave nothing behind"


@pytest.mark.parametrize(
    ("limits", "say"),
    [
        (Limits(head_time=SOON), b""),
        (Limits(head_time=SOON), b"GET / HTTP/1.1\r\nHost: 127."),
        (Limits(body_time=SOON), POST + b"theme"),
    ],
)
def test_slow_requests_time_out(
    start_server: StartServer, caplog: pytest.LogCaptureFixture, limits: Limits, say: bytes
) -> None:
    server = start_server(limits=limits)
    with connect(server, say) as caller:
        assert read_all(caller) == b""
    wait_for_connections(server, 0)
    assert not caplog.records


def test_a_response_is_sent_at_once(start_server: StartServer) -> None:
    """Otherwise the body of each response would wait 40 ms for the acknowledgement of its headers."""
    server = start_server()
    with connect(server):
        wait_for_connections(server, 1)
        connection: Any = next(iter(server.uvicorn.server_state.connections))
        accepted = connection.transport.get_extra_info("socket")
        assert accepted.getsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY)


def test_clients_that_do_not_read_time_out(start_server: StartServer) -> None:
    server = start_server(limits=Limits(reading_time=SOON))
    ask = b"GET /games/five-circles/rules HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n"
    with connect(server) as caller:
        caller.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
        with contextlib.suppress(ConnectionResetError, BrokenPipeError):
            caller.sendall(ask * 400)
        wait_for_connections(server, 0)


@pytest.mark.parametrize(
    "say",
    [
        b"GET /" + b"a" * 20_000 + b" HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n",
        b"GET / HTTP/1.1\r\nHost: 127.0.0.1\r\nLong: " + b"a" * 20_000,
        b"GET / HTTP/1.1\r\nHost: 127.0.0.1\r\n" + b"A: b\r\n" * 4000,
        POST.replace(b"Content-Length: 9", b"Transfer-Encoding: chunked") + b"3;" + b"a" * 20_000,
        POST.replace(b"Content-Length: 9", b"Transfer-Encoding: chunked") + b"1\r\na\r\n0\r\nAfter: " + b"a" * 20_000,
    ],
)  # fmt: skip
def test_headers_and_body_framing_have_limits(start_server: StartServer, say: bytes) -> None:
    server = start_server()
    with connect(server) as caller:
        with contextlib.suppress(ConnectionResetError, BrokenPipeError):
            for begin in range(0, len(say), 1000):
                caller.sendall(say[begin : begin + 1000])
        assert read_all(caller).startswith(b"HTTP/1.1 400")
    wait_for_connections(server, 0)


def test_a_long_body_in_many_pieces_is_accepted(server: AppServer) -> None:
    chunks = (b"a" * 3000 for _ in range(40))
    response = server.person("Anna").http.post(
        "/games/hush", content=chunks, headers={"Content-Type": "application/x-www-form-urlencoded"}
    )
    assert response.status_code == 422  # a form of 120 kB was read, and lacks what it should say


#: More responses than the system's own buffers of a connection take up.
MANY = b"GET /schema/openapi.json HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n" * 40


def unread(server: AppServer) -> list[str]:
    """Return the addresses of clients that don't read."""
    return [each.origin.address for each in server.app.state.connections._unread]


class Unread:
    """A client that doesn't read."""

    def __init__(self, address: str) -> None:
        self.origin = Origin(address, address)
        self.transport, self.aborted = self, False

    def abort(self) -> None:
        self.aborted = True


def test_the_address_with_the_most_unread_bytes_loses_its_oldest_connection() -> None:
    limits: Any = ConnectionLimits(Limits(unread=100))
    other, oldest, newer, newest = (Unread(address) for address in ("a", "b", "b", "b"))
    for client, size in ((other, 50), (oldest, 20), (newer, 25)):
        limits.set_unread(client, size)
    assert not any(client.aborted for client in (other, oldest, newer))
    limits.set_unread(newest, 25)
    assert [client.aborted for client in (other, oldest, newer, newest)] == [False, True, False, False]
    limits.set_unread(other, 0)
    limits.set_unread(other, 60)
    assert [client.aborted for client in (other, newer, newest)] == [True, False, False]
    limits.set_unread(newer, 1000)
    assert (newer.aborted, newest.aborted) == (False, True), "one long response is still sent"


def test_what_clients_do_not_read_is_bounded(start_server: StartServer) -> None:
    server = start_server(limits=Limits(unread=1))
    with connect(server, MANY, "127.0.0.2") as first:
        server.wait_until(lambda: unread(server) == ["127.0.0.2"])
        with connect(server, address="127.0.0.3") as second:
            wait_for_connections(server, 2)
            second.sendall(MANY)
            wait_for_connections(server, 1)
            (left,) = unread(server)
            assert server.stranger().get("/").status_code == 200
            read_exactly(first if left == "127.0.0.2" else second, 40)
            assert unread(server) == []
            assert len(read_all(second if left == "127.0.0.2" else first)) < len(MANY) * 4000


def read_exactly(caller: socket.socket, count: int) -> None:
    """Read whole responses."""
    with caller.makefile("rb") as file:
        for _ in range(count):
            length = 0
            while line := file.readline().strip():
                if line.lower().startswith(b"content-length:"):
                    length = int(line.partition(b":")[2])
            assert len(file.read(length)) == length > 0


def test_no_response_is_made_while_the_previous_one_is_not_read(start_server: StartServer) -> None:
    server = start_server()
    with connect(server, MANY) as caller:
        server.wait_until(lambda: unread(server) == ["127.0.0.1"])
        answered = server.uvicorn.server_state.total_requests
        assert all(task.done() for task in server.uvicorn.server_state.tasks)
        assert 0 < answered < 40
        read_exactly(caller, 40)


def test_pipelined_requests_are_answered_in_order(start_server: StartServer) -> None:
    server, many = start_server(), 300
    ask = b"GET /nowhere HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n"
    with connect(server, ask * many + ask.replace(b"Host", b"Connection: close\r\nHost")) as caller:
        assert read_all(caller).count(b"HTTP/1.1 404") == many + 1


def test_little_is_read_ahead_during_a_stream(start_server: StartServer) -> None:
    server = start_server()
    table = server.table("Anna", "Ben")
    listen = f"GET /table/{table}/events HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n".encode()
    with connect(server, listen + b"GET / HTTP/1.1\r\n\r\n" * 20_000) as caller:
        assert caller.recv(100).startswith(b"HTTP/1.1 200")
        connection: Any = next(iter(server.uvicorn.server_state.connections))
        assert len(connection.pipeline) < 200
        assert len(connection.unread) < 1_000_000


@pytest.mark.parametrize("forwarded", [False, True])
def test_streams_of_an_address_are_limited(start_server: StartServer, forwarded: bool) -> None:
    """Behind a proxy too, where all connections come from one address and a header names the client."""
    server = start_server(
        limits=Limits(streams=8, streams_each=2, streams_from=3), proxy="127.0.0.1" if forwarded else ""
    )
    table, pieces = server.table("Anna", "Ben"), list[Iterator[bytes]]()

    def look(name: str, address: str) -> httpx.Response:
        """Open an event stream, and leave it open if it is accepted."""
        client = streams.enter_context(
            httpx.Client(
                base_url=server.url, cookies=server.person(name).http.cookies, timeout=20,
                transport=httpx.HTTPTransport(local_address="127.0.0.1" if forwarded else address),
                headers={"X-Forwarded-For": address} if forwarded else {},
            )
        )  # fmt: skip
        response = client.send(client.build_request("GET", f"/table/{table}/events"), stream=True)
        if response.status_code == 200:
            streams.callback(response.close)
            pieces.append(response.iter_raw())
            next(pieces[-1])
        return response

    with contextlib.ExitStack() as streams:
        guests = [look(f"Guest {number}", "127.0.0.2") for number in range(12)]
        assert [response.status_code for response in guests] == [200] * 3 + [429] * 9
        assert "Too many tables are open in your network" in guests[-1].read().decode()
        strangers = look("", "127.0.0.2"), look("", "127.0.0.3")
        assert [response.status_code for response in strangers] == [429, 200]
        annas = [look("Anna", "127.0.0.3") for _ in range(3)]
        assert [response.status_code for response in annas] == [200, 200, 429]
        assert "You have too many tables open" in annas[-1].read().decode()
    limits: StreamLimits = server.app.state.streams
    server.wait_until(lambda: not (limits.by_person or limits.by_address))  # closed streams no longer count


def test_total_streams_are_limited(start_server: StartServer) -> None:
    server = start_server(limits=Limits(streams=1))
    table = server.table("Anna", "Ben")
    with server.person("Anna").stream(table) as events:
        next(events)
        assert server.person("Ben").get(f"/table/{table}/events").status_code == 429


def test_the_file_limit_is_raised_and_bounds_connections() -> None:
    code = """
import resource
from sparring.serve import raise_file_limit
from sparring.settings import Limits
resource.setrlimit(resource.RLIMIT_NOFILE, (256, 700))
limits = raise_file_limit(Limits())
print(resource.getrlimit(resource.RLIMIT_NOFILE)[0], limits.connections, limits.streams)
"""
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout == "700 500 400\n"


def test_repeated_messages_are_logged_once(caplog: pytest.LogCaptureFixture) -> None:
    throttle, log = Throttle(), logging.getLogger("attacked")
    log.addFilter(throttle)
    for number in range(1000):
        log.warning("Invalid request %s", number)
        log.error("No more files", exc_info=OSError(24, "Too many open files"))
    assert [record.getMessage() for record in caplog.records] == ["Invalid request 0", "No more files"]
    throttle.INTERVAL = 0.0
    log.warning("Invalid request %s", 1000)
    assert caplog.records[-1].getMessage() == "Invalid request 1000 (999 more since the last message)"
    assert LOGGING["root"]["handlers"] == ["errors"]
    assert "throttle" in LOGGING["handlers"]["errors"]["filters"]


@pytest.mark.parametrize(
    ("address", "counted"),
    [
        ("192.0.2.7", "192.0.2.7"), ("::ffff:192.0.2.7", "192.0.2.7"), ("2001:db8:1:2:3:4:5:6", "2001:db8:1:2::/64"),
        ("2001:db8:1:2::9", "2001:db8:1:2::/64"), ("fe80::1%eth0", "fe80::/64"), ("a name", "a name"),
    ],
)  # fmt: skip
def test_grouping_of_addresses(address: str, counted: str) -> None:
    assert network(address) == counted
