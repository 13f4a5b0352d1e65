"""Leaderboards, and what somebody has played: who stands there, in which order, and what others may see of it."""

import re
import sqlite3
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from sqlalchemy import insert, update

from sparring.engine.game import game
from sparring.web.rating import SkillRating
from sparring.web.storage.rating_store import RatedVariant, insert_variant
from sparring.web.storage.result_store import PlayerResult
from sparring.web.storage.schema import RatingRow, ResultRow, SeatRow, TableRow, TokenRow
from sparring.web.tables.match_history import figures
from sparring.web.tables.match_results import variant_of
from sparring.web.tables.table_settings import TableSettings
from web.app_server import House, Visitor, settings
from web.rated_matches import known, nobody_rated, opened, play


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[House]:
    one = House(settings(tmp_path_factory.mktemp("history")))
    yield one
    one.close()


@pytest.fixture
def house(server: House) -> House:
    return nobody_rated(server)


def written(house: House, what: Any) -> None:
    def work(connection: Any) -> None:
        connection.execute(what)

    house.run(house.tables.store.writer.write(work))


def usual() -> RatedVariant:
    """The variant of the toy game that is shown first."""
    return variant_of(game("hush").box())


def stands(house: House, **players: tuple[float, float]) -> None:
    """Players with these ratings (mu, sigma); `bot_` begins the name of a bot."""
    rows = [
        {"variant": usual().id, "player": player.replace("bot_", "bot:"), "mu": mu, "sigma": sigma,
         "sure": SkillRating(mu, sigma).sure, "matches": 3, "won": 1, "last": 0, "opponents": 7,
         "established": not SkillRating(mu, sigma).uncertain}
        for player, (mu, sigma) in players.items()
    ]  # fmt: skip
    house.run(house.tables.store.writer.write(lambda connection: insert_variant(connection, usual())))
    written(house, insert(RatingRow).values(rows))


def board(visitor: Visitor, **more: Any) -> dict[str, Any]:
    return visitor.http.get("/api/games/hush/leaderboard", params=more).raise_for_status().json()  # type: ignore[no-any-return]


def names(visitor: Visitor) -> list[str]:
    return [player["name"] for player in board(visitor)["players"]]


# Leaderboards


def test_people_and_bots_stand_in_the_order_of_what_they_are_worth_at_least(house: House) -> None:
    """And provisional players after all others, even one who is worth more by the lower end of their range."""
    anna, _, _ = known(house, "Anna", "Bert", "Cleo")
    stands(house, Anna=(40, 7), Bert=(27, 2), Cleo=(20, 1), bot_random=(10, 1))
    assert names(anna) == ["Bert", "Cleo", "Random bot", "Anna"]
    assert board(anna)["own"]["place"] == 4
    assert [line["opponents"] for line in board(anna)["players"]] == [7, 7, 7, 7]
    page = anna.get("/games/hush/leaderboard").text
    lines = re.findall(r"<li(.*?)</li>", page, re.DOTALL)
    assert [("own" in line, "data-provisional" in line, "bot</span>" in line) for line in lines] == [
        (False, False, False), (False, False, False), (False, False, True), (True, True, False),
    ]  # fmt: skip
    assert "1,860 ± 336" in lines[3]
    assert "3 matches, 1 won, 7 opponents" in lines[3]
    assert lines[3].count("<rect") == 3


def test_whoever_leaves_the_list_is_not_found_there_and_sees_their_place_all_the_same(house: House) -> None:
    anna, bert, _ = known(house, "Anna", "Bert", "Cleo")
    stands(house, Anna=(30, 2), Bert=(27, 2), Cleo=(20, 1))
    assert anna.post("/me/shown", data={"page": "yes"}).headers["location"] == "/me?said=shown"
    assert names(bert) == ["Bert", "Cleo"]
    assert "Anna" not in bert.get("/games/hush/leaderboard").text
    own = board(anna)["own"]
    assert (own["place"], own["name"], own["you"]) == (1, "Anna", True)
    assert 'class="own"' in anna.get("/games/hush/leaderboard").text
    anna.post("/me/shown", data={"listed": "yes"})
    assert names(bert) == ["Anna", "Bert", "Cleo"]


