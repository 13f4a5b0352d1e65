"""Games, replays, records and sets in the API: the same as on the pages."""

import json
from typing import Any

import httpx
import pytest

from sparring import games
from web.app_server import AppServer, Client

#: A short match: the player in control attacks with the first legal card.
MATCH = {"game": "hush", "seats": ["me", "random"]}


@pytest.mark.parametrize("name", [*games(), "hush"])
def test_a_game_has_all_data_needed_to_create_a_table(server: AppServer, name: str) -> None:
    stranger = server.stranger()
    told = stranger.get(f"/api/games/{name}").json()
    options = told["options"]["properties"]
    for variant in told["variants"]:
        assert variant["options"].keys() <= options.keys()
    for option in options.values():
        assert option["default"] in option.get("enum", range(option.get("minimum", 0), option.get("maximum", 0) + 1))
    assert told["bots"][0]["bot"] == "random"
    for paper in told["papers"]:
        assert stranger.get(paper).status_code == 200
    shown = {paper.rpartition("/")[2] for paper in told["papers"]}
    for paper in {"rules", "positions", "lesson", "content", "form"} - shown:
        assert stranger.get(f"/api/games/{name}/{paper}").status_code == 404


def test_the_content_schema_fits_the_default_content(server: AppServer) -> None:
    form = server.stranger().get("/api/games/make-your-moves/form").json()
    card = form["properties"]["cards"]["items"]
    assert set(card["required"]) <= card["properties"].keys()
    assert card["properties"]["name"]["type"] == "string"
    assert form["properties"]["cards"]["minItems"] <= form["properties"]["cards"]["maxItems"]


def test_a_tutorial_is_played_step_by_step(server: AppServer) -> None:
    stranger, address = server.stranger(), "/api/games/make-your-moves/lesson"

    def do(made: str, what: str = "") -> httpx.Response:
        return stranger.http.get(f"{address}/step", params={"made": made, "do": what})

    at, ideas = do("").json(), list[str]()
    while not at["over"]:
        ideas.append(at["idea"])
        assert do(at["made"], "help").json()["said"][0].startswith("Type a choice")
        if at["choices"] and at["others"]:
            refused = do(at["made"], at["others"][0])
            assert (refused.status_code, refused.json()["accepted"]) == (422, False)
        at = do(at["made"], at["choices"][0] if at["choices"] else "on").json()
    assert len(set(ideas)) == len(stranger.get(address).json()["steps"])
    assert at["learned"]
    assert do(at["made"], "back").json()["over"] is False


def play_match(server: AppServer) -> tuple[Client, str]:
    """Return Anna's client and her table with a finished match."""
    anna = server.program("Anna")
    table = anna.post("/api/tables", json=MATCH).json()["table"]
    with anna.api_stream(table) as events:
        while not (seen := anna.look(table))["over"]:
            if seen["is_turn"]:
                assert anna.choose(table, seen["choices"][0]["choice"]).status_code == 200
            else:
                next(events)
    return anna, table


def test_a_replay_has_every_moment(server: AppServer) -> None:
    anna, table = play_match(server)
    whole = anna.get(f"/api/table/{table}/replay?many=4").json()
    assert (whole["game"], whole["over"], [moment["at"] for moment in whole["moments"]]) == ("hush", True, [0, 1, 2, 3])
    last = anna.get(f"/api/table/{table}/replay?at={whole['last']}&view=2").json()["moments"][0]
    assert last["said"][-1] in anna.look(table)["log"][-1]
    assert last["choices"] == len(json.loads(anna.get(f"/table/{table}/record").text)["choices"])
    for moment in whole["moments"]:
        found = anna.get(f"/api/table/{table}/replay?choices={moment['choices']}").json()["moments"]
        assert found[0]["at"] == moment["at"]
    other = server.table("Anna", "Ben")
    assert anna.get(f"/api/table/{other}/replay").json()["moments"][0]["choices"] is None
    assert anna.get(f"/api/table/{other}/replay?choices=1").status_code == 403
    assert anna.get(f"/api/table/{other}/replay?view=open").status_code == 403


