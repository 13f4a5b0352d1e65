"""Attacks on accounts: guessing, enumeration, old and stolen cookies, CSRF, and memory exhaustion by passwords."""

import asyncio
import time
from collections.abc import Collection
from dataclasses import replace
from typing import Any

import pytest

from sparring.people import passwords
from sparring.people.fair_queue import Busy
from sparring.people.identity import DEVICE, DeviceCookies, IdentityCookie
from sparring.people.passwords import PasswordHasher
from sparring.settings import Limits
from sparring.store.person import SIGNED_IN
from web.accounts.account_helpers import (
    PASSWORD,
    add_passkey,
    begin_passkey,
    codes_in,
    copy_session,
    create_account,
    export_data,
    from_there,
    guest,
    id_of,
    new_account,
    sign_in,
    sign_in_with_passkey,
    via_host,
)
from web.app_server import HIGH_LIMITS, AppServer, Client, StartServer

WRONG = "Wrong name or password."
SIGNED_IN_PAGE = "Sign in on any device to find your tables"


def is_signed_in(client: Client) -> bool:
    return SIGNED_IN_PAGE in client.get("/me").text


def test_password_attempts_for_a_name_are_limited(start_server: StartServer) -> None:
    server = start_server(limits=replace(HIGH_LIMITS, names_at_once=3))
    anna, thief = new_account(server, "Anna"), server.stranger()
    for _ in range(3):
        assert sign_in(thief, "anna", "wrong guess").status_code == 403
    refused = sign_in(thief, "ANNA")  # the right password comes too late, however the name is written
    assert (refused.status_code, "wait a moment" in refused.text) == (429, True)
    assert sign_in(thief, "Bert").status_code == 403
    assert is_signed_in(anna)


@pytest.mark.parametrize("network", ["198.51.100.{}", "2001:db8:7:{:x}::1"])
def test_failed_attempts_from_one_network_do_not_lock_the_owner_out(start_server: StartServer, network: str) -> None:
    """After ten attempts, each from another address of the network, the right password is refused there only."""
    server = start_server(proxy="127.0.0.1")
    new_account(server, "Anna")
    tries = [sign_in(from_there(server.stranger(), network.format(at)), "anna", "wrong guess") for at in range(1, 11)]
    assert [each.status_code for each in tries] == [403] * 10
    refused = sign_in(from_there(server.stranger(), network.format(11)), "anna")
    assert (refused.status_code, "wait a moment" in refused.text) == (429, True)
    assert sign_in(from_there(server.stranger(), "203.0.113.5"), "anna").status_code == 303
    assert sign_in(from_there(server.stranger(), "2001:db8:9::1"), "anna").status_code == 303


def test_distributed_guessing_is_limited_and_the_owner_gets_in(start_server: StartServer) -> None:
    """The owner gets in with a known browser, a recovery code, or a passkey."""
    server = start_server(proxy="127.0.0.1", limits=replace(HIGH_LIMITS, guesses_at_once=5))
    anna = via_host(from_there(server.stranger(), "203.0.113.5"))
    codes = codes_in(create_account(anna, "anna"))
    key = add_passkey(anna)
    anna.post("/me/sign-out")
    crowd = [sign_in(from_there(server.stranger(), f"198.51.{n}.1"), "anna", "wrong guess") for n in range(8)]
    assert [each.status_code for each in crowd] == [403] * 5 + [429] * 3
    assert sign_in(from_there(server.stranger(), "192.0.2.1"), "anna").status_code == 429
    for _ in range(3):
        assert sign_in(anna, "anna").status_code == 303
    later = from_there(server.stranger(), "192.0.2.1")
    assert later.post("/sign-in/recovery", data={"code": codes[0]}).status_code == 303
    assert sign_in_with_passkey(via_host(from_there(server.stranger(), "192.0.2.1")), key).status_code == 200
    assert sign_in(later, "anna").status_code == 303  # it has signed in here before, too


def test_a_device_cookie_is_valid_for_one_account(start_server: StartServer) -> None:
    server = start_server(limits=replace(HIGH_LIMITS, guesses_at_once=2, names_at_once=4))
    new_account(server, "anna")
    thief = new_account(server, "thief")
    assert [sign_in(thief, "anna", "wrong guess").status_code for _ in range(3)] == [403, 403, 429]
    thief.set_cookie(DeviceCookies("another secret").write("", id_of(thief), secure=False).value or "", DEVICE)
    assert sign_in(thief, "anna").status_code == 429
    known = new_account(server, "bert")  # and it can try its own account a few times only
    assert [sign_in(known, "bert", "wrong guess").status_code for _ in range(5)] == [403] * 4 + [429]


@pytest.mark.parametrize("path", ["/sign-in", "/sign-in/recovery"])
def test_sign_in_attempts_of_an_address_are_limited(start_server: StartServer, path: str) -> None:
    server = start_server(limits=replace(HIGH_LIMITS, sign_ins_at_once=3))
    forms = [{"login": f"name {number}", "password": PASSWORD, "code": f"guess {number}"} for number in range(5)]
    assert [server.stranger().post(path, data=form).status_code for form in forms] == [403, 403, 403, 429, 429]
    assert server.stranger().post("/sign-in/passkey/begin", json={}).status_code == 422  # not at an IP address
    assert via_host(server.stranger()).post("/sign-in/passkey/begin", json={}).status_code == 429


