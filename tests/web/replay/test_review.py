"""Reviews: win probabilities from what each seat knew, costly choices, computed once, in parts."""

import asyncio
import random
import threading
import time
from collections.abc import Callable
from html import unescape
from typing import Any

import msgspec
import pytest
from playwright.sync_api import Page, expect

from sparring.bots import bot as thinking
from sparring.bots import match_review as reviewing
from sparring.bots.match_review import MIN_COST, MatchReviewer, ReviewedChoice, costliest
from sparring.engine.match import Match
from sparring.engine.views import View
from sparring.people.rate_limits import Requester
from sparring.scene import Card, things
from sparring.settings import Limits
from sparring.site.replay.replay_access import ReplaySubject, of_table
from sparring.site.replay.review_jobs import MatchReview, is_valid_batch, review_key
from sparring.site.replay.review_process import ReviewPart, ReviewRequest
from sparring.store.person import Person
from web.app_server import AppServer, Client, StartServer
from web.browser_helpers import LOOKS, check
from web.look_alikes import BEN, look_alike, redetermined
from web.replay.replay_pages import open_replay
from web.replay.replayed_matches import upload
from wording import says

pytestmark = pytest.mark.server

__all__ = ["open_replay"]


@pytest.fixture
def count_iterations(monkeypatch: pytest.MonkeyPatch) -> None:
    """Count iterations instead of time, so that the same view always gets the same result."""
    monkeypatch.setattr(thinking, "run_timed", lambda spend, seconds, most: spend(most))
    monkeypatch.setattr(reviewing, "ITERATIONS", 24)
    monkeypatch.setattr(reviewing, "ROLLOUT_ITERATIONS", 48)


def hush(*words: str, seed: int = 1) -> str:
    """Return the record of a match of Hush; `best` and `worst` are cards by value."""
    match = Match.new("hush", seats=2, seed=seed)
    for word in words:
        lays = sorted((each for each in match.choices() if each.words.startswith("lay")), key=_value)
        match.choose({"best": lays[-1:], "worst": lays[:1]}[word][0].action if word in ("best", "worst") else word)
    return match.record()


def _value(choice: tuple[int, str]) -> int:
    return int(choice[1].removeprefix("lay "))


@pytest.mark.usefixtures("count_iterations")
def test_the_costliest_choices_and_better_ones_are_found() -> None:
    reviewer = MatchReviewer(hush("done", "best", "done"), quick=True)
    reviewed = [reviewer.choice(number) for number in range(3)]
    assert costliest(reviewed, 1) == [0]
    closer = reviewer.refine(0, reviewed[0])
    assert closer.words.casefold() == "done"
    assert closer.best is not None
    assert closer.best.words.startswith("Card ")
    assert closer.chosen is not None
    assert closer.chosen.tried == closer.best.tried == reviewing.REFINE_FACTOR * 24
    assert closer.cost > 0.3
    assert closer.is_certain


@pytest.mark.usefixtures("count_iterations")
def test_a_win_probability_has_an_interval_and_ends_with_the_result() -> None:
    reviewer = MatchReviewer(hush("done", "best", "done"), quick=True)
    hopes = reviewer.choice(2).hopes
    assert all(hope.low <= hope.value <= hope.high for hope in hopes)
    assert hopes[1].value == 1.0
    assert hopes[1].low > 0.8


@pytest.mark.usefixtures("count_iterations")
def test_forced_choices_and_forfeits_are_not_evaluated() -> None:
    reviewed = MatchReviewer(hush("give up"), quick=True).choice(0)
    assert (reviewed.words, reviewed.chosen, reviewed.best, reviewed.cost) == ("Give up", None, None, 0.0)


