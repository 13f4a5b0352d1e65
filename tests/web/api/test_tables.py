"""Tables in the API: all actions of the pages; scenes as text and as data."""

from typing import Any

import pytest

from sparring.bots import parse, stream
from sparring.engine.views import from_data
from web.app_server import AppServer, Client, StartServer


def create_table(anna: Client, **wanted: Any) -> str:
    response = anna.post("/api/tables", json={"game": "make-your-moves", "seats": ["me", "open"], **wanted})
    assert response.status_code == 201, response.text
    table: str = response.json()["table"]
    assert response.json()["link"].endswith(f"/table/{table}")
    return table


def test_a_table_is_created_as_by_the_form(server: AppServer) -> None:
    anna = server.program("Anna")
    table = create_table(
        anna, seats=["me", "random", "open"], options={"match": "elimination"}, settings={"minutes": 5, "more": 3}
    )
    seen = anna.look(table)
    assert (seen["seat"], seen["options"]["match"], seen["settings"]) == (1, "elimination", {"minutes": 5, "more": 3})
    assert [(seat["kind"], seat["bot"], seat["you"]) for seat in seen["seats"]] == [
        ("person", "", True), ("bot", "Random bot", False), ("open", "", False),
    ]  # fmt: skip
    assert anna.get("/api/me/tables").json()[0]["table"] == table
    assert "Anna" in server.stranger().page(f"{table}?watch=true")


def test_a_bot_without_a_value_model_is_marked_everywhere(server: AppServer) -> None:
    anna, said = server.program("Anna"), "(new to these rules)"
    table = create_table(anna, seats=["me", "search:level=gentle", "open"])
    assert anna.look(table)["seats"][1]["bot"] == f"Gentle bot {said}"
    assert said in server.stranger().page(table), "a viewer with an open seat"
    assert said in server.stranger().page(f"{table}?watch=true")
    usual = create_table(anna, seats=["me", "search:level=gentle"])
    assert anna.look(usual)["seats"][1]["bot"] == "Gentle bot"


@pytest.mark.parametrize(
    ("wrong", "status", "sentence"),
    [
        ({"game": "chess"}, 404, "There is no game called chess"), ({"seats": ["me"]}, 422, "needs 2 to 6 seats"),
        ({"seats": ["me", "mine:Unknown"]}, 422, "There is no bot called mine:Unknown"),
        ({"options": {"match": "long"}}, 422, "match must be"), ({"settings": {"minutes": -1}}, 400, "minutes"),
        ({"seats": ["me", "me"]}, 422, "only take one seat"), ({"content": "x = "}, 422, "Your file"),
        ({"own": "nothing"}, 404, "This set doesn't exist"), ({"surprise": 1}, 400, "surprise"),
    ],
)  # fmt: skip
def test_an_invalid_table_gets_a_reason(server: AppServer, wrong: dict[str, Any], status: int, sentence: str) -> None:
    wanted = {"game": "make-your-moves", "seats": ["me", "open"], **wrong}
    response = server.program("Anna").post("/api/tables", json=wanted)
    assert response.status_code == status
    assert sentence in response.json()["reason"]


def test_creating_and_joining_need_an_identity(server: AppServer) -> None:
    stranger = server.stranger()
    for path, body in (("tables", {"game": "hush", "seats": ["open", "open"]}), ("quick", {"game": "hush"})):
        assert stranger.post(f"/api/{path}", json=body).status_code == 403
    assert stranger.post(f"/api/table/{server.table('', '')}/sit", json={"seat": 1}).status_code == 403


def test_the_scene_as_data_has_kinds_and_no_drawings(server: AppServer) -> None:
    anna, table = server.program("Anna"), server.table("Anna", "Ben", name="world-of-fighters")
    seen = anna.get(f"/api/table/{table}/scene").json()
    assert seen["scene"]["middle"][0]["kind"] == "row"
    card = seen["scene"]["middle"][0]["cards"][0]
    assert (card["kind"], card["face"]["picture"]["kind"]) == ("card", "picture")
    assert "svg" not in str(seen)
    choices = {choice["choice"] for choice in anna.look(table)["choices"]}
    assert card["action"] in choices


def test_a_scene_can_contain_numpy_numbers(server: AppServer) -> None:
    """Fields of a state are NumPy's, and a plugin's scene may contain them."""
    scene = server.program("Anna").get(f"/api/table/{server.table('Anna', 'Ben')}/scene").json()["scene"]
    assert [seat["turn"] for seat in scene["seats"] if "turn" in seat] == [True]


