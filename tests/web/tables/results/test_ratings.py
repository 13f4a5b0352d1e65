"""Ratings: which matches count and for whom, and how a match changes ratings."""

from collections.abc import Callable
from dataclasses import replace

import pytest

from sparring.engine.game import game
from sparring.engine.match import Match
from sparring.store.rating_model import NEW_PLAYER, PROVISIONAL, SkillRating, update_ratings
from sparring.store.schema import RatingRow, ResultRow
from sparring.tables.play import match_results
from sparring.tables.play.match_results import NOT_COUNTED, places, variant_name, variant_of
from sparring.tables.seating import NotRated
from sparring.tables.state.clock_state import EarlyEnding, SeatLeft
from sparring.tables.state.table_settings import TableSettings
from web.app_server import AppServer, delete_all_tables
from web.rated_matches import create_table, play, ratings, rows, with_accounts, without_ratings
from web.tables.results.rating_checks import OF_RATINGS


@pytest.fixture
def server(server: AppServer) -> AppServer:
    return without_ratings(server)


# The scale


def test_a_new_player_has_the_mean_rating_and_is_provisional() -> None:
    assert (NEW_PLAYER.points, str(NEW_PLAYER), NEW_PLAYER.uncertain) == (1500, "1,500 ± 400", True)
    assert not SkillRating(30, PROVISIONAL / 48).uncertain


def test_a_win_raises_a_loss_lowers_and_both_narrow_the_uncertainty() -> None:
    won, middle, lost = update_ratings([NEW_PLAYER] * 3, [1, 2, 3])
    assert won.points > 1500 > lost.points
    assert won.points > middle.points > lost.points
    assert max(won.sigma, lost.sigma) < NEW_PLAYER.sigma


def test_an_upset_counts_more_and_a_draw_closes_the_gap() -> None:
    strong, weak = SkillRating(35, 2), SkillRating(15, 2)
    from_strong, from_weak = (update_ratings([beaten, SkillRating(25, 2)], [2, 1])[1] for beaten in (strong, weak))
    assert from_strong.mu > from_weak.mu
    above, below = update_ratings([strong, weak], [1, 1])
    assert above.mu < strong.mu
    assert below.mu > weak.mu


def test_final_order_follows_payoffs_with_leavers_last() -> None:
    match = Match.new("hush", seats=3, seed=1)
    assert places(match, EarlyEnding((SeatLeft(2, "gave up"), SeatLeft(1, "time")), "left")) == [2, 3, 1]
    assert places(match, EarlyEnding(how="draw")) == [1, 1, 1]
    assert places(match, EarlyEnding((SeatLeft(2, "away"),), "draw")) == [1, 3, 1]
    while not match.over:
        match.choose(min(action for action in match.legal() if action not in match.game.conceding))
    paid = match.payoffs or {}
    by_rules = places(match, EarlyEnding())
    assert sorted(range(3), key=lambda seat: by_rules[seat]) == sorted(range(3), key=lambda seat: -paid[seat + 1])


def test_a_variant_is_identified_by_name_or_changed_options() -> None:
    hush = game("hush")
    assert variant_name(variant_of(hush.setup())) == "standard"
    assert variant_name(variant_of(hush.setup({"wins": "low"}))) == "low"
    assert variant_of(hush.setup()).id != variant_of(hush.setup({"wins": "low"})).id
    own = variant_of(hush.setup(), "a digest")
    assert own.id != variant_of(hush.setup()).id
    assert variant_name(own) == "standard, with custom cards"


# Which matches count


def test_a_bot_is_rated_by_name_and_strength(server: AppServer) -> None:
    (anna,) = with_accounts(server, "Anna")
    play(server, create_table(server, "Anna", "random"), anna)
    found = ratings(server)
    assert set(found) == {"Anna", "bot:random"}
    assert (found["Anna"].mu > NEW_PLAYER.mu) == (found["bot:random"].mu < NEW_PLAYER.mu)
    assert found["bot:random"].mu != NEW_PLAYER.mu


