"""The same on PostgreSQL: a database of one's own is made for these tests where PostgreSQL is installed."""

from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from web import test_store
from web.house import House, settings
from web.postgres import NEEDS_POSTGRES, postgres, postgres_server
from web.studio import test_sets
from web.studio.test_sets import begin, change, file, go, put

__all__ = ["postgres", "postgres_server"]  # fixtures

#: What is true of sets whatever keeps them.
OF_SETS = [
    test_sets.test_a_file_is_uploaded_and_comes_back_as_it_was,
    test_sets.test_an_empty_set_is_kept_and_says_what_is_missing,
    test_sets.test_undo_and_redo_go_by_places_and_not_by_letters,
    test_sets.test_two_windows_do_not_overwrite_each_other,
    test_sets.test_nobody_else_sees_or_changes_a_set_and_the_link_only_lets_look,
    test_sets.test_a_set_is_played_with_at_once,
    test_sets.test_it_is_renamed_and_let_go,
]


pytestmark = NEEDS_POSTGRES


@pytest.fixture
def on_postgres(postgres: str, tmp_path: Path) -> Iterator[Callable[[], House]]:
    """Opens servers on it."""
    opened: list[House] = []

    def opener() -> House:
        opened.append(House(replace(settings(tmp_path), database=postgres)))
        return opened[-1]

    yield opener
    for house in opened:
        if house._thread.is_alive():
            house.close()


@pytest.fixture(scope="module")
def house(postgres: str, tmp_path_factory: pytest.TempPathFactory) -> Iterator[House]:
    """One for all tests of this file that need no other."""
    house = House(replace(settings(tmp_path_factory.mktemp("house")), database=postgres))
    yield house
    house.close()


@pytest.mark.parametrize("test", OF_SETS, ids=lambda test: test.__name__)
def test_of_sets_the_same_is_true(house: House, test: Callable[[House], None]) -> None:
    test(house)


def test_sets_and_tables_are_there_after_a_restart(on_postgres: Callable[[], House]) -> None:
    house = on_postgres()
    anna = house.person("Anna")
    address = begin(anna, title="Kept")
    change(anna, address, put("7", "values", 0))
    table = house.table("Anna", "Ben")
    anna.choose(table, "done")
    house.close()
    house = on_postgres()
    anna = house.person("Anna")
    assert file(anna, address).startswith("values = [7, ")
    go(anna, address, "undo")
    assert not file(anna, address).startswith("values = [7, ")
    assert "Kept" in anna.get("/studio").text
    assert anna.version(table) == 2


def test_many_versions_are_forgotten_and_nobody_s_sets_go(house: House, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("sparring.web.storage.sets.VERSIONS", 3)
    anna = house.person("Cleo")
    address = begin(anna)
    for number in range(6):
        change(anna, address, put(str(number + 1), "values", number))
    row = house.run(house.app.state.sets.store.of("Cleo"))[0]
    assert len(house.run(house.app.state.sets.store.history(row))) == 3
    assert house.run(house.app.state.sets.store.expire(row.used - 60)) == 0
    assert house.run(house.app.state.sets.store.expire(row.used + 60)) > 0
    assert anna.get(address).status_code == 404


def test_the_migrations_lead_to_the_schema_here_too(on_postgres: Callable[[], House]) -> None:
    test_store.test_the_migrations_lead_to_the_schema_of_this_version(on_postgres)


def test_two_servers_do_not_overwrite_each_other_here_either(on_postgres: Callable[[], House]) -> None:
    one, other = on_postgres(), on_postgres()
    table = one.table("Anna", "Ben")
    choices = [house.person("Anna").choose(table, "done", 1).status_code for house in (one, other)]
    assert sorted(choices) == [200, 409]
