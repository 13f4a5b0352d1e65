"""Ratings: which matches count, for whom, once; what a match does to those who met."""

from collections.abc import Iterator
from dataclasses import replace

import pytest

from sparring.engine.game import game
from sparring.engine.match import Match
from sparring.web.rating import NEW_PLAYER, PROVISIONAL, SkillRating, update_ratings
from sparring.web.storage.schema import RatingRow, ResultRow
from sparring.web.tables import match_results
from sparring.web.tables.clocks.early_endings import EarlyEnding, SeatLeft
from sparring.web.tables.match_results import places, variant_name, variant_of
from sparring.web.tables.rating_changes import NOT_COUNTED
from sparring.web.tables.seating import NotRated
from sparring.web.tables.table_settings import TableSettings
from web.app_server import House, settings
from web.rated_matches import RATED, known, nobody_rated, opened, play, ratings, rows, sitter


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[House]:
    one = House(settings(tmp_path_factory.mktemp("rated")))
    yield one
    one.close()


@pytest.fixture
def house(server: House) -> House:
    return nobody_rated(server)


# The scale


def test_who_begins_stands_in_the_middle_and_is_provisional() -> None:
    assert (NEW_PLAYER.points, NEW_PLAYER.reach, str(NEW_PLAYER), NEW_PLAYER.uncertain) == (
        1500,
        400,
        "1,500 ± 400",
        True,
    )
    assert not SkillRating(30, PROVISIONAL / 48).uncertain


def test_who_wins_goes_up_who_loses_goes_down_and_both_are_known_better() -> None:
    won, lost = update_ratings([NEW_PLAYER, NEW_PLAYER], [1, 2])
    assert won.points > 1500 > lost.points
    assert max(won.sigma, lost.sigma) < NEW_PLAYER.sigma


def test_a_win_against_somebody_strong_counts_more_and_a_draw_brings_both_together() -> None:
    strong, weak = SkillRating(35, 2), SkillRating(15, 2)
    (_, from_strong), (_, from_weak) = (
        update_ratings([strong, SkillRating(25, 2)], [2, 1]),
        update_ratings([weak, SkillRating(25, 2)], [2, 1]),
    )
    assert from_strong.mu > from_weak.mu
    above, below = update_ratings([strong, weak], [1, 1])
    assert above.mu < strong.mu
    assert below.mu > weak.mu


def test_any_number_of_seats_is_rated_by_the_order_in_which_they_ended() -> None:
    first, second, third = update_ratings([NEW_PLAYER] * 3, [1, 2, 3])
    assert first.mu > second.mu > third.mu


def test_places_are_by_what_the_rules_pay_and_who_left_is_last() -> None:
    match = Match.new("hush", seats=3, seed=1)
    assert places(match, EarlyEnding((SeatLeft(2, "gave up"), SeatLeft(1, "time")), "left")) == [2, 3, 1]
    assert places(match, EarlyEnding(how="draw")) == [1, 1, 1]
    assert places(match, EarlyEnding((SeatLeft(2, "away"),), "draw")) == [1, 3, 1]
    while not match.over:
        match.choose(min(action for action in match.legal() if action not in match.game.conceding))
    paid = match.payoffs or {}
    by_rules = places(match, EarlyEnding())
    assert sorted(range(3), key=lambda seat: by_rules[seat]) == sorted(range(3), key=lambda seat: -paid[seat + 1])


def test_a_variant_goes_by_its_name_or_by_what_is_different_in_it() -> None:
    hush = game("hush")
    assert variant_name(variant_of(hush.box())) == "by the letter"
    assert variant_name(variant_of(hush.box({"wins": "low"}))) == "low"
    assert variant_of(hush.box()).id != variant_of(hush.box({"wins": "low"})).id
    own = variant_of(hush.box(), "a digest")
    assert own.id != variant_of(hush.box()).id
    assert variant_name(own) == "by the letter, with custom cards"


