"""Several processes are one server: each answers for every table, with what the others have written."""

import asyncio
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from pathlib import Path
from types import SimpleNamespace

import pytest

from sparring.store.database import Database
from sparring.store.person import Person
from sparring.store.ttl_cache import TtlCache
from sparring.tables.play import other_processes
from web.accounts.account_helpers import new_account
from web.app_server import AppServer, Client, settings, stream_blocks
from web.chat.chat_helpers import act, create_table, say, texts


def share_sqlite(patch: pytest.MonkeyPatch) -> None:
    """Let several processes share SQLite as they do PostgreSQL, but for the notices: they look often instead."""
    patch.setattr(Database, "shared", True)
    patch.setattr(other_processes, "POSTGRESQL", 0.03)
    patch.setattr(other_processes.ChangeListener, "listen", lambda _: asyncio.sleep(0))


@contextmanager
def processes(folder: Path, number: int, **more: object) -> Iterator[list[AppServer]]:
    """Run processes on one database."""
    with pytest.MonkeyPatch.context() as patch:
        share_sqlite(patch)
        servers = [AppServer(settings(folder, **more)) for _ in range(number)]
        yield servers
        for server in servers:
            server.close()


@pytest.fixture(scope="module")
def three_servers(tmp_path_factory: pytest.TempPathFactory) -> Iterator[list[AppServer]]:
    """Three processes on one database, for tests that don't change them."""
    with processes(tmp_path_factory.mktemp("trio"), 3) as servers:
        yield servers


@pytest.fixture
def start_three(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Callable[..., list[AppServer]]]:
    """Start three processes with given settings."""
    servers: list[AppServer] = []
    share_sqlite(monkeypatch)

    def opener(**more: object) -> list[AppServer]:
        servers.extend(AppServer(settings(tmp_path, **more)) for _ in range(3))
        return servers

    yield opener
    for server in servers:
        if server._thread.is_alive():
            server.close()


def at_each(servers: Sequence[AppServer], name: str) -> list[Client]:
    """Return the same person at each of the processes."""
    return [server.person(name) for server in servers]


def test_a_message_posted_at_one_process_reaches_the_stream_of_another(three_servers: list[AppServer]) -> None:
    table = create_table(three_servers[0], "Anna", "Ben")
    anna, ben = three_servers[1].person("Anna"), three_servers[2].person("Ben")
    with ben.http.stream("GET", f"/table/{table}/events?version={ben.version(table)}&chat=0") as response:
        events = stream_blocks(response)
        next(events)
        say(anna, table, word="luck").raise_for_status()
        assert b"Good luck" in next(block for block in events if block.startswith(b"event: chat"))
    assert [texts(client, table) for client in at_each(three_servers, "Ben")] == [["Good luck"]] * 3


def test_a_mute_at_one_process_applies_at_all_of_them(three_servers: list[AppServer]) -> None:
    tables = [create_table(server, "Anna", "Ben", "Cleo") for server in three_servers[:2]]
    bens = at_each(three_servers, "Ben")
    for table in tables:
        say(three_servers[2].person("Anna"), table, "Before").raise_for_status()
        assert [texts(ben, table) for ben in bens] == [["Before"]] * 3
    act(bens[2], tables[0], "mute", line=1).raise_for_status()
    for server in three_servers:  # as they do every second
        server.run(server.tables.chat._mutes.refresh(server.tables.chat.store.mutes_of))
    for table in tables:
        say(three_servers[1].person("Anna"), table, "Noise").raise_for_status()
        say(three_servers[0].person("Cleo"), table, "Music").raise_for_status()
        assert [texts(ben, table) for ben in bens] == [["Music"]] * 3
        assert [texts(cleo, table) for cleo in at_each(three_servers, "Cleo")] == [["Before", "Noise", "Music"]] * 3


