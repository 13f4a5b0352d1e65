"""Passkeys, by an authenticator of our own: what is taken, and everything that is not."""

from dataclasses import replace
from typing import Any

import httpx
import pytest

from sparring.web.accounts import passkeys
from sparring.web.accounts.passkeys import PasskeySite
from sparring.web.identity import COOKIE
from web.accounts.account_helpers import (
    PASSWORD,
    PRESENT,
    Authenticator,
    at_a_name,
    begin,
    come_in,
    guest,
    keep,
    make,
    tables_of,
    text,
)
from web.app_server import House, Visitor

NOT_THIS = "This passkey couldn't be verified. Please try again."


def reason(answer: httpx.Response) -> str:
    assert answer.status_code == 403, answer.text
    return str(answer.json()["reason"])


def post(visitor: Visitor, begun: dict[str, Any], answer: dict[str, Any], path: str = "/sign-in/passkey") -> str:
    """What somebody is told whose answer does not fit."""
    return reason(visitor.post(path, json={"ticket": begun["ticket"], "answer": answer}))


@pytest.fixture
def anna(house: House) -> Visitor:
    return at_a_name(guest(house, "Anna"))


@pytest.fixture
def device(anna: Visitor) -> Authenticator:
    return make(anna)


@pytest.fixture
def stranger(house: House) -> Visitor:
    return at_a_name(house.stranger())


def test_a_guest_keeps_who_they_are_and_comes_in_without_typing_a_name(
    anna: Visitor, device: Authenticator, stranger: Visitor
) -> None:
    assert come_in(stranger, device).json() == {"to": "/me?said=in"}
    assert tables_of(stranger) == tables_of(anna) == ["Anna"]
    assert 'class="who"' in stranger.get("/").text


def test_somebody_who_never_said_a_name_says_it_with_the_passkey(house: House, stranger: Visitor) -> None:
    device, other = make(stranger, name="Newcomer"), at_a_name(house.stranger())
    come_in(other, device)
    assert "<h1>Newcomer</h1>" in other.get("/me").text


def test_a_browser_is_asked_for_a_passkey_that_knows_whose_it_is_and_who_holds_it(anna: Visitor) -> None:
    make(anna)
    asked = begin(anna, "/me/passkeys")["options"]["publicKey"]
    assert asked["authenticatorSelection"] == {
        "residentKey": "required", "requireResidentKey": True, "userVerification": "required"
    }  # fmt: skip
    assert asked["rp"]["id"] == "localhost"
    assert len(asked["excludeCredentials"]) == 1
    assert begin(anna)["options"]["publicKey"]["userVerification"] == "required"


def test_what_a_guest_did_is_brought_along_by_a_passkey_too(house: House, device: Authenticator) -> None:
    phone = at_a_name(guest(house, "Phone"))
    come_in(phone, device, bring=True)
    assert sorted(tables_of(phone)) == ["Anna", "Phone"]


def test_an_answer_that_was_used_is_not_taken_again(stranger: Visitor, device: Authenticator) -> None:
    begun = begin(stranger)
    answer = device.found(stranger, begun)
    body = {"ticket": begun["ticket"], "answer": answer}
    assert stranger.post("/sign-in/passkey", json=body).status_code == 200
    assert reason(stranger.post("/sign-in/passkey", json=body)) == NOT_THIS


def test_an_answer_to_another_question_is_not_taken(anna: Visitor, stranger: Visitor, device: Authenticator) -> None:
    first, second = begin(stranger), begin(stranger)
    assert post(stranger, second, device.found(stranger, first)) == NOT_THIS
    making = begin(anna, "/me/passkeys")
    assert post(stranger, making, device.found(stranger, making)) == NOT_THIS
    made = Authenticator().made(anna, first)[1] if "user" in first["options"]["publicKey"] else None
    assert made is None  # who comes in is not named before


@pytest.mark.parametrize(
    "changed",
    [
        {"origin": "https://elsewhere.example"}, {"origin": "http://localhost"}, {"site": "elsewhere.example"},
        {"flags": PRESENT}, {"flags": PRESENT & 0}, {"handle": b"of somebody else"}, {"key": Authenticator().key},
    ],
    ids=["origin", "port", "site", "unverified", "absent", "person", "key"],
)  # fmt: skip
def test_what_another_page_person_or_key_says_is_not_taken(
    stranger: Visitor, device: Authenticator, changed: dict[str, Any]
) -> None:
    begun = begin(stranger)
    assert post(stranger, begun, replace(device, **changed).found(stranger, begun)) == NOT_THIS
    assert COOKIE not in stranger.http.cookies


