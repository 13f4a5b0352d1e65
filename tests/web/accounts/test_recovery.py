"""Recovery codes: created, used once, replaced; and codes from the operator."""

import pytest

from sparring.people import passwords
from sparring.people.passwords import ALPHABET, CODES, digest_of, new_code
from web.accounts.account_helpers import (
    add_passkey,
    codes_in,
    create_account,
    guest,
    id_of,
    new_account,
    sign_in,
    sign_in_with_passkey,
    via_host,
)
from web.accounts.stored_fields import stored
from web.app_server import AppServer, Client

NOT_KNOWN = "This code is wrong, used or expired."


def recover(client: Client, code: str, **more: str) -> str:
    """Sign in with a code; return the redirect, or the page with the error."""
    response = client.post("/sign-in/recovery", data={"code": code, **more})
    return response.headers.get("location") or response.text


def test_each_recovery_code_of_an_account_works_once(server: AppServer) -> None:
    anna = guest(server, "Anna")
    codes = codes_in(create_account(anna, "anna with codes"))
    assert len(set(codes)) == CODES
    assert f"You have {CODES} of {CODES} codes left." in anna.get("/me").text
    phone = server.stranger()
    assert recover(phone, codes[0]) == "/me?said=recovered"
    page = phone.get("/me?said=recovered").text
    assert "set a new password or add a passkey." in page
    assert f"You have {CODES - 1} of {CODES} codes left." in page
    assert NOT_KNOWN in recover(server.stranger(), codes[0])
    changed = {"login": "anna with codes", "password": "another green teapot"}
    assert phone.post("/me/password", data=changed).headers["location"] == "/me?said=ways"
    assert sign_in(server.stranger(), "anna with codes").status_code == 403
    assert recover(server.stranger(), codes[1]) == "/me?said=recovered"


def test_an_account_with_passkeys_only_can_use_codes_and_add_a_passkey(server: AppServer) -> None:
    anna = via_host(guest(server, "Passkeys"))
    add_passkey(anna)
    codes = codes_in(anna.post("/me/recovery", data={"new": "yes"}))
    phone = via_host(server.stranger())
    assert recover(phone, codes[0]) == "/me?said=recovered"
    device = add_passkey(phone)
    assert sign_in_with_passkey(via_host(server.stranger()), device).json() == {"to": "/me?said=in"}


def test_a_code_may_be_typed_in_any_form() -> None:
    code = "0a1b-2c3d-4e5f-6g7h"
    ways = (code, code.upper(), " 0a1b 2c3d4e5f 6G7H ", "oaIb-2c3d-4e5f-6g7h", "Oalb2c3d4e5f6g7h")
    assert {digest_of(way) for way in ways} == {digest_of(code)}
    assert digest_of(code) != digest_of(code[::-1])
    assert set("".join(new_code() for _ in range(200))) == {*ALPHABET, "-"}


def test_new_codes_replace_old_ones_and_need_a_recent_sign_in(
    server: AppServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    anna = server.stranger()
    older = codes_in(create_account(anna, "renewer"))
    newer = codes_in(anna.post("/me/recovery"))
    assert NOT_KNOWN in recover(server.stranger(), older[0])
    assert recover(server.stranger(), newer[0]) == "/me?said=recovered"
    monkeypatch.setattr("sparring.people.accounts.FRESH", -1)
    refused = anna.post("/me/recovery")
    assert (refused.status_code, "Please sign in again first" in refused.text) == (403, True)
    assert "Sign in again to create new codes" in anna.get("/me").text
    assert guest(server, "Guest").post("/me/recovery").status_code == 403


def test_no_code_is_stored_and_a_deleted_account_has_none(server: AppServer) -> None:
    anna = server.stranger()
    codes = codes_in(create_account(anna, "unstored"))
    values = {str(value) for _, _, value in server.run(stored(server))}
    assert not values & {*codes, *(code.replace("-", "") for code in codes)}
    assert digest_of(codes[0]) in values
    anna.post("/me/delete", data={"sure": "yes"})
    assert digest_of(codes[0]) not in {value for _, _, value in server.run(stored(server))}
    assert NOT_KNOWN in recover(server.stranger(), codes[0])


def test_a_reset_code_from_the_operator_works_once(server: AppServer) -> None:
    anna = server.stranger()
    codes = codes_in(create_account(anna, "forgetful"))
    account = server.run(server.app.state.accounts.account(server.app.state.identity_cookie.read(anna.cookie())))
    code = server.run(server.app.state.accounts.recovery.reset(account, passkeys=False))
    server.learn()
    assert "You were signed out" in anna.get("/me").text
    assert sign_in(server.stranger(), "forgetful").status_code == 403
    assert NOT_KNOWN in recover(server.stranger(), codes[0])
    assert f'value="{code}"' in server.stranger().get(f"/sign-in/recovery?code={code}").text
    assert recover(anna, code) == "/me?said=recovered"
    assert NOT_KNOWN in recover(server.stranger(), code)
    page = anna.get("/me").text
    assert 'value="forgetful"' in page  # the name is still taken
    assert "You have no recovery codes." in page
    assert ">Create recovery codes<" in page
    again = {"login": "forgetful", "password": "another green teapot"}
    assert anna.post("/me/password", data=again).status_code == 303
    assert sign_in(server.stranger(), "forgetful", "another green teapot").status_code == 303


def test_an_account_whose_password_was_reset_keeps_its_last_passkey(server: AppServer) -> None:
    anna = via_host(new_account(server, "reset and passkey"))
    add_passkey(anna)
    account = server.run(server.app.state.accounts.store.load(person=id_of(anna)))
    recover(anna, server.run(server.app.state.accounts.recovery.reset(account, passkeys=False)))
    server.learn()
    key = server.run(server.app.state.accounts.store.passkeys(id_of(anna)))[0].id
    assert "only sign-in method" in anna.post(f"/me/passkeys/{key}/remove").text


def test_a_reset_code_from_the_operator_expires(server: AppServer, monkeypatch: pytest.MonkeyPatch) -> None:
    anna = new_account(server, "too late")
    account = server.run(server.app.state.accounts.store.load(person=id_of(anna)))
    monkeypatch.setattr(passwords, "RESET_TIME", -1)
    late = server.run(server.app.state.accounts.recovery.reset(account, passkeys=False))
    assert NOT_KNOWN in recover(server.stranger(), late)