# Which matches count


def test_a_rated_match_moves_both_ratings_once_and_the_results_say_by_how_much(house: House) -> None:
    anna, bert = known(house, "Anna", "Bert")
    table = opened(house, "Anna", "Bert")
    play(house, table, anna, bert)
    winner = anna.look(table)["winners"][0]
    found, names = ratings(house), ["Anna", "Bert"]
    best, worst = found[names[winner - 1]], found[names[2 - winner]]
    assert (best.matches, best.won, worst.matches, worst.won) == (1, 1, 1, 0)
    assert best.mu > NEW_PLAYER.mu > worst.mu
    match_results = {row.player: row for row in rows(house, ResultRow)}
    assert (match_results[best.player].outcome, match_results[worst.player].outcome) == (1, -1)
    assert (match_results[best.player].mu_before, match_results[best.player].mu) == (NEW_PLAYER.mu, best.mu)

    # Whatever else is written at that table later, also by another process, counts no more.
    ended = house.run(house.tables.get(table))
    house.run(house.tables.commit_change(ended, ended.clocks))
    house.run(house.tables.reload([table]))
    again = house.run(house.tables.get(table))
    house.run(house.tables.commit_change(again, again.clocks))
    assert ratings(house)["Anna"].matches == 1


def test_a_casual_match_has_a_result_and_moves_no_rating(house: House) -> None:
    anna, bert = known(house, "Anna", "Bert")
    play(house, opened(house, "Anna", "Bert", terms=TableSettings()), anna, bert)
    assert {(row.player, row.mu) for row in rows(house, ResultRow)} == {("Anna", None), ("Bert", None)}
    assert ratings(house) == {}


def test_a_bot_is_rated_by_its_name_and_strength(house: House) -> None:
    (anna,) = known(house, "Anna")
    play(house, opened(house, "Anna", "random"), anna)
    found = ratings(house)
    assert set(found) == {"Anna", "bot:random"}
    assert (found["Anna"].mu > NEW_PLAYER.mu) == (found["bot:random"].mu < NEW_PLAYER.mu)
    assert found["bot:random"].mu != NEW_PLAYER.mu


def test_variants_are_rated_apart(house: House) -> None:
    anna, bert = known(house, "Anna", "Bert")
    play(house, opened(house, "Anna", "Bert"), anna, bert)
    play(house, opened(house, "Anna", "Bert", wins="low"), anna, bert)
    assert len({row.variant for row in rows(house, RatingRow)}) == 2


