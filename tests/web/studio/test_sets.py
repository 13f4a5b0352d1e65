"""Sets: begun, changed, undone, shared, downloaded; kept apart per person; two windows; played with."""

import json
import re
import time
from typing import Any

import httpx
import pytest

from sparring.engine.game import game
from sparring.web.settings import Limits
from sparring.web.studio.sets import StudioSets
from web.app_server import MUCH, House, Opener, Visitor

BEGIN = {"game": "high-card", "title": "Mine", "name": "Anna", "from": "own"}


def begin(visitor: Visitor, **more: str) -> str:
    """A new set; its address."""
    answer = visitor.post("/studio", data={**BEGIN, **more})
    assert answer.status_code == 303, answer.text
    return answer.headers["location"]


def state(visitor: Visitor, address: str) -> dict[str, Any]:
    """What the page of a set says of it."""
    page = visitor.get(address).raise_for_status().text
    found = re.search(r'data-state="([^"]*)"', page)
    assert found
    return json.loads(found[1].replace("&#34;", '"').replace("&#39;", "'").replace("&amp;", "&"))  # type: ignore[no-any-return]


def change(
    visitor: Visitor, address: str, *edits: dict[str, Any], edition: int | None = None, **more: Any
) -> httpx.Response:
    edition = state(visitor, address)["edition"] if edition is None else edition
    return visitor.post(f"/api{address}/change", json={"edition": edition, "edits": list(edits), **more})


def put(value: str, *at: str | int) -> dict[str, Any]:
    return {"do": "set", "at": list(at), "value": value}


def go(visitor: Visitor, address: str, way: str, number: int = 0) -> httpx.Response:
    edition = state(visitor, address)["edition"]
    return visitor.post(f"/api{address}/go", json={"edition": edition, "way": way, "number": number})


def file(visitor: Visitor, address: str) -> str:
    return visitor.get(f"{address}/file").raise_for_status().text


def share_of(visitor: Visitor, address: str) -> str:
    found = re.search(r"/studio/shared/[\w-]+", visitor.get(address).text)
    assert found
    return found[0]


@pytest.mark.parametrize("name", ["five-circles", "high-card", "mace", "untitled-movement", "world-of-fighters"])
def test_a_set_begins_as_the_games_own_file_byte_for_byte(house: House, name: str) -> None:
    anna = house.person("Anna")
    address = begin(anna, game=name)
    assert file(anna, address) == game(name).content_text
    assert state(anna, address)["faults"] == []


@pytest.mark.parametrize(
    ("name", "at"), [("five-circles", '["cards", 3, "name"]'), ("make-your-moves", '["cards", 3]')]
)
def test_who_plays_begins_with_the_card_that_they_look_at(house: House, name: str, at: str) -> None:
    anna = house.person("Anna")
    address = begin(anna, game=name)
    change(anna, address, put("Own Hero", "cards", 3, "name")).raise_for_status()
    pages = [anna.get(anna.post(f"{address}/play", data={"at": at}).headers["location"]).text for _ in range(3)]
    assert all("Own Hero" in page for page in pages)
    refused = anna.post(f"{address}/play", data={"at": "[[]]"})
    assert (refused.status_code, "no such field" in refused.text) == (422, True)


def test_an_empty_set_is_kept_and_says_what_is_missing(house: House) -> None:
    anna = house.person("Anna")
    address = begin(anna, game="make-your-moves", **{"from": "empty"})
    told = [fault["words"] for fault in state(anna, address)["faults"]]
    assert any("a name must have 1 to 24 characters" in words for words in told)
    answer = anna.post(f"{address}/play", data={"name": "Anna"})
    assert answer.status_code == 422
    assert "played, measured or printed yet" in answer.text