@pytest.mark.usefixtures("count_iterations")
@pytest.mark.parametrize("name", ["make-your-moves", "five-circles", "mace"])
def test_hidden_information_does_not_change_a_win_probability(name: str) -> None:
    """In two states that Ben can't tell apart, his win probability is the same to the last digit."""
    compared = 0
    for seed in range(20):
        match, dice = Match.new(name, seats=2, seed=seed), random.Random(seed)
        for _ in range(dice.randrange(1, 8)):
            match.choose(dice.choice([each for each in match.legal() if each not in match.game.conceding]))
        if match.over:
            continue
        action = dice.choice([each for each in match.legal() if each not in match.game.conceding])
        if (found := redetermined(match, action)) is None:
            continue
        truths = [Match.from_position(each.position()) for each in (match, found[0])]
        assert look_alike(truths[0], truths[1], action) is not None
        for truth, choice in zip(truths, (action, found[1]), strict=True):
            truth.choose(choice)
        hopes = [MatchReviewer(truth.record(), quick=True).choice(0).hopes[BEN - 1] for truth in truths]
        assert hopes[0] == hopes[1]
        compared += 1
        if compared == 2:
            break
    assert compared


# Tables


def finished(server: AppServer, seed: int = 1) -> str:
    """Create a finished table where Anna was done at once and Ben played a card."""
    table = server.table("Anna", "Ben", seed=seed)
    anna, ben = server.person("Anna"), server.person("Ben")
    anna.choose(table, "done")
    ben.choose(table, ben.look(table)["choices"][0]["choice"])
    ben.choose(table, "done")
    return table


def reviewed(who: Client, where: str) -> str:
    """Return the page's text once the review is complete."""
    for _ in range(600):
        page = who.get(f"{where}/review/now").raise_for_status().text
        if "data-going" not in page:
            return page
        time.sleep(0.1)
    raise AssertionError("the review never ended")


def test_a_match_is_reviewed_on_request(server: AppServer) -> None:
    table, who = finished(server), server.stranger()
    where = f"/table/{table}"
    assert f'href="{where}/review"' in who.get(f"{where}/replay").text
    assert "Review this match" in who.get(f"{where}/review").text
    assert who.get(f"{where}/review/now").status_code == 404
    assert who.post(f"{where}/review").headers["location"] == f"{where}/review"
    page = reviewed(who, where)
    assert "All 3 choices reviewed." in page
    assert page.count('class="hope s') == 2
    assert page.count('class="band s') == 2
    assert page.count("<tr>") == 4
    assert "Anna" in page
    assert "Given what Anna knew: " in page
    assert f'href="{where}/replay?view=1&amp;choices=0"' in page
    assert "Review this match" not in who.get(f"{where}/review").text


@pytest.mark.usefixtures("same_keys")
def test_a_review_is_computed_once_per_match(start_server: StartServer) -> None:
    server = start_server()
    table = finished(server)
    anna = server.person("Anna")
    anna.post(f"/table/{table}/review")
    page = reviewed(anna, f"/table/{table}")
    record = anna.get(f"/table/{table}/record").text
    server.close()
    again = start_server()
    reviews = again.app.state.replays.reviews
    anna = again.person("Anna")
    assert reviewed(anna, f"/table/{table}") == page
    anna.post(f"/table/{table}/review")
    where = upload(anna, record).headers["location"].removesuffix("/replay")
    assert "All 3 choices reviewed." in reviewed(anna, where)
    assert not reviews._tasks
    assert not reviews.pool.workers[0].running


def test_a_double_click_requests_one_review(server: AppServer, monkeypatch: pytest.MonkeyPatch) -> None:
    """Both requests ask the database before either of them begins."""
    reviews, begun = server.app.state.replays.reviews, list[str]()
    table = server.run(server.tables.registry.get(finished(server, seed=31)))

    async def noted(key: str, _: ReplaySubject) -> None:
        begun.append(key)

    async def click_twice() -> None:
        subject = of_table(table, Person(), await server.tables.chat.filter_for(table, Person()))
        await asyncio.gather(*(reviews.begin(subject, Requester()) for _ in range(2)))
        await asyncio.sleep(0)

    monkeypatch.setattr(reviews, "_work", noted)
    server.run(click_twice())
    assert len(begun) == 1


