"""Sets: created, changed, undone, shared, downloaded; private; in two windows; played with."""

import json
import re
import time
from pathlib import Path
from typing import Any
from urllib.parse import urlencode

import httpx
import pytest

from sparring.engine.formats.toml_reader import read_toml
from sparring.engine.game import game
from sparring.engine.match import Match
from sparring.engine.set_file import split_options
from sparring.web.settings import Limits
from sparring.web.studio.sets import StudioSets
from web.app_server import HIGH_LIMITS, AppServer, Client, StartServer

BEGIN = {"game": "high-card", "title": "Mine", "name": "Anna", "from": "own"}


def create_set(client: Client, **more: str) -> str:
    """Create a set; return its address."""
    response = client.post("/studio", data={**BEGIN, **more})
    assert response.status_code == 303, response.text
    return response.headers["location"]


def state(client: Client, address: str) -> dict[str, Any]:
    """Return the state of a set from its page."""
    page = client.get(address).raise_for_status().text
    found = re.search(r'data-state="([^"]*)"', page)
    assert found
    return json.loads(found[1].replace("&#34;", '"').replace("&#39;", "'").replace("&amp;", "&"))  # type: ignore[no-any-return]


def change(
    client: Client, address: str, *edits: dict[str, Any], edition: int | None = None, **more: Any
) -> httpx.Response:
    edition = state(client, address)["edition"] if edition is None else edition
    return client.post(f"/api{address}/change", json={"edition": edition, "edits": list(edits), **more})


def put(value: str, *at: str | int) -> dict[str, Any]:
    return {"do": "set", "at": list(at), "value": value}


def step_history(client: Client, address: str, way: str, number: int = 0) -> httpx.Response:
    edition = state(client, address)["edition"]
    return client.post(f"/api{address}/go", json={"edition": edition, "way": way, "number": number})


def file(client: Client, address: str) -> str:
    return client.get(f"{address}/file").raise_for_status().text


def share_link(client: Client, address: str) -> str:
    found = re.search(r"/studio/shared/[\w-]+", client.get(address).text)
    assert found
    return found[0]


@pytest.mark.parametrize("name", ["five-circles", "high-card", "mace", "untitled-movement", "world-of-fighters"])
def test_a_new_set_equals_the_default_content(server: AppServer, name: str) -> None:
    anna = server.person("Anna")
    address = create_set(anna, game=name)
    content, options = split_options(read_toml(file(anna, address), "x"), game(name).kit.OPTIONS, "x")
    assert content == read_toml(game(name).content_text, "x")
    assert (options or {}) == game(name).preset(game(name).recommended)
    assert state(anna, address)["faults"] == []


def test_a_downloaded_set_is_the_whole_variant(server: AppServer, tmp_path: Path) -> None:
    anna = server.person("Anna")
    address = create_set(anna, game="five-circles")
    edits = {"do": "option", "at": ["opening"], "value": "both"}, put("9", "cards", 3, "attack")
    change(anna, address, *edits, put("1", "cards", 3, "attack")).raise_for_status()
    downloaded = tmp_path / "mine.toml"
    downloaded.write_text(file(anna, address), encoding="utf-8")
    other = server.person("Ben")
    response = other.post("/studio", data={**BEGIN, "game": "five-circles", "from": "file"},
                          files={"file": ("mine.toml", downloaded.read_bytes())})  # fmt: skip
    copied = response.headers["location"]
    assert file(other, copied) == file(anna, address)
    table = other.post(f"{copied}/play").headers["location"].rsplit("/", 1)[1]
    assert server.run(server.tables.registry.get(table)).match.box.options["opening"] == "both"
    box = Match.new("five-circles", content=str(downloaded)).box
    assert (box.options["opening"], box.content.cards[3].attack) == ("both", 1)


def test_a_file_without_options_is_in_the_recommended_variant(server: AppServer) -> None:
    anna = server.person("Anna")
    old = game("five-circles").content_text.encode()
    response = anna.post("/studio", data={**BEGIN, "game": "five-circles", "from": "file"},
                         files={"file": ("old.toml", old)})  # fmt: skip
    assert split_options(read_toml(file(anna, response.headers["location"]), "x"), game("five-circles").kit.OPTIONS,
                         "x")[1] == game("five-circles").preset("longer")  # fmt: skip