def test_a_file_is_uploaded_and_comes_back_as_it_was(house: House) -> None:
    anna = house.person("Anna")
    text = "# my cards\nvalues = [9, 9, 8, 8, 7, 7, 6, 6, 5, 5, 4, 4, 3, 3, 2, 2, 1, 1, 10, 99]\n"
    answer = anna.post("/studio", data={**BEGIN, "from": "file"}, files={"file": ("my.toml", text.encode())})
    assert file(anna, answer.headers["location"]) == text


@pytest.mark.parametrize("text", [b"values = [", b"\xff\xfe", b"#" * 70_000, b""])
def test_a_file_that_is_none_is_refused_in_a_sentence(house: House, text: bytes) -> None:
    answer = house.person("Anna").post("/studio", data={**BEGIN, "from": "file"}, files={"file": ("my.toml", text)})
    assert answer.status_code == 422
    assert 'role="alert"' in answer.text


def test_what_is_typed_is_stored_and_its_fault_stands_at_its_field(house: House) -> None:
    anna = house.person("Anna")
    address = begin(anna)
    said = change(anna, address, put("100", "values", 2)).json()
    assert said["faults"] == [{"at": ["values", 2], "words": "a value must be a whole number from 1 to 99, not 100."}]
    assert "1, 1, 100, 2" in file(anna, address)
    assert change(anna, address, put("9", "values", 2)).json()["faults"] == []


def test_undo_and_redo_go_by_places_and_not_by_letters(house: House) -> None:
    anna = house.person("Anna")
    address = begin(anna)
    change(anna, address, put("7", "values", 0))
    change(anna, address, put("77", "values", 0))
    change(anna, address, put("8", "values", 1))
    assert file(anna, address).startswith("values = [77, 8")
    assert go(anna, address, "undo").json()["redo"]
    assert file(anna, address).startswith("values = [77, 1")
    go(anna, address, "undo")
    assert file(anna, address) == game("high-card").content_text
    assert go(anna, address, "undo").status_code == 404
    go(anna, address, "redo")
    assert file(anna, address).startswith("values = [77, 1")
    change(anna, address, put("5", "values", 2))
    assert go(anna, address, "redo").status_code == 404
    go(anna, address, "version", 1)
    assert file(anna, address) == game("high-card").content_text
    go(anna, address, "undo")
    assert file(anna, address).startswith("values = [77, 1, 5")


def test_two_windows_do_not_overwrite_each_other(house: House) -> None:
    anna = house.person("Anna")
    address = begin(anna)
    seen = state(anna, address)["edition"]
    assert change(anna, address, put("50", "values", 0), edition=seen).status_code == 200
    late = change(anna, address, put("60", "values", 0), edition=seen)
    assert late.status_code == 409
    assert late.json()["differs"] == ["Card 1: 60 here, 50 in the other window."]
    assert file(anna, address).startswith("values = [50, ")
    assert change(anna, address, put("60", "values", 0), edition=late.json()["edition"]).status_code == 200


def test_nobody_else_sees_or_changes_a_set_and_the_link_only_lets_look(house: House) -> None:
    anna, bert, stranger = house.person("Anna"), house.person("Bert"), house.stranger()
    address = begin(anna, title="Most secret")
    share = share_of(anna, address)
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
    assert file(anna, address) == game("high-card").content_text == bert.get(f"{share}/file").text
    assert bert.post(f"{share}/play").headers["location"].startswith("/table/")


def test_another_site_cannot_post(house: House) -> None:
    anna = house.person("Anna")
    address = begin(anna)
    anna.http.headers["Origin"] = "http://elsewhere.example"
    for path in ("/studio", f"{address}/play", f"{address}/copy", f"{address}/remove"):
        assert anna.post(path, data=BEGIN).status_code == 403
    for what in ("change", "go"):
        assert anna.post(f"/api{address}/{what}", json={"edition": 0, "way": "undo"}).status_code == 403


