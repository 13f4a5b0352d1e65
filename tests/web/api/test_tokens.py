"""Tokens: what they open and what not, how they are kept, and how they end. Each tries what somebody could try."""

import re
import sqlite3
import time
from pathlib import Path
from typing import Any

import pytest

from sparring.web.api_tokens import SCOPES
from sparring.web.settings import DAY, Limits
from web.app_server import House, Opener, Visitor

#: Something that each scope allows, and the others do not.
ALLOWED = {
    "look": ("GET", "/api/table/nowhere"), "play": ("POST", "/api/table/nowhere/again"),
    "talk": ("POST", "/api/table/nowhere/mute"), "tables": ("POST", "/api/tables"),
    "records": ("POST", "/api/records/nowhere/review"), "self": ("POST", "/api/me/words"),
    "lists": ("POST", "/api/me/shown"), "studio": ("GET", "/api/sets/nowhere"),
}  # fmt: skip


def rows(folder: Path) -> list[dict[str, Any]]:
    with sqlite3.connect(folder / "tables.sqlite3") as database:
        database.row_factory = sqlite3.Row
        return [dict(row) for row in database.execute("select * from tokens order by created")]


def reason(program: Visitor, path: str = "/api/me") -> tuple[int, str]:
    answer = program.get(path)
    return answer.status_code, answer.json().get("reason", "")


@pytest.mark.parametrize("scope", SCOPES)
def test_a_token_opens_what_it_allows_and_a_sentence_names_the_scope_that_is_missing(house: House, scope: str) -> None:
    program = house.program("Anna", scope)
    for other, (method, path) in ALLOWED.items():
        answer = program.http.request(method, path)
        if other == scope:
            assert answer.status_code in (400, 404)
        else:
            assert answer.status_code == 403
            told = answer.json()["reason"]
            assert told.count(".") == 1
            assert f"lacks the scope {other}" in told
    assert program.get("/api/me").json()["scopes"] == [scope]
    assert program.get("/api/games").status_code == 200


def test_who_acts_as_somebody_plays_where_they_sit(house: House) -> None:
    table = house.table("Anna", "Ben")
    program = house.program("Anna")
    seen = program.look(table)
    assert (seen["seat"], seen["asked"]) == (1, True)
    assert program.choose(table, seen["choices"][0]["choice"]).status_code == 200
    assert house.person("Anna").look(table)["version"] == 2


def test_cookies_are_ignored_beside_a_token_and_it_needs_no_origin(house: House) -> None:
    table = house.table("Anna", "Ben")
    ben = house.program("Ben")
    ben.http.cookies.update(house.person("Anna").http.cookies)
    assert ben.look(table)["seat"] == 2
    ben.http.headers["Sec-Fetch-Site"] = "cross-site"
    ben.http.headers["Origin"] = "https://elsewhere.example"
    assert ben.choose(table, 0).json()["reason"].startswith("It isn't your turn")
    del ben.http.headers["Authorization"]  # and with the cookie alone another site is refused
    assert "from another site" in ben.choose(table, 0).json()["reason"]


def test_a_token_opens_no_page_and_nothing_that_our_own_pages_post(house: House) -> None:
    anna = house.program("Anna")
    assert "sits there" not in anna.get("/studio").text
    assert anna.post("/me/tokens", data={"name": "more", "days": "0", "scope.look": "on"}).status_code == 422  # no name
    answer = anna.post("/api/studio/nowhere/change", json={})
    assert (answer.status_code, "Tokens can't use this address" in answer.text) == (403, True)


@pytest.mark.parametrize(
    "kind", ["", "Bearer", "Bearer sp_", "bearer sp_" + "a" * 44, "Bearer eyJhbGciOi", "Bearer sp_ü"]
)
def test_what_was_not_made_here_is_refused_without_a_look_into_the_database(
    house: House, monkeypatch: pytest.MonkeyPatch, kind: str
) -> None:
    looked: list[str] = []
    monkeypatch.setattr(house.app.state.tokens.store, "load", looked.append)
    answer = house.stranger().http.get("/api/me", headers={b"Authorization": kind.encode()})
    if kind:
        assert (answer.status_code, answer.headers["www-authenticate"]) == (401, "Bearer")
        assert "isn't a token of this server" in answer.json()["reason"]
    assert not looked


def test_a_token_of_which_one_sign_is_changed_opens_nothing(house: House) -> None:
    token = house.token("Anna")
    for place in (3, 20, len(token) - 1):
        changed = token[:place] + ("a" if token[place] != "a" else "b") + token[place + 1 :]
        assert house.stranger().http.get("/api/me", headers={"Authorization": f"Bearer {changed}"}).status_code == 401


def test_the_database_holds_no_token_and_is_read_once(open_house: Opener, tmp_path: Path) -> None:
    house = open_house()
    token = house.token("Anna")
    (row,) = rows(tmp_path)
    assert not any(token in str(value) or token[3:35] in str(value) for value in row.values())
    store, program = house.app.state.tokens.store, house.stranger()
    program.http.headers["Authorization"] = f"Bearer {token}"
    reads, load = list[str](), store.load

    async def counted(digest: str) -> Any:
        reads.append(digest)
        return await load(digest)

    store.load = counted
    for _ in range(3):
        assert program.get("/api/me").json()["name"] == "Anna"
    assert reads == [row["digest"]]
    assert rows(tmp_path)[0]["used"] == int(time.time()) // DAY