def test_variants_have_separate_ratings(server: AppServer) -> None:
    anna, bert = with_accounts(server, "Anna", "Bert")
    play(server, create_table(server, "Anna", "Bert"), anna, bert)
    play(server, create_table(server, "Anna", "Bert", wins="low"), anna, bert)
    assert len({row.variant for row in rows(server, RatingRow)}) == 2


@pytest.mark.parametrize("how", ["give-up", "concede", "time", "draw"])
@pytest.mark.parametrize("everybody", [False, True])
def test_an_early_end_counts_once_all_players_have_chosen(
    server: AppServer, how: str, everybody: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(match_results, "MIN_RATED_ACTIONS", 3)
    anna, bert = with_accounts(server, "Anna", "Bert")
    table = create_table(server, "Anna", "Bert")
    anna.choose_first(table)
    anna.choose(table, "done")
    if everybody:
        bert.choose_first(table)
    if how == "concede":
        bert.choose(table, "give up")
        everybody = True  # resigning is a choice in this game
    elif how == "draw":
        bert.post(f"/api/table/{table}/propose", json={"what": "draw"})
        anna.answer(table, agree=True)
    elif how == "time":
        server.run(server.tables.clocks.lose(server.held(table), 2, "time"))
    else:
        assert bert.post(f"/api/table/{table}/give-up").status_code == 200
    assert anna.look(table)["over"]
    lost = 0 if how == "draw" else -1
    assert {row.player: row.outcome for row in rows(server, ResultRow)} == {"Anna": -lost, "Bert": lost}
    assert set(ratings(server)) == ({"Anna", "Bert"} if everybody else set())
    assert sum(rating.won for rating in ratings(server).values()) == (everybody and how != "draw")


@pytest.mark.parametrize(("early", "counts"), [(6, True), (7, False)])
def test_resigning_in_the_first_actions_does_not_count(
    server: AppServer, early: int, counts: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Six actions are made here, the last of them by the second seat."""
    monkeypatch.setattr(match_results, "MIN_RATED_ACTIONS", early)
    anna, bert = with_accounts(server, "Anna", "Bert")
    table = create_table(server, "Anna", "Bert")
    for who, many in ((anna, 4), (bert, 2)):
        for _ in range(many):
            who.choose_first(table)
    assert bert.post(f"/api/table/{table}/give-up").status_code == 200
    assert {row.player: row.outcome for row in rows(server, ResultRow)} == {"Anna": 1, "Bert": -1}
    assert set(ratings(server)) == ({"Anna", "Bert"} if counts else set())
    assert (NOT_COUNTED in anna.look(table)["ratings"]) != counts


def test_a_match_with_a_replaced_bot_does_not_count(server: AppServer) -> None:
    (anna,) = with_accounts(server, "Anna")
    table = create_table(server, "Anna", "random")
    stand_in = replace(server.held(table).players[1], bot="stand-in:random")
    server.run(server.tables.seating._seat(server.held(table), 2, stand_in))
    play(server, table, anna)
    assert ratings(server) == {}
    assert {row.player for row in rows(server, ResultRow)} == {"Anna", "bot:random"}


# Who may be rated


@pytest.mark.parametrize(("who", "why"), [
    (("Anna", "Guest"), "needs an account to play rated"),
    (("Anna", "Anna"), "People who share a screen"),
    (("random", "random"), "needs at least one person"),
    (("Anna", "random", "random"), "only one bot of each kind"),
])  # fmt: skip
def test_an_unratable_player_gets_one_sentence(server: AppServer, who: tuple[str, ...], why: str) -> None:
    with_accounts(server, "Anna")
    with pytest.raises(NotRated, match=why):
        create_table(server, *who)
    assert create_table(server, *who, table_settings=TableSettings())


def test_a_guest_can_join_a_rated_table_after_creating_an_account(server: AppServer) -> None:
    with_accounts(server, "Anna")
    table = create_table(server, "Anna", "")
    assert server.person("Gil").sit(table, 2, "Gil").status_code == 422
    assert with_accounts(server, "Gil")[0].sit(table, 2, "Gil").status_code == 303


def test_rated_matches_per_pair_and_day_are_limited(server: AppServer, monkeypatch: pytest.MonkeyPatch) -> None:
    few = replace(server.settings, limits=replace(server.settings.limits, rated_together=2))
    monkeypatch.setattr(server.tables.registry, "settings", few)
    anna, bert = with_accounts(server, "Anna", "Bert")
    late = create_table(server, "Anna", "Bert")
    for _ in range(2):
        play(server, create_table(server, "Anna", "Bert"), anna, bert)
    with pytest.raises(NotRated, match="limit of 2 rated matches"):
        create_table(server, "Anna", "Bert")
    play(server, late, anna, bert)  # created in time, but over too late
    assert ratings(server)["Anna"].matches == 2
    assert len(rows(server, ResultRow)) == 6


# Play


def test_rated_matches_have_no_undo_and_no_seat_changes(server: AppServer) -> None:
    (anna,) = with_accounts(server, "Anna")
    table = create_table(server, "Anna", "random")
    anna.choose_first(table)
    assert not anna.look(table)["may_take_back"]
    assert "Take back" not in anna.page(table)
    refused = anna.take_back(table)
    assert (refused.status_code, "can't take back" in refused.text) == (403, True)
    server.held(table).opened_by = "Anna"
    refused = anna.post(f"/api/table/{table}/seats", json={"seat": 2})
    assert (refused.status_code, "Seats can't change" in refused.text) == (403, True)
    assert "This match is rated" in anna.page(table)


def test_the_form_creates_a_rated_table_or_gives_a_reason(server: AppServer) -> None:
    (anna,) = with_accounts(server, "Anna")
    form = {"name": "Anna", "seat1": "me", "seat2": "random", "counting": "rated"}
    assert anna.look(anna.create(**form))["settings"] == {"rated": True}
    refused = server.person("Gil").post("/games/hush", data={**form, "name": "Gil"})
    assert (refused.status_code, "needs an account to play rated" in refused.text) == (422, True)
    assert '<option value="rated" selected>' in refused.text
    wrong = anna.post("/games/hush", data={**form, "counting": "twice"})
    assert (wrong.status_code, "Unknown match type" in wrong.text) == (422, True)


def test_the_deal_of_a_rated_match_cannot_be_chosen(server: AppServer) -> None:
    with_accounts(server, "Anna")
    with pytest.raises(NotRated, match="dealt at random"):
        create_table(server, "Anna", "random", seed=None, begin_with=["x"])


def test_lists_mark_rated_tables(server: AppServer) -> None:
    anna, bert = with_accounts(server, "Anna", "Bert")
    table = create_table(server, "Anna", "", table_settings=TableSettings(rated=True, public=True))
    found = {each["table"]: each["rated"] for each in bert.get("/api/tables").json()["open"]}
    assert found[table]
    assert '<span class="small">rated</span>' in bert.get("/lobby").text
    assert "This match is rated" in bert.page(table)
    assert '<span class="small">rated</span>' in anna.get("/lobby").text


def test_results_are_deleted_with_old_tables_and_ratings_stay(server: AppServer) -> None:
    anna, bert = with_accounts(server, "Anna", "Bert")
    play(server, create_table(server, "Anna", "Bert"), anna, bert)
    before = ratings(server)["Anna"].mu
    assert rows(server, ResultRow)
    delete_all_tables(server)
    assert rows(server, ResultRow) == []
    assert ratings(server)["Anna"].mu == before


@pytest.mark.parametrize("check", OF_RATINGS, ids=lambda check: check.__name__)
def test_ratings(server: AppServer, check: Callable[[AppServer], None]) -> None:
    check(server)
