"""A guest keeps who they are by name and password, comes in elsewhere, changes the ways in, signs out everywhere."""

import asyncio
import contextlib
import re
from collections.abc import Collection

import pytest

from sparring.engine.game import game
from sparring.web.identity import COOKIE, GUEST
from sparring.web.tables.players import Player
from web.accounts.account_helpers import (
    PASSWORD,
    alike,
    at_a_name,
    come_in,
    guest,
    keep,
    keeper,
    make,
    sign_in,
    tables_of,
)
from web.app_server import House, Opener, Visitor
from web.studio.test_sets import begin


def said(answer: object) -> str:
    return " ".join(re.findall(r'role="(?:alert|status)"[^>]*>(.*?)<', getattr(answer, "text", "")))


def table_of(house: House, *who: Visitor | None) -> str:
    """A table at which these sit; None is an open seat."""
    passport, sitters = house.app.state.passport, []
    for visitor in who:
        person = passport.read(visitor.http.cookies[COOKIE]) if visitor else None
        sitters.append(Player(person.id, person.name) if person else Player())
    return house.run(house.tables.create(game("hush"), sitters, seed=1)).id


def test_a_guest_needs_no_account_and_the_page_says_who_they_are(house: House) -> None:
    stranger = house.stranger().get("/")
    assert re.search(r'class="who" href="/me"[^>]*>guest<', stranger.text)
    anna = guest(house, "Anna")
    assert re.search(r'class="who" href="/me"[^>]*>Anna<', anna.get("/").text)
    assert "playing as a guest" in anna.get("/me").text
    assert "1 table, 0 studio sets" in anna.get("/me").text


def test_who_keeps_their_identity_finds_their_seat_on_another_device(house: House) -> None:
    anna = guest(house, "Anna")
    table = table_of(house, anna, None)
    assert "Account created. Sign in with it on any device." in keep(anna, "anna@home").text
    assert anna.look(table)["seat"] == 1
    phone = house.stranger()
    assert sign_in(phone, "Anna@Home ").headers["location"] == "/me?said=in"
    assert phone.look(table)["seat"] == 1
    assert f"/table/{table}" in phone.get("/").text
    assert re.search(r'class="who"[^>]*>Anna<', phone.get("/").text)


def test_what_a_guest_did_elsewhere_is_brought_along(house: House) -> None:
    anna, phone = keeper(house, "bringer"), guest(house, "Phone")
    table = table_of(house, phone, None)
    sign_in(phone, "bringer", bring="yes")
    assert anna.look(table)["seat"] == phone.look(table)["seat"] == 1
    assert GUEST not in phone.http.cookies


def test_what_is_not_brought_along_is_the_guests_again_after_signing_out(house: House) -> None:
    anna, phone = keeper(house, "leaver"), guest(house, "Phone")
    table = table_of(house, phone, None)
    sign_in(phone, "leaver")
    assert (anna.look(table)["seat"], phone.look(table)["seat"]) == (0, 0)
    phone.post("/me/sign-out")
    assert phone.look(table)["seat"] == 1
    assert GUEST not in phone.http.cookies
    assert "playing as a guest" in phone.get("/me").text


def test_who_sits_at_one_table_twice_loses_neither_seat(house: House) -> None:
    anna, phone = keeper(house, "twice"), guest(house, "Phone")
    both, other = table_of(house, anna, phone), table_of(house, phone, None)
    assert sign_in(phone, "twice", bring="yes").headers["location"] == "/me?said=twice"
    assert (phone.look(both)["seat"], phone.look(other)["seat"]) == (1, 1)
    phone.post("/me/sign-out")
    assert (phone.look(both)["seat"], phone.look(other)["seat"]) == (2, 0)


def test_somebody_who_looks_on_meanwhile_sees_with_other_eyes(house: House) -> None:
    """The page of the guest is open when the seat becomes the account's: it is told what watchers see."""
    keeper(house, "eyes")
    phone = guest(house, "Phone")
    table, before = table_of(house, phone, None), alike(phone)
    with before.stream(table, before.version(table)) as events:
        assert next(events).startswith(b": nothing new")
        assert b"Your hand" in phone.get(f"/table/{table}").content
        sign_in(phone, "eyes", bring="yes")
        shown = next(events)
    assert b"data:" in shown
    assert b"Your hand" not in shown
    assert before.look(table)["seat"] == 0


def test_signing_out_is_for_this_browser_and_everywhere_for_all(house: House) -> None:
    anna = keeper(house, "outgoing")
    table = table_of(house, anna, None)
    phone, tablet = house.stranger(), house.stranger()
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