@pytest.mark.parametrize("path", ["/games/hush", "/quick", "/play/hush"])
def test_a_second_click_may_reach_another_process(three_servers: list[AppServer], path: str) -> None:
    form = {"seat1": "me", "seat2": "open", "name": "Anna", "game": "hush", "against": "random", "once": "one key"}
    answers = [server.stranger().post(path, data=form) for server in three_servers]
    assert {answer.status_code for answer in answers} == {303}
    assert len({answer.headers["location"] for answer in answers}) == 1


def test_a_double_click_on_a_quick_match_may_reach_two_processes(start_three: Callable[..., list[AppServer]]) -> None:
    """Both clicks join the table of the one person who waits, although it is full after the first."""
    servers = start_three()
    form = {"game": "hush", "against": "people"}
    waiting = servers[2].person("Ben").post("/quick", data=form).headers["location"]
    clicks = [server.person("Anna") for server in servers]
    with ThreadPoolExecutor() as pool:
        both = list(pool.map(lambda anna: anna.post("/quick", data={**form, "once": "a key"}), clicks[:2]))
    answers = [*both, clicks[2].post("/quick", data={**form, "once": "a key"})]
    assert {answer.headers["location"] for answer in answers} == {waiting}


def test_a_match_is_played_across_processes(three_servers: list[AppServer]) -> None:
    table = three_servers[0].table("Anna", "Ben")
    people = {1: at_each(three_servers, "Anna"), 2: at_each(three_servers, "Ben")}
    for turn in range(100):
        looks = [people[seat][turn % 3].look(table) for seat in (1, 2)]
        if looks[0]["over"]:
            break
        assert [look["seat"] for look in looks] == [1, 2]
        asked = next(look for look in looks if look["is_turn"])
        there = people[asked["seat"]][(turn + 1) % 3]
        response = there.choose(table, asked["choices"][0]["choice"], asked["version"])
        assert response.status_code == 200
        assert there.server.stranger().look(table) == three_servers[turn % 3].stranger().look(table)
    assert looks[0]["over"]


def test_all_processes_answer_alike(three_servers: list[AppServer]) -> None:
    table = three_servers[0].table("Anna", "")
    here, there = three_servers[0].person("Anna"), three_servers[2].person("Anna")
    scene = re.compile(r'<div id="table".*?</form>', re.DOTALL)
    assert scene.findall(there.page(table)) == scene.findall(here.page(table)) != []
    assert there.choose(table, 0, version=999).status_code == 409
    assert there.get(f"/table/{table}/record").status_code == 403
    assert there.get(f"/table/{table}?watch=1&more=%C3%A4%26").status_code == 200
    ben = three_servers[1].stranger()
    sat = ben.post(f"/table/{table}/sit", data={"seat": "2", "name": "Ben"})
    assert (sat.status_code, sat.headers["location"]) == (303, f"/table/{table}")
    assert ben.look(table)["seat"] == 2
    assert there.get("/table/none").status_code == 404


def test_a_person_reconnects_to_another_process_during_a_choice(three_servers: list[AppServer]) -> None:
    table = three_servers[0].table("Anna", "Ben", name="make-your-moves")
    asked = at_each(three_servers, "Anna" if three_servers[0].person("Anna").look(table)["is_turn"] else "Ben")
    for client in asked:
        client.http.cookies["choices"] = "every"
    begun = asked[1].look(table)
    with asked[1].stream(table, begun["version"]) as events:
        next(events)
        assert asked[1].choose(table, begun["choices"][0]["choice"], begun["version"]).status_code == 200
        assert f"id: {begun['version'] + 1}".encode() in next(events)
    middle = asked[2].look(table)  # the same moment continues at another process
    assert (middle["is_turn"], middle["version"]) == (True, begun["version"] + 1)
    with asked[2].stream(table, last=str(begun["version"])) as events:
        assert f"id: {middle['version']}".encode() in next(events)
        assert asked[0].choose(table, middle["choices"][0]["choice"], middle["version"]).status_code == 200
        assert f"id: {middle['version'] + 1}".encode() in next(events)


