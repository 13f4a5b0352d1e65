"""Records that people bring: read within limits, kept for a while, shown again, let go."""

import json
import re
import sqlite3
import time
import tomllib
from pathlib import Path
from typing import Any

import httpx
import pytest

from sparring import Match
from sparring.engine.game import game
from sparring.engine.records import with_checksum
from sparring.web.settings import DAY, Limits
from web.app_server import MUCH, House, Opener, Visitor

GAME = "make-your-moves"


def record(*, whole: bool = True, seed: int = 1) -> str:
    """The record of a match in which everybody takes the first choice."""
    match = Match.new(GAME, seed=seed)
    while not match.over and (whole or len(match.history) < 5):
        match.choose(match.legal()[0])
    return match.record()


def bring(who: Visitor, text: str | bytes, name: str = "match.json") -> httpx.Response:
    return who.post("/records", files={"record": (name, text, "application/json")})


def test_what_a_table_gives_can_be_brought_back(house: House) -> None:
    answer = bring(house.stranger(), record())
    assert answer.status_code == 303
    who = house.stranger()
    page = who.get(answer.headers["location"]).text
    assert "Make Your Moves" in page
    assert "as Seat 2" in page
    last = who.get(f"{answer.headers['location']}?view=1&at=9999").text
    assert "scene game-make-your-moves over" in last
    assert who.get(f"{answer.headers['location']}/moments?at=0").text.count("<article") == 4


def test_a_match_that_is_not_over_can_be_looked_at_too(house: House) -> None:
    answer = bring(house.stranger(), record(whole=False))
    assert 'data-last="5"' in house.stranger().get(f"{answer.headers['location']}?at=99").text


def test_a_stranger_becomes_somebody_and_finds_it_again(house: House) -> None:
    who = house.stranger()
    answer = bring(who, record(), "<b>final</b>.json")
    who.http.cookies = answer.cookies
    page = who.get("/records").text
    assert "&lt;b&gt;final&lt;/b&gt;.json" in page
    assert answer.headers["location"] in page
    assert "None yet" in house.person("Anna").get("/records").text


def damaged(**values: Any) -> str:
    """A record whose checksum fits, with other values."""
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
def test_what_is_no_record_is_refused_in_a_sentence(house: House, text: str | bytes, sentence: str) -> None:
    answer = bring(house.stranger(), text)
    assert answer.status_code == 422
    problem = answer.text.split('class="problem" role="alert">')[1].split("<")[0]
    assert sentence in problem
    assert "Open a saved match" in answer.text


def test_a_record_that_is_too_long_is_refused(house: House) -> None:
    assert bring(house.stranger(), "[" + "1," * 700_000 + "1]").status_code == 413


def test_only_whoever_brought_a_record_lets_it_go(house: House) -> None:
    anna = house.person("Anna")
    where = bring(anna, record(seed=3)).headers["location"]
    assert house.person("Ben").post(where.replace("/replay", "/remove")).status_code == 404
    assert house.stranger().post(where.replace("/replay", "/remove")).status_code == 404
    assert anna.get(where).status_code == 200
    assert anna.post(where.replace("/replay", "/remove")).status_code == 303
    assert anna.get(where).status_code == 404


def test_only_so_many_are_kept_and_brought(open_house: Opener) -> None:
    house = open_house(limits=Limits(records_at_once=4, records_each=2))
    anna = house.person("Anna")
    answers = [bring(anna, record(seed=seed)) for seed in range(5)]
    assert [answer.status_code for answer in answers] == [303, 303, 429, 429, 429]
    assert "Delete one first" in answers[2].text
    assert "in a short time" in answers[4].text


def test_one_address_has_room_for_only_so_many(open_house: Opener) -> None:
    house = open_house(limits=Limits(records_from=1))
    assert bring(house.person("Anna"), record()).status_code == 303
    assert bring(house.person("Ben"), record()).status_code == 429


def test_a_record_at_which_nobody_looks_goes(open_house: Opener, tmp_path: Path) -> None:
    house = open_house(limits=MUCH, keep_days=30)
    kept, gone = (bring(house.person("Anna"), record(seed=seed)).headers["location"] for seed in (1, 2))
    with sqlite3.connect(tmp_path / "tables.sqlite3") as database:
        database.execute("update records set used = ? where id = ?", (time.time() - 31 * DAY, gone.split("/")[2]))
    house.close()
    again = open_house(limits=MUCH, keep_days=30)
    records = again.app.state.cinema.records
    again.run(records.store.expire(time.time() - 30 * DAY))
    assert [again.person("Anna").get(where).status_code for where in (kept, gone)] == [200, 404]


def test_a_look_keeps_a_record(open_house: Opener, tmp_path: Path) -> None:
    house = open_house()
    where = bring(house.person("Anna"), record()).headers["location"]
    with sqlite3.connect(tmp_path / "tables.sqlite3") as database:
        database.execute("update records set used = ?", (time.time() - 9 * DAY,))
    house.person("Anna").get(where)
    with sqlite3.connect(tmp_path / "tables.sqlite3") as database:
        (used,) = database.execute("select used from records").fetchone()
    assert time.time() - used < DAY


def test_whoever_brings_a_record_keeps_no_table_waiting(house: House) -> None:
    """Records are shown by another process than the matches of tables."""
    cinema = house.app.state.cinema
    assert cinema.timelines is not cinema.records.timelines


def test_pictures_on_cards_are_seen_again(house: House) -> None:
    drawing = "drawing [[0,0,30,[120,200,4,5]]]"
    found = game(GAME)
    content: dict[str, Any] = tomllib.loads(found.content_text)
    for card in content["cards"]:
        card["picture"] = drawing
    match = Match.deal(found.box(content=found.kit.read_content(content, "the deck")), 2, seed=1)
    who = house.stranger()
    where = bring(who, match.record()).headers["location"]
    address = re.findall(r'<image href="(/records/[^"]+)"', who.get(f"{where}?view=1").text)[0]
    answer = who.get(address)
    assert answer.headers["content-type"] == "image/svg+xml"
    assert who.get(address[:-1] + ("0" if address[-1] != "0" else "1")).status_code == 404