@pytest.mark.parametrize("more", ["/review", "/review/now", *(f"/review/{n}/position?seat=0" for n in (-1, 0, 99))])
def test_an_unfinished_match_is_not_reviewed(more: str, table: str, anna: Client) -> None:
    responses = [
        anna.get(f"/table/{table}{more}"),
        *([anna.post(f"/table/{table}/review")] if more == "/review" else []),
    ]
    assert [response.status_code for response in responses] == [403] * len(responses)
    assert all("once it is over" in response.text for response in responses)
    assert f"/table/{table}/review" not in anna.get(f"/table/{table}/replay").text


def test_reviews_are_rate_limited(start_server: StartServer) -> None:
    server = start_server(limits=Limits(reviews_at_once=1))
    anna = server.person("Anna")
    first, second = finished(server), server.table("Anna", "Ben", seed=2)
    anna.choose(second, "give up")
    assert anna.post(f"/table/{first}/review").status_code == 303
    response = anna.post(f"/table/{second}/review")
    assert response.status_code == 429
    assert "requested too many reviews" in response.text
    reviewed(anna, f"/table/{first}")


@pytest.mark.parametrize("reason", ["long", "busy"])
def test_a_review_that_would_take_too_long_is_refused(
    server: AppServer, monkeypatch: pytest.MonkeyPatch, reason: str
) -> None:
    table, who = finished(server, seed=8), server.stranger()
    if reason == "long":
        monkeypatch.setattr("sparring.site.replay.review_jobs.MOST_CHOICES", 0)
    else:
        turns = server.app.state.replays.reviews.pool.turns
        monkeypatch.setattr(turns, "_free", 0)
        monkeypatch.setattr(turns, "_most", 0)
    response = who.post(f"/table/{table}/review")
    assert response.status_code == {"long": 422, "busy": 503}[reason]
    assert 'class="problem"' in response.text
    assert who.get(f"/table/{table}/review/now").status_code == 404


def test_a_failed_review_can_be_requested_again(server: AppServer) -> None:
    table, who = finished(server, seed=7), server.stranger()
    server.app.state.replays.reviews.pool.workers[0]._module = "sparring.nothing_here"
    who.post(f"/table/{table}/review")
    assert "The review failed" in reviewed(who, f"/table/{table}")
    server.app.state.replays.reviews.pool.workers[0]._module = "sparring.site.replay.review_process"
    assert "Review this match" in who.get(f"/table/{table}/review").text
    who.post(f"/table/{table}/review")
    assert "All 3 choices" in reviewed(who, f"/table/{table}")


def test_a_review_of_another_match_is_not_stored(server: AppServer, monkeypatch: pytest.MonkeyPatch) -> None:
    """Answers that a worker on another machine might give: nothing, too few values, an unknown seat, no number."""
    table, who = finished(server, seed=8), server.stranger()
    record = who.get(f"/table/{table}/record").text
    good = [MatchReviewer(record, quick=True).choice(number) for number in range(3)]

    def worse(**wrong: Any) -> list[ReviewedChoice]:
        return [*good[:2], msgspec.structs.replace(good[2], **wrong)]

    async def ask(*_: Any) -> ReviewPart:
        return ReviewPart(few)

    hopes = [msgspec.structs.replace(hope, low=float("nan")) for hope in good[2].hopes]
    few, piece = worse(hopes=good[2].hopes[:1]), ReviewRequest(record, [0, 1, 2])
    assert is_valid_batch(good, piece, 2)
    assert not any(is_valid_batch(found, piece, 2) for found in ([], few, worse(seat=9), worse(hopes=hopes)))
    monkeypatch.setattr(server.app.state.replays.reviews.pool, "ask", ask)
    who.post(f"/table/{table}/review")
    assert "The review failed" in reviewed(who, f"/table/{table}")


# The costliest moments


def reviewer_of(server: AppServer, table: str) -> tuple[MatchReviewer, MatchReview]:
    """Return a reviewer of a table's match, and an empty review, which the server takes for one in progress."""
    record = server.stranger().get(f"/table/{table}/record").text
    review = MatchReview(choices=3)
    server.app.state.replays.reviews._running[review_key(record)] = review
    return MatchReviewer(record, quick=True), review