def test_the_view_suffices_for_a_bot_with_the_engine(server: AppServer) -> None:
    anna, table = server.program("Anna"), server.table("Anna", "Ben", name="make-your-moves", first_control="seat1")
    told = anna.get(f"/api/table/{table}/view").json()
    view = from_data(told)
    choice = parse("random").choose(view, stream(1, 1))
    assert choice in told["legal"]
    assert anna.choose(table, choice).status_code == 200
    assert set(told["state"]["rng"]) == {0}


def test_text_mode_queries_are_answered(server: AppServer) -> None:
    anna, table = server.program("Anna"), server.table("Anna", "Ben", name="five-circles")

    def ask(client: Client, words: str) -> list[str]:
        said: list[str] = client.http.get(f"/api/table/{table}/ask", params={"words": words}).json()["said"]
        return said

    for choice in anna.look(table)["choices"]:
        assert choice["words"] in " ".join(ask(anna, "choices"))
    assert ask(server.stranger(), "hand") == ["No hand is visible to you right now."]
    assert ask(anna, "hand") != ["No hand is visible to you right now."]
    for words in ("back", "hint", "attack", "at nowhere"):
        assert anna.http.get(f"/api/table/{table}/ask", params={"words": words}).status_code == 422
    assert anna.look(table)["version"] == 1
    assert server.program("Anna", "play").get(f"/api/table/{table}/ask?words=hand").status_code == 403


def test_the_host_gives_seats_to_bots_and_to_their_own_bot(server: AppServer) -> None:
    anna = server.program("Anna")
    server.program("Anna", bot="Annabot")
    table = create_table(anna, seats=["me", "open", "open"])
    assert anna.post(f"/api/table/{table}/seats", json={"seat": 2, "bot": "random"}).json()["seats"][1]["kind"] == "bot"
    assert anna.post(f"/api/table/{table}/seats", json={"seat": 2}).json()["seats"][1]["kind"] == "open"
    seats = anna.post(f"/api/table/{table}/seats", json={"seat": 3, "bot": "mine:Annabot"}).json()["seats"]
    assert (seats[2]["name"], seats[2]["bot"]) == ("Annabot", "bot of Anna")
    assert "<b>Annabot</b>, bot of Anna" in server.stranger().page(table)  # the invitation to join is included
    refused = server.program("Ben").post(f"/api/table/{table}/seats", json={"seat": 2, "bot": "random"})
    assert refused.status_code == 403
    unknown = anna.post(f"/api/table/{table}/sit", json={"seat": 2, "program": "Unknown"}).json()["reason"]
    assert unknown.startswith("You have no bot called Unknown. Your bots: ")


def test_public_tables_are_listed_and_joined(start_server: StartServer) -> None:
    server = start_server()
    anna, ben = server.program("Anna"), server.program("Ben")
    table = create_table(anna, settings={"public": True})
    server.run(server.tables.lists.attend([table]))
    found = ben.get("/api/tables").json()
    assert [(each["table"], each["names"]) for each in found["open"]] == [(table, ["Anna", "open seat"])]
    assert anna.get("/api/tables").json() == {"open": [], "watch": []}
    assert ben.post(f"/api/table/{table}/sit", json={"seat": 2}).status_code == 200
    quick = ben.post("/api/quick", json={"game": "make-your-moves", "against": "random"}).json()["table"]
    assert [seat["kind"] for seat in ben.look(quick)["seats"]] == ["person", "bot"]


def test_the_form_offers_ones_own_bots_only(server: AppServer) -> None:
    server.token("Gina", "look", "play", bot="Ginabot")
    gina, hal = server.person("Gina"), server.person("Hal")
    assert '<option value="mine:Ginabot">Ginabot, your bot</option>' in gina.get("/games/hush").text
    assert "Ginabot" not in hal.get("/games/hush").text
    form = {"name": "Gina", "seat1": "me", "seat2": "mine:Ginabot"}
    table = gina.post("/games/hush", data=form).headers["location"].rpartition("/")[2]
    assert gina.look(table)["seats"][1]["bot"] == "bot of Gina"
    response = hal.post("/games/hush", data={"name": "Hal", "seat1": "me", "seat2": "mine:Ginabot"})
    assert (response.status_code, "no bot called mine:Ginabot" in response.text) == (422, True)
