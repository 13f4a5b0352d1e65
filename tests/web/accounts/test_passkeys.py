"""Passkeys with a software authenticator: what is accepted, and what is refused."""

from collections import Counter
from dataclasses import replace
from typing import Any

import httpx
import pytest

from sparring.people import passkeys
from sparring.people.identity import COOKIE
from sparring.people.passkeys import PasskeySite
from web.accounts.account_helpers import (
    PASSWORD,
    PRESENT,
    Authenticator,
    add_passkey,
    base64,
    begin_passkey,
    create_account,
    exported_tables,
    guest,
    sign_in_with_passkey,
    via_host,
)
from web.app_server import AppServer, Client

NOT_THIS = "This passkey couldn't be verified. Please try again."
TOO_LATE = "That took too long. Please try again."


def reason(answer: httpx.Response) -> str:
    assert answer.status_code == 403, answer.text
    return str(answer.json()["reason"])


def post(client: Client, begun: dict[str, Any], answer: dict[str, Any], path: str = "/sign-in/passkey") -> str:
    """Post a response and return the reason for its refusal."""
    return reason(client.post(path, json={"ticket": begun["ticket"], "answer": answer}))


@pytest.fixture
def anna(server: AppServer) -> Client:
    return via_host(guest(server, "Anna"))


@pytest.fixture
def device(anna: Client) -> Authenticator:
    return add_passkey(anna)


@pytest.fixture
def stranger(server: AppServer) -> Client:
    return via_host(server.stranger())


def test_a_guest_registers_a_passkey_and_signs_in_without_a_name(
    anna: Client, device: Authenticator, stranger: Client
) -> None:
    assert sign_in_with_passkey(stranger, device).json() == {"to": "/me?said=in"}
    assert exported_tables(stranger) == exported_tables(anna) == ["Anna"]
    assert 'class="who"' in stranger.get("/").text


def test_a_nameless_guest_gives_a_name_with_the_passkey(server: AppServer, stranger: Client) -> None:
    device, other = add_passkey(stranger, name="Newcomer"), via_host(server.stranger())
    sign_in_with_passkey(other, device)
    assert "<h1>Newcomer</h1>" in other.get("/me").text


def test_a_discoverable_verified_passkey_is_requested(anna: Client) -> None:
    add_passkey(anna)
    asked = begin_passkey(anna, "/me/passkeys")["options"]["publicKey"]
    assert asked["authenticatorSelection"] == {
        "residentKey": "required", "requireResidentKey": True, "userVerification": "required"
    }  # fmt: skip
    assert asked["rp"]["id"] == "localhost"
    assert len(asked["excludeCredentials"]) == 1
    assert begin_passkey(anna)["options"]["publicKey"]["userVerification"] == "required"


def test_a_used_response_is_refused(stranger: Client, device: Authenticator) -> None:
    begun = begin_passkey(stranger)
    answer = device.sign(stranger, begun)
    body = {"ticket": begun["ticket"], "answer": answer}
    assert stranger.post("/sign-in/passkey", json=body).status_code == 200
    assert reason(stranger.post("/sign-in/passkey", json=body)) == NOT_THIS
    last = "-0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ_abcdefghijklmnopqrstuvwxyz"
    tickets = [begun["ticket"][:-1] + letter for letter in last]
    said = Counter(reason(stranger.post("/sign-in/passkey", json={**body, "ticket": each})) for each in tickets)
    assert said == {NOT_THIS: 4, TOO_LATE: 60}  # the same signature can end with four letters


def test_a_response_to_another_challenge_is_refused(anna: Client, stranger: Client, device: Authenticator) -> None:
    first, second = begin_passkey(stranger), begin_passkey(stranger)
    assert post(stranger, second, device.sign(stranger, first)) == NOT_THIS
    making = begin_passkey(anna, "/me/passkeys")
    assert post(stranger, making, device.sign(stranger, making)) == NOT_THIS
    assert "user" not in first["options"]["publicKey"], "sign-in names no user beforehand"


@pytest.mark.parametrize(
    "changed",
    [
        {"origin": "https://elsewhere.example"}, {"origin": "http://localhost"}, {"site": "elsewhere.example"},
        {"flags": PRESENT}, {"flags": PRESENT & 0}, {"handle": b"of another person"}, {"key": Authenticator().key},
    ],
    ids=["origin", "port", "site", "unverified", "absent", "person", "key"],
)  # fmt: skip
def test_a_response_from_another_origin_person_or_key_is_refused(
    stranger: Client, device: Authenticator, changed: dict[str, Any]
) -> None:
    begun = begin_passkey(stranger)
    assert post(stranger, begun, replace(device, **changed).sign(stranger, begun)) == NOT_THIS
    assert not stranger.cookie(COOKIE)


