"""The account in the API: name, text mode, personal data, and own tables as the pages list them."""

from html import unescape

import pytest

from web.accounts.account_helpers import export_data, id_of, new_account, uses_text_mode
from web.app_server import AppServer


def test_a_name_change_applies_to_pages_and_tokens(server: AppServer) -> None:
    anna = new_account(server, "Anna")
    script, other = server.program(id_of(anna), "self"), server.program(id_of(anna), "look", "tables")
    assert script.post("/api/me/name", json={"name": "  Anna   B. "}).json() == {"accepted": True}
    assert {each.get("/api/me").json()["name"] for each in (anna, script, other)} == {"Anna B."}
    table = other.post("/api/tables", json={"game": "hush", "seats": ["me", "open"]}).json()["table"]
    assert other.look(table)["seats"][0]["name"] == "Anna B."
    refused = script.post("/api/me/name", json={"name": "\u200b"})
    assert (refused.status_code, refused.json()["accepted"]) == (422, False)
    assert other.post("/api/me/name", json={"name": "Ben"}).status_code == 403


def test_a_token_cannot_change_a_guests_name(server: AppServer) -> None:
    refused = server.program("Gil", "self").post("/api/me/name", json={"name": "Gus"})
    assert (refused.status_code, "a guest's name" in refused.json()["reason"]) == (403, True)


def test_text_mode_can_be_set_through_the_api(server: AppServer) -> None:
    bea = new_account(server, "Bea")
    script = server.program(id_of(bea), "self")
    for words in (True, False):
        assert script.post("/api/me/words", json={"words": words}).status_code == 200
        assert (uses_text_mode(bea), script.get("/api/me").json()["words"]) == (words, words)


def test_personal_data_can_be_exported_with_a_token(server: AppServer) -> None:
    cleo = new_account(server, "Cleo")
    file = server.program(id_of(cleo), "self").get("/api/me/data")
    assert file.headers["content-disposition"] == 'attachment; filename="sparring-cleo.json"'
    told, there = file.json(), export_data(cleo)
    assert (told["signs in as"], told["account since"]) == ("Cleo", there["account since"])
    assert told.keys() == there.keys()
    assert server.program(id_of(cleo), "look").get("/api/me/data").status_code == 403


@pytest.mark.parametrize(
    ("method", "path", "body"),
    [("POST", "name", {"name": "Me"}), ("POST", "words", {"words": True}), ("GET", "data", None)],
)
def test_bots_and_strangers_change_and_export_nothing(
    server: AppServer, method: str, path: str, body: dict[str, object] | None
) -> None:
    for client in (server.program("Anna", bot="Annabot"), server.stranger()):
        refused = client.http.request(method, f"/api/me/{path}", json=body)
        assert refused.status_code == 403
        assert refused.json()["reason"].startswith("Sign in first")


def test_own_tables_are_listed_with_turn_standings_and_end(server: AppServer) -> None:
    dora, ben = server.program("Dora"), server.program("Ben")
    clock = {"minutes": 5, "more": 3}
    first = dora.post("/api/tables", json={"game": "hush", "seats": ["me", "open"], "settings": clock}).json()["table"]
    (listed,) = dora.get("/api/me/tables").json()
    assert (listed["table"], listed["names"], listed["waiting"]) == (first, ["Dora", "open seat"], True)
    ben.post(f"/api/table/{first}/sit", json={"seat": 2})
    turns = {who: client.get("/api/me/tables").json()[0] for who, client in (("Dora", dora), ("Ben", ben))}
    asked = next(who for who, table in turns.items() if table["is_turn"])
    assert [table["turn"] for table in turns.values()] == [asked, asked]
    assert [table["is_turn"] for table in turns.values()].count(True) == 1
    page = unescape(server.person("Dora").get("/").text)
    for word in (turns["Dora"]["line"], turns["Dora"]["pace"]):
        assert word
        assert word in page
    assert dora.get("/api/me/tables?over=true").json() == []
    assert dora.post(f"/api/table/{first}/give-up").status_code == 200
    assert dora.get("/api/me/tables").json() == []
    (over,) = dora.get("/api/me/tables?over=true").json()
    assert (over["table"], over["over"], over["is_turn"]) == (first, True, False)
    assert dora.get("/api/me/tables?over=true&number=2").json() == []