def with_review(server: AppServer, table: str) -> MatchReview:
    """Give a table's match a finished review in which the first choice was costly."""
    reviewer, review = reviewer_of(server, table)
    review.found += [reviewer.choice(number) for number in range(3)]
    return review


@pytest.mark.usefixtures("count_iterations")
def test_costly_moments_are_shown_before_the_review_is_complete(server: AppServer) -> None:
    table = finished(server, seed=21)
    review = with_review(server, table)
    page = server.stranger().get(f"/table/{table}/review/now").text
    assert "data-going" in page
    assert "so far" in page
    worst = costliest(review.found, 1)[0]
    address = f"/table/{table}/review/{worst}/position?seat={review.found[worst].seat}"
    assert f'src="{address}&amp;better={review.found[worst].best_action}"' in page
    assert f'action="/table/{table}/review/{worst}/play"' in page


@pytest.mark.usefixtures("count_iterations")
def test_a_player_sees_their_own_mistakes(server: AppServer) -> None:
    table = finished(server, seed=21)
    review = with_review(server, table)
    seats = {each.seat for each in review.found if each.cost >= MIN_COST}
    assert seats
    everyone = server.stranger().get(f"/table/{table}/review/now").text
    assert all(f"position?seat={seat}" in everyone for seat in seats)
    for seat, name in enumerate(("Anna", "Ben"), 1):
        page = server.person(name).get(f"/table/{table}/review/now").text
        assert f"position?seat={3 - seat}" not in page
        assert (f"position?seat={seat}" in page) == (seat in seats)


@pytest.mark.usefixtures("count_iterations")
def test_costly_moments_are_shown_once_they_are_reviewed_but_not_after_a_first_look(server: AppServer) -> None:
    """First impressions are too rough. The chart waits for the review, which has the other players' chances."""
    table = finished(server, seed=27)
    reviewer, review = reviewer_of(server, table)
    review.glanced += [reviewer.glance(number) for number in range(2)]
    page = server.stranger().get(f"/table/{table}/review/now").text
    assert says(page, "2 of 3 choices")
    assert "/position?" not in page
    (worst,) = costliest(review.glanced, 1)
    review.ahead[worst] = reviewer.choice(worst)
    page = server.stranger().get(f"/table/{table}/review/now").text
    assert f"/table/{table}/review/{worst}/position?seat={review.glanced[worst].seat}" in page
    assert 'class="hope s1"' not in page.replace("M0 6H36", "").split('class="curve"')[1]


@pytest.mark.usefixtures("count_iterations")
def test_a_glance_compares_only_what_was_tried_often(monkeypatch: pytest.MonkeyPatch) -> None:
    record = hush("best", "done", "worst", "done")
    reviewer = MatchReviewer(record, quick=True)
    found = [reviewer.glance(number) for number in range(4)]
    assert any(each.cost for each in found)
    assert all(each.hopes[2 - each.seat] == reviewing.UNKNOWN for each in found)
    monkeypatch.setattr(reviewing, "GLANCE_ITERATIONS", 4)
    assert [reviewer.glance(number).chosen for number in range(4)] == [None] * 4


def test_the_picture_shows_what_the_seat_knew_with_both_choices_marked(server: AppServer) -> None:
    table, who = finished(server, seed=22), server.stranger()
    anna = Match.from_record(who.get(f"/table/{table}/record").text, upto=0)
    better = anna.choices()[0]
    drawn = who.get(f"/table/{table}/review/0/position?seat=1&better={better.action}")
    assert drawn.headers["content-type"].startswith("image/svg+xml")
    assert "sandbox" in drawn.headers["content-security-policy"]
    assert 'class="outline mark better"' in drawn.text  # the card
    assert "✗" in unescape(drawn.text)  # the button that ended the turn
    others = [card for card in anna.view(2).choices if card.words not in drawn.text]
    assert not others
    hidden = [str(face.name) for face in faces(anna.view(2)) if face not in faces(anna.view(1))]
    assert hidden
    assert not any(f">{name}</text>" in drawn.text for name in hidden)


def faces(view: View) -> list[Any]:
    """Return the faces of the cards that a seat sees."""
    return [thing.face for thing in things(view.scene) if isinstance(thing, Card) and thing.face]


