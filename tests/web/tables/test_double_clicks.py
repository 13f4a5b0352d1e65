"""What creates something creates it once, however often its button is pressed, also without JavaScript and a cookie."""

import asyncio
import re
from collections.abc import Callable
from pathlib import Path
from types import SimpleNamespace
from typing import Any, cast

import httpx
import pytest

from sparring import app
from sparring.site.replay.win_chart import _play_on
from web.app_server import AppServer, Client

Fields = dict[str, str]

TEMPLATES = Path(app.__file__).parent / "site" / "templates"
#: What forms that create something contain.
CREATING = re.compile(r'="[^"]*(/quick|/studio|/records|/play|/play/{{[^"]*}}|/copy|/try|/sit)"|id="begin"')


def key(page: httpx.Response) -> Fields:
    """Return the hidden key of a page's forms."""
    found = re.search(r'name="once" value="([^"]+)"', page.raise_for_status().text)
    assert found
    return {"once": found[1]}


def finished(server: AppServer) -> str:
    """Return a finished table of Anna's."""
    table = server.table("Anna", "Ben")
    server.person("Anna").choose(table, "give up").raise_for_status()
    return table


def set_page(server: AppServer) -> str:
    made = server.person("Anna").post("/api/sets", json={"game": "five-circles", "name": "Red"}).raise_for_status()
    return f"/studio/{made.json()['id']}"


#: The address of each door, and the fields of its form.
DOORS: dict[str, tuple[str | Callable[[AppServer], str], Fields]] = {
    "new table": ("/games/hush", {"seat1": "me", "seat2": "random", "name": "Anna"}),
    "quick match": ("/quick", {"game": "hush", "against": "random"}),
    "public match": ("/quick", {"game": "hush", "against": "people", "name": "Anna"}),
    "play now": ("/play/hush", {"with": "bot"}),
    "with a friend": ("/play/hush", {"with": "friend", "name": "Anna"}),
    "new set": ("/studio", {"game": "five-circles", "name": "Anna"}),
    "copied set": (lambda server: f"{set_page(server)}/copy", {"name": "Anna"}),
    "table with a set": (lambda server: f"{set_page(server)}/play", {"name": "Anna"}),
    "play from a choice": (lambda server: f"/table/{finished(server)}/review/0/play", {}),
}


@pytest.mark.parametrize("cookie", ["from before", "after the first click", "none"])
@pytest.mark.parametrize("door", DOORS)
def test_a_second_click_leads_to_the_same(door: str, cookie: str, server: AppServer) -> None:
    where, fields = DOORS[door]
    address = where(server) if callable(where) else where
    client = server.person("Anna") if callable(where) or cookie == "from before" else server.stranger()
    form = {**key(client.get("/")), **fields}
    first = client.post(address, data=form)
    assert first.status_code == 303, first.text
    if cookie == "none" and not callable(where):
        client.http.cookies.clear()
    second = client.post(address, data=form)
    assert second.headers["location"] == first.headers["location"]
    if "/table/" in first.headers["location"]:
        assert client.look(first.headers["location"].split("/")[2].split("#")[0])["seat"]
    other = client.post(address, data={**form, "once": "another key"})
    assert other.headers["location"] != first.headers["location"] or door == "public match"


def test_every_form_that_creates_something_has_a_key() -> None:
    files = [file.read_text() for file in TEMPLATES.iterdir()]
    forms = [form for text in files for form in re.findall(r"<form[^>]*>.*?</form>", text, re.DOTALL)]
    creating = [form for form in forms if CREATING.search(form) or ("set-up" in form and "tokens" not in form)]
    assert len(creating) > 10
    assert not [form for form in creating if "{{ once }}" not in form]
    assert 'name="once"' in _play_on(cast(Any, SimpleNamespace(base="/table/x")), 1)


def test_clicks_at_the_same_moment_create_one_table(server: AppServer) -> None:
    async def both(client: Client) -> list[str]:
        form = {"game": "hush", "against": "random", "once": "one key"}
        async with httpx.AsyncClient(base_url=server.url, headers=dict(client.http.headers)) as http:
            answers = await asyncio.gather(*[http.post("/quick", data=form) for _ in range(8)])
        return [answer.headers["location"] for answer in answers]

    assert len(set(asyncio.run(both(server.stranger())))) == 1


def test_a_second_click_does_not_open_a_table_beside_the_one_it_joined(anna: Client, ben: Client) -> None:
    waiting = ben.post("/quick", data={"game": "hush", "against": "people", "clock": "20+15"}).headers["location"]
    form = {"game": "hush", "against": "people", "clock": "20+15", "once": "one key"}
    assert [anna.post("/quick", data=form).headers["location"] for _ in range(2)] == [waiting, waiting]


def test_a_guest_who_takes_a_seat_twice_has_it(server: AppServer) -> None:
    table = server.table("Anna", "", "")
    guest = server.stranger()
    form = {**key(guest.get(f"/table/{table}")), "seat": "2", "name": "Ben"}
    for _ in range(2):
        guest.http.cookies.clear()
        assert guest.post(f"/table/{table}/sit", data=form).status_code == 303
    assert guest.look(table)["seat"] == 2
    assert [player["kind"] for player in guest.look(table)["seats"]] == ["person", "person", "open"]


def test_changed_fields_or_another_person_create_another_table(anna: Client, ben: Client) -> None:
    form = {"game": "hush", "against": "random", "once": "one more key"}
    asked: tuple[tuple[Client, Fields], ...] = ((anna, {}), (anna, {"clock": "5+5"}), (ben, {}))
    answers = [person.post("/quick", data={**form, **changed}) for person, changed in asked]
    assert len({answer.headers["location"] for answer in answers}) == 3


PROGRAMS: dict[str, tuple[str, dict[str, Any]]] = {
    "/api/tables": ("table", {"game": "hush", "seats": ["me", "open"]}),
    "/api/quick": ("table", {"game": "hush", "against": "random"}),
    "/api/sets": ("id", {"game": "five-circles", "name": "Red"}),
}


@pytest.mark.parametrize("path", PROGRAMS)
def test_a_program_repeats_a_request_with_its_key(path: str, server: AppServer) -> None:
    name, wanted = PROGRAMS[path]

    def made(client: Client, key: str = "") -> str:
        headers = {"Idempotency-Key": key} if key else {}
        return str(client.post(path, json=wanted, headers=headers).raise_for_status().json()[name])

    anna, ben = server.program("Anna"), server.program("Ben")
    first = made(anna, "1")
    assert made(anna, "1") == first
    assert len({first, made(anna, "2"), made(ben, "1"), made(anna)}) == 4


def test_a_record_is_uploaded_once(server: AppServer, anna: Client) -> None:
    record = anna.get(f"/table/{finished(server)}/record").content
    form = key(anna.get("/records"))
    where = [
        anna.post("/records", data=form, files={"record": ("a.json", record)}).headers["location"] for _ in range(2)
    ]
    assert where[0] == where[1]
    assert len(anna.get("/api/records").json()) == 1
