"""What one person, one network and all together may add to the database; giving up and deleting don't help."""

import contextlib
import logging
from collections.abc import Callable
from dataclasses import replace
from itertools import count
from types import SimpleNamespace

import pytest

from sparring.engine.game import game
from sparring.engine.match import Match
from sparring.people.rate_limits import (
    BYTES,
    FULL,
    KINDS,
    LASTING,
    NEARLY,
    REFUSALS,
    RateLimits,
    Requester,
    SharedRateLimits,
    TooMany,
)
from sparring.server import database_watch
from sparring.server.database_watch import DatabaseBound
from sparring.settings import Limits
from sparring.store.networks import network
from sparring.store.person import Person
from sparring.store.processes import RateLimitStore
from sparring.studio.edits import Edit
from sparring.tables.state import checkpoints
from sparring.tables.state.table import Table
from web.app_server import HIGH_LIMITS, AppServer, StartServer, delete_all_tables

#: Two people in one household, and a person elsewhere.
ANNA, BEN, CARA = (Person(name, name) for name in ("Anna", "Ben", "Cara"))
ADDRESS = {ANNA: network("2001:db8:7:1::1"), BEN: network("2001:db8:7:1::2"), CARA: network("2001:db8:8::1")}
ROOM = 50_000
#: Room for a few tables, and no other limit that is nearer.
LITTLE = Limits(
    stored_at_once=ROOM, stored_each_hour=1, tables_at_once=1000, tables_going_on=1000, sets_at_once=1000,
    content_files_at_once=1000, records_at_once=1000, records_each=1000, chat_lines_at_once=1000,
    friend_requests_at_once=1000,
)  # fmt: skip
numbers = count(1)


def requester(person: Person) -> Requester:
    return Requester(person.id, ADDRESS[person])


def open_table(server: AppServer, person: Person) -> Table:
    return server.held(server.table(person.id, "Friend", requester=requester(person)))


def upload_content(server: AppServer, person: Person) -> None:
    toml = f"values = [1, 2, 3, 4, 5, 6, 7, 8, 9]\n# {next(numbers):07}{'x' * 10_000}\n"
    server.table(person.id, "Friend", toml=toml, requester=requester(person))


def create_set(server: AppServer, person: Person) -> str:
    row = server.run(server.app.state.sets.create(game("card-duel"), person, "Mine", None, requester(person)))
    return str(row.id)


def edit_set(server: AppServer, person: Person) -> None:
    """Write texts into a set; each is a version of its own."""
    sets = server.app.state.sets
    rows = server.run(sets.store.of(person.id))
    row = rows[0] if rows else server.run(sets.create(game("card-duel"), person, "Mine", None, requester(person)))
    edits = [Edit("set", ["cards", 0, "text"], f"{next(numbers):07}{'x' * 900}"), Edit("copy", ["cards", 0])]
    server.run(sets.edit(row, edits, [], requester(person)))


def save_match(server: AppServer, person: Person) -> None:
    record = Match.new("make-your-moves", seed=next(numbers)).record()
    server.run(server.app.state.replays.records.upload(person, record, "a.json", requester(person)))


def chat(server: AppServer, person: Person) -> None:
    table = server.held(server.table(person.name, "Friend", seed=next(numbers)))
    server.run(server.tables.chat.post(table, person, requester(person), text="Hello"))


def choose_first(server: AppServer, table: str, *people: str) -> int:
    """Make the first legal choice for the player to move; return the status."""
    seen = {person: server.person(person).look(table) for person in people}
    person = next(each for each in people if seen[each]["is_turn"])
    return server.person(person).choose(table, seen[person]["choices"][0]["choice"]).status_code


def acts_until_full(act: Callable[[AppServer, Person], object], server: AppServer, person: Person) -> int:
    """Do something until nothing more may be stored; return how often it was done."""
    for done in range(1000):
        try:
            act(server, person)
        except TooMany as problem:
            if str(problem) == REFUSALS["stored"]:
                return done
            raise
    raise AssertionError("There is no bound.")


@pytest.mark.parametrize("act", [open_table, upload_content, create_set, edit_set, save_match, chat])
def test_what_one_person_and_their_network_store_is_bounded(
    start_server: StartServer, act: Callable[[AppServer, Person], object]
) -> None:
    server = start_server(limits=LITTLE)
    before = server.run(server.tables.store.size())
    assert acts_until_full(act, server, ANNA) > 1
    assert acts_until_full(act, server, BEN) <= 1, "his address has no more room, under any name"
    act(server, CARA)
    assert server.run(server.tables.store.size()) - before < 6 * ROOM, "the counts aren't far below the truth"


