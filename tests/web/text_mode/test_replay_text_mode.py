"""Replays in text mode: moments from a seat's view, links between them, and reviews."""

import re
from html import unescape
from typing import Any

import httpx
import msgspec
import pytest

from games.test_catalogues import english_in
from pseudo_language import PseudoLanguage
from sparring.bots.match_review import ActionValue, ReviewedChoice, WinEstimate
from sparring.engine.hints import ExpectedChoice
from sparring.scene.markup import SeatNames
from sparring.scene.screen_reader import SceneSpeaker
from sparring.scene.sentences import merge_asides
from sparring.site.replay.review_jobs import CostlyChoice, MatchReview, review_key
from sparring.site.replay.timeline import COMMANDS
from web.app_server import AppServer, Client
from web.pages.page_text import text_of
from web.replay.replayed_matches import hush, play_randomly, table_timeline


def get_moment(client: Client, table: str, **where: Any) -> httpx.Response:
    return client.http.get(f"/table/{table}/replay/text", params=where)


def events_on(page: str) -> str:
    """Return the events of its moment."""
    inside = re.search(r'<div class="told"[^>]*>(.*?)</div>', page, re.DOTALL)
    assert inside
    return text_of(inside[1])


def answer(page: str) -> str:
    """Return the answer to a query."""
    inside = re.search(r'<div class="answer">(.*?)</div>', page, re.DOTALL)
    return text_of(inside[1]) if inside else ""


def title(page: str) -> str:
    found = re.search(r'id="moment-title"[^>]*>(.*?)<', page)
    assert found
    return unescape(found[1])


def test_a_moment_has_its_number_events_and_table(server: AppServer) -> None:
    table = server.table("Anna", "Ben", name="world-of-fighters")
    play_randomly(server, table, upto=8)
    timeline = table_timeline(server, table)
    reel = timeline.viewer_timeline(1)
    number = next(number for number, moment in enumerate(reel.moments) if len(moment.version.beats) > 2)
    page = get_moment(server.person("Anna"), table, at=number).text
    assert title(page) == f"Step {number} of {len(reel.moments) - 1}, as you saw it"
    say = SceneSpeaker(SeatNames(["Anna", "Ben"]), timeline.match.game.spoken_forms)
    beats = [[*map(say.spoken, merge_asides(beat.lines))] for beat in reel.moments[number].version.beats if beat.lines]
    assert events_on(page) == " ".join(line for lines in beats for line in lines)
    assert page.count("<li><p") == len(beats), "beat by beat"
    for heading in ("Your hand", "Anna, you", "The ring", "Log up to this step"):
        assert heading in text_of(page)
    assert "<svg" not in page
    assert 'name="choice"' not in page, "nothing can be chosen here"


@pytest.mark.parametrize(
    ("typed", "there"),
    [("next", "3"), ("N", "3"), ("back", "1"), ("p", "1"), ("first", "0"), ("last", "4"), ("4", "4"), ("moment 1", "1"),
     ("0", "0"), ("", "2")],
)  # fmt: skip
def test_typed_numbers_open_moments(server: AppServer, typed: str, there: str) -> None:
    table, _ = hush(server)
    page = get_moment(server.stranger(), table, at=2, to=typed)
    assert page.status_code == 200
    assert title(page.text).startswith(f"Step {there} of 4")


@pytest.mark.parametrize(
    ("typed", "said"),
    [("nowhere", "“nowhere” isn't a step."), ("-3", "“-3” isn't a step."), ("٣", "“٣” isn't a step."),
     ("99", "This is the last step, 4."), ("9" * 300, "This is the last step, 4.")],
)  # fmt: skip
def test_an_unknown_moment_gets_one_sentence_and_a_valid_one(server: AppServer, typed: str, said: str) -> None:
    table, _ = hush(server)
    page = get_moment(server.stranger(), table, at=2, to=typed)
    assert page.status_code == (422 if "isn't a step" in said else 200)
    assert said in text_of(page.text)
    assert title(page.text).startswith("Step 2" if "isn't a step" in said else "Step 4")