def test_a_token_holds_under_a_new_secret_for_as_long_as_the_old_one_is_believed(open_house: Opener) -> None:
    house = open_house()
    token = house.token("Anna")
    house.close()
    for elder, status in (("known",), 200), ((), 401):
        again = open_house(secret="new", elder=elder)
        header = {"Authorization": f"Bearer {token}"}
        assert again.stranger().http.get("/api/me", headers=header).status_code == status
        again.close()


def test_a_token_that_is_taken_away_ends_at_once_with_the_streams_that_it_opened(house: House) -> None:
    table, erna = house.table("Erna", "Ben"), house.program("Erna", "look", "play")
    owner = house.person("Erna")
    with erna.told(table) as events, erna.turns() as turns:
        next(events), next(turns)
        for number in re.findall(r"/me/tokens/([^/]+)/revoke", owner.get("/me/tokens").text):
            assert house.person("Ben").post(f"/me/tokens/{number}/revoke").status_code == 404
            assert owner.post(f"/me/tokens/{number}/revoke").status_code == 303
        assert owner.choose(table, owner.look(table)["choices"][0]["choice"]).status_code == 200
        assert list(events) == []
        assert list(turns) == []
    assert reason(erna) == (401, "This token has expired or was revoked. Create another one at /me/tokens.")


def test_a_token_ends_on_its_day(house: House, monkeypatch: pytest.MonkeyPatch) -> None:
    anna = house.program("Anna", days=1)
    assert anna.get("/api/me").status_code == 200
    now = time.time()
    monkeypatch.setattr("sparring.web.api_tokens.time.time", lambda: now + DAY + 1)
    assert reason(anna)[0] == 401


def test_there_are_so_many_tokens_and_calls(open_house: Opener) -> None:
    house = open_house(limits=Limits(tokens_each=2, api_calls_at_once=3, api_calls_each_hour=1))
    anna = house.program("Anna")
    assert [anna.get("/api/me").status_code for _ in range(4)] == [200, 200, 200, 429]
    assert "many requests" in reason(anna)[1]
    assert house.program("Anna").get("/api/me").status_code == 200  # each token for itself
    form = {"name": "one more", "days": "7", "scope.look": "on"}
    answer = house.person("Anna").post("/me/tokens", data=form)
    assert (answer.status_code, "the limit" in answer.text) == (429, True)


def test_somebody_kept_out_comes_in_by_no_token_and_neither_do_their_bots(house: House) -> None:
    async def ban() -> None:
        house.app.state.bans._known = {"person Carla": tokens_ban}

    from sparring.web.security.bans import Ban

    tokens_ban = Ban(None, "for the test")
    programs = [house.program("Carla"), house.program("Carla", bot="Carlabot")]
    house.run(ban())
    try:
        assert [program.get("/api/me").status_code for program in programs] == [403, 403]
    finally:
        house.app.state.bans._known = {}


# The page


def made_by(page: str) -> str:
    found = re.search(r'readonly value="(sp_[^"]+)"', page)
    return found[1] if found else ""


def test_a_token_is_made_on_a_page_shown_once_and_listed_without_its_secret(house: House) -> None:
    dora = house.stranger()
    form = {"owner": "Dora", "name": "Dorabot", "kind": "bot", "days": "30", "scope.look": "on", "scope.play": "on"}
    page = dora.post("/me/tokens", data=form).raise_for_status().text
    token = made_by(page)
    assert token
    assert "no-store" in dora.get("/me/tokens").headers["cache-control"]
    listed = dora.get("/me/tokens").text
    assert "Dorabot" in listed
    assert "never used" in listed
    assert token not in listed
    program = house.stranger()
    program.http.headers["Authorization"] = f"Bearer {token}"
    told = {"name": "Dorabot", "scopes": ["look", "play"], "bot_of": "Dora", "words": False}
    assert program.get("/api/me").json() == told
    assert "used today" in dora.get("/me/tokens").text


@pytest.mark.parametrize(
    ("wrong", "sentence"),
    [
        ({"name": ""}, "Please enter a name"), ({"days": "9999"}, "lifetime"),
        ({"scope.look": None}, "Choose at least one scope"), ({"scope.all": "on"}, "Choose at least one scope"),
    ],
)  # fmt: skip
def test_what_is_wrong_is_said_and_nothing_is_lost(house: House, wrong: dict[str, str | None], sentence: str) -> None:
    form = {"name": "Screen", "kind": "me", "days": "7", "scope.look": "on", **wrong}
    answer = house.person("Anna").post(
        "/me/tokens", data={key: value for key, value in form.items() if value is not None}
    )
    assert answer.status_code == 422
    assert sentence in answer.text
    assert not made_by(answer.text)
    assert 'value="me" checked' in answer.text


def test_a_token_that_another_process_took_away_ends_here_too(house: House) -> None:
    fred = house.program("Fred")
    assert fred.get("/api/me").status_code == 200
    store = house.app.state.tokens.store
    (row,) = house.run(store.of("Fred"))
    house.run(store.remove(row.id))
    house.run(house.app.state.tokens.refresh())
    assert fred.get("/api/me").status_code == 401
