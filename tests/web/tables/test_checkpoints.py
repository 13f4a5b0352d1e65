"""Checkpoints of long matches: loading replays few choices, with the same result."""

import sqlite3
from pathlib import Path
from random import Random
from typing import Any

import pytest

from sparring.engine.match import Match
from sparring.tables.state import checkpoints
from web.app_server import AppServer, StartServer

SHORT = 8


@pytest.fixture(autouse=True)
def _short_checkpoints(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(checkpoints, "LENGTH", SHORT)


@pytest.fixture
def replayed(monkeypatch: pytest.MonkeyPatch) -> list[object]:
    """Record all choices made from here on."""
    done: list[object] = []
    choose = Match.choose

    def count(match: Match, words: str | int, **more: Any) -> None:
        done.append(words)
        choose(match, words, **more)

    monkeypatch.setattr(Match, "choose", count)
    return done


def play(server: AppServer, table: str, count: int, seed: int = 1) -> None:
    """Make random choices for the players to move."""
    chance = Random(seed)
    for _ in range(count):
        for who in ("Anna", "Ben"):
            seen = server.person(who).look(table)
            if seen["is_turn"]:
                server.person(who).choose(table, chance.choice(seen["choices"])["choice"], seen["version"])
                break


def seen(server: AppServer, table: str) -> list[object]:
    return [server.person(who).look(table) for who in ("Anna", "Ben", "")] + [server.person("Ben").page(table)]


@pytest.mark.parametrize("game", ["mace", "make-your-moves", "five-circles"])
def test_loading_replays_only_choices_after_the_checkpoint(
    start_server: StartServer, replayed: list[object], game: str
) -> None:
    server = start_server(friends="http://table.example")
    table = server.table("Anna", "Ben", name=game)
    play(server, table, 2 * SHORT + 3)
    before, made = seen(server, table), server.held(table).match.history
    server.restart()
    replayed.clear()
    assert server.held(table).match.history == made
    assert replayed == made[len(made) // SHORT * SHORT :]
    assert seen(server, table) == before
    play(server, table, 3)


def test_a_choice_after_a_checkpoint_can_be_undone(
    start_server: StartServer, replayed: list[object], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(checkpoints, "LENGTH", 2)
    server = start_server()
    table = server.table("Anna", "Ben")
    anna = server.person("Anna")
    for _ in range(2):
        anna.choose(table, anna.look(table)["choices"][0]["choice"])
    server.restart()
    anna = server.person("Anna")
    replayed.clear()
    assert anna.take_back(table).status_code == 200
    assert replayed == []
    anna.choose(table, anna.look(table)["choices"][1]["choice"])
    made, after = server.held(table).match.history, anna.look(table)
    server.restart()
    assert server.held(table).match.history == made
    assert server.person("Anna").look(table) == after


@pytest.mark.parametrize(
    "damage", ["update checkpoints set courses = x'00ff00'", "delete from checkpoints where number = 1"]
)
def test_a_mismatched_checkpoint_is_ignored(
    start_server: StartServer, tmp_path: Path, replayed: list[object], damage: str
) -> None:
    server = start_server()
    table = server.table("Anna", "Ben", name="mace")
    play(server, table, 2 * SHORT)
    before, made = seen(server, table), server.held(table).match.history
    server.close()
    with sqlite3.connect(tmp_path / "tables.sqlite3") as database:
        database.execute(damage)
    database.close()

    server = start_server()
    replayed.clear()
    assert server.held(table).match.history == made
    assert replayed == made
    assert seen(server, table)[:3] == before[:3]


def test_a_checkpoint_of_other_rules_is_ignored(monkeypatch: pytest.MonkeyPatch) -> None:
    match = Match.new("mace", seed=1)
    courses = []
    for _ in range(SHORT):
        match.choose(match.legal()[0])
        courses.append(match.last_transition)
    text = checkpoints.encode(match, 0, courses)  # type: ignore[arg-type]
    dealt = Match.new("mace", seed=1).state
    found = checkpoints.decode(match, text, 0, dealt, match.history)
    assert [(course.action, course.after.tobytes()) for course in found] == [
        (course.action, course.after.tobytes()) for course in courses if course
    ]
    assert checkpoints.decode(match, text, 0, dealt, [*match.history[:-1], 99]) == []
    monkeypatch.setattr(checkpoints, "made_with", lambda match, end: "other rules")
    assert checkpoints.decode(match, text, 0, dealt, match.history) == []
