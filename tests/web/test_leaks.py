"""Whole matches of every game in two states that a seat can't tell apart: it is sent the same bytes.

Anna and Ben play. Beside the real match runs another one, in which everything that Ben doesn't know is sampled. Both
continue for as long as Ben sees the same, beat by beat; then the other one is sampled again."""

import random
from collections.abc import Iterator
from typing import Any

import pytest

from sparring import games
from sparring.engine.formats.toml import read_toml, write_toml
from sparring.engine.game import game
from sparring.engine.match import Match
from sparring.engine.records import MatchStart
from sparring.scene.pictures import generate_picture
from sparring.tables.play.match_results import TableSummary
from web.app_server import AppServer, Client
from web.look_alikes import BEN, Houses, choose, look_alike, redetermined, set_match

#: The least number of choices compared, spread over whole matches, and of those with beats.
COMPARED, TOLD = 8, 2

#: Addresses of the API about a table.
WHAT = ("", "/scene", "/view", "/people")
#: Queries of text mode whose answers aren't on its page.
ASKED = ("choices", "last")


def responses(ben: Client, table: str) -> list[bytes]:
    """Return all that Ben is sent: pages, text mode, API responses, and the last event of all three streams."""
    answers = [ben.get(f"/table/{table}"), *(ben.get(f"/api/table/{table}{what}") for what in WHAT)]
    answers += [ben.get(f"/table/{table}/text"), *(ben.get(f"/table/{table}/text?ask={what}") for what in ASKED)]
    version = answers[1].json()["version"] - 1
    with (
        ben.stream(table, version) as events,
        ben.api_stream(table, version) as told,
        ben.text_stream(table, version) as words,
    ):
        heard = [next(events), next(told), next(words)]
    return [
        f"{response.status_code} {response.headers.raw}".encode() + response.content for response in answers
    ] + heard


def pictured(name: str) -> dict[str, Any]:
    """Return a game's content with a custom picture on every card."""
    data = read_toml(game(name).content_text, "own")
    for row in data["cards"]:
        row["picture"] = generate_picture(row["name"], 1).text
    return data


@pytest.mark.parametrize(
    ("name", "content"),
    [*(pytest.param(name, None, id=name) for name in games()),
     pytest.param("make-your-moves", pictured("make-your-moves"), id="with pictures")],
)  # fmt: skip
def test_hidden_information_does_not_change_what_a_seat_is_sent(
    servers: Houses, name: str, content: dict[str, Any] | None
) -> None:
    table, toml = (f"{name}-pictured", write_toml(content)) if content else (name, None)
    for server in servers:
        server.table("Anna", "Ben", name=name, seed=5, table=table, toml=toml)
    compared = told = 0
    for seed in range(10):
        if compared >= COMPARED:
            break
        for beats in compare(servers, name, seed, table, content):
            compared += 1
            told += beats > 1
    assert compared >= COMPARED
    assert told >= TOLD


def compare(servers: Houses, name: str, seed: int, table: str, content: dict[str, Any] | None) -> Iterator[int]:
    """Play a match in both states and compare what Ben is sent; return the number of beats of each compared choice."""
    actions, match = playthrough(name, seed), Match.new(name, seats=2, seed=seed, content=content)
    other, compared, told = None, 0, 0
    bens = [without_auto_choices(server) for server in servers]
    for number, action in enumerate(actions):
        beats = len(match.beats(BEN, match.preview(action)))
        found = look_alike(match, other, action) if other else None
        if found is None:
            due = compared * len(actions) <= number * COMPARED or (beats > 1 and told < TOLD)
            other, found = (due and redetermined(match, action)) or (None, None)
            if other:
                match = Match(MatchStart(match.setup, match.state, match.seed))  # earlier choices can't be undone
                for server, truth in zip(servers, (match, other), strict=True):
                    set_match(server, table, truth)
        if found is None or other is None:
            match.choose(action)
            continue
        for server, each in zip(servers, (action, found), strict=True):
            choose(server, table, each)
        match.choose(action)
        other.choose(found)
        assert responses(bens[0], table) == responses(bens[1], table), (seed, number, action, found)
        listed = [TableSummary.of(server.held(table).match) for server in servers]
        assert listed[0] == listed[1], (seed, number, action, found)
        effects = [[beat.effects for beat in each.beats(BEN)] for each in (match, other)]
        assert effects[0] == effects[1], (seed, number, action, found)
        compared, told = compared + 1, told + (beats > 1)
        yield beats
    assert match.over


def without_auto_choices(server: AppServer) -> Client:
    """Return Ben's client, with auto choices turned off."""
    ben = server.person("Ben")
    ben.post("/choices", data={"choices": "every", "back": "/"})
    return ben


def playthrough(name: str, seed: int) -> list[int]:
    """Return the choices of a whole random match."""
    match, dice = Match.new(name, seats=2, seed=seed), random.Random(seed)
    while not match.over:
        match.choose(dice.choice([each for each in match.legal() if each not in match.game.conceding]))
    return match.history
