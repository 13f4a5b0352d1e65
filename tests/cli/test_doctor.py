"""`sparring admin doctor`: what it says about a site behind a proxy with TLS, and about files, backups and mail."""

import contextlib
import http.client
import os
import ssl
import threading
import time
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

import pytest
from typer.testing import CliRunner

from sparring.cli import app
from sparring.cli.admin.deployment import RECORD
from sparring.server import monitoring
from sparring.settings import Settings
from web.app_server import AppServer, settings
from web.proxies import write_certificate


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Return the data folder of a server, with a backup."""
    monkeypatch.setenv("SPARRING_DATA", str(tmp_path))
    monkeypatch.delenv("SPARRING_DATABASE", raising=False)
    Settings.load(tmp_path)
    settings(tmp_path)
    (tmp_path / RECORD).write_text("/backups/today", encoding="utf-8")
    return tmp_path


def doctor(status: int = 0) -> dict[str, str]:
    """Return what it says, by subject."""
    result = CliRunner().invoke(app, ["admin", "doctor"], catch_exceptions=False)
    assert result.exit_code == status, result.output
    return {line[:12].strip(): line[13:] for line in result.output.splitlines()}


def test_a_server_at_home_is_well() -> None:
    said = doctor()
    assert all(line.startswith("ok") for line in said.values())
    assert said["backups"] == "ok     Just now, to /backups/today."


def test_a_backup_is_recorded(folder: Path) -> None:
    (folder / RECORD).unlink()
    assert doctor(1)["backups"].startswith("to do  There was none.")
    CliRunner().invoke(app, ["admin", "backup", "--allow-empty", str(folder / "one")], catch_exceptions=False)
    assert str(folder / "one") in doctor()["backups"]
    os.utime(folder / RECORD, (time.time() - 5 * 86_400,) * 2)
    assert doctor(1)["backups"].startswith("to do  5 days ago")


def test_files_that_others_can_read(folder: Path) -> None:
    folder.chmod(0o755)
    assert f"Run `chmod go-rwx {folder}`." in doctor(1)["files"]


def test_a_mail_server_and_a_site_that_are_away(folder: Path) -> None:
    mail = '[mail]\nserver = "smtp+plain://127.0.0.1:9"\nsender = "a@b.example"\nsite = "http://127.0.0.1:9"'
    (folder / "sparring.toml").write_text(mail, encoding="utf-8")
    said = doctor(1)
    assert said["mail"].startswith("to do  The mail server")
    assert "can't be reached" in said["site"]


# A site behind a proxy


@contextlib.contextmanager
def proxy(server: AppServer, folder: Path, *, forwards: bool, buffers: bool, start: int) -> Iterator[int]:
    """Serve a site with TLS; yield its port."""

    class Handler(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            forwarded = {"X-Forwarded-For": "192.0.2.1", "X-Forwarded-Proto": "https"} if forwards else {}
            inner = http.client.HTTPConnection(server.url.removeprefix("http://"))
            inner.request(self.command, self.path, headers={**dict(self.headers), **forwarded})
            answer = inner.getresponse()
            self.send_response_only(start if self.path == "/" else answer.status)
            for name, value in {**answer.headers, "Connection": "close", "Date": self.date_time_string()}.items():
                if name.lower() != "transfer-encoding":
                    self.send_header(name, value)
            self.end_headers()
            with contextlib.suppress(OSError):
                while part := answer.read1(1 << 16):
                    if not (buffers and "events" in self.path):
                        self.wfile.write(part)
            inner.close()

        do_POST = do_GET  # noqa: N815 - the name is the library's

        def log_message(self, *_: object) -> None:
            """Write nothing."""

    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(folder / "fullchain.pem", folder / "privkey.pem")
    site = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    site.daemon_threads, site.block_on_close = True, False
    site.socket = context.wrap_socket(site.socket, server_side=True)
    threading.Thread(target=site.serve_forever, daemon=True).start()
    yield int(site.server_address[1])
    site.shutdown()
    site.server_close()


@pytest.mark.parametrize(("days", "forwards", "buffers", "start", "wrong"), [
    (90, True, False, 200, {}),
    (5, True, False, 200, {"tls": "Renew it."}),
    (90, False, False, 200, {"proxy": "Let it send X-Forwarded-For"}),
    (90, True, True, 200, {"streams": "Switch the proxy's buffering off"}),
    (90, True, False, 422, {"pages": "Look at the server's log."}),
    (-1, True, False, 200, {"tls": "Renew the certificate"}),
])  # fmt: skip
def test_a_site_behind_a_proxy(
    folder: Path, monkeypatch: pytest.MonkeyPatch, days: int, forwards: bool, buffers: bool, start: int,
    wrong: dict[str, str],
) -> None:  # fmt: skip
    monkeypatch.setattr(monitoring, "FIRST_BYTES", 1.0)
    write_certificate(folder, days)
    monkeypatch.setenv("SSL_CERT_FILE", str(folder / "fullchain.pem"))
    with contextlib.closing(AppServer(settings(folder, proxy="127.0.0.1", heartbeat=60.0))) as server:
        server.table("Anna", "Ben", name="mace")
        with proxy(server, folder, forwards=forwards, buffers=buffers, start=start) as port:
            site = f'names = ["table.example"]\nproxy = "127.0.0.1"\n[mail]\nsite = "https://127.0.0.1:{port}"\n'
            (folder / "sparring.toml").write_text(site, encoding="utf-8")
            said = doctor(1 if wrong else 0)
    assert {subject for subject, line in said.items() if line.startswith("to do")} == set(wrong)
    for subject, remedy in wrong.items():
        assert remedy in said[subject]
    assert days < 0 or said["site"].endswith("/health answers 200.")
