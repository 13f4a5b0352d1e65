"""Tokens: what they allow, how they are stored, and how they end."""

import re
import sqlite3
import time
from pathlib import Path
from typing import Any

import pytest

from sparring.people.api_tokens import SCOPES
from sparring.settings import DAY, Limits
from sparring.store.moderation import key
from web.accounts.token_helpers import token_on
from web.app_server import AppServer, Client, StartServer

#: One request per scope, which only that scope allows.
ALLOWED = {
    "look": ("GET", "/api/table/nowhere"), "play": ("POST", "/api/table/nowhere/again"),
    "chat": ("POST", "/api/table/nowhere/mute"), "tables": ("POST", "/api/tables"),
    "records": ("POST", "/api/records/nowhere/review"), "self": ("POST", "/api/me/words"),
    "lists": ("POST", "/api/me/shown"), "studio": ("GET", "/api/sets/nowhere"),
}  # fmt: skip


def rows(folder: Path) -> list[dict[str, Any]]:
    with sqlite3.connect(folder / "tables.sqlite3") as database:
        database.row_factory = sqlite3.Row
        return [dict(row) for row in database.execute("select * from tokens order by created")]


def reason(program: Client, path: str = "/api/me") -> tuple[int, str]:
    response = program.get(path)
    return response.status_code, response.json().get("reason", "")


@pytest.mark.parametrize("scope", SCOPES)
def test_a_token_works_within_its_scopes_and_names_a_missing_one(server: AppServer, scope: str) -> None:
    program = server.program("Anna", scope)
    for other, (method, path) in ALLOWED.items():
        response = program.http.request(method, path)
        if other == scope:
            assert response.status_code in (400, 404)
        else:
            assert response.status_code == 403
            told = response.json()["reason"]
            assert told.count(".") == 1
            assert f"lacks the scope {other}" in told
    assert program.get("/api/me").json()["scopes"] == [scope]
    assert program.get("/api/games").status_code == 200


def test_cookies_are_ignored_beside_a_token_and_it_needs_no_origin(server: AppServer, table: str) -> None:
    ben = server.program("Ben")
    ben.http.cookies.update(server.person("Anna").http.cookies)
    assert ben.look(table)["seat"] == 2
    ben.http.headers["Sec-Fetch-Site"] = "cross-site"
    ben.http.headers["Origin"] = "https://elsewhere.example"
    assert ben.choose(table, 0).json()["reason"].startswith("It isn't your turn")
    del ben.http.headers["Authorization"]  # and with the cookie only, another site is refused
    assert "from another site" in ben.choose(table, 0).json()["reason"]


def test_a_token_opens_neither_pages_nor_their_forms(server: AppServer) -> None:
    anna = server.program("Anna")
    assert "sits there" not in anna.get("/studio").text
    assert anna.post("/me/tokens", data={"name": "more", "days": "0", "scope.look": "on"}).status_code == 422  # no name
    response = anna.post("/api/studio/nowhere/change", json={})
    assert (response.status_code, "Tokens can't use this address" in response.text) == (403, True)


@pytest.mark.parametrize(
    "kind", ["", "Bearer", "Bearer sp_", "bearer sp_" + "a" * 44, "Bearer eyJhbGciOi", "Bearer sp_ü"]
)
def test_a_forged_token_is_refused_without_a_database_query(
    server: AppServer, monkeypatch: pytest.MonkeyPatch, kind: str
) -> None:
    looked: list[str] = []
    monkeypatch.setattr(server.app.state.tokens.store, "load", looked.append)
    response = server.stranger().http.get("/api/me", headers={b"Authorization": kind.encode()})
    if kind:
        assert (response.status_code, response.headers["www-authenticate"]) == (401, "Bearer")
        assert "isn't a token of this server" in response.json()["reason"]
    assert not looked


def test_a_token_with_one_changed_character_is_refused(server: AppServer) -> None:
    token = server.token("Anna")
    for place in (3, 20, len(token) - 1):
        changed = token[:place] + ("a" if token[place] != "a" else "b") + token[place + 1 :]
        assert server.stranger().http.get("/api/me", headers={"Authorization": f"Bearer {changed}"}).status_code == 401