def test_a_program_stands_there_as_whose_it_is_and_leaves_with_its_owner(house: House) -> None:
    anna, _ = known(house, "Anna", "Bert")
    house.token("Anna", bot="Robot")
    stands(house, Bert=(25, 2), robot=(35, 2))
    written(house, update(TokenRow).values(bot="robot"))
    assert [(line["name"], line["kind"]) for line in board(anna)["players"]] == [("Robot", "bot of Anna"), ("Bert", "")]
    anna.post("/me/shown", data={})
    assert names(anna) == ["Bert"]


def test_a_board_that_is_not_there_is_refused_and_an_empty_one_says_so(house: House) -> None:
    anna = house.stranger()
    assert anna.get("/games/hush/leaderboard?variant=nothing").status_code == 404
    assert anna.get("/api/games/hush/leaderboard?variant=nothing").status_code == 404
    assert "No rated players yet" in anna.get("/games/hush/leaderboard").text
    assert board(anna) == {"variant": usual().id, "players": [], "more": False, "own": None}


def test_a_long_board_has_pages_and_ones_own_line_on_each(house: House) -> None:
    (anna,) = known(house, "Anna")
    crowd = {f"P{number:03}": (20.0 + number / 100, 1.0) for number in range(60)}
    known(house, *crowd)
    stands(house, Anna=(1, 1), **crowd)
    first, second = board(anna), board(anna, number=2)
    assert (len(first["players"]), first["more"], first["own"]["place"]) == (50, True, 61)
    assert (second["players"][0]["place"], second["players"][-1]["name"], second["more"]) == (51, "Anna", False)
    page = anna.get("/games/hush/leaderboard").text
    assert page.count('class="own"') == 1
    assert "number=2" in page


# What somebody has played


def test_a_finished_match_stands_in_the_history_of_both_with_what_it_did(house: House) -> None:
    anna, bert = known(house, "Anna", "Bert")
    table = opened(house, "Anna", "Bert", wins="low")
    play(house, table, anna, bert)
    mine, theirs = (who.get("/api/me/matches").json()["matches"][0] for who in (anna, bert))
    assert (mine["table"], mine["variant"], mine["seat"], mine["others"]) == (table, "low", 1, "Bert")
    assert {mine["outcome"], theirs["outcome"]} == {"won", "lost"}
    assert mine["moved"] == -theirs["moved"] != 0
    page = anna.get("/me/matches").text
    assert f'href="/table/{table}/replay"' in page
    moved = f"{mine['moved']:+d}".replace("-", "−")
    assert f"{moved}, now 1,{mine['rating']['points'] - 1000:03}" in page
    casual = opened(house, "Anna", "Bert", terms=TableSettings())
    play(house, casual, anna, bert)
    found = {match["table"]: match["rating"] for match in anna.get("/api/me/matches").json()["matches"]}
    assert found[casual] is None
    assert found[table]["provisional"]


def test_a_screen_that_several_share_is_nobodys_match(house: House) -> None:
    (anna,) = known(house, "Anna")
    form = {"name": "Anna", "seat1": "me", "seat2": "beside", "name2": "Friend"}
    table = anna.post("/games/hush", data=form).headers["location"].removeprefix("/table/")
    anna.post(f"/api/table/{table}/screen", json={"seat": 1})
    assert anna.choose(table, "give up").status_code == 200
    assert anna.get("/api/me/matches").json()["matches"] == []


def test_figures_are_made_from_every_match_of_a_game() -> None:
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