@pytest.mark.parametrize(
    ("typed", "said"),
    [("hand", "Your hand"), ("seats", "Anna, you. Ben."), ("/TABLE", "Ben laid: Card 1, 1."),
     ("help", "a number: that step"), ("?", "or type a query")],
)  # fmt: skip
def test_queries_about_a_moment_are_answered(server: AppServer, typed: str, said: str) -> None:
    table, _ = hush(server)
    page = get_moment(server.person("Anna"), table, at=3, view=1, to=typed)
    assert page.status_code == 200
    assert title(page.text) == "Step 3 of 3, as Anna"
    assert said.casefold() in answer(page.text).casefold()
    assert '<div class="told"' not in page.text, "only the answer is announced"


def test_unknown_queries_get_one_sentence(server: AppServer) -> None:
    table, _ = hush(server)
    page = get_moment(server.person("Anna"), table, at=1, to="at c3")
    assert page.status_code == 422
    assert title(page.text) == "Step 1 of 4, all cards face up"
    assert re.search(r'<p class="problem">This game has no board.</p>', page.text)
    assert 'value="at c3"' in page.text


def test_the_first_and_last_moments_say_so(server: AppServer) -> None:
    table, _ = hush(server)
    assert "This is the first step." in text_of(get_moment(server.stranger(), table, at=0, to="back").text)
    assert "This is the last step, 4." in text_of(get_moment(server.stranger(), table, at=4, to="next").text)


def test_links_connect_moments(server: AppServer) -> None:
    table, _ = hush(server)
    page = get_moment(server.stranger(), table, view=1, at=2).text
    links = re.findall(r'href="([^"]+)" data-leaf="(\w+)"', page)
    assert [(unescape(link).split("?")[1], key) for link, key in links] == [
        ("view=1&at=0", "first"), ("view=1&at=1", "back"), ("view=1&at=3", "next"), ("view=1&at=3", "last"),
    ]  # fmt: skip
    assert "All hands" in get_moment(server.stranger(), table, choices=3, view="open").text


def test_an_unfinished_match_is_shown_from_ones_seat(server: AppServer, table: str, ben: Client) -> None:
    before = get_moment(ben, table).text
    play_randomly(server, table, upto=1)
    assert get_moment(ben, table).text == before, "secret choices are no moments"
    assert title(get_moment(server.person("Anna"), table).text) == "Step 1 of 1, as you saw it"
    for more in ({"view": "open"}, {"view": "1"}, {"choices": 1}):
        assert get_moment(ben, table, **more).status_code == 403
    assert "Review" not in re.sub("<section[^>]* hidden>.*?</section>", "", before, flags=re.DOTALL)


def test_the_last_moment_says_how_it_ended(server: AppServer) -> None:
    table, _ = hush(server)
    assert "The match is over." in text_of(get_moment(server.stranger(), table, to="last").text)
    assert 'id="end" hidden' in get_moment(server.stranger(), table, at=1).text


def test_pages_link_to_the_text_replay_and_back(server: AppServer) -> None:
    table, _ = hush(server)
    stranger = server.stranger()
    address = f'href="/table/{table}/replay/text'
    assert address in stranger.get(f"/table/{table}/text").text
    assert address in stranger.get(f"/table/{table}/replay?at=2").text
    page = get_moment(stranger, table, at=2).text
    assert f'href="/table/{table}/replay?view=open&amp;at=2&amp;pictures=true"' in page
    assert stranger.get(f"/table/{table}/replay?view=open&at=2&pictures=true").status_code == 200


def test_the_text_mode_preference_redirects_to_the_same_moment(server: AppServer) -> None:
    table, _ = hush(server)
    anna = server.person("Anna")
    anna.post("/listening", data={"tables": "words", "back": "/"})
    led = anna.get(f"/table/{table}/replay?view=1&at=2")
    assert led.headers["location"] == f"/table/{table}/replay/text?view=1&at=2"
    assert anna.get(f"/table/{table}/replay?view=1&at=2&pictures=true").status_code == 200
    anna.post("/listening", data={"tables": "pictures", "back": "/"})


