"""Accounts with passwords: create, sign in elsewhere, change sign-in methods, sign out everywhere."""

import asyncio
import contextlib
import re

import pytest

from sparring.people.identity import GUEST
from web.accounts.account_helpers import (
    PASSWORD,
    add_passkey,
    copy_session,
    create_account,
    create_table,
    exported_tables,
    guest,
    new_account,
    sign_in,
    sign_in_with_passkey,
    via_host,
)
from web.accounts.token_helpers import make_token, program
from web.app_server import AppServer, StartServer
from web.studio.sets import create_set


def message(response: object) -> str:
    return " ".join(re.findall(r'role="(?:alert|status)"[^>]*>(.*?)<', getattr(response, "text", "")))


def test_the_account_page_shows_a_guest_their_identity(server: AppServer) -> None:
    stranger = server.stranger().get("/")
    assert re.search(r'<a href="/create-account">Create account</a> <a href="/sign-in">Sign in</a>', stranger.text)
    anna = guest(server, "Anna")
    assert 'href="/sign-in?back=/leaderboard">Sign in</a>' in anna.get("/leaderboard").text
    assert "playing as a guest" in anna.get("/me").text
    assert "1 table, 0 studio sets" in anna.get("/me").text


def test_an_account_finds_its_seat_on_another_device(server: AppServer) -> None:
    anna = guest(server, "Anna")
    table = create_table(server, anna, None)
    assert "Account created. Sign in with it on any device." in create_account(anna, "anna@home").text
    assert anna.look(table)["seat"] == 1
    phone = server.stranger()
    assert sign_in(phone, "Anna@Home ").headers["location"] == "/me?said=in"
    assert phone.look(table)["seat"] == 1
    assert f"/table/{table}" in phone.get("/").text
    assert re.search(r'class="who"[^>]*>Anna<', phone.get("/").text)


def test_an_unmerged_guest_is_restored_after_signing_out(server: AppServer) -> None:
    anna, phone = new_account(server, "leaver"), guest(server, "Phone")
    table = create_table(server, phone, None)
    sign_in(phone, "leaver")
    assert (anna.look(table)["seat"], phone.look(table)["seat"]) == (0, 0)
    phone.post("/me/sign-out")
    assert phone.look(table)["seat"] == 1
    assert not phone.cookie(GUEST)
    assert "playing as a guest" in phone.get("/me").text


def test_merging_two_seats_at_one_table_keeps_both(server: AppServer) -> None:
    anna, phone = new_account(server, "twice"), guest(server, "Phone")
    both, other = create_table(server, anna, phone), create_table(server, phone, None)
    assert sign_in(phone, "twice", bring="yes").headers["location"] == "/me?said=twice"
    assert (phone.look(both)["seat"], phone.look(other)["seat"]) == (1, 1)
    phone.post("/me/sign-out")
    assert (phone.look(both)["seat"], phone.look(other)["seat"]) == (2, 0)


def test_signing_out_ends_one_session_or_all(server: AppServer) -> None:
    anna = new_account(server, "outgoing")
    table = create_table(server, anna, None)
    phone, tablet = server.stranger(), server.stranger()
    sign_in(phone, "outgoing")
    sign_in(tablet, "outgoing")
    assert phone.post("/me/sign-out").headers["location"] == "/me?said=out"
    assert (phone.look(table)["seat"], anna.look(table)["seat"]) == (0, 1)
    assert anna.post("/me/sign-out-everywhere").headers["location"] == "/me?said=everywhere"
    assert (anna.look(table)["seat"], tablet.look(table)["seat"]) == (0, 0)
    told = tablet.get("/")
    assert "You were signed out." in told.text
    assert "signed out" not in tablet.get("/").text
    assert sign_in(tablet, "outgoing").status_code == 303
    assert tablet.look(table)["seat"] == 1


class NeverDone:
    """Processes that measure a set without ever finishing."""

    def is_compiled(self, game: str, bot: str) -> bool:
        return True

    async def measure(self, *_: object) -> None:
        await asyncio.Event().wait()


def test_streams_end_with_their_session(start_server: StartServer) -> None:
    """Streams of a table, of one's own tables, and of a set's balance."""
    server = start_server(heartbeat=0.05, measuring=True)
    server.app.state.studio_jobs.measurings._hands = NeverDone()
    anna = new_account(server, "listener")
    table, phone, editor = create_table(server, anna, None), copy_session(anna), create_set(anna, game="mace")
    streams = [f"/table/{table}/events?version={anna.version(table)}", "/api/me/events", f"{editor}/card-values",
               f"/api/sets/{editor.rpartition('/')[2]}/card-values/events"]  # fmt: skip
    with contextlib.ExitStack() as open_streams:
        responses = [open_streams.enter_context(phone.http.stream("GET", address)) for address in streams]
        told = [response.iter_raw() for response in responses]
        assert [len(next(chunks)) > 0 for chunks in told] == [True] * len(streams)
        anna.post("/me/sign-out-everywhere")
        assert [response.status_code for response in responses] == [200] * len(streams)
        of_the_table, *_ = [b"".join(chunks) for chunks in told]  # all of them end
        assert b"data:" not in of_the_table


