"""`sparring play` as a server: printed addresses, refusals, shutdown, and what it imports."""

import contextlib
import re
import signal
import socket
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import httpx
import pytest
import segno

from sparring import serve
from sparring.serve import PortUnavailable, addresses, listen, own_address, qr_code
from web.play_command import PLAY, environment

pytestmark = pytest.mark.server

WINDOWS = Path(__file__).with_name("windows.py").read_text(encoding="utf-8")


def has_ipv6() -> bool:
    with contextlib.suppress(OSError), socket.socket(socket.AF_INET6) as probe:
        probe.bind(("::1", 0))
        return True
    return False


NEEDS_IPV6 = pytest.mark.skipif(not has_ipv6(), reason="this machine has no IPv6")


def test_a_port_in_use_gets_one_sentence() -> None:
    with listen("127.0.0.1", 0) as taken:
        taken.listen()
        port = taken.getsockname()[1]
        with pytest.raises(PortUnavailable, match=f"Port {port} is in use .* Choose another one with --port"):
            listen("127.0.0.1", port)
    with pytest.raises(PortUnavailable, match="port must be 0 to 65535, not 99999"):
        listen("127.0.0.1", 99999)


def test_an_address_of_another_machine_gets_one_sentence() -> None:
    for address in ("203.0.113.7", "no-such-host.invalid"):
        with pytest.raises(
            PortUnavailable, match=f"This machine has no address {address}. Choose one of its own with --host"
        ):
            listen(address, 0)


@contextlib.contextmanager
def playing(tmp_path: Path, toy_path: str, *words: str, code: str = PLAY) -> Iterator[list[str]]:
    """Yield the output of `sparring play` until it is stopped, which must be clean."""
    command = [sys.executable, "-c", code, "play", *words, "--no-browser", "--port", "0"]
    server = subprocess.Popen(
        command, env=environment(tmp_path, toy_path), stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
    )  # fmt: skip
    assert server.stdout
    said: list[str] = []
    while "Ctrl-C" not in "".join(said[-1:]) and (line := server.stdout.readline()):
        said.append(line)
    try:
        yield said
    finally:
        server.send_signal(signal.SIGINT)
        _, complaints = server.communicate(timeout=30)
    assert (server.returncode, complaints) == (0, "")


def test_play_prints_its_address_creates_the_table_and_stops_cleanly(tmp_path: Path, toy_path: str) -> None:
    with playing(tmp_path, toy_path, "hush", "--seats", "me,random", "--option", "wins=low") as said:
        found = re.search(r"The table is open at (http://127\.0\.0\.1:\d+/table/\S+)", said[0])
        assert found, said
        page = httpx.get(found[1]).raise_for_status().text
        assert "Take seat 1" in page
        assert "<b>Bolt</b>, Random bot" in page
        assert "(default: high)" in page
        assert len(said) == 2, "it doesn't invite friends, who can't reach it"


def test_play_starts_without_what_only_unix_has(tmp_path: Path, toy_path: str) -> None:
    with playing(tmp_path, toy_path, code=WINDOWS) as said:
        found = re.search(r"http://\S+", said[0])
        assert found, said
        assert httpx.get(f"{found[0]}health").json()["says"] == "Everything works."


@NEEDS_IPV6
@pytest.mark.parametrize(("host", "also"), [("::1", ""), ("::", "127.0.0.1")])
def test_an_ipv6_address_is_printed_in_brackets(tmp_path: Path, toy_path: str, host: str, also: str) -> None:
    with playing(tmp_path, toy_path, "--host", host) as said:
        found = re.search(r"Sparring is running at (http://\[::1\]:(\d+)/)\n", said[0])
        assert found, said
        assert "<h1" in httpx.get(found[1]).raise_for_status().text
        if also:
            httpx.get(f"http://{also}:{found[2]}/").raise_for_status()


def test_with_lan_the_printed_address_is_reachable(tmp_path: Path, toy_path: str) -> None:
    with playing(tmp_path, toy_path, "--lan") as said:
        port = re.findall(r"http://127\.0\.0\.1:(\d+)/", said[0])[0]
        if address := own_address():
            assert said[1] == f"Friends on the same network can join at http://{address}:{port}/\n"
            assert "".join(said[2:-1]) == qr_code(f"http://{address}:{port}/") + "\n"
            httpx.get(f"http://{address}:{port}/").raise_for_status()
        else:
            assert said[1] == "This machine isn't connected to a network, so friends can't join.\n"


def test_the_address_is_a_qr_code_of_half_blocks() -> None:
    code = segno.make("http://192.0.2.7:8000/", error="m", micro=False)
    rows = [[bool(module) for module in row] for row in code.matrix_iter(border=4)]
    rows += [[True] * len(rows[0])] * (len(rows) % 2)  # below the border, pixels stay dark
    blocks = {(False, False): "█", (False, True): "▀", (True, False): "▄", (True, True): " "}
    drawn = [
        "".join(blocks[pair] for pair in zip(*pairs, strict=True)) for pairs in zip(rows[::2], rows[1::2], strict=True)
    ]
    assert qr_code("http://192.0.2.7:8000/").splitlines() == drawn


@pytest.mark.parametrize(
    ("bound", "network", "told"),
    [
        ("127.0.0.1", {}, ("http://127.0.0.1:80", "")),
        ("192.0.2.7", {socket.AF_INET: "192.0.2.7"}, ("http://192.0.2.7:80", "")),
        ("0.0.0.0", {socket.AF_INET: "192.0.2.7"}, ("http://127.0.0.1:80", "http://192.0.2.7:80")),
        ("0.0.0.0", {socket.AF_INET6: "2001:db8::7"}, ("http://127.0.0.1:80", "")),
        ("::", {socket.AF_INET: "192.0.2.7"}, ("http://[::1]:80", "http://192.0.2.7:80")),
        ("::", {socket.AF_INET6: "2001:db8::7"}, ("http://[::1]:80", "http://[2001:db8::7]:80")),
        ("::", {}, ("http://[::1]:80", "")),
        ("2001:db8::7", {}, ("http://[2001:db8::7]:80", "")),
    ],
)
def test_printed_addresses(
    monkeypatch: pytest.MonkeyPatch, bound: str, network: dict[int, str], told: tuple[str, str]
) -> None:
    monkeypatch.setattr(serve, "own_address", lambda family=socket.AF_INET: network.get(family, ""))
    assert addresses(bound, 80) == told


def test_the_server_loads_neither_compiler_nor_sign_in_packages(tmp_path: Path, toy_path: str) -> None:
    code = """
import sys
from sparring.app import create_app
from sparring.settings import Settings
from sparring.engine.game import games
games()
create_app(Settings.load())
late = ("numba", "llvmlite", "alembic", "argon2", "fido2", "cryptography")
assert not [name for name in sys.modules if name.partition(".")[0] in late]
"""
    subprocess.run([sys.executable, "-c", code], env=environment(tmp_path, toy_path), check=True)