def reviewed(server: AppServer, table: str, choices: int, done: bool = True) -> None:
    """Store a review of a match."""
    even, low = WinEstimate(0.5, 0.4, 0.6), WinEstimate(0.2, 0.1, 0.3)
    chosen, better = ActionValue("lay 3C", low, 90), ActionValue("done", even, 90)
    line = [ExpectedChoice(2, "done", 0.5), ExpectedChoice(2, "", 0.4)]
    found = [ReviewedChoice(1, "lay 3C", [even, low], 1, chosen, 2, better, line)] * choices
    review = MatchReview(4, found, worst=[CostlyChoice(1, found[1])] if done else [], done=done)
    record = server.stranger().get(f"/table/{table}/record").text
    store = server.app.state.replays.reviews._store
    server.run(store.save_review(review_key(record), msgspec.msgpack.encode(review)))


def test_a_review_is_shown_at_every_moment_with_links_to_costly_ones(server: AppServer) -> None:
    table, _ = hush(server)
    stranger = server.stranger()
    assert "Review this match" in text_of(get_moment(stranger, table, at=1).text)
    reviewed(server, table, 3, done=False)
    assert "This step hasn't been reviewed yet." in text_of(get_moment(stranger, table, at=3).text)
    reviewed(server, table, 4)
    page = get_moment(stranger, table, at=1).text
    assert "Chance of winning at this step" in text_of(page)
    assert "Anna: 50% (40% to 60%), given what Anna knew." in text_of(page)
    assert "Ben: 20% (10% to 30%), given what Ben knew." in text_of(page)
    assert "Anna chose lay 3C ; done was better: 50% to win instead of 20%." in text_of(page)
    link = re.search(r'href="([^"]+)">Choice 2<', page)
    assert link
    assert unescape(link[1]) == f"/table/{table}/replay/text?view=1&choices=1"
    assert title(stranger.get(unescape(link[1])).text) == "Step 1 of 3, as Anna"
    assert "The match is over at this step" in text_of(get_moment(stranger, table, to="last").text)


def test_a_review_says_what_was_better_and_why(server: AppServer) -> None:
    table, _ = hush(server)
    reviewed(server, table, 4)
    shown = text_of(server.person("Anna").get(f"/table/{table}/review/now").text)
    compared = (
        "Given what Anna knew: lay 3C 20% (10% to 30%) to win, done 50% (40% to 60%), each from 90 simulated matches."
    )
    forecast = "Before the choice, Anna had 50% (40% to 60%) to win. Hidden cards were sampled at random for each"
    for part in (
        "Choice 2 : Anna chose lay 3C ; done was better: 50% to win instead of 20%.",
        compared,
        f"{forecast} simulated match. Most likely continuation: Ben: done; Ben: a secret choice.",
    ):  # fmt: skip
        assert part in shown


def test_replays_and_reviews_are_in_the_catalogue(server: AppServer, monkeypatch: pytest.MonkeyPatch) -> None:
    """All but the moments, which the sandbox renders, and what can be typed."""
    table, _ = hush(server)
    reviewed(server, table, 4)
    anna, language = server.person("Anna"), PseudoLanguage()
    moments = anna.get(f"/table/{table}/replay/moments?at=1").text
    names = {"Anna", "Ben", "Hush", "lay", "done", "Hand", "Card", *COMMANDS.names}
    names |= {*re.findall(r"\w+", text_of(moments))}
    monkeypatch.setattr(server.app.state, "language_of", lambda _: language)
    for page in ("replay", "replay/text", "review", "review/now"):
        shown = anna.get(f"/table/{table}/{page}?at=1").text
        main = re.search("<main.*</main>", shown, re.DOTALL)
        assert english_in(text_of(main[0] if main else shown), names) == [], page


def test_uploaded_records_have_a_text_replay(server: AppServer) -> None:
    table, _ = hush(server)
    anna = server.person("Anna")
    record = anna.get(f"/table/{table}/record").text
    kept = anna.post("/records", files={"record": ("mine.json", record)}).headers["location"]
    page = anna.get(f"{kept}/text?at=1").text
    assert title(page) == "Step 1 of 4, all cards face up"
    assert "Seat 1 chooses in secret" in events_on(page)