@pytest.mark.parametrize("how", ["give-up", "concede", "time", "draw"])
@pytest.mark.parametrize("everybody", [False, True])
def test_a_match_that_ends_early_counts_as_soon_as_everybody_has_chosen(
    house: House, how: str, everybody: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(match_results, "MIN_RATED_ACTIONS", 3)
    anna, bert = known(house, "Anna", "Bert")
    table = opened(house, "Anna", "Bert")
    anna.choose(table, anna.look(table)["choices"][0]["choice"])
    anna.choose(table, "done")
    if everybody:
        bert.choose(table, bert.look(table)["choices"][0]["choice"])
    if how == "concede":
        bert.choose(table, "give up")
        everybody = True  # it was a choice, by the rules of this game
    elif how == "draw":
        bert.post(f"/api/table/{table}/propose", json={"what": "draw"})
        anna.post(f"/api/table/{table}/answer", json={"agree": True})
    elif how == "time":
        house.run(house.tables._lose(house.run(house.tables.get(table)), 2, "time"))
    else:
        assert bert.post(f"/api/table/{table}/give-up").status_code == 200
    assert anna.look(table)["over"]
    lost = 0 if how == "draw" else -1
    assert {row.player: row.outcome for row in rows(house, ResultRow)} == {"Anna": -lost, "Bert": lost}
    assert set(ratings(house)) == ({"Anna", "Bert"} if everybody else set())


@pytest.mark.parametrize(("early", "counts"), [(6, True), (7, False)])
def test_a_match_given_up_in_the_first_actions_does_not_count(
    house: House, early: int, counts: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Six actions are made here, the last of them by the second seat."""
    monkeypatch.setattr(match_results, "MIN_RATED_ACTIONS", early)
    anna, bert = known(house, "Anna", "Bert")
    table = opened(house, "Anna", "Bert")
    for who, many in ((anna, 4), (bert, 2)):
        for _ in range(many):
            who.choose(table, who.look(table)["choices"][0]["choice"]).raise_for_status()
    assert bert.post(f"/api/table/{table}/give-up").status_code == 200
    assert {row.player: row.outcome for row in rows(house, ResultRow)} == {"Anna": 1, "Bert": -1}
    assert set(ratings(house)) == ({"Anna", "Bert"} if counts else set())
    assert (NOT_COUNTED in anna.look(table)["ratings"]) != counts


def test_who_concedes_before_the_others_have_chosen_ends_no_rated_match(house: House) -> None:
    anna, _ = known(house, "Anna", "Bert")
    table = opened(house, "Anna", "Bert")
    anna.choose(table, "give up")
    assert anna.look(table)["over"]
    assert ratings(house) == {}


def test_a_match_in_which_chance_chose_for_a_bot_counts_for_nobody(house: House) -> None:
    (anna,) = known(house, "Anna")
    table = opened(house, "Anna", "random")
    laid = house.run(house.tables.get(table))
    house.run(house.tables._seat(laid, 2, replace(laid.players[1], bot="stand-in:random")))
    play(house, table, anna)
    assert ratings(house) == {}
    assert {row.player for row in rows(house, ResultRow)} == {"Anna", "bot:random"}


# Who may be rated


@pytest.mark.parametrize(("who", "why"), [
    (("Anna", "Guest"), "needs an account to play rated"),
    (("Anna", "Anna"), "People who share a screen"),
    (("random", "random"), "needs at least one person"),
    (("Anna", "random", "random"), "only one bot of each kind"),
])  # fmt: skip
def test_who_cannot_be_rated_is_told_why_in_a_sentence(house: House, who: tuple[str, ...], why: str) -> None:
    known(house, "Anna")
    with pytest.raises(NotRated, match=why):
        opened(house, *who)
    assert opened(house, *who, terms=TableSettings())


def test_somebody_and_their_own_program_do_not_rate_each_other(house: House) -> None:
    anna, bert = known(house, "Anna", "Bert")
    robot = house.program("Anna", bot="Robot")
    table = opened(house, "Anna", "")
    refused = robot.post(f"/api/table/{table}/sit", json={"seat": 2})
    assert (refused.status_code, "a person and their bots can have only one seat" in refused.text) == (422, True)
    assert anna.look(table)["seats"][1]["kind"] == "open"
    other = opened(house, "Bert", "")
    assert robot.post(f"/api/table/{other}/sit", json={"seat": 2}).status_code == 200
    play(house, other, bert, robot)
    assert len(ratings(house)) == 2


def test_a_guest_sits_down_at_a_rated_table_when_they_have_kept_who_they_are(house: House) -> None:
    known(house, "Anna")
    table = opened(house, "Anna", "")
    gil = house.person("Gil")
    assert gil.post(f"/table/{table}/sit", data={"seat": "2", "name": "Gil"}).status_code == 422
    (gil,) = known(house, "Gil")
    assert gil.post(f"/table/{table}/sit", data={"seat": "2", "name": "Gil"}).status_code == 303


def test_the_same_two_are_rated_so_often_a_day_and_then_play_casual(
    house: House, monkeypatch: pytest.MonkeyPatch
) -> None:
    few = replace(house.settings, limits=replace(house.settings.limits, rated_together=2))
    monkeypatch.setattr(house.tables, "settings", few)
    anna, bert = known(house, "Anna", "Bert")
    late = opened(house, "Anna", "Bert")
    for _ in range(2):
        play(house, opened(house, "Anna", "Bert"), anna, bert)
    with pytest.raises(NotRated, match="limit of 2 rated matches"):
        opened(house, "Anna", "Bert")
    play(house, late, anna, bert)  # opened in time, and over too late
    assert ratings(house)["Anna"].matches == 2
    assert len(rows(house, ResultRow)) == 6


# How it is played


def test_nothing_is_taken_back_in_a_rated_match_and_no_bot_gives_its_seat_away(house: House) -> None:
    (anna,) = known(house, "Anna")
    table = opened(house, "Anna", "random")
    card = anna.look(table)["choices"][0]["choice"]
    anna.choose(table, card)
    assert not anna.look(table)["may_take_back"]
    assert "Take back" not in anna.page(table)
    refused = anna.take_back(table)
    assert (refused.status_code, "can't take back" in refused.text) == (403, True)
    house.run(house.tables.get(table)).host = "Anna"
    refused = anna.post(f"/api/table/{table}/seats", json={"seat": 2})
    assert (refused.status_code, "Seats can't change" in refused.text) == (403, True)
    assert "This match is rated" in anna.page(table)


def test_the_form_opens_a_rated_table_and_says_why_where_it_cannot(house: House) -> None:
    (anna,) = known(house, "Anna")
    form = {"name": "Anna", "seat1": "me", "seat2": "random", "counting": "rated"}
    opened_at = anna.post("/games/hush", data=form)
    assert opened_at.status_code == 303
    table = opened_at.headers["location"].removeprefix("/table/")
    assert anna.look(table)["terms"] == {"rated": True}
    refused = house.person("Gil").post("/games/hush", data={**form, "name": "Gil"})
    assert (refused.status_code, "needs an account to play rated" in refused.text) == (422, True)
    assert '<option value="rated" selected>' in refused.text
    wrong = anna.post("/games/hush", data={**form, "counting": "twice"})
    assert (wrong.status_code, "Unknown match type" in wrong.text) == (422, True)


def test_a_rated_match_is_not_dealt_so_that_it_begins_with_something(house: House) -> None:
    known(house, "Anna")
    sitters = [sitter("Anna"), sitter("random")]
    with pytest.raises(NotRated, match="dealt at random"):
        house.run(house.tables.create(game("hush"), sitters, terms=RATED, begin_with=["x"]))


def test_whoever_is_deleted_leaves_the_ratings_of_the_others(house: House) -> None:
    anna, bert = known(house, "Anna", "Bert")
    table = opened(house, "Anna", "Bert")
    play(house, table, anna, bert)
    before = ratings(house)["Bert"].mu
    house.run(house.app.state.holdings.store.delete_person("Anna", "random"))
    assert {player: row.mu for player, row in ratings(house).items()} == {"Bert": before}
    assert {row.player for row in rows(house, ResultRow)} == {None, "Bert"}


def test_lists_say_that_a_table_is_rated_before_anybody_sits_down(house: House) -> None:
    anna, bert = known(house, "Anna", "Bert")
    table = opened(house, "Anna", "", terms=TableSettings(rated=True, public=True))
    found = {each["table"]: each["rated"] for each in bert.get("/api/tables").json()["open"]}
    assert found[table]
    assert '<span class="small">rated</span>' in bert.get("/lobby").text
    assert "This match is rated" in bert.page(table)
    assert '<span class="small">rated</span>' in anna.get("/lobby").text


def test_results_go_with_old_tables_and_ratings_stay(house: House) -> None:
    anna, bert = known(house, "Anna", "Bert")
    play(house, opened(house, "Anna", "Bert"), anna, bert)
    before = ratings(house)["Anna"].mu
    assert rows(house, ResultRow)
    house.run(house.tables.store.expire(2**40, 2**40))
    assert rows(house, ResultRow) == []
    assert ratings(house)["Anna"].mu == before
