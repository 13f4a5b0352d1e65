"""The same tests on PostgreSQL, with a new database for this file."""

import asyncio
import contextlib
from collections.abc import Callable, Iterator
from dataclasses import replace

import pytest

from sparring.engine.game import game
from sparring.people.rate_limits import BYTES, Requester
from sparring.store.database import Database
from sparring.store.finished_matches import FinishedMatch
from sparring.store.group_commit import StoreError
from sparring.store.rating_model import NEW_PLAYER, RatingLimits
from sparring.store.schema import ResultRow
from sparring.store.studio import remove_sets
from sparring.tables.play.match_results import variant_of
from web.app_server import AppServer, StartServer, settings
from web.cluster.rate_limit_checks import FEW, OF_RATE_LIMITS, tables_allowed
from web.rated_matches import create_table, ratings, rows, with_accounts, without_ratings
from web.storage.schema_check import check_migrations_produce_the_current_schema
from web.studio.set_checks import OF_SETS
from web.studio.sets import change, create_set, put
from web.tables.results.rating_checks import OF_RATINGS

pytestmark = pytest.mark.postgres


@pytest.fixture(scope="module")
def server(postgres: str, tmp_path_factory: pytest.TempPathFactory) -> Iterator[AppServer]:
    """Start a server shared by the tests of this file."""
    server = AppServer(replace(settings(tmp_path_factory.mktemp("server")), database=postgres))
    yield server
    server.close()


@pytest.mark.parametrize("check", OF_SETS, ids=lambda check: check.__name__)
def test_sets_on_postgresql(server: AppServer, check: Callable[[AppServer], None]) -> None:
    check(server)


@pytest.mark.parametrize("check", OF_RATINGS, ids=lambda check: check.__name__)
def test_ratings_on_postgresql(server: AppServer, check: Callable[[AppServer], None]) -> None:
    check(without_ratings(server))


@pytest.fixture(scope="module")
def two_servers(postgres: str, tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[AppServer, AppServer]]:
    """Start two processes that exchange counters when a test says so."""
    folder = tmp_path_factory.mktemp("two")
    here, there = (AppServer(settings(folder, database=postgres, limits=FEW)) for _ in range(2))
    yield here, there
    here.close()
    there.close()


@pytest.mark.parametrize("check", OF_RATE_LIMITS, ids=lambda check: check.__name__)
def test_shared_rate_limits_on_postgresql(
    two_servers: tuple[AppServer, AppServer], check: Callable[[tuple[AppServer, AppServer]], None]
) -> None:
    check(two_servers)


def test_the_size_of_the_database_is_known(server: AppServer) -> None:
    before = server.run(server.tables.store.size())
    for seed in range(200):
        server.table("Anna", "Bert", seed=seed)
    assert 0 < before < server.run(server.tables.store.size()) < before + 200 * BYTES["tables"]


def test_concurrent_counts_of_processes_add_up(two_servers: tuple[AppServer, AppServer]) -> None:
    people = [Requester(f"Guest {number}") for number in range(20)]
    assert {tables_allowed(server, guest, 2) for server in two_servers for guest in people} == {2}
    for _ in range(3):  # both create the same rows: counts that one couldn't write are written the next time
        works = [(server.app.state.shared_rate_limits.count(), server.loop) for server in two_servers]
        for count in [asyncio.run_coroutine_threadsafe(*work) for work in works]:
            with contextlib.suppress(StoreError):
                count.result(30)
    assert {tables_allowed(server, guest, 1) for server in two_servers for guest in people} == {0}


def test_concurrent_ratings_count_every_match_once(start_on_postgres: StartServer) -> None:
    server, other = start_on_postgres(), start_on_postgres()
    with_accounts(server, "Anna", "Bert")
    variant = variant_of(game("hush").setup())
    ids = [create_table(server, "Anna", "Bert") for _ in range(16)]
    names, most = ["Anna", "Bert"], RatingLimits(100, 100)
    ended = [FinishedMatch(table, variant, names, [1, 2], [1, -1], 5, rated=True, most=most) for table in ids]

    async def end(store: Database, those: list[FinishedMatch]) -> int:
        """Let matches end here; return their number."""
        works = [store.write(each.table, 0, each.write, over=True) for each in those]
        return sum(done is None for done in await asyncio.gather(*works, return_exceptions=True))

    def both(here: list[FinishedMatch], there: list[FinishedMatch]) -> int:
        """Let matches end in both processes at once."""
        doing = (server, here), (other, there)
        done = [asyncio.run_coroutine_threadsafe(end(one.tables.store, those), one.loop) for one, those in doing]
        return sum(one.result(30) for one in done)

    assert both(ended[:1], []) == 1
    assert both(ended[1:9], ended[9:]) == len(ids) - 1
    assert both(ended, ended) == 0
    assert {player: row.matches for player, row in ratings(server).items()} == {"Anna": len(ids), "Bert": len(ids)}
    moves = {row.mu_before: row.mu for row in rows(server, ResultRow) if row.player == "Anna"}
    mu = NEW_PLAYER.mu
    for _ in ids:  # each match changed the ratings that the previous one had left
        mu = moves.pop(mu)
    assert (moves, mu) == ({}, ratings(server)["Anna"].mu)


def test_old_versions_and_ownerless_sets_are_deleted(server: AppServer, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("sparring.store.studio.VERSIONS", 3)
    anna = server.person("Cleo")
    address = create_set(anna)
    for number in range(6):
        change(anna, address, put(str(number + 1), "values", number))
    row = server.run(server.app.state.sets.store.of("Cleo"))[0]
    assert len(server.run(server.app.state.sets.store.history(row))) == 3
    server.run(server.tables.store.transaction(remove_sets, [row.id]))
    assert anna.get(address).status_code == 404


def test_migrations_produce_the_current_schema(start_on_postgres: StartServer) -> None:
    check_migrations_produce_the_current_schema(start_on_postgres)