def test_a_choice_of_somebody_who_was_signed_out_is_refused_in_a_sentence(house: House) -> None:
    anna = keeper(house, "chooser")
    table = table_of(house, anna, None)
    phone = house.stranger()
    sign_in(phone, "chooser")
    anna.post("/me/sign-out-everywhere")
    refused = phone.choose(table, 0, 1)
    assert (refused.status_code, refused.json()["reason"]) == (
        403, "You have been signed out. Sign in again to continue."
    )  # fmt: skip


class NeverDone:
    """Hands that measure a set for as long as somebody listens, and find nothing."""

    def is_compiled(self, game: str, bot: str) -> bool:
        return True

    async def measure(self, *_: object) -> None:
        await asyncio.Event().wait()


def test_streams_end_with_the_epoch(open_house: Opener) -> None:
    """Of tables, of all one's tables, and of what a set of the studio is worth."""
    house = open_house(heartbeat=0.05, measuring=True)
    house.app.state.workshop.measurings._hands = NeverDone()
    anna = keeper(house, "listener")
    table, phone, bench = table_of(house, anna, None), alike(anna), begin(anna, game="mace")
    streams = [f"/table/{table}/events?version={anna.version(table)}", "/api/me/events", f"{bench}/worth",
               f"/api/sets/{bench.rpartition('/')[2]}/worth/events"]  # fmt: skip
    with contextlib.ExitStack() as open_streams:
        answers = [open_streams.enter_context(phone.http.stream("GET", address)) for address in streams]
        told = [answer.iter_raw() for answer in answers]
        assert [len(next(chunks)) > 0 for chunks in told] == [True] * len(streams)
        anna.post("/me/sign-out-everywhere")
        assert [answer.status_code for answer in answers] == [200] * len(streams)
        of_the_table, *_ = [b"".join(chunks) for chunks in told]  # all of them end
        assert b"data:" not in of_the_table


def test_programs_go_on_when_somebody_signs_out_everywhere_unless_they_are_to_end_too(open_house: Opener) -> None:
    house = open_house(heartbeat=0.05)
    anna = keeper(house, "owner")
    token = {"name": "script", "days": "0", "scope.look": "on"}
    assert "token of my programs" not in anna.get("/me").text
    program = house.stranger()
    shown = anna.post("/me/tokens", data=token).raise_for_status().text
    program.http.headers["Authorization"] = f"Bearer {re.findall(r'sp_[A-Za-z0-9_-]+', shown)[0]}"
    assert "Also revoke my API token" in anna.get("/me").text
    assert anna.post("/me/sign-out-everywhere").headers["location"] == "/me?said=everywhere"
    assert program.get("/api/me").status_code == 200
    sign_in(anna, "owner")
    with program.turns() as turns:
        ended = anna.post("/me/sign-out-everywhere", data={"programs": "yes"})
        assert ended.headers["location"] == "/me?said=programs"
        assert list(turns) == []
    assert program.get("/api/me").status_code == 401
    sign_in(anna, "owner")
    assert anna.get("/me/tokens").text.count("/revoke") == 0


def test_whoever_is_deleted_has_no_programs_any_more(house: House) -> None:
    anna = keeper(house, "leaving")
    shown = anna.post("/me/tokens", data={"name": "script", "days": "0", "scope.look": "on"}).text
    program = house.stranger()
    program.http.headers["Authorization"] = f"Bearer {re.findall(r'sp_[A-Za-z0-9_-]+', shown)[0]}"
    assert program.get("/api/me").status_code == 200
    assert anna.post("/me/delete", data={"sure": "yes"}).headers["location"] == "/me?said=deleted"
    assert program.get("/api/me").status_code == 401


def test_another_name_is_known_everywhere_and_old_seats_keep_theirs(house: House) -> None:
    anna = keeper(house, "renamed")
    table, phone = table_of(house, anna, None), house.stranger()
    sign_in(phone, "renamed")
    assert anna.post("/me/name", data={"name": "Anna Two"}).headers["location"] == "/me?said=name"
    assert re.search(r'class="who"[^>]*>Anna Two<', phone.get("/").text)
    assert [sitter.name for sitter in house.run(house.tables.get(table)).players] == ["renamed", ""]
    plain = guest(house, "Plain")
    plain.post("/me/name", data={"name": "Fancy"})
    assert re.search(r'class="who"[^>]*>Fancy<', plain.get("/").text)
    assert "Please enter a name" in said(plain.post("/me/name", data={"name": " "}))