@pytest.mark.parametrize("changed", [{"origin": "https://elsewhere.example"}, {"site": "else"}, {"flags": PRESENT}])
def test_a_passkey_that_was_made_for_another_page_is_not_kept(house: House, changed: dict[str, Any]) -> None:
    bert = at_a_name(guest(house, "Bert"))
    begun = begin(bert, "/me/passkeys")
    answer = replace(Authenticator(), **changed).made(bert, begun)[1]
    assert post(bert, begun, answer, "/me/passkeys") == NOT_THIS
    assert "playing as a guest" in bert.get("/me").text


def test_a_passkey_is_kept_by_whoever_asked_for_it(house: House, anna: Visitor) -> None:
    bert = at_a_name(guest(house, "Bert"))
    begun = begin(anna, "/me/passkeys")
    assert post(bert, begun, Authenticator().made(anna, begun)[1], "/me/passkeys") == NOT_THIS


def test_one_passkey_is_not_kept_twice(house: House, device: Authenticator) -> None:
    bert = at_a_name(guest(house, "Bert"))
    begun = begin(bert, "/me/passkeys")
    answer = device.made(bert, begun)[1]
    refused = bert.post("/me/passkeys", json={"ticket": begun["ticket"], "answer": answer})
    assert (refused.status_code, refused.json()["reason"]) == (409, "This passkey is already in use.")


def test_a_copied_authenticator_is_found_out_by_its_count(house: House, anna: Visitor) -> None:
    device = make(anna, Authenticator(count=7))
    assert come_in(at_a_name(house.stranger()), replace(device, count=8)).status_code == 200
    assert "copied" in reason(come_in(at_a_name(house.stranger()), replace(device, count=8)))


def test_a_ceremony_takes_minutes_at_most(
    stranger: Visitor, device: Authenticator, monkeypatch: pytest.MonkeyPatch
) -> None:
    begun = begin(stranger)
    monkeypatch.setattr(passkeys, "TICKET_AGE", -1)
    assert post(stranger, begun, device.found(stranger, begun)) == "That took too long. Please try again."


def test_a_passkey_of_one_name_opens_nothing_under_another(house: House, device: Authenticator) -> None:
    other = at_a_name(house.stranger(), "table.localhost")
    begun = begin(other)
    assert post(other, begun, replace(device, site="table.localhost").found(other, begun)) == NOT_THIS


@pytest.mark.parametrize(
    "answer",
    [
        {}, {"rawId": "!"}, {"rawId": 7}, {"rawId": "AAAA"}, {"rawId": "AAAA", "response": []},
        {"id": "AAAA", "rawId": "AAAA", "type": "public-key", "response": {"clientDataJSON": "e30"}},
    ],
)  # fmt: skip
def test_nonsense_is_refused_in_a_sentence(house: House, anna: Visitor, answer: dict[str, Any]) -> None:
    assert reason(anna.post("/sign-in/passkey", json={"ticket": begin(anna)["ticket"], "answer": answer}))
    assert post(anna, begin(anna, "/me/passkeys"), answer, "/me/passkeys") == NOT_THIS


def test_deep_and_broken_keys_are_refused_in_a_sentence(stranger: Visitor) -> None:
    for body in (b"\x81" * 8000, b"\xff" * 40, b""):
        begun = begin(stranger, "/me/passkeys", name="Deep")
        answer = Authenticator().made(stranger, begun)[1]
        answer["response"]["attestationObject"] = text(body)
        assert post(stranger, begun, answer, "/me/passkeys") == NOT_THIS


@pytest.mark.parametrize(
    ("name", "origin", "problem", "named"),
    [
        ("localhost", "http://localhost:8000", "", ""),
        ("table.example", "https://table.example", "", ""),
        ("table.example", "http://table.example", "only over HTTPS", ""),
        ("192.0.2.7", "http://192.0.2.7:8000", "not at an IP address", ""),
        ("127.0.0.1", "http://127.0.0.1:8000", "not at an IP address", "http://localhost:8000"),
        ("::1", "http://[::1]", "not at an IP address", "http://localhost"),
    ],
)
def test_where_a_browser_allows_no_passkeys_that_is_said(name: str, origin: str, problem: str, named: str) -> None:
    site = PasskeySite(name, origin)
    assert problem in site.problem
    assert bool(problem) == bool(site.problem)
    assert site.named == named


def test_at_an_address_of_numbers_the_page_offers_the_password(house: House) -> None:
    anna = guest(house, "Anna")
    told = anna.get("/me").text
    assert "A name and password work everywhere." in told
    assert f'href="http://localhost:{httpx.URL(house.url).port}/sign-in"' in told
    assert "data-make" not in told
    refused = anna.post("/me/passkeys/begin", json={})
    assert (refused.status_code, "IP address" in refused.text) == (422, True)
    assert keep(anna, "by numbers", PASSWORD).status_code == 200