def test_tokens_are_stored_as_digests_and_read_once(start_server: StartServer, tmp_path: Path) -> None:
    server = start_server()
    token = server.token("Anna")
    (row,) = rows(tmp_path)
    assert not any(token in str(value) or token[3:35] in str(value) for value in row.values())
    store, program = server.app.state.tokens.store, server.stranger()
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


def test_a_token_is_valid_while_its_secret_is_accepted(start_server: StartServer) -> None:
    server = start_server()
    token = server.token("Anna")
    server.close()
    for elder, status in (("known",), 200), ((), 401):
        again = start_server(secret="new", older_secrets=elder)
        header = {"Authorization": f"Bearer {token}"}
        assert again.stranger().http.get("/api/me", headers=header).status_code == status
        again.close()


def test_revoking_a_token_ends_its_streams_at_once(server: AppServer) -> None:
    table, erna = server.table("Erna", "Ben"), server.program("Erna", "look", "play")
    owner = server.person("Erna")
    with erna.api_stream(table) as events, erna.turn_events() as turns:
        next(events), next(turns)
        for number in re.findall(r"/me/tokens/([^/]+)/revoke", owner.get("/me/tokens").text):
            assert server.person("Ben").post(f"/me/tokens/{number}/revoke").status_code == 404
            assert owner.post(f"/me/tokens/{number}/revoke").status_code == 303
        assert owner.choose(table, owner.look(table)["choices"][0]["choice"]).status_code == 200
        assert list(events) == []
        assert list(turns) == []
    assert reason(erna) == (401, "This token has expired or was revoked. Create another one at /me/tokens.")


def test_a_token_expires(server: AppServer, monkeypatch: pytest.MonkeyPatch) -> None:
    anna = server.program("Anna", days=1)
    assert anna.get("/api/me").status_code == 200
    now = time.time()
    monkeypatch.setattr("sparring.people.api_tokens.time.time", lambda: now + DAY + 1)
    assert reason(anna)[0] == 401


def test_tokens_and_requests_are_limited(start_server: StartServer) -> None:
    server = start_server(limits=Limits(tokens_each=2, api_calls_at_once=3, api_calls_each_hour=1))
    anna = server.program("Anna")
    assert [anna.get("/api/me").status_code for _ in range(4)] == [200, 200, 200, 429]
    assert "many requests" in reason(anna)[1]
    assert server.program("Anna").get("/api/me").status_code == 200  # limits are per token
    form = {"name": "one more", "days": "7", "scope.look": "on"}
    response = server.person("Anna").post("/me/tokens", data=form)
    assert (response.status_code, "the maximum" in response.text) == (429, True)


def test_a_ban_covers_tokens_and_bots(start_server: StartServer) -> None:
    server = start_server()
    programs = [server.program("Carla"), server.program("Carla", bot="Carlabot")]
    server.ban(key("Carla"))
    assert [program.get("/api/me").status_code for program in programs] == [403, 403]


# The page


def test_a_new_token_is_shown_once_and_listed_without_its_secret(server: AppServer) -> None:
    dora = server.stranger()
    form = {"owner": "Dora", "name": "Dorabot", "kind": "bot", "days": "30", "scope.look": "on", "scope.play": "on"}
    page = dora.post("/me/tokens", data=form).raise_for_status().text
    token = token_on(page)
    assert token
    assert "no-store" in dora.get("/me/tokens").headers["cache-control"]
    listed = dora.get("/me/tokens").text
    assert "Dorabot" in listed
    assert "never used" in listed
    assert token not in listed
    program = server.stranger()
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
def test_an_invalid_token_form_gives_a_reason_and_keeps_its_input(
    server: AppServer, wrong: dict[str, str | None], sentence: str
) -> None:
    form = {"name": "Screen", "kind": "me", "days": "7", "scope.look": "on", **wrong}
    response = server.person("Anna").post(
        "/me/tokens", data={key: value for key, value in form.items() if value is not None}
    )
    assert response.status_code == 422
    assert sentence in response.text
    assert not token_on(response.text)
    assert 'value="me" checked' in response.text