def test_a_record_is_uploaded_viewed_and_deleted(server: AppServer) -> None:
    anna, table = play_match(server)
    record = anna.get(f"/api/table/{table}/record").json()
    brought = anna.post("/api/records", json={"record": record, "name": "mine"}).json()
    assert anna.get("/api/records").json() == [brought]
    moments = anna.get(f"/api/records/{brought['id']}/replay?view=1&many=2").json()["moments"]
    assert moments == anna.get(f"/api/table/{table}/replay?view=1&many=2").json()["moments"]
    assert server.program("Ben").post(f"/api/records/{brought['id']}/remove").status_code == 404
    assert anna.post(f"/api/records/{brought['id']}/remove").json() == {"accepted": True}
    assert anna.get(f"/api/records/{brought['id']}/replay").status_code == 404
    assert anna.post("/api/records", json={"record": {"game": "hush"}}).status_code == 422


def test_a_review_of_a_finished_match_is_requested(server: AppServer) -> None:
    anna, table = play_match(server)
    assert anna.get(f"/api/table/{table}/review").json()["reason"] == "This match hasn't been reviewed."
    assert anna.post(f"/api/table/{table}/review").status_code == 202
    assert anna.get(f"/api/table/{table}/review").json()["choices"] > 0
    assert anna.post(f"/api/table/{server.table('Anna', 'Ben')}/review").status_code == 403


def create_set(anna: Client) -> dict[str, Any]:
    response = anna.post("/api/sets", json={"game": "five-circles", "name": "Mine"})
    assert response.status_code == 201
    found: dict[str, Any] = response.json()
    return found


def test_a_set_is_created_changed_undone_and_deleted(server: AppServer) -> None:
    anna = server.program("Anna", "studio")
    made = create_set(anna)
    address = f"/api/sets/{made['id']}"
    toml = made["toml"].replace("\nname = ", "\nnames = ", 1)
    written = anna.post(
        f"{address}/write", json={"row_version": made["row_version"], "toml": toml, "name": "Other"}
    ).json()
    assert (written["name"], written["toml"], written["version"]) == ("Other", toml, 2)
    assert written["faults"][0]["at"][:2] == ["cards", 0]
    late = anna.post(f"{address}/write", json={"row_version": made["row_version"], "name": "Late"})
    assert (late.status_code, "changed elsewhere" in late.json()["reason"]) == (409, True)
    undone = anna.post(f"{address}/history", json={"row_version": written["row_version"], "direction": "undo"}).json()
    assert (undone["toml"], undone["faults"]) == (made["toml"], [])
    assert [version["description"] for version in anna.get(f"{address}/versions").json()] == [
        "File replaced",
        "Created",
    ]
    assert anna.get(f"{address}/versions/2").json()["text"] == toml
    assert anna.post(f"{address}/remove").json() == {"accepted": True}
    assert anna.get(address).status_code == 404


def test_a_set_is_shared_by_its_link_only(server: AppServer) -> None:
    anna, ben = server.program("Anna"), server.program("Ben")
    made = create_set(anna)
    assert ben.get(f"/api/sets/{made['id']}").status_code == 404
    shared = ben.get(f"/api/sets/shared/{made['share']}").json()
    assert (shared["id"], shared["toml"]) == ("", made["toml"])
    copied = ben.post(f"/api/sets/shared/{made['share']}/copy").json()
    assert [found["name"] for found in ben.get("/api/sets").json()] == ["Copy of Mine"]
    wanted = {"game": "five-circles", "seats": ["me", "open"]}
    for own in (copied["id"], made["share"]):
        assert ben.post("/api/tables", json={**wanted, "own": own}).status_code == 201
    assert ben.post("/api/tables", json={**wanted, "own": made["id"]}).status_code == 404
    other = ben.post("/api/tables", json={**wanted, "game": "hush", "own": copied["id"]})
    assert other.json()["reason"] == "This set is for Five Circles, not Hush."


def test_a_checked_file_is_not_stored(server: AppServer) -> None:
    cara = server.program("Cara")
    faults = cara.post("/api/sets/check", json={"game": "five-circles", "toml": "surprise = 1"}).json()
    words = "there is no field surprise; a file has cards, resources and decks."
    assert faults[0] == {"at": ["surprise"], "words": words}
    assert cara.get("/api/sets").json() == []