def test_sign_in_does_not_reveal_accounts(server: AppServer, monkeypatch: pytest.MonkeyPatch) -> None:
    """Known and unknown names get the same answer after the same work."""
    new_account(server, "present")
    compared: list[str] = []
    work = PasswordHasher._compare

    def counted(self: PasswordHasher, kept: str | None, password: str) -> bool:
        found = work(self, kept, password)
        compared.append((kept or self._dummy_hash).rpartition("$")[0].rpartition("$")[0])  # its cost, not its salt
        return found

    monkeypatch.setattr(PasswordHasher, "_compare", counted)
    known, unknown = (sign_in(server.stranger(), name, "wrong guess") for name in ("present", "absentx"))
    assert known.text.replace("present", "absentx") == unknown.text
    assert (known.status_code, unknown.status_code, WRONG in known.text) == (403, 403, True)
    assert len(compared) == 2
    assert len(set(compared)) == 1


def test_passkey_sign_in_does_not_reveal_accounts(server: AppServer) -> None:
    add_passkey(via_host(guest(server, "Anna")))
    assert begin_passkey(via_host(server.stranger()))["options"]["publicKey"].get("allowCredentials") is None


@pytest.mark.parametrize("ended_by", ["/me/sign-out-everywhere", "/me/password", "/me/delete"])
def test_a_stolen_cookie_is_revoked_with_its_sessions(server: AppServer, ended_by: str) -> None:
    way = ended_by.rpartition("/")[2][:8]
    anna = new_account(server, f"robbed by {way}")
    thief = copy_session(anna)
    assert is_signed_in(thief)
    again = {"login": f"safe from {way}", "password": PASSWORD, "sure": "yes"}
    assert anna.post(ended_by, data=again).status_code == 303
    refused = thief.post("/me/name", data={"name": "Thief"})
    assert (refused.status_code, "You have been signed out" in refused.text) == (403, True)
    assert not is_signed_in(thief)


def test_a_copied_cookie_is_worthless_after_its_browser_signed_out(start_server: StartServer) -> None:
    """Under another name and after a restart, too; but the owner's other browsers stay signed in."""
    server = start_server()
    anna, phone = new_account(server, "copied"), server.stranger()
    sign_in(phone, "copied")
    thief = copy_session(phone)
    assert thief.post("/me/name", data={"name": "Copy"}).status_code == 303  # a new cookie of the same session
    cookies = dict(thief.http.cookies)
    assert phone.post("/me/sign-out").headers["location"] == "/me?said=out"
    assert thief.post("/me/name", data={"name": "Thief"}).status_code == 403
    sign_in(phone, "copied")  # no later session of that browser is affected
    assert [is_signed_in(each) for each in (thief, anna, phone)] == [False, True, True]
    server.restart()
    later = server.stranger()
    later.http.cookies.update(cookies)
    assert not is_signed_in(later)


def test_a_cookie_without_a_session_is_revoked_too(server: AppServer) -> None:
    anna = new_account(server, "elderly")
    person = server.app.state.identity_cookie.read(anna.cookie())
    old = server.app.state.identity_cookie._signer.dumps([person.id, person.name, person.epoch, person.since - 60])
    phone, thief = server.stranger(), server.stranger()
    for each in (phone, thief):
        each.set_cookie(old)
        assert is_signed_in(each)
    phone.post("/me/sign-out")
    assert (is_signed_in(thief), is_signed_in(anna)) == (False, True)


def test_a_cookie_is_refused_a_year_after_its_owner_signed_in(server: AppServer) -> None:
    """Renewing a cookie doesn't extend it, so ended sessions can be forgotten then (`test_retention.py`)."""
    anna = new_account(server, "year")
    person = server.app.state.identity_cookie.read(anna.cookie())
    for age, counts in ((SIGNED_IN + 60, False), (SIGNED_IN - 60, True)):
        old = replace(person, since=int(time.time()) - age)
        anna.set_cookie(server.app.state.identity_cookie.write(old).value or "")
        assert is_signed_in(anna) == counts


def test_a_query_during_revocation_is_not_cached(server: AppServer) -> None:
    """A slow query for the old session generation returns after the new one is stored."""
    anna = new_account(server, "racing")
    person = server.app.state.identity_cookie.read(anna.cookie())
    epochs = server.app.state.accounts.sessions
    current = epochs._store.current

    async def race() -> bool:
        epochs.forget(person.id)
        read, go_on = asyncio.Event(), asyncio.Event()

        async def slow(people: Collection[str]) -> object:
            found = await current(people)
            read.set()
            await go_on.wait()
            return found

        epochs._store.current = slow
        try:
            reading = asyncio.ensure_future(epochs.current(person.id))
            await read.wait()
        finally:
            del epochs._store.current
        await server.app.state.accounts.sign_out_everywhere(person)
        go_on.set()
        await reading
        return bool(await epochs.is_valid(person))

    assert not server.run(race())


