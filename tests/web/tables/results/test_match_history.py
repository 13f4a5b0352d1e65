"""Leaderboards and match histories: their order, and what is visible to others."""

import re
import sqlite3
from pathlib import Path

import pytest
from sqlalchemy import insert

from sparring.store.finished_matches import PlayerResult
from sparring.store.rating_model import SkillRating
from sparring.store.ratings import insert_variant
from sparring.store.schema import ResultRow, SeatRow, TableRow
from sparring.tables.play.match_history import figures
from sparring.tables.state.table_settings import TableSettings
from web.app_server import AppServer
from web.rated_matches import create_table, play, with_accounts, without_ratings
from web.tables.results.rating_checks import board, default_variant, insert_ratings, names


@pytest.fixture
def server(server: AppServer) -> AppServer:
    return without_ratings(server)


# Leaderboards


def test_unlisted_people_see_their_own_rank_only(server: AppServer) -> None:
    anna, bert, _ = with_accounts(server, "Anna", "Bert", "Cleo")
    insert_ratings(server, Anna=(30, 2), Bert=(27, 2), Cleo=(20, 1))
    assert anna.post("/me/shown", data={"page": "yes"}).headers["location"] == "/me?said=shown"
    assert names(bert) == ["Bert", "Cleo"]
    assert "Anna" not in bert.get("/games/hush/leaderboard").text
    own = board(anna)["own"]
    assert (own["place"], own["name"], own["you"]) == (1, "Anna", True)
    assert 'class="own"' in anna.get("/games/hush/leaderboard").text
    anna.post("/me/shown", data={"listed": "yes"})
    assert names(bert) == ["Anna", "Bert", "Cleo"]


def test_unknown_and_empty_leaderboards(server: AppServer) -> None:
    anna = server.stranger()
    assert anna.get("/games/hush/leaderboard?variant=nothing").status_code == 404
    assert anna.get("/api/games/hush/leaderboard?variant=nothing").status_code == 404
    assert "No rated players yet" in anna.get("/games/hush/leaderboard").text
    assert board(anna) == {"variant": default_variant().id, "players": [], "more": False, "own": None}


def test_a_long_leaderboard_is_paged_with_ones_own_row_on_each_page(server: AppServer) -> None:
    (anna,) = with_accounts(server, "Anna")
    crowd = {f"P{number:03}": (20.0 + number / 100, 1.0) for number in range(60)}
    with_accounts(server, *crowd)
    insert_ratings(server, Anna=(1, 1), **crowd)
    first, second = board(anna), board(anna, number=2)
    assert (len(first["players"]), first["more"], first["own"]["place"]) == (50, True, 61)
    assert (second["players"][0]["place"], second["players"][-1]["name"], second["more"]) == (51, "Anna", False)
    page = anna.get("/games/hush/leaderboard").text
    assert page.count('class="own"') == 1
    assert "number=2" in page


# Match history


def test_a_finished_match_is_in_both_histories_with_its_rating_changes(server: AppServer) -> None:
    anna, bert = with_accounts(server, "Anna", "Bert")
    table = create_table(server, "Anna", "Bert", wins="low")
    play(server, table, anna, bert)
    mine, theirs = (who.get("/api/me/matches").json()["matches"][0] for who in (anna, bert))
    assert (mine["table"], mine["variant"], mine["seat"], mine["others"]) == (table, "low", 1, "Bert")
    assert (mine["outcome"], theirs["outcome"]) == ("lost", "won")
    assert mine["moved"] == -theirs["moved"] != 0
    assert re.search(r'class="who" href="/me/matches"', anna.get("/").text)
    page = anna.get("/me/matches").text
    assert "<h1>Anna</h1>" in page
    assert "0 won, 0 drawn, 1 lost." in page
    assert "Favourite game: Hush." in page
    assert 'href="/me">Settings<' in page
    assert f'href="/table/{table}/replay"' in page
    moved = f"{mine['moved']:+d}".replace("-", "−")
    assert f"{moved}, now 1,{mine['rating']['points'] - 1000:03}" in page
    casual = create_table(server, "Anna", "Bert", table_settings=TableSettings())
    play(server, casual, anna, bert)
    found = {match["table"]: match["rating"] for match in anna.get("/api/me/matches").json()["matches"]}
    assert found[casual] is None
    assert found[table]["provisional"]


def test_shared_screen_matches_are_in_no_history(server: AppServer) -> None:
    (anna,) = with_accounts(server, "Anna")
    table = anna.create(seat2="local_player", name2="Friend")
    anna.post(f"/api/table/{table}/screen", json={"seat": 1})
    assert anna.choose(table, "give up").status_code == 200
    assert anna.get("/api/me/matches").json()["matches"] == []


