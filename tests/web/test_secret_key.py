"""The server's secret: readable for its owner only, and replaced without losing identities."""

import errno
import os
import stat
from pathlib import Path

import pytest

from sparring.people.identity import COOKIE, IdentityCookie
from sparring.settings import FolderUnavailable, read_secrets, rotate_secret
from sparring.store.person import Person
from web.app_server import Client, StartServer

ANNA = Person("Anna", "Anna")


@pytest.mark.parametrize("content", [b"", b"x", b"\xff\xfe\x00", b"a long enough key\nshort"])
def test_a_key_that_can_be_guessed_or_read_wrongly_is_refused(tmp_path: Path, content: bytes) -> None:
    (tmp_path / "secret.key").write_bytes(content)
    for use in (read_secrets, rotate_secret):
        with pytest.raises(FolderUnavailable, match="must contain keys of at least 20 characters"):
            use(tmp_path / "secret.key")
    assert (tmp_path / "secret.key").read_bytes() == content


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


def test_a_full_disk_leaves_the_old_key_and_no_other_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    first = read_secrets(tmp_path / "secret.key")

    def full(_: int) -> None:
        raise OSError(errno.ENOSPC, "No space left on device")

    with monkeypatch.context() as patch:
        patch.setattr(os, "fsync", full)
        with pytest.raises(FolderUnavailable, match=r"Can't use .*secret\.key: No space left on device"):
            rotate_secret(tmp_path / "secret.key")
        with pytest.raises(FolderUnavailable, match="No space left on device"):
            read_secrets(tmp_path / "other.key")
    assert [file.name for file in tmp_path.iterdir()] == ["secret.key"]
    assert read_secrets(tmp_path / "secret.key") == first


@pytest.mark.skipif(not hasattr(os, "geteuid") or os.geteuid() != 0, reason="only root can give files away")
def test_root_leaves_the_key_to_the_owner_of_the_folder(tmp_path: Path) -> None:
    os.chown(tmp_path, 12_345, 12_346)
    read_secrets(tmp_path / "secret.key")
    rotate_secret(tmp_path / "secret.key")
    status = (tmp_path / "secret.key").stat()
    assert (status.st_uid, status.st_gid) == (12_345, 12_346)


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
    seats = {"seat1": "random", "seat2": "random"}
    assert guest.post("/games/hush", data=seats).status_code == 403, "no stranger plays in Anna's name"
    guest.set_cookie(IdentityCookie("older").write(ANNA).value or "")
    assert "Anna" not in guest.get("/games/hush").text
    assert guest.post("/games/hush", data=seats).status_code == 303, "the page has removed the cookie"


def test_a_second_cookie_that_another_site_planted_removes_nothing(start_server: StartServer) -> None:
    server = start_server(secret="new")
    anna = Client(server, IdentityCookie("new").write(ANNA).value or "")
    name = COOKIE + server.app.state.cookie_names.suffix
    anna.http.cookies.set(name, "planted", domain="127.0.0.1", path="/games")
    page = anna.get("/games/hush")
    assert page.request.headers["cookie"].count(name) == 2
    assert "set-cookie" not in page.headers
