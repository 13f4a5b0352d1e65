"""What must be true of ratings and match histories on every database."""

import re
from typing import Any

from msgspec.structs import replace
from sqlalchemy import insert, update

from sparring.engine.game import game
from sparring.store.rating_model import NEW_PLAYER, SkillRating
from sparring.store.ratings import RatedVariant, insert_variant
from sparring.store.schema import RatingRow, ResultRow, TokenRow
from sparring.tables.play.match_results import variant_of
from sparring.tables.state.table_settings import TableSettings
from web.app_server import AppServer, Client
from web.rated_matches import create_table, play, ratings, rows, with_accounts


def execute(server: AppServer, what: Any) -> None:
    server.run(server.tables.store.execute(what))


def default_variant() -> RatedVariant:
    """Return the default variant of the toy game."""
    return variant_of(game("hush").setup())


def insert_ratings(server: AppServer, **players: tuple[float, float]) -> None:
    """Insert players with these ratings (mu, sigma); names of bots start with `bot_`."""
    rows = [
        {"variant": default_variant().id, "player": player.replace("bot_", "bot:"), "mu": mu, "sigma": sigma,
         "sure": SkillRating(mu, sigma).lower_bound, "matches": 3, "won": 1, "last": 0, "opponents": 7,
         "established": not SkillRating(mu, sigma).uncertain}
        for player, (mu, sigma) in players.items()
    ]  # fmt: skip
    server.run(server.tables.store.transaction(insert_variant, default_variant()))
    execute(server, insert(RatingRow).values(rows))


def board(client: Client, **more: Any) -> dict[str, Any]:
    return client.http.get("/api/games/hush/leaderboard", params=more).raise_for_status().json()  # type: ignore[no-any-return]


def names(client: Client) -> list[str]:
    return [player["name"] for player in board(client)["players"]]


def check_the_leaderboard_is_ordered_by_the_lower_bound_of_ratings(server: AppServer) -> None:
    """Provisional players come after all others, even with a higher lower bound."""
    anna, _, _ = with_accounts(server, "Anna", "Bert", "Cleo")
    insert_ratings(server, Anna=(40, 7), Bert=(27, 2), Cleo=(20, 1), bot_random=(10, 1))
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


def check_a_bot_is_listed_with_its_owner_and_unlisted_with_them(server: AppServer) -> None:
    anna, _ = with_accounts(server, "Anna", "Bert")
    server.token("Anna", bot="Robot")
    insert_ratings(server, Bert=(25, 2), robot=(35, 2))
    execute(server, update(TokenRow).values(bot="robot"))
    assert [(line["name"], line["kind"]) for line in board(anna)["players"]] == [("Robot", "bot of Anna"), ("Bert", "")]
    anna.post("/me/shown", data={})
    assert names(anna) == ["Bert"]


def check_a_public_profile_shows_matches_at_public_tables_only(server: AppServer) -> None:
    anna, bert = with_accounts(server, "Anna", "Bert")
    secret, found = (
        create_table(server, "Anna", "Bert"),
        create_table(server, "Anna", "Bert", table_settings=TableSettings(public=True)),
    )
    for table in (secret, found):
        play(server, table, anna, bert)
    assert bert.get("/people/unknown").status_code == bert.get("/api/people/unknown").status_code == 404
    anna.post("/me/shown", data={"listed": "yes", "page": "yes"})
    address = re.findall(r"/people/[\w-]+", anna.get("/me").text)[0]
    page = server.stranger().get(address).text
    assert found in page
    assert secret not in page
    assert "<h1>Anna</h1>" in page
    assert "<b>2</b> matches" in page
    matches = server.stranger().get(f"/api{address}/matches").json()["matches"]
    assert [match["table"] for match in matches] == [found]
    assert address in bert.get("/games/hush/leaderboard").text
    anna.post("/me/shown", data={"listed": "yes"})
    assert server.stranger().get(address).status_code == 404


def check_a_rated_match_changes_both_ratings_once_and_stores_the_changes(server: AppServer) -> None:
    anna, bert = with_accounts(server, "Anna", "Bert")
    table = create_table(server, "Anna", "Bert")
    play(server, table, anna, bert)
    winner = anna.look(table)["winners"][0]
    found, names = ratings(server), ["Anna", "Bert"]
    best, worst = found[names[winner - 1]], found[names[2 - winner]]
    assert (best.matches, best.won, worst.matches, worst.won) == (1, 1, 1, 0)
    assert best.mu > NEW_PLAYER.mu > worst.mu
    assert best.sure == SkillRating(best.mu, best.sigma).lower_bound  # the order of leaderboards
    match_results = {row.player: row for row in rows(server, ResultRow)}
    assert (match_results[best.player].outcome, match_results[worst.player].outcome) == (1, -1)
    assert (match_results[best.player].mu_before, match_results[best.player].mu) == (NEW_PLAYER.mu, best.mu)

    # Later writes at that table, also by another process, don't count again.
    ended = server.held(table)
    server.run(server.tables.commits.commit(ended, replace(ended.public(), ended=ended.ended)))
    server.reload(table)
    again = server.held(table)
    server.run(server.tables.commits.commit(again, replace(again.public(), ended=again.ended)))
    assert ratings(server)["Anna"].matches == 1


def check_a_person_and_their_own_bot_are_not_rated(server: AppServer) -> None:
    anna, bert = with_accounts(server, "Anna", "Bert")
    robot = server.program("Anna", bot="Robot")
    table = create_table(server, "Anna", "")
    refused = robot.post(f"/api/table/{table}/sit", json={"seat": 2})
    assert (refused.status_code, "a person and their bots can have only one seat" in refused.text) == (422, True)
    assert anna.look(table)["seats"][1]["kind"] == "open"
    other = create_table(server, "Bert", "")
    assert robot.post(f"/api/table/{other}/sit", json={"seat": 2}).status_code == 200
    play(server, other, bert, robot)
    assert len(ratings(server)) == 2


def check_deleting_an_account_keeps_the_ratings_of_others(server: AppServer) -> None:
    anna, bert = with_accounts(server, "Anna", "Bert")
    table = create_table(server, "Anna", "Bert")
    play(server, table, anna, bert)
    before = ratings(server)["Bert"].mu
    server.run(server.app.state.personal_data.store.delete_person("Anna"))
    assert {player: row.mu for player, row in ratings(server).items()} == {"Bert": before}
    assert {row.player for row in rows(server, ResultRow)} == {None, "Bert"}


#: All of these.
OF_RATINGS = [
    check_the_leaderboard_is_ordered_by_the_lower_bound_of_ratings,
    check_a_bot_is_listed_with_its_owner_and_unlisted_with_them,
    check_a_public_profile_shows_matches_at_public_tables_only,
    check_a_rated_match_changes_both_ratings_once_and_stores_the_changes,
    check_a_person_and_their_own_bot_are_not_rated,
    check_deleting_an_account_keeps_the_ratings_of_others,
]