@pytest.mark.parametrize("changed", [{"origin": "https://elsewhere.example"}, {"site": "else"}, {"flags": PRESENT}])
def test_a_passkey_for_another_origin_is_not_registered(server: AppServer, changed: dict[str, Any]) -> None:
    bert = via_host(guest(server, "Bert"))
    begun = begin_passkey(bert, "/me/passkeys")
    answer = replace(Authenticator(), **changed).register(bert, begun)[1]
    assert post(bert, begun, answer, "/me/passkeys") == NOT_THIS
    assert "playing as a guest" in bert.get("/me").text


def test_a_passkey_is_registered_for_its_requester_only(server: AppServer, anna: Client) -> None:
    bert = via_host(guest(server, "Bert"))
    begun = begin_passkey(anna, "/me/passkeys")
    assert post(bert, begun, Authenticator().register(anna, begun)[1], "/me/passkeys") == NOT_THIS


def test_a_passkey_is_not_registered_twice(server: AppServer, device: Authenticator) -> None:
    bert = via_host(guest(server, "Bert"))
    begun = begin_passkey(bert, "/me/passkeys")
    answer = device.register(bert, begun)[1]
    refused = bert.post("/me/passkeys", json={"ticket": begun["ticket"], "answer": answer})
    assert (refused.status_code, refused.json()["reason"]) == (409, "This passkey is already in use.")


def test_a_copied_authenticator_is_detected_by_its_counter(server: AppServer, anna: Client) -> None:
    device = add_passkey(anna, Authenticator(count=7))
    assert sign_in_with_passkey(via_host(server.stranger()), replace(device, count=8)).status_code == 200
    assert "copied" in reason(sign_in_with_passkey(via_host(server.stranger()), replace(device, count=8)))


def test_a_challenge_expires_after_minutes(
    stranger: Client, device: Authenticator, monkeypatch: pytest.MonkeyPatch
) -> None:
    begun = begin_passkey(stranger)
    monkeypatch.setattr(passkeys, "TICKET_AGE", -1)
    assert post(stranger, begun, device.sign(stranger, begun)) == "That took too long. Please try again."


def test_a_passkey_is_bound_to_its_server_name(server: AppServer, device: Authenticator) -> None:
    other = via_host(server.stranger(), "table.localhost")
    begun = begin_passkey(other)
    assert post(other, begun, replace(device, site="table.localhost").sign(other, begun)) == NOT_THIS


@pytest.mark.parametrize(
    "answer",
    [
        {}, {"rawId": "!"}, {"rawId": 7}, {"rawId": "AAAA"}, {"rawId": "AAAA", "response": []},
        {"id": "AAAA", "rawId": "AAAA", "type": "public-key", "response": {"clientDataJSON": "e30"}},
    ],
)  # fmt: skip
def test_malformed_responses_get_one_sentence(server: AppServer, anna: Client, answer: dict[str, Any]) -> None:
    assert reason(anna.post("/sign-in/passkey", json={"ticket": begin_passkey(anna)["ticket"], "answer": answer}))
    assert post(anna, begin_passkey(anna, "/me/passkeys"), answer, "/me/passkeys") == NOT_THIS


def test_malformed_keys_get_one_sentence(stranger: Client) -> None:
    for body in (b"\x81" * 8000, b"\xff" * 40, b""):
        begun = begin_passkey(stranger, "/me/passkeys", name="Deep")
        answer = Authenticator().register(stranger, begun)[1]
        answer["response"]["attestationObject"] = base64(body)
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
def test_the_page_says_where_passkeys_are_unavailable(name: str, origin: str, problem: str, named: str) -> None:
    site = PasskeySite(name, origin)
    assert problem in site.problem
    assert bool(problem) == bool(site.problem)
    assert site.named == named


def test_at_an_ip_address_the_page_offers_passwords(server: AppServer) -> None:
    anna = guest(server, "Anna")
    told = anna.get("/sign-in").text
    assert "A name and password work everywhere." in told
    assert f'href="http://localhost:{httpx.URL(server.url).port}/sign-in"' in told
    assert "data-make" not in told
    refused = anna.post("/me/passkeys/begin", json={})
    assert (refused.status_code, "IP address" in refused.text) == (422, True)
    assert create_account(anna, "by numbers", PASSWORD).status_code == 200
