"""Uploaded records: parsed within limits, stored for a while, shown, deleted."""

import json
import re
import sqlite3
import time
import tomllib
from pathlib import Path
from typing import Any

import pytest

from sparring import Match
from sparring.engine.game import game
from sparring.engine.records import with_checksum
from sparring.settings import DAY, Limits
from web.app_server import AppServer, Client, StartServer
from web.replay.replayed_matches import upload

GAME = "make-your-moves"


def record(*, whole: bool = True, seed: int = 1) -> str:
    """Return the record of a match of first choices."""
    match = Match.new(GAME, seed=seed)
    while not match.over and (whole or len(match.history) < 5):
        match.choose(match.legal()[0])
    return match.record()


def test_an_exported_record_can_be_uploaded(server: AppServer) -> None:
    response = upload(server.stranger(), record())
    assert response.status_code == 303
    who = server.stranger()
    page = who.get(response.headers["location"]).text
    assert "Make Your Moves" in page
    assert "as Seat 2" in page
    last = who.get(f"{response.headers['location']}?view=1&at=9999").text
    assert "scene game-make-your-moves over" in last
    assert who.get(f"{response.headers['location']}/moments?at=0").text.count("<article") == 4


def test_an_unfinished_match_can_be_uploaded(server: AppServer) -> None:
    response = upload(server.stranger(), record(whole=False))
    assert 'data-last="5"' in server.stranger().get(f"{response.headers['location']}?at=99").text


def test_an_upload_gives_a_stranger_an_identity(server: AppServer) -> None:
    who = server.stranger()
    response = upload(who, record(), "<b>final</b>.json")
    who.http.cookies = response.cookies
    page = who.get("/records").text
    assert "&lt;b&gt;final&lt;/b&gt;.json" in page
    assert response.headers["location"] in page
    assert "None yet" in server.person("Anna").get("/records").text


def damaged(**values: Any) -> str:
    """Return a record with changed values and a correct checksum."""
    body = {**json.loads(record()), **values}
    return with_checksum({key: value for key, value in body.items() if key != "check" and value is not None})


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        (b"", "Choose a file first"), (b"\xff\xfe", "UTF-8 text file"), ("no record", "This is not a match record"),
        ("[" * 5000, "not a match record"), (record().replace('"seed":1', '"seed":2'), "its checksum"),
        (damaged(choices=[9999]), "The number of a choice must be"), (damaged(choices=["x"]), "is incomplete"),
        (damaged(game="nothing"), "There is no game called nothing"), (damaged(seed=None), "is incomplete"),
        (damaged(version=99), "is from version 99"), (damaged(seats=77), "needs 2 to 6 seats"),
        (damaged(options={"hand": 99}), "hand"), (damaged(content={"cards": 5}), "cards"),
        (damaged(seats="x"), "seats"),
    ],
)  # fmt: skip
def test_an_invalid_record_gets_one_sentence(server: AppServer, text: str | bytes, sentence: str) -> None:
    response = upload(server.stranger(), text)
    assert response.status_code == 422
    problem = response.text.split('class="problem" role="alert">')[1].split("<")[0]
    assert sentence in problem
    assert "Open a saved match" in response.text


def test_a_record_that_is_too_long_is_refused(server: AppServer) -> None:
    assert upload(server.stranger(), "[" + "1," * 700_000 + "1]").status_code == 413


def test_a_record_is_deleted_by_its_owner_only(server: AppServer, anna: Client) -> None:
    where = upload(anna, record(seed=3)).headers["location"]
    assert server.person("Ben").post(where.replace("/replay", "/remove")).status_code == 404
    assert server.stranger().post(where.replace("/replay", "/remove")).status_code == 404
    assert anna.get(where).status_code == 200
    assert anna.post(where.replace("/replay", "/remove")).status_code == 303
    assert anna.get(where).status_code == 404


def test_records_per_person_and_uploads_are_limited(start_server: StartServer) -> None:
    server = start_server(limits=Limits(records_at_once=4, records_each=2))
    anna = server.person("Anna")
    responses = [upload(anna, record(seed=seed)) for seed in range(5)]
    assert [response.status_code for response in responses] == [303, 303, 429, 429, 429]
    assert "Delete one first" in responses[2].text
    assert "in a short time" in responses[4].text


def test_records_per_address_are_limited(start_server: StartServer) -> None:
    server = start_server(limits=Limits(records_from=1))
    assert upload(server.person("Anna"), record()).status_code == 303
    assert upload(server.person("Ben"), record()).status_code == 429


def test_viewing_a_record_keeps_it(start_server: StartServer, tmp_path: Path) -> None:
    server = start_server()
    where = upload(server.person("Anna"), record()).headers["location"]
    with sqlite3.connect(tmp_path / "tables.sqlite3") as database:
        database.execute("update records set used = ?", (time.time() - 9 * DAY,))
    server.person("Anna").get(where)
    with sqlite3.connect(tmp_path / "tables.sqlite3") as database:
        (used,) = database.execute("select used from records").fetchone()
    assert time.time() - used < DAY


def test_custom_pictures_are_shown_in_the_replay(server: AppServer) -> None:
    drawing = "drawing [[0,0,30,[120,200,4,5]]]"
    found = game(GAME)
    content: dict[str, Any] = tomllib.loads(found.content_text)
    for card in content["cards"]:
        card["picture"] = drawing
    match = Match.deal(found.setup(content=found.content_from(content, "the deck")), 2, seed=1)
    who = server.stranger()
    where = upload(who, match.record()).headers["location"]
    address = re.findall(r'<image href="(/records/[^"]+)"', who.get(f"{where}?view=1").text)[0]
    response = who.get(address)
    assert response.headers["content-type"] == "image/svg+xml"
    assert who.get(address[:-1] + ("0" if address[-1] != "0" else "1")).status_code == 404
