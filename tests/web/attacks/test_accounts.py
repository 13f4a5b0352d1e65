"""Attacks on accounts: guessing, enumeration, old and stolen cookies, CSRF, and memory exhaustion by passwords."""

import asyncio
import re
import time
from collections.abc import Collection
from dataclasses import replace
from typing import Any

import pytest

from sparring.web.accounts import passwords
from sparring.web.accounts.device_cookies import DEVICE, DeviceCookies
from sparring.web.accounts.passwords import PasswordHasher
from sparring.web.identity import COOKIE, SIGNED_IN, IdentityCookie
from sparring.web.security.uploads import Busy
from sparring.web.settings import Limits
from web.accounts.account_helpers import (
    PASSWORD,
    alike,
    at_a_name,
    begin,
    codes_in,
    come_in,
    guest,
    keep,
    keeper,
    make,
    mine,
    sign_in,
)
from web.accounts.test_personal_data import id_of
from web.app_server import MUCH, House, Opener, Visitor

WRONG = "Wrong name or password."
POSTS = [
    "/me/name", "/me/keep", "/me/password", "/me/password/remove", "/me/passkeys/x/remove", "/me/passkeys/begin",
    "/me/passkeys", "/me/sign-out", "/me/sign-out-everywhere", "/me/delete", "/sign-in", "/sign-in/passkey",
    "/sign-in/passkey/begin", "/me/shown", "/me/muted/x/remove", "/me/recovery", "/sign-in/recovery",
]  # fmt: skip


def test_password_attempts_for_a_name_are_limited(open_house: Opener) -> None:
    house = open_house(limits=replace(MUCH, names_at_once=3))
    anna, thief = keeper(house, "Anna"), house.stranger()
    for _ in range(3):
        assert sign_in(thief, "anna", "wrong guess").status_code == 403
    refused = sign_in(thief, "ANNA")  # the right one comes too late, however the name is written
    assert (refused.status_code, "wait a moment" in refused.text) == (429, True)
    assert sign_in(thief, "Bert").status_code == 403
    assert "You have an account" in anna.get("/me").text


def from_there(visitor: Visitor, address: str) -> Visitor:
    """Return the same browser at another address, as a proxy reports it."""
    visitor.http.headers["X-Forwarded-For"] = address
    return visitor


@pytest.mark.parametrize("network", ["198.51.100.{}", "2001:db8:7:{:x}::1"])
def test_failed_attempts_from_one_network_do_not_lock_the_owner_out(open_house: Opener, network: str) -> None:
    """After ten attempts, each from another address of the network, the right password is refused there only."""
    house = open_house(proxy="127.0.0.1")
    keeper(house, "Anna")
    tries = [sign_in(from_there(house.stranger(), network.format(at)), "anna", "wrong guess") for at in range(1, 11)]
    assert [each.status_code for each in tries] == [403] * 10
    refused = sign_in(from_there(house.stranger(), network.format(11)), "anna")
    assert (refused.status_code, "wait a moment" in refused.text) == (429, True)
    assert sign_in(from_there(house.stranger(), "203.0.113.5"), "anna").status_code == 303
    assert sign_in(from_there(house.stranger(), "2001:db8:9::1"), "anna").status_code == 303


def test_distributed_guessing_is_limited_and_the_owner_gets_in(open_house: Opener) -> None:
    """The owner gets in with a known browser, a recovery code, or a passkey."""
    house = open_house(proxy="127.0.0.1", limits=replace(MUCH, guesses_at_once=5))
    anna = at_a_name(from_there(house.stranger(), "203.0.113.5"))
    codes = codes_in(keep(anna, "anna"))
    key = make(anna)
    anna.post("/me/sign-out")
    crowd = [sign_in(from_there(house.stranger(), f"198.51.{n}.1"), "anna", "wrong guess") for n in range(8)]
    assert [each.status_code for each in crowd] == [403] * 5 + [429] * 3
    assert sign_in(from_there(house.stranger(), "192.0.2.1"), "anna").status_code == 429
    for _ in range(3):
        assert sign_in(anna, "anna").status_code == 303
    later = from_there(house.stranger(), "192.0.2.1")
    assert later.post("/sign-in/recovery", data={"code": codes[0]}).status_code == 303
    assert come_in(at_a_name(from_there(house.stranger(), "192.0.2.1")), key).status_code == 200
    assert sign_in(later, "anna").status_code == 303  # it has signed in here before, too