def test_giving_up_and_deleting_do_not_help(start_server: StartServer) -> None:
    server = start_server(limits=LITTLE)
    tables = list[Table]()
    with contextlib.suppress(TooMany):
        while True:
            tables.append(open_table(server, ANNA))
    for table in tables[:3]:
        assert server.person("Anna").choose(table.id, "give up").status_code == 200, "matches in progress continue"
    assert acts_until_full(open_table, server, ANNA) == 0
    server.run(server.app.state.personal_data.store.delete_person("Anna"))
    delete_all_tables(server)
    assert server.run(server.tables.store.tables(10)) == []
    assert acts_until_full(open_table, server, BEN) <= 1


def test_a_restart_does_not_help(start_server: StartServer) -> None:
    server = start_server(limits=LITTLE)
    acts_until_full(open_table, server, ANNA)
    exchange(server)
    server.restart()
    exchange(server)
    assert acts_until_full(open_table, server, ANNA) == 0
    open_table(server, CARA)


def exchange(server: AppServer) -> None:
    """Do what a single process does every three seconds."""
    shared = SharedRateLimits(RateLimitStore(server.tables.store), server.tables.rate_limits, LASTING)
    server.run(shared.count())


def test_long_matches_count_for_those_who_opened_them(
    start_server: StartServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(checkpoints, "LENGTH", 1)
    server = start_server(limits=LITTLE)
    table = open_table(server, CARA)
    limits = server.tables.rate_limits
    before = limits._all["stored"].used({"by Cara": 1})
    assert choose_first(server, table.id, "Cara", "Friend") == 200
    assert limits._all["stored"].used({"by Cara": 1}) > before


def test_the_operator_hears_of_a_client_before_the_bound(caplog: pytest.LogCaptureFixture) -> None:
    limits = RateLimits(LITTLE)
    for _ in range(int(NEARLY * ROOM / BYTES["tables"])):
        limits.take("tables", requester(ANNA))
    assert caplog.messages == []
    limits.take("tables", requester(ANNA))
    assert caplog.messages == ["A person or a network has used 87% of what it may store within 30 days."]


def test_a_full_database_stores_nothing_new(start_server: StartServer, caplog: pytest.LogCaptureFixture) -> None:
    server = start_server(limits=HIGH_LIMITS)
    table = server.table("Anna", "Friend")
    size = server.run(server.tables.store.size())

    def check(limit: int) -> list[str]:
        caplog.clear()
        server.run(DatabaseBound(server.tables.store, server.tables.rate_limits, limit).check())
        return [record.getMessage() for record in caplog.records if record.levelno == logging.WARNING]

    assert check(2 * size) == []
    (warning,) = check(size * 10 // 9)
    assert "90% of its limit. At 100% nothing new is saved." in warning
    open_table(server, CARA)
    (warning,) = check(size)
    assert "so nothing new is saved." in warning
    for act in (open_table, create_set, save_match, chat):
        with pytest.raises(TooMany, match=FULL[:40]):
            act(server, CARA)
    response = server.stranger().post("/games/hush", data={"name": "Eve", "seat1": "me", "seat2": "random"})
    assert (response.status_code, FULL.replace("'", "&#39;") in response.text) == (429, True)
    assert choose_first(server, table, "Anna", "Friend") == 200, "matches in progress continue"
    check(2 * size)
    open_table(server, CARA)


def test_limits_are_said_once_a_day_and_in_health(
    start_server: StartServer, caplog: pytest.LogCaptureFixture, monkeypatch: pytest.MonkeyPatch
) -> None:
    server = start_server(limits=replace(HIGH_LIMITS, database=1))
    usage = SimpleNamespace(used=1, free=7_000_000)
    monkeypatch.setattr("shutil.disk_usage", lambda _: usage)
    bound = server.app.state.database_bound
    for _ in range(2):
        server.run(bound.check())
    said = server.stranger().get("/health").json()["says"]
    for sentence in ("The database has reached its limit", "The disk has only 7 MB left."):
        assert sentence in said
        assert len([message for message in caplog.messages if message.startswith(sentence)]) == 1
    monkeypatch.setattr(database_watch, "DAY", 0)
    server.run(bound.check())
    assert len([message for message in caplog.messages if message.startswith("The disk has only")]) > 1
    usage.free = 10**12
    server.run(bound.check())
    assert "disk" not in server.stranger().get("/health").json()["says"]


def test_what_stores_something_is_a_kind_of_limit() -> None:
    assert set(BYTES) < set(KINDS)
