"""The proxies of `deploy/`, if installed: started with those files in front of a local server."""

import contextlib
import datetime
import ipaddress
import os
import socket
import ssl
import subprocess
import time
from collections.abc import Callable
from pathlib import Path

import pytest
from cryptography import x509
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec

import programs

DEPLOY = Path(__file__).parent.parent.parent / "deploy"
#: The certificates of the tests are self-signed.
UNSIGNED = ssl.create_default_context()
UNSIGNED.check_hostname, UNSIGNED.verify_mode = False, ssl.CERT_NONE


def needs(program: str) -> pytest.MarkDecorator:
    """Skip a test if a program isn't installed; fail in CI."""
    missing = not os.environ.get("CI") and programs.find(program) is None
    return pytest.mark.skipif(missing, reason=f"{program} is not installed here")


def free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


class Proxy:
    """A proxy with a port for HTTPS, and one for plain HTTP if it needs that."""

    def __init__(self, words: list[str], folder: Path, port: int, plain: int = 0) -> None:
        self.port, self.plain, self.url = port, plain, f"https://127.0.0.1:{port}"
        programs.needs_marker("server", "journey")
        program = programs.find(words[0])
        assert program, f"{words[0]} is not installed"
        homes = {"HOME": str(folder), "XDG_DATA_HOME": str(folder), "XDG_CONFIG_HOME": str(folder)}
        with (folder / "log").open("wb") as log:
            self.process = subprocess.Popen(
                [program, *words[1:]], env={**os.environ, **homes}, stdout=log, stderr=subprocess.STDOUT
            )
        for _ in range(2000):  # Caddy listens before it has created its certificate
            with (
                contextlib.suppress(OSError), socket.create_connection(("127.0.0.1", port)) as probe,
                UNSIGNED.wrap_socket(probe),
            ):  # fmt: skip
                return
            assert self.process.poll() is None, (folder / "log").read_text()
            time.sleep(0.01)
        raise AssertionError(f"{words[0]} does not answer")

    def stop(self) -> None:
        """Stop it and its child processes."""
        self.process.terminate()
        self.process.wait(timeout=20)


def start_nginx(folder: Path, server: int) -> Proxy:
    """Start nginx with the file of `deploy/`; ports, certificate and header timeout are the test's."""
    port, plain = free_port(), free_port()
    write_certificate(folder)
    changes = {
        "    listen [::]:80;\n": "", "    listen [::]:443 ssl http2;\n": "", "listen 80;": f"listen 127.0.0.1:{plain};",
        "listen 443 ": f"listen 127.0.0.1:{port} ", "127.0.0.1:8000": f"127.0.0.1:{server}",
        "/etc/letsencrypt/live/table.example": str(folder), "client_header_timeout 10s": "client_header_timeout 1s",
    }  # fmt: skip
    (folder / "sparring.conf").write_text(changed("nginx.conf", changes))
    kinds = ("client_body", "proxy", "fastcgi", "uwsgi", "scgi")
    places = "".join(f"{kind}_temp_path {folder}/{kind};" for kind in kinds)
    who = "user root;" if os.getuid() == 0 else ""
    (folder / "nginx.conf").write_text(
        f"daemon off; {who} pid {folder}/pid; worker_processes 1; events {{ worker_connections 1024; }}\n"
        f"http {{ access_log off; {places} include {folder}/sparring.conf; }}\n"
    )
    words = ["nginx", "-p", str(folder), "-e", "stderr", "-c", str(folder / "nginx.conf")]
    return Proxy(words, folder, port, plain)


def start_caddy(folder: Path, server: int) -> Proxy:
    """Start Caddy with the file of `deploy/`; it creates a certificate for its address."""
    port = free_port()
    changes = {
        "{\n\tservers {": "{\n\tadmin off\n\tskip_install_trust\n\tauto_https disable_redirects\n\tservers {",
        "{$SPARRING_SITE:table.example}": f"https://127.0.0.1:{port}",
        "{$SPARRING_UPSTREAM:127.0.0.1:8000}": f"127.0.0.1:{server}", "read_header 10s": "read_header 1s",
    }  # fmt: skip
    (folder / "Caddyfile").write_text(changed("Caddyfile", changes))
    return Proxy(["caddy", "run", "--config", str(folder / "Caddyfile")], folder, port)


STARTERS: dict[str, Callable[[Path, int], Proxy]] = {"nginx": start_nginx, "caddy": start_caddy}


def changed(name: str, changes: dict[str, str]) -> str:
    """Return a file of `deploy/` with replacements; each must match."""
    text = (DEPLOY / name).read_text(encoding="utf-8")
    for before, after in changes.items():
        assert before in text, before
        text = text.replace(before, after)
    return text


def write_certificate(folder: Path, days: int = 1) -> None:
    """Write a self-signed certificate and its key, with certbot's file names."""
    key, now = ec.generate_private_key(ec.SECP256R1()), datetime.datetime.now(datetime.UTC)
    name = x509.Name([x509.NameAttribute(x509.NameOID.COMMON_NAME, "table.example")])
    address = x509.SubjectAlternativeName([x509.IPAddress(ipaddress.ip_address("127.0.0.1"))])
    made = (
        x509.CertificateBuilder().subject_name(name).issuer_name(name).public_key(key.public_key())
        .serial_number(x509.random_serial_number()).not_valid_before(now - datetime.timedelta(100))
        .not_valid_after(now + datetime.timedelta(days))
        .add_extension(address, critical=False).sign(key, hashes.SHA256())
    )  # fmt: skip
    encoding = serialization.Encoding.PEM
    (folder / "fullchain.pem").write_bytes(made.public_bytes(encoding))
    secret = key.private_bytes(encoding, serialization.PrivateFormat.PKCS8, serialization.NoEncryption())
    (folder / "privkey.pem").write_bytes(secret)
