"""Recovery codes: made once, used once, made anew; and the codes by which an operator lets somebody in again."""

from pathlib import Path

import pytest
from alembic import command
from alembic.config import Config
from sqlalchemy import create_engine, text

from sparring.web.accounts import recovery_codes
from sparring.web.accounts.recovery_codes import ALPHABET, CODES, digest_of, new_code
from sparring.web.storage.database import HERE
from web.accounts.account_helpers import (
    PASSWORD,
    at_a_name,
    codes_in,
    come_in,
    guest,
    keep,
    keeper,
    make,
    mine,
    sign_in,
)
from web.accounts.test_personal_data import id_of, stored
from web.app_server import House, Opener, Visitor

NOT_KNOWN = "This code is wrong, used or expired."


def recover(visitor: Visitor, code: str, **more: str) -> str:
    """Sign in with a code; where that leads, or what is wrong."""
    answer = visitor.post("/sign-in/recovery", data={"code": code, **more})
    return answer.headers.get("location") or answer.text


def test_a_new_account_gets_codes_and_each_of_them_signs_in_once(house: House) -> None:
    anna = guest(house, "Anna")
    codes = codes_in(keep(anna, "anna with codes"))
    assert len(set(codes)) == CODES
    assert f"You have {CODES} of {CODES} codes left." in anna.get("/me").text
    phone = house.stranger()
    assert recover(phone, codes[0]) == "/me?said=recovered"
    page = phone.get("/me?said=recovered").text
    assert "set a new password or add a passkey." in page
    assert f"You have {CODES - 1} of {CODES} codes left." in page
    assert NOT_KNOWN in recover(house.stranger(), codes[0])
    changed = {"login": "anna with codes", "password": "another green teapot"}
    assert phone.post("/me/password", data=changed).headers["location"] == "/me?said=ways"
    assert sign_in(house.stranger(), "anna with codes").status_code == 403
    assert recover(house.stranger(), codes[1]) == "/me?said=recovered"


def test_whoever_has_passkeys_alone_gets_codes_too_and_adds_a_passkey_after_one(house: House) -> None:
    anna = at_a_name(guest(house, "Passkeys"))
    make(anna)
    codes = codes_in(anna.post("/me/recovery", data={"new": "yes"}))
    phone = at_a_name(house.stranger())
    assert recover(phone, codes[0]) == "/me?said=recovered"
    device = make(phone)
    assert come_in(at_a_name(house.stranger()), device).json() == {"to": "/me?said=in"}


def test_a_code_is_read_however_it_is_typed() -> None:
    code = "0a1b-2c3d-4e5f-6g7h"
    ways = (code, code.upper(), " 0a1b 2c3d4e5f 6G7H ", "oaIb-2c3d-4e5f-6g7h", "Oalb2c3d4e5f6g7h")
    assert {digest_of(way) for way in ways} == {digest_of(code)}
    assert digest_of(code) != digest_of(code[::-1])
    assert set("".join(new_code() for _ in range(200))) == {*ALPHABET, "-"}


def test_new_codes_replace_the_older_ones_and_take_a_fresh_sign_in(
    house: House, monkeypatch: pytest.MonkeyPatch
) -> None:
    anna = house.stranger()
    older = codes_in(keep(anna, "renewer"))
    newer = codes_in(anna.post("/me/recovery"))
    assert NOT_KNOWN in recover(house.stranger(), older[0])
    assert recover(house.stranger(), newer[0]) == "/me?said=recovered"
    monkeypatch.setattr("sparring.web.accounts.accounts.FRESH", -1)
    refused = anna.post("/me/recovery")
    assert (refused.status_code, "Please sign in again first" in refused.text) == (403, True)
    assert "Sign in again to create new codes" in anna.get("/me").text
    assert guest(house, "Guest").post("/me/recovery").status_code == 403


def test_what_a_guest_did_is_brought_along_by_a_code(house: House) -> None:
    anna = house.stranger()
    codes = codes_in(keep(anna, "carrier"))
    phone = guest(house, "Phone")
    recover(phone, codes[0], bring="yes")
    assert len(mine(anna)["tables"]) == 1


