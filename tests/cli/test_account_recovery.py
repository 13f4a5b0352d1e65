"""Account recovery: remove a password or passkeys and print a one-time sign-in link."""

import re
from collections.abc import Iterator
from pathlib import Path

import pytest
from typer.testing import CliRunner

from sparring.cli import app, main
from sparring.settings import SECRET, read_secrets
from web.accounts.account_helpers import (
    PASSWORD,
    add_passkey,
    id_of,
    new_account,
    sign_in,
    sign_in_with_passkey,
    via_host,
)
from web.app_server import AppServer, settings
from wording import says


@pytest.fixture
def server(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[AppServer]:
    """Start a server on the database that the command line uses."""
    monkeypatch.setenv("SPARRING_DATA", str(tmp_path))
    monkeypatch.delenv("SPARRING_DATABASE", raising=False)
    monkeypatch.delenv("SPARRING_NAMES", raising=False)
    one = AppServer(settings(tmp_path))
    read_secrets(tmp_path / SECRET)
    yield one
    one.close()


def run(*words: str) -> str:
    result = CliRunner().invoke(app, ["admin", *words], catch_exceptions=False)
    assert result.exit_code == 0, result.output
    return result.stdout


def refused(capsys: pytest.CaptureFixture[str], *words: str) -> str:
    with pytest.raises(SystemExit):
        main(["admin", *words])
    return re.sub(r"\s+", " ", capsys.readouterr().err)


def path_in(told: str, begins: str = "http://localhost:8000") -> str:
    paths: list[str] = re.findall(rf"^{re.escape(begins)}(/sign-in/recovery\?code=\S+)$", told, re.MULTILINE)
    return paths[0]


def test_a_password_is_reset_while_the_server_runs(server: AppServer) -> None:
    anna = new_account(server, "Anna Maria")
    told = run("reset-password", "anna maria")
    assert says(told, "password", "recovery codes", "Anna Maria", "removed")
    server.learn()
    assert "You were signed out" in anna.get("/me").text
    assert sign_in(server.stranger(), "Anna Maria").status_code == 403
    page = anna.get(path_in(told)).text
    code = re.findall(r'name="code"[^>]* value="([^"]+)"', page)[0]
    assert anna.post("/sign-in/recovery", data={"code": code}).headers["location"] == "/me?said=recovered"
    changed = {"login": "Anna Maria", "password": "another green teapot"}
    assert anna.post("/me/password", data=changed).headers["location"] == "/me?said=ways"
    assert server.stranger().post("/sign-in/recovery", data={"code": code}).status_code == 403


def test_a_sign_in_name_is_not_confused_with_a_display_name(server: AppServer) -> None:
    new_account(server, "anna")
    server.table("Anna", "bot", name="mace")
    assert says(run("reset-password", "anna"), "(sign-in name anna", "have been removed")


def test_passkeys_are_reset_and_the_password_stays(server: AppServer) -> None:
    anna = via_host(new_account(server, "keys"))
    device = add_passkey(anna)
    told = run("reset-passkeys", id_of(anna), "--url", "https://play.example/")
    assert says(told, "passkeys", "recovery codes", "keys", "removed")
    assert path_in(told, "https://play.example")
    assert sign_in_with_passkey(via_host(server.stranger()), device).status_code == 403
    assert sign_in(server.stranger(), "keys", PASSWORD).status_code == 303


def test_the_link_starts_with_the_servers_name_and_tokens_are_counted(
    server: AppServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    anna = new_account(server, "named")
    anna.post("/me/tokens", data={"name": "script", "days": "0", "scope.look": "on"}).raise_for_status()
    monkeypatch.setenv("SPARRING_NAMES", "table.example,other.example")
    told = run("reset-password", "named")
    assert path_in(told, "https://table.example")
    assert says(told, "tokens still work (1", "/me/tokens".lstrip("/"))


@pytest.mark.parametrize(
    ("lines", "begins"),
    [
        ('names = ["table.example"]', "https://table.example"),
        ('names = ["table.example"]\n[mail]\nsite = "https://www.table.example/"', "https://www.table.example"),
        ("port = 9000", "http://localhost:9000"),
    ],
)
def test_the_link_follows_the_settings_file(server: AppServer, tmp_path: Path, lines: str, begins: str) -> None:
    new_account(server, "named")
    (tmp_path / "sparring.toml").write_text(lines)
    assert path_in(run("reset-password", "named"), begins)


def test_each_mistake_gets_one_sentence(server: AppServer, capsys: pytest.CaptureFixture[str]) -> None:
    new_account(server, "plain")
    assert "no person called unknown" in refused(capsys, "reset-password", "unknown")
    server.table("Guest", "bot", name="mace")
    assert "Guest (guest, id Guest, last seen just now) has no account" in refused(capsys, "reset-password", "Guest")
    assert "plain has no passkeys; `reset-password` removes" in refused(capsys, "reset-passkeys", "plain")
    assert "--url must start with http:// or https://" in refused(capsys, "reset-password", "plain", "--url", "ftp://x")
    run("reset-password", "plain")
    assert "plain has no password; `reset-passkeys` removes" in refused(capsys, "reset-password", "plain")
