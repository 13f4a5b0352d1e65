"""Cache invalidation: what one process changes about accounts, tokens and tables, the others notice."""

from collections.abc import Iterator

import pytest

from sparring.web.identity import COOKIE
from sparring.web.storage import NoticeStore, notice_store
from sparring.web.tables.players import Player
from web.accounts.account_helpers import guest, keep, keeper, sign_in
from web.accounts.test_personal_data import house_person, program
from web.app_server import House, Visitor, settings


@pytest.fixture(scope="module")
def two(tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[House, House]]:
    """Two processes on one database, which read notices when a test says so."""
    folder = tmp_path_factory.mktemp("two")
    houses = [House(settings(folder, inside="http://127.0.0.1:0")) for _ in range(2)]
    yield houses[0], houses[1]
    for house in houses:
        house.close()


def listen(house: House) -> None:
    """Do what the process does every half second."""
    house.run(house.app.state.hearing.poll())


def there(visitor: Visitor, house: House) -> Visitor:
    """Return the same browser at another process."""
    other = house.stranger()
    other.http.cookies[COOKIE] = visitor.http.cookies[COOKIE]
    return other


def test_a_new_account_is_known_at_other_processes(two: tuple[House, House]) -> None:
    here, other = two
    anna = guest(here, "Anna")
    assert "playing as a guest" in there(anna, other).get("/me").text
    keep(anna, "anna")  # its cookie is newer than what the other process remembers
    assert "You have an account" in there(anna, other).get("/me").text


def test_a_moved_token_acts_for_its_new_owner_elsewhere(two: tuple[House, House]) -> None:
    here, other = two
    anna, phone = keeper(here, "boss"), guest(here, "Phone")
    token, _ = program(phone)
    assert owner_of(other, token) == house_person(phone).id
    sign_in(phone, "boss", bring="yes")
    other.run(other.app.state.tokens.refresh())
    assert owner_of(other, token) == house_person(anna).id


def owner_of(house: House, token: str) -> str:
    return str(house.run(house.app.state.tokens.read(token)).responsible)


def test_a_moved_seat_is_known_at_other_processes(two: tuple[House, House]) -> None:
    here, other = two
    anna, phone = keeper(here, "traveller"), guest(here, "Phone")
    person = house_person(phone)
    table = other.table("", "Ben")  # the other process has it
    assert phone.post(f"/table/{table}/sit", data={"name": "Phone", "seat": "1"}).status_code == 303
    sign_in(phone, "traveller", bring="yes")
    listen(other)
    assert (anna.look(table)["seat"], there(anna, other).look(table)["seat"]) == (1, 1)
    assert other.run(other.tables.get(table)).players[0] == Player(house_person(anna).id, person.name)


def test_a_deleted_person_loses_the_name_at_other_processes(two: tuple[House, House]) -> None:
    here, other = two
    anna = guest(here, "Leaver")
    table = other.table("", "Ben")
    anna.post(f"/table/{table}/sit", data={"name": "Leaver", "seat": "1"})
    anna.post("/me/delete", data={"sure": "yes"})
    listen(other)
    assert other.run(other.tables.get(table)).players[0].name == "Deleted player"


def test_notices_are_handled_once_in_any_order(two: tuple[House, House], monkeypatch: pytest.MonkeyPatch) -> None:
    here, other = two
    heard: list[str] = []

    async def hear(tables: list[str]) -> None:
        heard.extend(tables)

    monkeypatch.setattr(other.app.state.hearing, "_reread", hear)

    def tell(*tables: str) -> None:
        here.run(here.tables.store.writer.write(lambda connection: notice_store.notify(connection, tables)))

    listen(other)
    heard.clear()
    tell("a", "b")
    listen(other)
    tell("c")
    listen(other)
    assert sorted(heard) == ["a", "b", "c"]
    monkeypatch.setattr(notice_store, "KEPT", 2)
    tell("d")
    assert len(here.run(NoticeStore(here.tables.store).since(0))) == 2


def test_signing_out_reaches_other_processes(two: tuple[House, House]) -> None:
    here, other = two
    anna, phone = keeper(here, "leaver"), here.stranger()
    sign_in(phone, "leaver")
    copy = there(phone, other)
    assert "You have an account" in copy.get("/me").text
    phone.post("/me/sign-out")
    epochs = other.app.state.accounts.sessions
    other.run(epochs._known.refresh(epochs._store.current))  # what the process does by itself every second
    assert "You have an account" not in copy.get("/me").text
    assert "You have an account" in there(anna, other).get("/me").text
