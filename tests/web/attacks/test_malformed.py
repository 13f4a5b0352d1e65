"""Malformed requests: refused with one sentence, as JSON under `/api`, and never an error of the server."""

import json
import socket
from typing import Any

import pytest

from sparring.server.requests.middleware import read_host
from web.app_server import AppServer

HEAD = "Host: 127.0.0.1\r\nConnection: close\r\n"
FORM = "Content-Type: application/x-www-form-urlencoded\r\n"
CHUNKED = "Transfer-Encoding: chunked\r\n\r\n5\r\ntheme\r\n0\r\n\r\n"
SIZED = "Content-Length: 5\r\n\r\ntheme"


def ask(server: AppServer, request: str | bytes) -> tuple[int, dict[str, str], str]:
    """Send a request as it is, and return the status, headers and body of all that the server answers."""
    raw = request if isinstance(request, bytes) else request.encode("latin-1")
    with socket.create_connection(("127.0.0.1", int(server.url.rpartition(":")[2])), timeout=10) as caller:
        caller.sendall(raw)
        response = b"".join(iter(lambda: caller.recv(65_536), b""))  # until the server closes the connection
    head, _, body = response.partition(b"\r\n\r\n")
    status, *lines = head.decode().split("\r\n")
    headers = {name.lower(): value for name, _, value in (line.partition(": ") for line in lines)}
    return int(status.split()[1]), headers, body.decode()


def refused(body: str) -> str:
    """Return the reason in a refusal of the API."""
    response: dict[str, Any] = json.loads(body)
    assert response.keys() == {"reason", "accepted"}
    assert response["accepted"] is False
    return str(response["reason"])


@pytest.mark.parametrize("path", ["/theme", "/api/table/x/choose"])
@pytest.mark.parametrize(
    ("begin", "rest", "sentence"),
    [
        ("POST {} HTTP/1.0", CHUNKED, "in HTTP/1.0 can't have a chunked body"),
        ("PUT {} HTTP/1.0", CHUNKED, "in HTTP/1.0 can't have a chunked body"),
        ("GET {} HTTP/1.1", SIZED, "A GET request can't have a body."),
        ("GET {} HTTP/1.0", SIZED, "A GET request can't have a body."),
        ("GET {} HTTP/1.1", CHUNKED, "A GET request can't have a body."),
        ("HEAD {} HTTP/1.1", SIZED, "A HEAD request can't have a body."),
        ("HEAD {} HTTP/1.1", CHUNKED, "A HEAD request can't have a body."),
    ],
)
def test_a_forbidden_body(server: AppServer, path: str, begin: str, rest: str, sentence: str) -> None:
    """Proxies and servers disagree on where such a request ends, so a second one could hide in its body."""
    request = f"{begin.format(path)}\r\nHost: 127.0.0.1\r\n{FORM}{rest}GET /health HTTP/1.1\r\n{HEAD}\r\n"
    status, headers, body = ask(server, request)
    assert (status, headers["connection"]) == (400, "close")
    assert sentence in (refused(body) if path.startswith("/api") else body)
    assert "HTTP/1.1" not in body, "nothing is read after it"


@pytest.mark.parametrize(
    ("request_", "status"),
    [
        (f"GET / HTTP/1.1\r\n{HEAD}Content-Length: 0\r\n\r\n", 200),
        (f"GET / HTTP/1.0\r\n{HEAD}\r\n", 200),
        (f"POST /theme HTTP/1.1\r\n{HEAD}{FORM}{CHUNKED}", 303),
        (f"POST /theme HTTP/1.0\r\n{HEAD}{FORM}{SIZED}", 303),
    ],
)
def test_an_allowed_body(server: AppServer, request_: str, status: int) -> None:
    assert ask(server, request_)[0] == status


@pytest.mark.parametrize(
    "host",
    [
        "127.0.0.1:99999", "127.0.0.1:65536", "127.0.0.1:-1", "127.0.0.1:8a", "127.0.0.1:080000", "127.0.0.1:80:80",
        "[::1", "::1]", "::1", "[]", "[::1]8000", "[::1]:99999", "[v1.x]", "[127.0.0.1]", "[:::1]", "[::1%eth0]",
        "a:b:c", ":", ":80", "", " ", "a b", "a\tb", "a/b", "a?b", "a#b", "a\\b", "user@127.0.0.1",
        "127.0.0.1,evil.example", "%31", "\xb2", "h\xf6st", "a" * 300,
    ],
)  # fmt: skip
@pytest.mark.parametrize("path", ["/", "/api/games"])
def test_a_malformed_host(server: AppServer, caplog: pytest.LogCaptureFixture, host: str, path: str) -> None:
    status, _, body = ask(server, f"GET {path} HTTP/1.1\r\nHost: {host}\r\nConnection: close\r\n\r\n")
    assert status == 400
    assert "Host header" in (refused(body) if path != "/" else body)
    assert not [record for record in caplog.records if record.exc_info]