def test_wrong_options_in_a_file_get_one_sentence(server: AppServer) -> None:
    anna = server.person("Anna")
    for options in ("options = 3\n", "[options]\ncolour = 1\n", "[options]\nopening = 'no'\n"):
        data = (options + game("five-circles").content_text if options.startswith("options") else
                game("five-circles").content_text + options).encode()  # fmt: skip
        response = anna.post("/studio", data={**BEGIN, "game": "five-circles", "from": "file"},
                             files={"file": ("bad.toml", data)})  # fmt: skip
        assert response.status_code == 422
        assert "Your file: " in response.text


@pytest.mark.parametrize(
    ("name", "at"), [("five-circles", '["cards", 3, "name"]'), ("make-your-moves", '["cards", 3]')]
)
def test_play_starts_with_the_open_card(server: AppServer, name: str, at: str) -> None:
    anna = server.person("Anna")
    address = create_set(anna, game=name)
    change(anna, address, put("Own Hero", "cards", 3, "name")).raise_for_status()
    pages = [anna.get(anna.post(f"{address}/play", data={"at": at}).headers["location"]).text for _ in range(3)]
    assert all("Own Hero" in page for page in pages)
    refused = anna.post(f"{address}/play", data={"at": "[[]]"})
    assert (refused.status_code, "no such field" in refused.text) == (422, True)


def test_an_unfinished_set_is_stored_with_its_faults(server: AppServer) -> None:
    anna = server.person("Anna")
    address = create_set(anna, game="make-your-moves", **{"from": "empty"})
    assert state(anna, address)["faults"] == []
    change(anna, address, put("", "cards", 0, "name")).raise_for_status()
    told = [fault["words"] for fault in state(anna, address)["faults"]]
    assert any("a name must have 1 to 24 characters" in words for words in told)
    response = anna.post(f"{address}/play", data={"name": "Anna"})
    assert response.status_code == 422
    assert "played, measured or printed yet" in response.text


def test_an_uploaded_file_is_downloaded_unchanged(server: AppServer) -> None:
    anna = server.person("Anna")
    text = "# my cards\nvalues = [9, 9, 8, 8, 7, 7, 6, 6, 5, 5, 4, 4, 3, 3, 2, 2, 1, 1, 10, 99]\n"
    response = anna.post("/studio", data={**BEGIN, "from": "file"}, files={"file": ("my.toml", text.encode())})
    assert file(anna, response.headers["location"]).startswith(text)


@pytest.mark.parametrize("text", [b"values = [", b"\xff\xfe", b"#" * 70_000, b""])
def test_an_invalid_file_gets_one_sentence(server: AppServer, text: bytes) -> None:
    response = server.person("Anna").post("/studio", data={**BEGIN, "from": "file"}, files={"file": ("my.toml", text)})
    assert response.status_code == 422
    assert 'role="alert"' in response.text


def test_invalid_input_is_stored_with_a_fault_at_its_field(server: AppServer) -> None:
    anna = server.person("Anna")
    address = create_set(anna)
    said = change(anna, address, put("100", "values", 2)).json()
    assert said["faults"] == [{"at": ["values", 2], "words": "a value must be a whole number from 1 to 99, not 100."}]
    assert "1, 1, 100, 2" in file(anna, address)
    assert change(anna, address, put("9", "values", 2)).json()["faults"] == []


def test_undo_and_redo_work_by_field(server: AppServer) -> None:
    anna = server.person("Anna")
    address = create_set(anna)
    change(anna, address, put("7", "values", 0))
    change(anna, address, put("77", "values", 0))
    change(anna, address, put("8", "values", 1))
    assert file(anna, address).startswith("values = [77, 8")
    assert step_history(anna, address, "undo").json()["redo"]
    assert file(anna, address).startswith("values = [77, 1")
    step_history(anna, address, "undo")
    assert file(anna, address).startswith(game("high-card").content_text)
    assert step_history(anna, address, "undo").status_code == 404
    step_history(anna, address, "redo")
    assert file(anna, address).startswith("values = [77, 1")
    change(anna, address, put("5", "values", 2))
    assert step_history(anna, address, "redo").status_code == 404
    step_history(anna, address, "version", 1)
    assert file(anna, address).startswith(game("high-card").content_text)
    step_history(anna, address, "undo")
    assert file(anna, address).startswith("values = [77, 1, 5")