def test_tokens_survive_signing_out_everywhere_unless_revoked_too(start_server: StartServer) -> None:
    server = start_server(heartbeat=0.05)
    anna = new_account(server, "owner")
    assert "token of my programs" not in anna.get("/me").text
    script = program(server, make_token(anna))
    assert "Also revoke my API token" in anna.get("/me").text
    assert anna.post("/me/sign-out-everywhere").headers["location"] == "/me?said=everywhere"
    assert script.get("/api/me").status_code == 200
    sign_in(anna, "owner")
    with script.turn_events() as turns:
        ended = anna.post("/me/sign-out-everywhere", data={"programs": "yes"})
        assert ended.headers["location"] == "/me?said=programs"
        assert list(turns) == []
    assert script.get("/api/me").status_code == 401
    sign_in(anna, "owner")
    assert anna.get("/me/tokens").text.count("/revoke") == 0


def test_a_new_name_applies_everywhere_but_not_to_taken_seats(server: AppServer) -> None:
    anna = new_account(server, "renamed")
    table, phone = create_table(server, anna, None), server.stranger()
    sign_in(phone, "renamed")
    assert anna.post("/me/name", data={"name": "Anna Two"}).headers["location"] == "/me?said=name"
    assert re.search(r'class="who"[^>]*>Anna Two<', phone.get("/").text)
    assert [player.name for player in server.run(server.tables.registry.get(table)).players] == ["renamed", ""]
    plain = guest(server, "Plain")
    plain.post("/me/name", data={"name": "Fancy"})
    assert 'value="Fancy"' in plain.get("/me").text
    assert "Please enter a name" in message(plain.post("/me/name", data={"name": " "}))


def test_changing_the_password_signs_out_other_browsers(server: AppServer) -> None:
    anna, phone = new_account(server, "changing"), server.stranger()
    sign_in(phone, "changing")
    changed = anna.post("/me/password", data={"login": "changed", "password": "seven brown bears"})
    assert changed.headers["location"] == "/me?said=ways"
    assert "Sign in on any device to find your tables" in anna.get("/me").text
    assert "You were signed out." in phone.get("/me").text
    assert sign_in(phone, "changing").status_code == 403
    assert sign_in(phone, "changed", "seven brown bears").status_code == 303


@pytest.mark.parametrize(
    ("login", "password", "sentence"),
    [
        ("Bert", "short", "A password must have 8 to 200 characters, not 5."),
        ("Bert", "x" * 201, "A password must have 8 to 200 characters, not 201."),
        ("Bert", "Password1", "easy to guess"),
        ("Bert", "password1234", "easy to guess"),
        ("Bert", "abababab", "easy to guess"),
        ("Berta Berta", "berta berta", "easy to guess"),
        (" ", PASSWORD, "Please enter a name"),
        ("TAKEN", PASSWORD, "This sign-in name is taken. Choose another one."),
    ],
)
def test_an_invalid_account_form_gives_a_reason_and_keeps_the_guest(
    server: AppServer, login: str, password: str, sentence: str
) -> None:
    if login == "TAKEN":
        new_account(server, "taken")
    bert = guest(server, "Bert")
    refused = create_account(bert, login, password)
    assert refused.status_code == (409 if login == "TAKEN" else 422)
    assert sentence in message(refused)
    assert exported_tables(bert) == ["Bert"]


def test_the_last_sign_in_method_cannot_be_removed(server: AppServer) -> None:
    anna = via_host(new_account(server, "lastway"))
    assert "your only sign-in method" in anna.post("/me/password/remove").text
    device = add_passkey(anna)
    key = re.findall(r"/me/passkeys/(\w+)/remove", anna.get("/me").text)[0]
    assert anna.post("/me/password/remove").headers["location"] == "/me?said=ways"
    assert sign_in(server.stranger(), "lastway").status_code == 403
    assert "your only sign-in method" in anna.post(f"/me/passkeys/{key}/remove").text
    assert sign_in_with_passkey(via_host(server.stranger()), device).status_code == 200


def test_a_removed_passkey_is_refused_and_its_sessions_end(server: AppServer) -> None:
    anna, phone = via_host(new_account(server, "letgo")), via_host(server.stranger())
    device = add_passkey(anna)
    assert sign_in_with_passkey(phone, device).status_code == 200
    key = re.findall(r"/me/passkeys/(\w+)/remove", anna.get("/me").text)[0]
    assert anna.post(f"/me/passkeys/{key}/remove").headers["location"] == "/me?said=ways"
    assert "You were signed out." in phone.get("/").text
    refused = sign_in_with_passkey(phone, device)
    assert (refused.status_code, refused.json()["reason"]) == (
        403, "This passkey is unknown. It may have been removed."
    )  # fmt: skip


def test_changing_sign_in_methods_needs_a_recent_sign_in(server: AppServer, monkeypatch: pytest.MonkeyPatch) -> None:
    anna = new_account(server, "later")
    monkeypatch.setattr("sparring.people.accounts.FRESH", -1)
    assert "Sign in again to change this" in anna.get("/me").text
    for path in ("/me/password", "/me/password/remove", "/me/passkeys/x/remove", "/me/delete"):
        refused = anna.post(path, data={"login": "later", "password": PASSWORD, "sure": "yes"})
        assert (refused.status_code, "Please sign in again first" in refused.text) == (403, True)
    begun = via_host(anna).post("/me/passkeys/begin", json={})
    assert begun.json()["reason"].startswith("Please sign in again first")
    monkeypatch.undo()
    assert sign_in(anna, "later", back="/me/delete").headers["location"] == "/me/delete"