def test_statistics_cover_every_match_of_a_game() -> None:
    def result(seat: int, outcome: int, choices: int, mu: float | None = None) -> PlayerResult:
        return PlayerResult("hush", seat, outcome, choices, 60, "v", mu, 2.0 if mu else None)

    other = PlayerResult("other", 1, 0, 7, 5, "w", None, None)
    hush, rest = figures([
        result(1, 1, 10), result(2, 1, 20, 26.0), other, result(1, -1, 40, 24.0), result(1, 0, 12),
        result(1, 1, 11, 25.0),
    ])  # fmt: skip
    assert (hush.matches, hush.won, hush.drawn, hush.lost) == (5, 3, 1, 1)
    assert [(at.seat, at.matches, at.won) for at in hush.seats] == [(1, 4, 2), (2, 1, 1)]
    assert (hush.choices, hush.seconds, hush.shortest, hush.longest) == (12, 60, 10, 40)
    assert (hush.best_run, hush.worst_run) == (2, 1)
    assert (hush.best, hush.worst) == (SkillRating(26.0, 2.0), SkillRating(24.0, 2.0))
    assert (rest.game, rest.matches, rest.drawn, rest.best) == ("other", 1, 1, None)


def insert_many(server: AppServer, player: str, count: int) -> None:
    """Insert finished matches of a player, the last half of them at public tables."""
    variant = default_variant()
    server.run(server.tables.store.transaction(insert_variant, variant))
    ids = [f"many{number:08}" for number in range(count)]
    tables = [
        {"id": one, "game": "hush", "game_version": 1, "options": "{}", "seed": 1, "choices": b"", "versions": b"",
         "row_version": 1, "over": True, "created": 0, "changed": number, "public": number >= count // 2}
        for number, one in enumerate(ids)
    ]  # fmt: skip
    seats = [{"table": one, "seat": seat, "person": who, "name": who} for one in ids
             for seat, who in ((1, player), (2, "Other"))]  # fmt: skip
    results = [
        {"table": one, "seat": 1, "player": player, "game": "hush" if number % 2 else "mace", "variant": variant.id,
         "ended": number, "seconds": 9, "choices": 5, "outcome": 1}
        for number, one in enumerate(ids)
    ]  # fmt: skip
    for kind, made in ((TableRow, tables), (SeatRow, seats), (ResultRow, results)):
        server.run(server.tables.store.execute(insert(kind).values(made)))


def test_a_long_history_is_paged_filtered_and_uses_an_index(server: AppServer) -> None:
    (anna,) = with_accounts(server, "Anna")
    insert_many(server, "Anna", 120)
    first, last = (anna.get(f"/api/me/matches?number={number}").json() for number in (1, 3))
    assert (len(first["matches"]), first["more"], len(last["matches"]), last["more"]) == (50, True, 20, False)
    assert first["matches"][0]["table"] == "many00000119"
    only = anna.get("/api/me/matches?game=mace").json()["matches"]
    assert {match["game"] for match in only} == {"mace"}
    assert ">Older<" in anna.get("/me/matches?game=mace").text
    assert [(one["game"], one["matches"]) for one in anna.get("/api/me/figures").json()["games"]] == [
        ("mace", 60), ("hush", 60)
    ]  # fmt: skip
    with sqlite3.connect(Path(server.settings.database.removeprefix("sqlite+aiosqlite:///"))) as database:
        for game_is, index in (("", "ix_results_player"), (" and game = 'mace'", "ix_results_game")):
            plan = database.execute(
                f"explain query plan select * from results where player = 'Anna'{game_is} order by ended desc limit 50"
            ).fetchall()
            assert index in str(plan)
            assert "TEMP B-TREE" not in str(plan)
    database.close()


def test_publishing_a_profile_needs_its_own_scope(server: AppServer) -> None:
    with_accounts(server, "Anna")
    program, shown = server.program("Anna", "lists", "look"), {"listed": False, "page": True}
    others = server.program("Anna", "look", "play"), server.program("Guest", "lists")
    assert [each.post("/api/me/shown", json=shown).status_code for each in (*others, program)] == [403, 403, 200]
    assert program.get("/api/me/figures").json() == {"name": "Anna", "ratings": [], "games": []}


def test_history_is_exported_and_loses_the_name_on_deletion(server: AppServer) -> None:
    anna, bert = with_accounts(server, "Anna", "Bert")
    table = create_table(server, "Anna", "Bert")
    play(server, table, anna, bert)
    file = anna.get("/me/data").json()
    assert (file["visible to others"], file["ratings"][0]["matches"]) == ({"listed": True, "page": False}, 1)
    result = next(one["result"] for one in file["tables"] if "result" in one)
    assert result["outcome"] == "won"
    server.run(server.app.state.personal_data.store.delete_person("Anna"))
    theirs = bert.get("/api/me/matches").json()["matches"]
    assert [(match["table"], match["others"]) for match in theirs] == [(table, "Deleted player")]
    assert names(bert) == ["Bert"]


def test_a_guests_history_moves_to_their_account(server: AppServer) -> None:
    gil, bert = server.person("Gil"), server.person("Bert")
    table = create_table(server, "Gil", "Bert", table_settings=TableSettings())
    play(server, table, gil, bert)
    server.run(server.app.state.personal_data.store.move_data("Gil", "Greta", "Rest"))
    (greta,) = with_accounts(server, "Greta")
    assert [match["table"] for match in greta.get("/api/me/matches").json()["matches"]] == [table]
    assert gil.get("/api/me/matches").json()["matches"] == []