@pytest.mark.parametrize("path", ["0/position?seat=1", "0/play"])
def test_no_picture_and_no_new_table_before_the_match_is_over(server: AppServer, path: str) -> None:
    table = server.table("Anna", "Ben", seed=23)
    anna = server.person("Anna")
    answer = anna.post(f"/table/{table}/review/{path}") if "play" in path else anna.get(f"/table/{table}/review/{path}")
    assert answer.status_code == 403


def test_a_match_can_be_played_on_from_a_moment_against_a_bot(server: AppServer) -> None:
    table = finished(server, seed=24)
    anna, before = server.person("Anna"), server.person("Ben").look(table)
    answer = anna.post(f"/table/{table}/review/1/play")
    assert answer.status_code == 303
    created = answer.headers["location"].removeprefix("/table/")
    now = anna.look(created)
    assert (now["seat"], now["is_turn"]) == (2, True)  # the second choice was Ben's
    assert [seat["kind"] for seat in now["seats"]] == ["bot", "person"]
    match = server.held(created).match
    assert match.history == server.held(table).match.history[:1]
    assert anna.choose(created, now["choices"][0]["choice"]).status_code == 200
    assert server.person("Ben").look(table) == before


def test_the_match_is_replayed_outside_the_event_loop(server: AppServer, monkeypatch: pytest.MonkeyPatch) -> None:
    table = finished(server, seed=26)
    choose, threads = Match.choose, list[threading.Thread]()

    def noted(match: Match, action: int) -> Any:
        threads.append(threading.current_thread())
        return choose(match, action)

    monkeypatch.setattr(Match, "choose", noted)
    assert server.person("Anna").post(f"/table/{table}/review/2/play").status_code == 303
    assert threads
    assert server._thread not in threads


def test_a_moment_after_the_end_is_refused(server: AppServer) -> None:
    table = finished(server, seed=25)
    anna = server.person("Anna")
    assert anna.post(f"/table/{table}/review/99/play").status_code == 422
    assert anna.get(f"/table/{table}/review/99/position?seat=1").status_code == 422


def test_a_table_that_was_played_on_survives_a_restart(start_server: StartServer) -> None:
    server = start_server()
    created = server.person("Anna").post(f"/table/{finished(server)}/review/1/play").headers["location"]
    before = server.person("Anna").look(created.removeprefix("/table/"))
    server.close()
    assert start_server().person("Anna").look(created.removeprefix("/table/")) == before


# Browser


@pytest.mark.browser
def test_a_review_is_two_clicks_from_the_end_of_a_match(open_replay: Callable[..., Page], server: AppServer) -> None:
    table = finished(server, seed=26)
    page = open_replay(f"/table/{table}", stands=False)
    page.get_by_role("button", name="Review", exact=True).click()
    page.wait_for_url(f"**/table/{table}/review")
    expect(page.locator("#review")).to_contain_text("choices reviewed", timeout=60_000)
    expect(page.locator(".worst img").first).to_be_visible(timeout=60_000)
    page.get_by_role("button", name="Replay from here").first.click()
    expect(page.locator("form.scene")).to_be_visible()


@pytest.mark.browser
@pytest.mark.parametrize(("scheme", "size"), LOOKS)
def test_the_page_fills_as_the_review_proceeds(
    open_replay: Callable[..., Page], server: AppServer, scheme: str, size: dict[str, int]
) -> None:
    table = finished(server)
    reviewer, review = reviewer_of(server, table)
    review.found.append(reviewer.choice(0))
    page = open_replay(f"/table/{table}/review", stands=False, color_scheme=scheme, viewport=size)
    expect(page.locator(".so-far")).to_contain_text("1 of 3 choices")
    review.found += [reviewer.choice(number) for number in (1, 2)]
    expect(page.locator(".so-far")).to_contain_text("costliest choices")
    review.done = True
    expect(page.locator("#review")).to_contain_text("All 3 choices")
    page.get_by_text("All choices as a table").click()
    expect(page.locator("#all-choices tbody tr")).to_have_count(3)
    check(page)