def test_two_windows_do_not_overwrite_each_other(server: AppServer) -> None:
    anna = server.person("Anna")
    address = create_set(anna)
    seen = state(anna, address)["edition"]
    assert change(anna, address, put("50", "values", 0), edition=seen).status_code == 200
    late = change(anna, address, put("60", "values", 0), edition=seen)
    assert late.status_code == 409
    assert late.json()["differs"] == ["Card 1: 60 here, 50 in the other window."]
    assert file(anna, address).startswith("values = [50, ")
    assert change(anna, address, put("60", "values", 0), edition=late.json()["edition"]).status_code == 200


def test_a_set_is_private_and_its_link_is_read_only(server: AppServer) -> None:
    anna, bert, stranger = server.person("Anna"), server.person("Bert"), server.stranger()
    address = create_set(anna, title="Most secret")
    share = share_link(anna, address)
    for other in (bert, stranger):
        for path in (address, f"{address}/file"):
            assert other.get(path).status_code == 404
        for what in ("play", "copy", "remove"):
            assert other.post(f"{address}/{what}", data={"name": "Bert"}).status_code == 404
        assert other.post(f"/api{address}/change", json={"edition": 0, "edits": []}).status_code == 404
        assert other.post(f"/api{address}/go", json={"edition": 0, "way": "undo"}).status_code == 404
        assert "Most secret" not in other.get("/studio").text
        page = other.get(share).text
        assert "Most secret" in page
        assert address.rsplit("/", 1)[1] not in page
        assert other.post(f"/api{share}/change", json={"edition": 0, "edits": []}).status_code in (404, 405)
        assert other.post(f"{share}/remove").status_code in (404, 405)
    mine = bert.post(f"{share}/copy", data={"name": "Bert"}).headers["location"]
    change(bert, mine, put("42", "values", 0))
    assert file(anna, address) == bert.get(f"{share}/file").text
    assert file(anna, address).startswith(game("high-card").content_text)
    assert bert.post(f"{share}/play").headers["location"].startswith("/table/")


def test_another_site_cannot_post(server: AppServer) -> None:
    anna = server.person("Anna")
    address = create_set(anna)
    anna.http.headers["Origin"] = "http://elsewhere.example"
    for path in ("/studio", f"{address}/play", f"{address}/copy", f"{address}/remove"):
        assert anna.post(path, data=BEGIN).status_code == 403
    for what in ("change", "go"):
        assert anna.post(f"/api{address}/{what}", json={"edition": 0, "way": "undo"}).status_code == 403


def test_a_set_is_playable_at_once(server: AppServer) -> None:
    anna = server.person("Anna")
    address = create_set(anna)
    change(anna, address, put("99", "values", 0), {"do": "option", "at": ["hand"], "value": "5"})
    table = anna.post(f"{address}/play").headers["location"].rsplit("/", 1)[1]
    box = server.run(server.tables.registry.get(table)).match.box
    assert box.content.values[0] == 99
    assert box.options["hand"] == 5
    assert box.own_content


def way_back(client: Client, table: str) -> list[str]:
    """Return where a table's links to a set lead."""
    return re.findall(r'<a class="button[^"]*" href="(/studio/[^"]*)">Back to set</a>', client.page(table))


def test_a_table_leads_back_to_its_set_and_only_in_the_browser_that_started_it(server: AppServer) -> None:
    anna, bert = server.person("Anna"), server.person("Bert")
    address = create_set(anna)
    table = anna.post(f"{address}/play").headers["location"].rsplit("/", 1)[1]
    assert set(way_back(anna, table)) == {address}
    assert way_back(bert, f"{table}?watch=true") == []
    other = anna.post("/games/hush", data={"name": "Anna", "seat1": "me", "seat2": "open"}).headers["location"]
    assert way_back(anna, other.rsplit("/", 1)[1]) == []
    share = share_link(anna, address)
    shared = bert.post(f"{share}/play").headers["location"].rsplit("/", 1)[1]
    assert set(way_back(bert, shared)) == {share}
    content = server.run(server.tables.registry.get(shared)).content

    def with_cookie(value: str) -> list[str]:
        stranger = server.stranger()
        stranger.http.cookies.set("set", value, path="/table")
        return way_back(stranger, f"{shared}?watch=true")

    assert set(with_cookie(urlencode({"content": content, "page": share}))) == {share}
    for page in ("//evil.example", "https://evil.example/studio/a", "/studio/../me", "/me"):
        assert with_cookie(urlencode({"content": content, "page": page})) == [], page
    assert with_cookie("content=a&content=b&page") == []


