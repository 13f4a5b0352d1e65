"""Fuzzing: mutated sets and edits sent to a server cause no server error and run no code."""

import random
from typing import Any

import pytest

from sparring.engine.formats.toml import read_toml
from sparring.engine.game import game
from web.app_server import AppServer, Client
from web.studio.hostile_text import DOES, EVIL, GAMES, LOOKED, WORDS, mutated, ways
from web.studio.sets import BEGIN, create_set

#: The number of mutated sets, and of mutated edits, per game; 10,000 in total with `make soak`.
TRIES = [6, pytest.param(840, marks=pytest.mark.soak)]

#: A new person continues after this many changes, since changes per person are limited.
SHIFT = 500


def check_answer(response: Any) -> bool:
    """Return whether a request was accepted; a server error fails the test."""
    assert response.status_code < 500, response.text
    drawn = response.text
    if response.headers.get("content-type") == "application/json":
        told = response.json()
        drawn = told.get("editor", "") + told.get("preview_html", "")  # the page shows all other parts as text
    assert response.headers.get("content-type") == "application/toml" or EVIL[:15] not in drawn
    return response.status_code < 400  # type: ignore[no-any-return]


@pytest.mark.parametrize("tries", TRIES)
@pytest.mark.parametrize("name", GAMES)
def test_mutated_sets_are_stored_with_faults_or_refused(server: AppServer, name: str, tries: int) -> None:
    dice = random.Random(f"sent {name}")
    for number in range(tries):
        if not number % SHIFT:
            anna = server.person(f"Anna {name} {number}")
        files = {"file": ("my.toml", mutated(game(name).content_text, dice).encode(errors="replace"))}
        title = dice.choice([EVIL[:40], "Mine", "\u202e", "a" * 39])
        response = anna.post("/studio", data={**BEGIN, "game": name, "title": title, "from": "file"}, files=files)
        if check_answer(response):
            address = response.headers["location"]
            for path in (address, f"{address}/file", f"{address}/report"):
                assert check_answer(anna.get(path))
            check_answer(anna.post(f"{address}/play"))
            assert check_answer(anna.post(f"{address}/remove"))


@pytest.mark.parametrize("tries", TRIES)
@pytest.mark.parametrize("name", GAMES)
def test_mutated_edits_are_applied_or_refused(server: AppServer, name: str, tries: int) -> None:
    dice = random.Random(f"edited {name}")
    anna, address = person_with_set(server, name, 0)
    row_version = 0
    for number in range(tries):
        if number and not number % SHIFT:
            anna, address = person_with_set(server, name, number)
            row_version = 0
        way: list[Any] = list(dice.choice(ways(read_toml(anna.get(f"{address}/file").text, "own"))))
        if dice.random() < 0.2:
            way.append(dice.choice((0, 99, -1, "name", EVIL)))
        edit = {"do": dice.choice(DOES), "at": way[:9], "value": dice.choice([*WORDS, ["3,1", EVIL]])}
        post = {"edits": [edit], "at": dice.choice([way, *LOOKED]), "redraw": dice.random() < 0.3}
        response = anna.post(f"/api{address}/change", json={"row_version": row_version, **post})
        row_version = response.json()["row_version"] if check_answer(response) else row_version
        if dice.random() < 0.1:
            response = anna.post(f"/api{address}/history", json={"row_version": row_version, "direction": "undo"})
            row_version = response.json()["row_version"] if check_answer(response) else row_version
            assert check_answer(anna.get(address))


def person_with_set(server: AppServer, name: str, number: int) -> tuple[Client, str]:
    anna = server.person(f"Anna {name} edits {number}")
    return anna, create_set(anna, game=name)