def many(house: House, player: str, count: int) -> None:
    """Somebody has finished so many matches; each of the last half was at a public table."""
    variant = usual()
    house.run(house.tables.store.writer.write(lambda connection: insert_variant(connection, variant)))
    ids = [f"many{number:08}" for number in range(count)]
    tables = [
        {"id": one, "game": "hush", "game_version": 1, "options": "{}", "seed": 1, "choices": b"", "versions": b"",
         "edition": 1, "over": True, "created": 0, "changed": number, "public": number >= count // 2}
        for number, one in enumerate(ids)
    ]  # fmt: skip
    seats = [{"table": one, "seat": seat, "person": who, "name": who} for one in ids
             for seat, who in ((1, player), (2, "Other"))]  # fmt: skip
    results = [
        {"table": one, "seat": 1, "player": player, "game": "hush" if number % 2 else "mace", "variant": variant.id,
         "ended": number, "seconds": 9, "choices": 5, "outcome": 1}
        for number, one in enumerate(ids)
    ]  # fmt: skip

    def work(connection: Any) -> None:
        connection.execute(insert(TableRow), tables)
        connection.execute(insert(SeatRow), seats)
        connection.execute(insert(ResultRow), results)

    house.run(house.tables.store.writer.write(work))


def test_a_long_history_has_pages_can_be_asked_for_by_game_and_is_read_by_an_index(house: House) -> None:
    (anna,) = known(house, "Anna")
    many(house, "Anna", 120)
    first, last = (anna.get(f"/api/me/matches?number={number}").json() for number in (1, 3))
    assert (len(first["matches"]), first["more"], len(last["matches"]), last["more"]) == (50, True, 20, False)
    assert first["matches"][0]["table"] == "many00000119"
    only = anna.get("/api/me/matches?game=mace").json()["matches"]
    assert {match["game"] for match in only} == {"mace"}
    assert ">Older<" in anna.get("/me/matches?game=mace").text
    assert [(one["game"], one["matches"]) for one in anna.get("/api/me/figures").json()["games"]] == [
        ("mace", 60), ("hush", 60)
    ]  # fmt: skip
    with sqlite3.connect(Path(house.settings.database.removeprefix("sqlite+aiosqlite:///"))) as database:
        for game_is, index in (("", "ix_results_player"), (" and game = 'mace'", "ix_results_game")):
            plan = database.execute(
                f"explain query plan select * from results where player = 'Anna'{game_is} order by ended desc limit 50"
            ).fetchall()
            assert index in str(plan)
            assert "TEMP B-TREE" not in str(plan)
    database.close()


def test_a_public_page_shows_figures_and_matches_at_public_tables_alone(house: House) -> None:
    anna, bert = known(house, "Anna", "Bert")
    secret, found = opened(house, "Anna", "Bert"), opened(house, "Anna", "Bert", terms=TableSettings(public=True))
    for table in (secret, found):
        play(house, table, anna, bert)
    assert bert.get("/people/nobody").status_code == bert.get("/api/people/nobody").status_code == 404
    anna.post("/me/shown", data={"listed": "yes", "page": "yes"})
    address = re.findall(r"/people/[\w-]+", anna.get("/me").text)[0]
    page = house.stranger().get(address).text
    assert found in page
    assert secret not in page
    assert "<h1>Anna</h1>" in page
    assert "<b>2</b> matches" in page
    matches = house.stranger().get(f"/api{address}/matches").json()["matches"]
    assert [match["table"] for match in matches] == [found]
    assert address in bert.get("/games/hush/leaderboard").text
    anna.post("/me/shown", data={"listed": "yes"})
    assert house.stranger().get(address).status_code == 404


def test_programs_say_what_others_find_by_a_scope_of_its_own(house: House) -> None:
    known(house, "Anna")
    assert (
        house.program("Anna", "look", "play").post("/api/me/shown", json={"listed": False, "page": True}).status_code
        == 403
    )
    program = house.program("Anna", "lists", "look")
    assert program.post("/api/me/shown", json={"listed": False, "page": True}).status_code == 200
    assert house.program("Guest", "lists").post("/api/me/shown", json={"listed": True, "page": True}).status_code == 403
    assert program.get("/api/me/figures").json() == {"name": "Anna", "ratings": [], "games": []}


def test_all_of_it_comes_along_in_the_file_and_goes_nameless(house: House) -> None:
    anna, bert = known(house, "Anna", "Bert")
    table = opened(house, "Anna", "Bert")
    play(house, table, anna, bert)
    file = anna.get("/me/data").json()
    assert (file["on leaderboards"], file["public page"], file["ratings"][0]["matches"]) == (True, False, 1)
    result = next(one["result"] for one in file["tables"] if "result" in one)
    assert result["outcome"] in ("won", "lost")
    house.run(house.app.state.holdings.store.delete_person("Anna", "random"))
    theirs = bert.get("/api/me/matches").json()["matches"]
    assert [(match["table"], match["others"]) for match in theirs] == [(table, "Deleted player")]
    assert names(bert) == ["Bert"]


def test_a_guests_history_comes_along_into_their_account(house: House) -> None:
    gil, bert = house.person("Gil"), house.person("Bert")
    table = opened(house, "Gil", "Bert", terms=TableSettings())
    play(house, table, gil, bert)
    house.run(house.app.state.holdings.store.move_data("Gil", "Greta"))
    (greta,) = known(house, "Greta")
    assert [match["table"] for match in greta.get("/api/me/matches").json()["matches"]] == [table]
    assert gil.get("/api/me/matches").json()["matches"] == []