def test_a_set_is_played_with_at_once(house: House) -> None:
    anna = house.person("Anna")
    address = begin(anna)
    change(anna, address, put("99", "values", 0), {"do": "option", "at": ["hand"], "value": "5"})
    table = anna.post(f"{address}/play").headers["location"].rsplit("/", 1)[1]
    box = house.run(house.tables.get(table)).match.box
    assert box.content.values[0] == 99
    assert box.options["hand"] == 5
    assert box.own_content


def test_a_set_begins_with_the_variant_that_makes_a_good_first_match(house: House) -> None:
    anna = house.person("Anna")
    address = begin(anna, game="five-circles")
    table = anna.post(f"{address}/play").headers["location"].rsplit("/", 1)[1]
    assert house.run(house.tables.get(table)).match.box.options["opening"] == "hold"
    change(anna, address, {"do": "option", "at": ["opening"], "value": "both"})
    table = anna.post(f"{address}/play").headers["location"].rsplit("/", 1)[1]
    assert house.run(house.tables.get(table)).match.box.options["opening"] == "both"


def test_it_is_renamed_and_let_go(house: House) -> None:
    anna = house.person("Anna")
    address = begin(anna)
    assert change(anna, address, name="<b>Other</b>").json()["name"] == "<b>Other</b>"
    assert "&lt;b&gt;Other" in anna.get("/studio").text
    assert change(anna, address, name="x" * 41).status_code == 422
    assert change(anna, address, put("9", "values", 2), name="Both").json()["name"] == "Both"
    assert "1, 1, 9, 2" in file(anna, address)
    anna.post(f"{address}/remove")
    assert anna.get(address).status_code == 404


def test_limits_are_said_in_a_sentence(open_house: Opener) -> None:
    house = open_house(limits=Limits(sets_at_once=2, sets_each=3, tables_at_once=100))
    anna = house.person("Anna")
    begin(anna)
    begin(anna)
    refused = anna.post("/studio", data=BEGIN)
    assert (refused.status_code, "many sets in a short time" in refused.text) == (429, True)
    house.close()
    house = open_house(limits=MUCH)
    sets: StudioSets = house.app.state.sets
    assert len(house.run(sets.store.of("Anna"))) == 2
    row = house.run(sets.store.of("Anna"))[0]
    assert house.run(sets.store.expire(time.time() - 60)) == 0
    house.run(sets.store.use(row))
    assert house.run(sets.store.expire(time.time() + 60)) == 2
    assert house.run(sets.store.history(row)) == []


def test_a_set_cannot_grow_without_end(house: House) -> None:
    anna = house.person("Anna")
    address = begin(anna, game="five-circles")
    for _ in range(3):
        edits = [{"do": "copy", "at": ["cards", 0]}] * 50
        change(anna, address, *edits)
    before = file(anna, address)
    answers = {change(anna, address, *[{"do": "copy", "at": ["cards", 0]}] * 50).status_code for _ in range(8)}
    assert 422 in answers
    assert before[:100] == file(anna, address)[:100]
    assert len(file(anna, address)) <= 64 * 1024


def test_faults_of_a_games_own_judgement_stand_at_their_fields_too(house: House) -> None:
    anna = house.person("Anna")
    address = begin(anna, game="five-circles")
    said = change(
        anna, address, put("9", "cards", 0, "attack"), put("Red", "cards", 0, "stat", 0), at=["cards", 0]
    ).json()
    assert {"at": ["cards", 0, "attack"], "words": "1 circle buys 3 points, but Attack + Health is 10."} in said[
        "faults"
    ]


def test_a_card_with_another_name_keeps_its_place_in_the_decks(house: House) -> None:
    anna = house.person("Anna")
    address = begin(anna, game="five-circles")
    for name in ("Kite", "Kite Archerx", "Bow Cat"):
        assert change(anna, address, put(name, "cards", 3, "name")).json()["faults"] == []
    assert file(anna, address).count("Bow Cat") == 2
    change(anna, address, put("Pebble Crab", "cards", 3, "name"))
    assert file(anna, address).split("[[decks]]")[1].count("Bow Cat") == 1