def test_a_device_cookie_is_valid_for_one_account(open_house: Opener) -> None:
    house = open_house(limits=replace(MUCH, guesses_at_once=2, names_at_once=4))
    keeper(house, "anna")
    thief = keeper(house, "thief")
    assert [sign_in(thief, "anna", "wrong guess").status_code for _ in range(3)] == [403, 403, 429]
    thief.http.cookies[DEVICE] = DeviceCookies("another secret").write("", id_of(thief), secure=False).value or ""
    assert sign_in(thief, "anna").status_code == 429
    known = keeper(house, "bert")  # and its own account it tries a few times only
    assert [sign_in(known, "bert", "wrong guess").status_code for _ in range(5)] == [403] * 4 + [429]


def test_recovery_code_attempts_are_limited(open_house: Opener) -> None:
    house = open_house(limits=replace(MUCH, sign_ins_at_once=3))
    tries = [house.stranger().post("/sign-in/recovery", data={"code": f"guess {each}"}) for each in range(5)]
    assert [each.status_code for each in tries] == [403, 403, 403, 429, 429]


def test_sign_in_attempts_of_an_address_are_limited(open_house: Opener) -> None:
    house = open_house(limits=replace(MUCH, sign_ins_at_once=3))
    answers = [sign_in(house.stranger(), f"name {number}").status_code for number in range(5)]
    assert answers == [403, 403, 403, 429, 429]
    assert house.stranger().post("/sign-in/passkey/begin", json={}).status_code == 422  # not at an address of numbers
    assert at_a_name(house.stranger()).post("/sign-in/passkey/begin", json={}).status_code == 429


def test_sign_in_does_not_reveal_accounts(house: House, monkeypatch: pytest.MonkeyPatch) -> None:
    """Known and unknown names get the same answer after the same work."""
    keeper(house, "present")
    compared: list[str] = []
    work = PasswordHasher._compare

    def counted(self: PasswordHasher, kept: str | None, password: str) -> bool:
        found = work(self, kept, password)
        compared.append((kept or self._dummy_hash).rpartition("$")[0].rpartition("$")[0])  # its cost, not its salt
        return found

    monkeypatch.setattr(PasswordHasher, "_compare", counted)
    known, unknown = (sign_in(house.stranger(), name, "wrong guess") for name in ("present", "absentx"))
    assert known.text.replace("present", "absentx") == unknown.text
    assert (known.status_code, unknown.status_code, WRONG in known.text) == (403, 403, True)
    assert len(compared) == 2
    assert len(set(compared)) == 1


def test_passkey_sign_in_does_not_reveal_accounts(house: House) -> None:
    make(at_a_name(guest(house, "Anna")))
    assert begin(at_a_name(house.stranger()))["options"]["publicKey"].get("allowCredentials") is None


def test_a_planted_guest_cookie_is_revoked_by_a_new_account(house: House) -> None:
    """Session fixation: a guest cookie planted by the attacker is useless once it has become an account."""
    thief = guest(house, "Planted")
    victim = alike(thief)
    keep(victim, "victim")
    assert "You were signed out." in thief.get("/me").text
    assert mine(thief)["tables"] == []
    assert keep(alike(thief), "thief").status_code == 200  # a stranger now, who is somebody else
    assert len(mine(victim)["tables"]) == 1


@pytest.mark.parametrize("ended_by", ["/me/sign-out-everywhere", "/me/password", "/me/delete"])
def test_a_stolen_cookie_is_revoked_with_its_sessions(house: House, ended_by: str) -> None:
    anna = keeper(house, f"robbed{POSTS.index(ended_by)}")
    thief = alike(anna)
    assert "You have an account" in thief.get("/me").text
    again = {"login": f"safe{POSTS.index(ended_by)}", "password": PASSWORD, "sure": "yes"}
    assert anna.post(ended_by, data=again).status_code == 303
    refused = thief.post("/me/name", data={"name": "Thief"})
    assert (refused.status_code, "You have been signed out" in refused.text) == (403, True)
    assert "You have an account" not in thief.get("/me").text


