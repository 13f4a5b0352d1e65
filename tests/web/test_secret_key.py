"""The server's secret: readable for its owner only, and replaced without losing identities."""

import stat
from pathlib import Path

from sparring.web.identity import COOKIE, IdentityCookie, Person
from sparring.web.settings import read_secrets, rotate_secret
from web.app_server import Client, StartServer

ANNA = Person("Anna", "Anna")


def test_the_secret_is_created_once_and_readable_by_its_owner_only(tmp_path: Path) -> None:
    file = tmp_path / "secret.key"
    first = read_secrets(file)
    assert len(first) == 1
    assert len(first[0]) >= 32
    assert read_secrets(file) == first
    assert stat.S_IMODE(file.stat().st_mode) == 0o600


def test_a_new_secret_comes_first_and_a_few_older_ones_are_kept(tmp_path: Path) -> None:
    file = tmp_path / "secret.key"
    first = read_secrets(file)
    assert rotate_secret(file) == 1
    second = read_secrets(file)
    assert second[1:] == first
    assert second[0] != first[0]
    for _ in range(5):
        rotate_secret(file)
    assert len(read_secrets(file)) == 4
    assert not {*first, *second} & {*read_secrets(file)}
    assert stat.S_IMODE(file.stat().st_mode) == 0o600


def test_older_secrets_can_be_forgotten_at_once(tmp_path: Path) -> None:
    file = tmp_path / "secret.key"
    first = read_secrets(file)
    assert rotate_secret(file, forget=True) == 0
    assert len(read_secrets(file)) == 1
    assert read_secrets(file) != first


def test_a_cookie_of_an_older_secret_is_accepted_and_signed_again(start_server: StartServer) -> None:
    server = start_server(secret="new", older_secrets=("old",))
    anna = Client(server, IdentityCookie("old").write(ANNA).value or "")
    assert "Anna" in anna.get("/games/hush").text
    renewed = [cookie.value for cookie in anna.http.cookies.jar if cookie.name.startswith(f"{COOKIE}-")]
    assert [IdentityCookie("new").read(cookie) for cookie in renewed] == [ANNA]
    current = server.stranger()
    current.set_cookie(IdentityCookie("new").write(ANNA).value or "")
    assert COOKIE not in current.get("/games/hush").headers.get("set-cookie", "")


def test_a_cookie_of_a_forgotten_secret_is_ignored(start_server: StartServer) -> None:
    server = start_server(secret="new", older_secrets=("old",))
    guest = server.stranger()
    guest.set_cookie(IdentityCookie("older").write(ANNA).value or "")
    assert "Anna" not in guest.get("/games/hush").text
    assert guest.post("/games/hush", data={"seat1": "random", "seat2": "random"}).status_code == 403