def test_a_set_is_played_in_the_recommended_variant(server: AppServer) -> None:
    anna = server.person("Anna")
    address = create_set(anna, game="five-circles")
    table = anna.post(f"{address}/play").headers["location"].rsplit("/", 1)[1]
    assert server.run(server.tables.registry.get(table)).match.box.options["opening"] == "hold"
    change(anna, address, {"do": "option", "at": ["opening"], "value": "both"})
    table = anna.post(f"{address}/play").headers["location"].rsplit("/", 1)[1]
    assert server.run(server.tables.registry.get(table)).match.box.options["opening"] == "both"


def test_a_set_is_renamed_and_deleted(server: AppServer) -> None:
    anna = server.person("Anna")
    address = create_set(anna)
    assert change(anna, address, name="<b>Other</b>").json()["name"] == "<b>Other</b>"
    assert "&lt;b&gt;Other" in anna.get("/studio").text
    assert change(anna, address, name="x" * 41).status_code == 422
    assert change(anna, address, put("9", "values", 2), name="Both").json()["name"] == "Both"
    assert "1, 1, 9, 2" in file(anna, address)
    anna.post(f"{address}/remove")
    assert anna.get(address).status_code == 404


def test_limits_get_one_sentence(start_server: StartServer) -> None:
    server = start_server(limits=Limits(sets_at_once=2, sets_each=3, tables_at_once=100))
    anna = server.person("Anna")
    create_set(anna)
    create_set(anna)
    refused = anna.post("/studio", data=BEGIN)
    assert (refused.status_code, "many sets in a short time" in refused.text) == (429, True)
    server.close()
    server = start_server(limits=HIGH_LIMITS)
    sets: StudioSets = server.app.state.sets
    assert len(server.run(sets.store.of("Anna"))) == 2
    row = server.run(sets.store.of("Anna"))[0]
    assert server.run(sets.store.expire(time.time() - 60)) == 0
    server.run(sets.store.use(row))
    assert server.run(sets.store.expire(time.time() + 60)) == 2
    assert server.run(sets.store.history(row)) == []


def test_the_size_of_a_set_is_limited(server: AppServer) -> None:
    anna = server.person("Anna")
    address = create_set(anna, game="five-circles")
    for _ in range(3):
        edits = [{"do": "copy", "at": ["cards", 0]}] * 50
        change(anna, address, *edits)
    before = file(anna, address)
    responses = {change(anna, address, *[{"do": "copy", "at": ["cards", 0]}] * 50).status_code for _ in range(8)}
    assert 422 in responses
    assert before[:100] == file(anna, address)[:100]
    assert len(file(anna, address)) <= 64 * 1024


def test_faults_of_game_specific_checks_are_at_their_fields(server: AppServer) -> None:
    anna = server.person("Anna")
    address = create_set(anna, game="five-circles")
    said = change(
        anna, address, put("9", "cards", 0, "attack"), put("Red", "cards", 0, "stat", 0), at=["cards", 0]
    ).json()
    assert {"at": ["cards", 0, "attack"], "words": "1 circle buys 3 points, but Attack + Health is 10."} in said[
        "faults"
    ]


def test_a_renamed_card_stays_in_its_decks(server: AppServer) -> None:
    anna = server.person("Anna")
    address = create_set(anna, game="five-circles")
    for name in ("Kite", "Kite Archerx", "Bow Cat"):
        assert change(anna, address, put(name, "cards", 3, "name")).json()["faults"] == []
    assert file(anna, address).count("Bow Cat") == 2
    change(anna, address, put("Pebble Crab", "cards", 3, "name"))
    assert file(anna, address).split("[[decks]]")[1].count("Bow Cat") == 1