def test_a_copied_cookie_is_worthless_after_its_browser_signed_out(house: House) -> None:
    """Signing out ends copies of the cookie, but not the owner's other browsers."""
    anna, phone = keeper(house, "copied"), house.stranger()
    sign_in(phone, "copied")
    thief = alike(phone)
    assert "You have an account" in thief.get("/me").text
    assert phone.post("/me/sign-out").headers["location"] == "/me?said=out"
    refused = thief.post("/me/name", data={"name": "Thief"})
    assert (refused.status_code, "You have been signed out" in refused.text) == (403, True)
    assert "You have an account" not in thief.get("/me").text
    assert "You have an account" in anna.get("/me").text
    sign_in(phone, "copied")  # and no later session of that browser is meant
    assert "You have an account" in phone.get("/me").text


def test_a_copied_cookie_stays_worthless_after_a_restart_and_under_another_name(open_house: Opener) -> None:
    house = open_house()
    anna = keeper(house, "restarted")
    thief = alike(anna)
    assert thief.post("/me/name", data={"name": "Copy"}).status_code == 303  # a new cookie of the same session
    anna.post("/me/sign-out")
    assert "You have an account" not in thief.get("/me").text
    cookies = dict(thief.http.cookies)
    house.close()
    later = open_house().stranger()
    later.http.cookies.update(cookies)
    assert "You have an account" not in later.get("/me").text


def test_a_cookie_from_before_there_were_sessions_is_ended_too(house: House) -> None:
    anna = keeper(house, "elderly")
    person = house.app.state.passport.read(anna.http.cookies[COOKIE])
    old = house.app.state.passport._signer.dumps([person.id, person.name, person.epoch, person.since - 60])
    phone, thief = house.stranger(), house.stranger()
    for each in (phone, thief):
        each.http.cookies[COOKIE] = old
        assert "You have an account" in each.get("/me").text
    phone.post("/me/sign-out")
    assert "You have an account" not in thief.get("/me").text
    assert "You have an account" in anna.get("/me").text


def test_a_cookie_is_refused_a_year_after_its_owner_signed_in(house: House) -> None:
    """Renewing a cookie doesn't extend it, so ended sessions can be forgotten then."""
    anna = keeper(house, "year")
    person = house.app.state.passport.read(anna.http.cookies[COOKIE])
    for age, counts in ((SIGNED_IN + 60, False), (SIGNED_IN - 60, True)):
        old = replace(person, since=int(time.time()) - age)
        anna.http.cookies[COOKIE] = house.app.state.passport.write(old).value or ""
        assert ("You have an account" in anna.get("/me").text) == counts
        house.run(house.app.state.accounts.sign_out(replace(old, session=f"of {age}")))
    ended = house.run(house.app.state.accounts.store.current([person.id]))[person.id].ended
    assert ended == {f"of {SIGNED_IN - 60}"}


def test_a_query_during_revocation_is_not_cached(house: House) -> None:
    """A slow query for the old session generation returns after the new one is stored."""
    anna = keeper(house, "racing")
    person = house.app.state.passport.read(anna.http.cookies[COOKIE])
    epochs = house.app.state.accounts.sessions
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
        await house.app.state.accounts.sign_out_everywhere(person)
        go_on.set()
        await reading
        return bool(await epochs.is_valid(person))

    assert not house.run(race())


def test_cookies_cannot_be_forged(house: House) -> None:
    anna = keeper(house, "lifted")
    person = house.app.state.passport.read(anna.http.cookies[COOKIE])
    thief = house.stranger()
    thief.http.cookies[COOKIE] = IdentityCookie("another secret").write(person).value or ""
    assert "You have an account" not in thief.get("/me").text
    thief.http.cookies[COOKIE] = house.app.state.passport.write(replace(person, epoch=0)).value  # an old guest's cookie
    assert "You were signed out." in thief.get("/me").text


@pytest.mark.parametrize("path", POSTS)
def test_another_site_cannot_post(house: House, path: str) -> None:
    anna = guest(house, "Anna")
    anna.http.headers["Origin"] = "https://elsewhere.example"
    assert "another site" in anna.post(path, data={"sure": "yes"}).text
    assert len(mine(anna)["tables"]) == 1


def test_every_account_route_is_tested_for_csrf(house: House) -> None:
    posted = {
        re.sub("{.*?}", "x", route.path)
        for route in house.app.routes
        if "POST" in getattr(route, "methods", ())
        and route.path.startswith(("/me", "/sign-in"))
        and "tokens" not in route.path
    }
    assert posted == set(POSTS)


