"""The same on PostgreSQL: a database of one's own is made for these tests where PostgreSQL is installed."""

import asyncio
import contextlib
from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from sparring.engine.game import game
from sparring.web.rating import NEW_PLAYER
from sparring.web.security.rate_limits import Requester
from sparring.web.storage import Database, StoreError
from sparring.web.storage.rating_limits import RatingLimits
from sparring.web.storage.result_store import FinishedMatch
from sparring.web.storage.schema import ResultRow
from sparring.web.tables.match_results import variant_of
from web.app_server import House, settings
from web.cluster import test_shared_rate_limits
from web.postgres import NEEDS_POSTGRES, postgres, postgres_server
from web.rated_matches import known, nobody_rated, opened, ratings, rows
from web.storage import test_persistence
from web.studio import test_sets
from web.studio.test_sets import begin, change, file, go, put
from web.tables import test_match_history, test_ratings

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


#: What is true of ratings, and of what somebody has played.
OF_RATINGS = [
    test_ratings.test_a_rated_match_moves_both_ratings_once_and_the_results_say_by_how_much,
    test_ratings.test_somebody_and_their_own_program_do_not_rate_each_other,
    test_ratings.test_whoever_is_deleted_leaves_the_ratings_of_the_others,
    test_match_history.test_people_and_bots_stand_in_the_order_of_what_they_are_worth_at_least,
    test_match_history.test_a_program_stands_there_as_whose_it_is_and_leaves_with_its_owner,
    test_match_history.test_a_public_page_shows_figures_and_matches_at_public_tables_alone,
]

#: What is true of allowances that several processes count together.
OF_ALLOWANCES = [
    test_shared_rate_limits.test_use_is_shared,
    test_shared_rate_limits.test_concurrent_use_adds_up,
    test_shared_rate_limits.test_no_addresses_are_stored_and_full_counters_are_deleted,
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


@pytest.fixture
def unrated(house: House) -> Iterator[House]:
    """The same; before it and after it nobody there has an account."""
    yield nobody_rated(house)
    nobody_rated(house)


@pytest.mark.parametrize("test", OF_SETS, ids=lambda test: test.__name__)
def test_of_sets_the_same_is_true(house: House, test: Callable[[House], None]) -> None:
    test(house)


@pytest.mark.parametrize("test", OF_RATINGS, ids=lambda test: test.__name__)
def test_of_ratings_the_same_is_true(unrated: House, test: Callable[[House], None]) -> None:
    test(unrated)


@pytest.fixture(scope="module")
def two(postgres: str, tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[House, House]]:
    """Two processes that count together when a test says so."""
    folder = tmp_path_factory.mktemp("two")
    here, there = (
        House(settings(folder, database=postgres, inside="http://127.0.0.1:0", limits=test_shared_rate_limits.FEW))
        for _ in range(2)
    )
    yield here, there
    here.close()
    there.close()


@pytest.mark.parametrize("test", OF_ALLOWANCES, ids=lambda test: test.__name__)
def test_of_allowances_the_same_is_true(two: tuple[House, House], test: Callable[[tuple[House, House]], None]) -> None:
    test(two)


def test_processes_that_count_in_the_same_moment_lose_nothing(two: tuple[House, House]) -> None:
    people = [Requester(f"Guest {number}") for number in range(20)]
    assert {test_shared_rate_limits.opened(house, guest, 2) for house in two for guest in people} == {2}
    for _ in range(3):  # both begin the same rows: what one of them could not tell it tells the next time
        works = [(house.app.state.others.rate_limits.count(), house.loop) for house in two]
        for count in [asyncio.run_coroutine_threadsafe(*work) for work in works]:
            with contextlib.suppress(StoreError):
                count.result(30)
    assert {test_shared_rate_limits.opened(house, guest, 1) for house in two for guest in people} == {0}


def test_processes_that_rate_the_same_people_at_once_lose_no_match_and_count_none_twice(
    unrated: House, on_postgres: Callable[[], House]
) -> None:
    house = unrated
    known(house, "Anna", "Bert")
    other, variant = on_postgres(), variant_of(game("hush").box())
    ids = [opened(house, "Anna", "Bert") for _ in range(16)]
    names, most = ["Anna", "Bert"], RatingLimits(100, 100)
    ended = [FinishedMatch(table, variant, names, [1, 2], [1, -1], 5, rated=True, most=most) for table in ids]

    async def end(store: Database, those: list[FinishedMatch]) -> int:
        """Matches end here; how many did."""
        works = [store.write(each.table, 0, each.write, over=True) for each in those]
        return sum(done is None for done in await asyncio.gather(*works, return_exceptions=True))

    def both(here: list[FinishedMatch], there: list[FinishedMatch]) -> int:
        """Matches end in both processes at once."""
        doing = (house, here), (other, there)
        done = [asyncio.run_coroutine_threadsafe(end(one.tables.store, those), one.loop) for one, those in doing]
        return sum(one.result(30) for one in done)

    assert both(ended[:1], []) == 1
    assert both(ended[1:9], ended[9:]) == len(ids) - 1
    assert both(ended, ended) == 0
    assert {player: row.matches for player, row in ratings(house).items()} == {"Anna": len(ids), "Bert": len(ids)}
    moves = {row.mu_before: row.mu for row in rows(house, ResultRow) if row.player == "Anna"}
    mu = NEW_PLAYER.mu
    for _ in ids:  # each match moved what the one before it had left
        mu = moves.pop(mu)
    assert (moves, mu) == ({}, ratings(house)["Anna"].mu)


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
    monkeypatch.setattr("sparring.web.storage.set_store.VERSIONS", 3)
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
    test_persistence.test_the_migrations_lead_to_the_schema_of_this_version(on_postgres)


def test_two_servers_do_not_overwrite_each_other_here_either(on_postgres: Callable[[], House]) -> None:
    one, other = on_postgres(), on_postgres()
    table = one.table("Anna", "Ben")
    choices = [house.person("Anna").choose(table, "done", 1).status_code for house in (one, other)]
    assert sorted(choices) == [200, 409]