def test_health_reports_an_unreachable_database_of_jobs(
    three_servers: list[AppServer], monkeypatch: pytest.MonkeyPatch
) -> None:
    client = three_servers[0].stranger()
    well = {"says": "Everything works.", "database": True, "jobs": None, "workers": 0, "faults": []}
    assert client.get("/health").json() == well
    monkeypatch.setattr(three_servers[0].app.state, "job_queue", SimpleNamespace(connected=False, places=0))
    alone = client.get("/health")
    assert (alone.status_code, alone.json()["jobs"]) == (200, False)
    assert alone.json()["says"].startswith("The database of jobs is unreachable")
    assert client.get("/ready").status_code == 200


def test_the_others_play_on_when_a_process_ends(start_three: Callable[..., list[AppServer]]) -> None:
    servers = start_three()
    table = servers[0].table("Anna", "Ben")
    anna = servers[1].person("Anna")
    before = anna.look(table)
    servers[0].close()
    assert anna.look(table) == before
    assert anna.choose(table, before["choices"][0]["choice"], before["version"]).status_code == 200
    assert servers[2].person("Anna").version(table) == before["version"] + 1


def test_cached_accounts_are_refreshed_together(
    start_three: Callable[..., list[AppServer]], monkeypatch: pytest.MonkeyPatch
) -> None:
    servers = start_three()
    anna, tables = new_account(servers[0], "Anna"), servers[1].tables
    for cache in (servers[1].app.state.accounts.sessions._known, tables.chat._mutes):
        monkeypatch.setattr(cache, "_age", 3600.0)  # so that no entry gets too old
    elsewhere, carl = Client(servers[1], anna.cookie()), Person("Carl", "Carl")
    table = servers[0].table("Ben", "Carl")
    servers[0].person("Ben").post(f"/api/table/{table}/chat", json={"word": "hello"}).raise_for_status()
    assert "Anna" in elsewhere.get("/games/hush").text
    assert servers[1].run(tables.chat.muted(carl)) == {}
    anna.post("/me/sign-out-everywhere")
    servers[0].person("Carl").post(f"/api/table/{table}/mute", json={"line": 1}).raise_for_status()
    assert servers[1].run(tables.chat.muted(carl)) == {}
    epochs = servers[1].app.state.accounts.sessions
    servers[1].run(epochs._known.refresh(epochs._store.current))
    servers[1].run(tables.chat._mutes.refresh(tables.chat.store.mutes_of))
    assert "Anna" not in elsewhere.get("/games/hush").text
    assert list(servers[1].run(tables.chat.muted(carl))) == ["Ben"]


def test_cache_entries_expire() -> None:
    now = [0.0]
    recent = TtlCache[str](2, age=2.0, clock=lambda: now[0])
    recent["a"] = "A"
    now[0] = 1.9
    assert "a" in recent
    assert recent["a"] == "A"
    now[0] = 2.0
    assert "a" not in recent
    for name in ("b", "c", "d"):
        recent[name] = name
    assert ["b" in recent, "c" in recent, "d" in recent] == [False, True, True]
    recent.forget("d")
    assert "d" not in recent


def test_recent_cache_entries_are_refreshed() -> None:
    now, asked = [0.0], list[list[str]]()
    recent = TtlCache[str](9, age=2.0, clock=lambda: now[0])

    async def read(names: Sequence[str]) -> Mapping[str, str]:
        asked.append(sorted(names))
        recent.forget("b")  # changed here during the query
        recent["c"] = "looked up just now"
        return {name: f"new {name}" for name in names}

    recent["long ago"] = "old"
    now[0] = 9.0
    for name in ("a", "b", "c"):
        recent[name] = "old"
    now[0] = 10.5
    asyncio.run(recent.refresh(read))
    now[0] = 12.4
    assert asked == [["a", "b", "c"]]
    assert [name for name in ("a", "b", "c", "long ago") if name in recent] == ["a", "c"]
    assert [recent["a"], recent["c"]] == ["new a", "looked up just now"]