def test_nobody_can_change_another_account(house: House) -> None:
    anna, thief = at_a_name(keeper(house, "owner")), at_a_name(keeper(house, "thief two"))
    make(anna)
    make(thief)
    key = anna.get("/me").text.split("/me/passkeys/")[1].split("/")[0]
    thief.post(f"/me/passkeys/{key}/remove")
    thief.post("/me/delete", data={"sure": "yes", "person": "owner", "login": "owner"})
    assert f"/me/passkeys/{key}/remove" in anna.get("/me").text
    assert sign_in(house.stranger(), "owner").status_code == 303


def test_accounts_are_never_merged(house: House) -> None:
    """Signing in to another account while signed in changes the identity, and moves no data."""
    anna, bert = keeper(house, "first"), keeper(house, "second")
    anna.post("/games/hush", data={"name": "first", "seat1": "me", "seat2": "open"})
    sign_in(anna, "second", bring="yes")
    assert mine(bert)["tables"] == []
    again = house.stranger()
    sign_in(again, "first")
    assert len(mine(again)["tables"]) == 1


def test_new_accounts_and_exports_are_limited(open_house: Opener) -> None:
    house = open_house(limits=replace(MUCH, accounts_at_once=2, exports_at_once=2))
    answers = [keep(house.stranger(), f"number {number}").status_code for number in range(3)]
    assert answers == [200, 200, 429]
    anna = guest(house, "Anna")
    assert [anna.get("/me/data").status_code for _ in range(3)] == [200, 200, 429]


def test_an_account_has_a_few_passkeys_only(open_house: Opener) -> None:
    house = open_house(limits=replace(MUCH, passkeys_each=2))
    anna = at_a_name(guest(house, "Anna"))
    make(anna)
    make(anna)
    assert anna.post("/me/passkeys/begin", json={}).status_code == 429


def test_few_passwords_are_hashed_at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    """A crowd of sign-ins takes the memory of two hashes; those beyond the queue are told to retry."""
    at_work, most = [0], [0]

    def compared(self: PasswordHasher, kept: str | None, password: str) -> bool:
        at_work[0] += 1
        most[0] = max(most[0], at_work[0])
        time.sleep(0.01)  # that they meet
        at_work[0] -= 1
        return False

    monkeypatch.setattr(PasswordHasher, "_compare", compared)

    async def crowd() -> list[Any]:
        works = PasswordHasher(Limits(passwords_at_once=2, passwords_waiting=5))
        asked = [asyncio.ensure_future(works.matches(None, "guess")) for _ in range(12)]
        await asyncio.sleep(0)
        asked[0].cancel()  # whoever goes away leaves their thread at work, and its place taken
        answers = await asyncio.gather(*asked, return_exceptions=True)
        works.close()
        return answers

    answers = asyncio.run(crowd())
    assert [type(answer) for answer in answers] == [asyncio.CancelledError, *[bool] * 6, *[Busy] * 5]
    assert most[0] <= 2


def test_a_password_of_a_megabyte_is_refused_before_it_costs_anything(
    house: House, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(passwords, "_hasher", lambda: pytest.fail("was worked on"))
    for path in ("/sign-in", "/me/keep"):
        assert house.stranger().post(path, data={"login": "x", "password": "x" * 1_000_000}).status_code == 413
    assert keep(house.stranger(), "long", "x" * 3000).status_code == 422


def test_passwords_are_stored_as_salted_hashes(house: House, dear_passwords: tuple[int, ...]) -> None:
    keeper(house, "hashed one")
    keeper(house, "hashed two")
    rows = [house.run(house.app.state.accounts.store.load(folded=name)) for name in ("hashed one", "hashed two")]
    assert rows[0].password != rows[1].password
    assert all(row.password.startswith("$argon2id$v=19$m=64,t=1,p=1$") for row in rows)
    assert dear_passwords == (19 * 1024, 2, 1)


def test_account_pages_are_not_cached(house: House) -> None:
    anna = keeper(house, "uncached")
    for path in ("/me", "/me/data", "/me/delete", "/sign-in"):
        assert anna.get(path).raise_for_status().headers["cache-control"] == "no-store"


def test_what_is_said_is_ours_and_names_are_escaped(house: House) -> None:
    anna: Visitor = guest(house, "<b>A</b>")
    text = anna.get("/me?said=<script>alert(1)</script>").text
    assert "<script>alert" not in text
    assert "&lt;b&gt;A&lt;/b&gt;" in text
    assert 'filename="sparring-b-a-b.json"' in anna.get("/me/data").headers["content-disposition"]