def test_no_code_is_stored_and_a_deleted_account_has_none(house: House) -> None:
    anna = house.stranger()
    codes = codes_in(keep(anna, "unstored"))
    values = {str(value) for _, _, value in house.run(stored(house))}
    assert not values & {*codes, *(code.replace("-", "") for code in codes)}
    assert digest_of(codes[0]) in values
    anna.post("/me/delete", data={"sure": "yes"})
    assert digest_of(codes[0]) not in {value for _, _, value in house.run(stored(house))}
    assert NOT_KNOWN in recover(house.stranger(), codes[0])


def test_an_account_from_before_there_were_codes_is_offered_some(open_house: Opener, tmp_path: Path) -> None:
    """A database of the version before, with an account in it."""
    file = tmp_path / "tables.sqlite3"
    engine = create_engine(f"sqlite:///{file}")
    with engine.begin() as connection:
        config = Config()
        config.set_main_option("script_location", str(HERE))
        config.attributes["connection"] = connection
        command.upgrade(config, "0019")
        columns, values = "person, name, login, folded, epoch, created", "'a', 'Old', 'old', 'old', 1, 5"
        connection.execute(text(f"insert into accounts ({columns}) values ({values})"))
    engine.dispose()
    house = open_house()
    account = house.app.state.accounts
    hashed = house.run(account.passwords.hashed(PASSWORD))
    house.run(account.store.change("a", password=hashed))
    anna = house.stranger()
    assert sign_in(anna, "old").status_code == 303
    page = anna.get("/me").text
    assert "You have no recovery codes." in page
    assert ">Create recovery codes<" in page
    assert len(codes_in(anna.post("/me/recovery"))) == CODES
    assert "You have no recovery codes." not in anna.get("/me").text


def test_the_operator_resets_a_password_and_lets_the_owner_in_once(house: House) -> None:
    anna = house.stranger()
    codes = codes_in(keep(anna, "forgetful"))
    account = house.run(house.app.state.accounts.account(house.app.state.passport.read(anna.http.cookies["sparring"])))
    code = house.run(house.app.state.accounts.recovery.reset(account, passkeys=False))
    house.run(house.app.state.hearing.poll())  # what the server does by itself every two seconds
    assert "You were signed out" in anna.get("/me").text
    assert sign_in(house.stranger(), "forgetful").status_code == 403
    assert NOT_KNOWN in recover(house.stranger(), codes[0])
    assert f'value="{code}"' in house.stranger().get(f"/sign-in/recovery?code={code}").text
    assert recover(anna, code) == "/me?said=recovered"
    assert NOT_KNOWN in recover(house.stranger(), code)
    page = anna.get("/me").text
    assert 'value="forgetful"' in page  # the name is still theirs
    assert "You have no recovery codes." in page
    again = {"login": "forgetful", "password": "another green teapot"}
    assert anna.post("/me/password", data=again).status_code == 303
    assert sign_in(house.stranger(), "forgetful", "another green teapot").status_code == 303


def test_an_account_whose_password_was_reset_keeps_its_last_passkey(house: House) -> None:
    anna = at_a_name(keeper(house, "reset and passkey"))
    make(anna)
    account = house.run(house.app.state.accounts.store.load(person=id_of(anna)))
    recover(anna, house.run(house.app.state.accounts.recovery.reset(account, passkeys=False)))
    house.run(house.app.state.hearing.poll())
    key = house.run(house.app.state.accounts.store.passkeys(id_of(anna)))[0].id
    assert "only sign-in method" in anna.post(f"/me/passkeys/{key}/remove").text


def test_a_code_of_the_operator_expires(house: House, monkeypatch: pytest.MonkeyPatch) -> None:
    anna = keeper(house, "too late")
    account = house.run(house.app.state.accounts.store.load(person=id_of(anna)))
    monkeypatch.setattr(recovery_codes, "RESET_TIME", -1)
    late = house.run(house.app.state.accounts.recovery.reset(account, passkeys=False))
    assert NOT_KNOWN in recover(house.stranger(), late)