def test_cookies_cannot_be_forged(server: AppServer) -> None:
    anna = new_account(server, "lifted")
    person = server.app.state.identity_cookie.read(anna.cookie())
    thief = server.stranger()
    thief.set_cookie(IdentityCookie("another secret").write(person).value or "")
    assert not is_signed_in(thief)
    old_guest = server.app.state.identity_cookie.write(replace(person, epoch=0)).value or ""
    thief.set_cookie(old_guest)
    assert "You were signed out." in thief.get("/me").text


def test_other_accounts_cannot_be_changed(server: AppServer) -> None:
    anna, thief = via_host(new_account(server, "owner")), via_host(new_account(server, "thief two"))
    add_passkey(anna)
    add_passkey(thief)
    key = anna.get("/me").text.split("/me/passkeys/")[1].split("/")[0]
    thief.post(f"/me/passkeys/{key}/remove")
    thief.post("/me/delete", data={"sure": "yes", "person": "owner", "login": "owner"})
    assert f"/me/passkeys/{key}/remove" in anna.get("/me").text
    assert sign_in(server.stranger(), "owner").status_code == 303


def test_accounts_are_never_merged(server: AppServer) -> None:
    """Signing in to another account while signed in changes the identity, and moves no data."""
    anna, bert = new_account(server, "first"), new_account(server, "second")
    anna.post("/games/hush", data={"name": "first", "seat1": "me", "seat2": "open"})
    sign_in(anna, "second", bring="yes")
    assert export_data(bert)["tables"] == []
    again = server.stranger()
    sign_in(again, "first")
    assert len(export_data(again)["tables"]) == 1


def test_new_accounts_and_exports_are_limited(start_server: StartServer) -> None:
    server = start_server(limits=replace(HIGH_LIMITS, accounts_at_once=2, exports_at_once=2))
    responses = [create_account(server.stranger(), f"number {number}").status_code for number in range(3)]
    assert responses == [200, 200, 429]
    anna = guest(server, "Anna")
    assert [anna.get("/me/data").status_code for _ in range(3)] == [200, 200, 429]


def test_an_account_has_a_few_passkeys_only(start_server: StartServer) -> None:
    server = start_server(limits=replace(HIGH_LIMITS, passkeys_each=2))
    anna = via_host(guest(server, "Anna"))
    add_passkey(anna)
    add_passkey(anna)
    assert anna.post("/me/passkeys/begin", json={}).status_code == 429


def test_few_passwords_are_hashed_at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    """A crowd of sign-ins takes the memory of two hashes; those beyond the queue get a request to retry."""
    at_work, most = [0], [0]

    def compared(self: PasswordHasher, kept: str | None, password: str) -> bool:
        at_work[0] += 1
        most[0] = max(most[0], at_work[0])
        time.sleep(0.01)  # so that they meet
        at_work[0] -= 1
        return False

    monkeypatch.setattr(PasswordHasher, "_compare", compared)

    async def crowd() -> list[Any]:
        works = PasswordHasher(Limits(passwords_at_once=2, passwords_waiting=5))
        asked = [asyncio.ensure_future(works.matches(None, "guess")) for _ in range(12)]
        await asyncio.sleep(0)
        asked[0].cancel()  # a cancelled request leaves its thread running, and its place taken
        responses = await asyncio.gather(*asked, return_exceptions=True)
        works.close()
        return responses

    responses = asyncio.run(crowd())
    assert [type(response) for response in responses] == [asyncio.CancelledError, *[bool] * 6, *[Busy] * 5]
    assert most[0] <= 2


def test_a_password_of_a_megabyte_is_refused_without_hashing(
    server: AppServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(passwords, "_hasher", lambda: pytest.fail("the password was hashed"))
    for path in ("/sign-in", "/me/keep"):
        assert server.stranger().post(path, data={"login": "x", "password": "x" * 1_000_000}).status_code == 413
    assert create_account(server.stranger(), "long", "x" * 3000).status_code == 422


def test_passwords_are_stored_as_salted_hashes(server: AppServer, real_password_cost: tuple[int, ...]) -> None:
    new_account(server, "hashed one")
    new_account(server, "hashed two")
    rows = [server.run(server.app.state.accounts.store.load(folded=name)) for name in ("hashed one", "hashed two")]
    assert rows[0].password != rows[1].password
    assert all(row.password.startswith("$argon2id$v=19$m=64,t=1,p=1$") for row in rows)
    assert real_password_cost == (19 * 1024, 2, 1)


def test_messages_are_fixed_and_names_are_escaped(server: AppServer) -> None:
    anna: Client = guest(server, "<b>A</b>")
    text = anna.get("/me?said=<script>alert(1)</script>").text
    assert "<script>alert" not in text
    assert "&lt;b&gt;A&lt;/b&gt;" in text
    assert 'filename="sparring-b-a-b.json"' in anna.get("/me/data").headers["content-disposition"]