@pytest.mark.parametrize("control", ["\0", "\x01", "\x0b", "\x1f", "\x7f", "\r", "\n"])
def test_control_characters_in_a_host(server: AppServer, control: str) -> None:
    status, _, body = ask(server, f"GET /api/games HTTP/1.1\r\nHost: 127{control}.0.0.1\r\nConnection: close\r\n\r\n")
    assert status == 400
    assert refused(body)


@pytest.mark.parametrize("hosts", ["", "Host: 127.0.0.1\r\nHost: evil.example\r\n", "Host: 127.0.0.1\r\n" * 2])
@pytest.mark.parametrize("version", ["1.0", "1.1"])
def test_a_request_has_one_host(server: AppServer, hosts: str, version: str) -> None:
    status, _, body = ask(server, f"GET / HTTP/{version}\r\n{hosts}Connection: close\r\n\r\n")
    assert (status, body) == (400, "The Host header of this request is missing or malformed.")


@pytest.mark.parametrize(
    ("host", "name"),
    [
        ("127.0.0.1:65535", "127.0.0.1"), ("LOCALHOST.:9", "localhost"), ("[::1]", "::1"), ("[FE80::1]:80", "fe80::1"),
        ("a-b_c.example", "a-b_c.example"), ("host:", "host"), ("xn--bcher-kva.example", "xn--bcher-kva.example"),
    ],
)  # fmt: skip
def test_a_valid_host(host: str, name: str) -> None:
    assert read_host(host) == name


@pytest.mark.parametrize(
    ("host", "path", "status", "sentence"),
    [
        ("evil.example", "/api/games", 421, "This server doesn't answer to that host name."),
        ("evil.example", "/%61pi/games", 421, "This server doesn't answer to that host name."),
        ("127.0.0.1", "/api/%00", 404, "There is nothing at this address."),
        ("127.0.0.1", "/api/nowhere", 404, "There is nothing at this address."),
        ("127.0.0.1", "/api/" + "a" * 20_000, 400, "This request is too long."),
        ("127.0.0.1 \r\nBad header", "/api/games", 400, "This isn't a valid HTTP request."),
    ],
)
def test_refusals_of_the_api_are_json(server: AppServer, host: str, path: str, status: int, sentence: str) -> None:
    found, headers, body = ask(server, f"GET {path} HTTP/1.1\r\nHost: {host}\r\nConnection: close\r\n\r\n")
    assert (found, headers["content-type"], refused(body)) == (status, "application/json", sentence)


@pytest.mark.parametrize("path", ["/api", "/apis", "/"])
def test_other_refusals_are_text(server: AppServer, path: str) -> None:
    status, headers, body = ask(server, f"GET {path} HTTP/1.1\r\nHost: evil.example\r\nConnection: close\r\n\r\n")
    assert (status, headers["content-type"]) == (421, "text/plain; charset=utf-8")
    assert body == "This server doesn't answer to that host name."


@pytest.mark.parametrize(
    "origin", ["http://[", "http://]:", "http://127.0.0.1:99999", "null", "://", "\xff", "[" * 300]
)
def test_a_malformed_origin(server: AppServer, caplog: pytest.LogCaptureFixture, origin: str) -> None:
    status, _, body = ask(server, f"POST /api/sets HTTP/1.1\r\n{HEAD}Origin: {origin}\r\nContent-Length: 0\r\n\r\n")
    assert (status, refused(body)) == (403, "This request came from another site. Use the form on Sparring's own page.")
    assert not [record for record in caplog.records if record.exc_info]


@pytest.mark.parametrize("referer", ["http://[", "http://]:", "//[::1", "\xff", "[" * 300])
@pytest.mark.parametrize("path", ["/table/{}?watch=true", "/table/{}/replay", "/games/make-your-moves/learn"])
def test_a_malformed_referer(server: AppServer, caplog: pytest.LogCaptureFixture, referer: str, path: str) -> None:
    asked = f"GET {path.format(server.table('Anna', 'Ben'))} HTTP/1.1\r\n{HEAD}Referer: {referer}\r\n\r\n"
    assert ask(server, asked)[0] == 200
    assert not [record for record in caplog.records if record.exc_info]


@pytest.mark.parametrize("path", ["//studio", "//studio/x/report", "///me", "//evil.example/", "/%2fstudio", "//"])
def test_a_path_that_names_a_host_in_a_link(server: AppServer, path: str) -> None:
    """The router would find a page there, whose links and redirects lead to a host called `studio`."""
    assert ask(server, f"GET {path} HTTP/1.1\r\n{HEAD}\r\n")[0] == 404


@pytest.mark.parametrize("say", [b"\0", b"hello\r\n\r\n", b"\x16\x03\x01\x02", b"GET\r\n\r\n", b"* * *\r\n\r\n"])
def test_invalid_http(server: AppServer, say: bytes) -> None:
    status, headers, body = ask(server, say)
    assert (status, headers["connection"], body) == (400, "close", "This isn't a valid HTTP request.")