def test_another_password_signs_all_other_browsers_out(house: House) -> None:
    anna, phone = keeper(house, "changing"), house.stranger()
    sign_in(phone, "changing")
    changed = anna.post("/me/password", data={"login": "changed", "password": "seven brown bears"})
    assert changed.headers["location"] == "/me?said=ways"
    assert "You have an account" in anna.get("/me").text
    assert "You were signed out." in phone.get("/me").text
    assert sign_in(phone, "changing").status_code == 403
    assert sign_in(phone, "changed", "seven brown bears").status_code == 303


@pytest.mark.parametrize(
    ("login", "password", "sentence"),
    [
        ("Bert", "short", "A password must have 8 to 200 characters, not 5."),
        ("Bert", "x" * 201, "A password must have 8 to 200 characters, not 201."),
        ("Bert", "Password1", "easy to guess"),
        ("Bert", "abababab", "easy to guess"),
        ("Berta Berta", "berta berta", "easy to guess"),
        (" ", PASSWORD, "Please enter a name"),
        ("TAKEN", PASSWORD, "This sign-in name is taken. Choose another one."),
    ],
)
def test_what_cannot_be_kept_is_told_and_nothing_is_lost(
    house: House, login: str, password: str, sentence: str
) -> None:
    if login == "TAKEN":
        keeper(house, "taken")
    bert = guest(house, "Bert")
    refused = keep(bert, login, password)
    assert refused.status_code == (409 if login == "TAKEN" else 422)
    assert sentence in said(refused)
    assert tables_of(bert) == ["Bert"]


def test_the_last_way_in_cannot_be_let_go(house: House) -> None:
    anna = at_a_name(keeper(house, "lastway"))
    assert "your only sign-in method" in anna.post("/me/password/remove").text
    device = make(anna)
    key = re.findall(r"/me/passkeys/(\w+)/remove", anna.get("/me").text)[0]
    assert anna.post("/me/password/remove").headers["location"] == "/me?said=ways"
    assert sign_in(house.stranger(), "lastway").status_code == 403
    assert "your only sign-in method" in anna.post(f"/me/passkeys/{key}/remove").text
    assert come_in(at_a_name(house.stranger()), device).status_code == 200


def test_a_passkey_that_was_let_go_opens_nothing_and_its_browsers_are_signed_out(house: House) -> None:
    anna, phone = at_a_name(keeper(house, "letgo")), at_a_name(house.stranger())
    device = make(anna)
    assert come_in(phone, device).status_code == 200
    key = re.findall(r"/me/passkeys/(\w+)/remove", anna.get("/me").text)[0]
    assert anna.post(f"/me/passkeys/{key}/remove").headers["location"] == "/me?said=ways"
    assert "You were signed out." in phone.get("/").text
    refused = come_in(phone, device)
    assert (refused.status_code, refused.json()["reason"]) == (
        403, "This passkey is unknown. It may have been removed."
    )  # fmt: skip


def test_ways_in_are_changed_by_whoever_signed_in_just_now(house: House, monkeypatch: pytest.MonkeyPatch) -> None:
    anna = keeper(house, "later")
    monkeypatch.setattr("sparring.web.accounts.accounts.FRESH", -1)
    assert "Sign in again to change this" in anna.get("/me").text
    for path in ("/me/password", "/me/password/remove", "/me/passkeys/x/remove", "/me/delete"):
        refused = anna.post(path, data={"login": "later", "password": PASSWORD, "sure": "yes"})
        assert (refused.status_code, "Please sign in again first" in refused.text) == (403, True)
    begun = at_a_name(anna).post("/me/passkeys/begin", json={})
    assert begun.json()["reason"].startswith("Please sign in again first")
    monkeypatch.undo()
    assert sign_in(anna, "later", back="/me/delete").headers["location"] == "/me/delete"


def test_a_way_back_leads_to_a_page_of_ours(house: House) -> None:
    keeper(house, "homing")
    assert sign_in(house.stranger(), "homing", back="//elsewhere.example").headers["location"] == "/"
    assert sign_in(house.stranger(), "homing", back="/studio").headers["location"] == "/studio"


def test_requests_do_not_wait_for_the_database_once_somebody_is_known(house: House) -> None:
    anna = keeper(house, "quick")
    anna.get("/me")
    asked: list[str] = []
    accounts = house.app.state.accounts
    current = accounts.sessions._store.current

    async def counted(people: Collection[str]) -> object:
        asked.extend(people)
        return await current(people)

    accounts.sessions._store.current = counted
    try:
        for _ in range(3):
            anna.get("/games/hush")
    finally:
        del accounts.sessions._store.current
    assert asked == []
