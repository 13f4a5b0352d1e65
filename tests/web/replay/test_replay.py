"""Replays: moments, views by seat, and the contents of pages and responses."""

import random
import re

import pytest

from sparring import Match
from sparring.scene import Card, things
from sparring.site.replay.open_information import open_view
from sparring.site.replay.record_sandbox import timeline_of
from web.app_server import AppServer, Client
from web.replay.replayed_matches import GAME, finished, hush, play_randomly, table_timeline


def moments(page: str) -> tuple[int, int]:
    """Return the moment that a page shows, and the number of the last one."""
    at, last = re.findall(r'data-at="(\d+)" data-last="(\d+)"', page)[0]
    return int(at), int(last)


def test_a_finished_match_has_an_open_view_and_one_per_seat(server: AppServer) -> None:
    table, laid = hush(server)
    address = f"/table/{table}/replay?choices=3&view="
    views = {view: server.stranger().get(f"{address}{view}").text for view in ("open", 0, 1, 2)}
    assert {view: [who for who, card in laid.items() if f"Card {card}," in page] for view, page in views.items()} == {
        "open": ["Anna", "Ben"], 0: [], 1: ["Anna"], 2: ["Ben"],
    }  # fmt: skip


def test_the_open_view_shows_secret_choices(server: AppServer) -> None:
    table, _ = hush(server)
    page = server.stranger().get(f"/table/{table}/replay?at=1").text
    assert re.search(r"Anna</b> chooses in secret: lay \w+", page)
    assert "in secret" not in server.stranger().get(f"/table/{table}/replay?view=2&at=1").text


def test_moments_are_numbered_by_what_a_seat_saw(server: AppServer) -> None:
    table, _ = hush(server)
    last = {
        view: moments(server.stranger().get(f"/table/{table}/replay?view={view}").text)[1] for view in ("open", 1, 2)
    }
    assert last == {"open": 4, 1: 3, 2: 3}


def test_a_moment_has_a_link_and_a_log(server: AppServer) -> None:
    table = finished(server, "Anna", "Ben", name=GAME)
    page = server.stranger().get(f"/table/{table}/replay?view=1&at=5").text
    assert moments(page)[0] == 5
    assert f"/table/{table}/replay?view=1&amp;at=6" in page
    timeline = timeline_of(server.stranger().get(f"/table/{table}/record").text)
    told = timeline.viewer_timeline(1).moments[5].version.beats[-1].lines
    assert 'class="now"' in page
    assert all(str(line).split(" ")[-1] in page for line in told)


def test_another_view_of_the_same_moment(server: AppServer) -> None:
    table, _ = hush(server)
    stranger = server.stranger()
    after_two = stranger.get(f"/table/{table}/replay?view=2&choices=2").text
    assert moments(after_two)[0] == 1
    assert 'name="choices" value="2"' in after_two
    assert moments(stranger.get(f"/table/{table}/replay?view=1&choices=3").text)[0] == 2


def test_the_last_moment_says_how_it_ended(server: AppServer) -> None:
    table, _ = hush(server)
    page = server.stranger().get(f"/table/{table}/replay?view=0&at=99").text
    assert moments(page) == (2, 2)
    assert "scene game-hush over" in page


def test_moments_include_their_beats(server: AppServer) -> None:
    table = finished(server, "Anna", "Ben", name=GAME)
    timeline = timeline_of(server.stranger().get(f"/table/{table}/record").text)
    beats = [len(moment.version.beats) for moment in timeline.viewer_timeline(1).moments]
    first = next(number for number, many in enumerate(beats) if many > 1)
    response = server.stranger().get(f"/table/{table}/replay/moments?view=1&at={first}").text
    articles = response.split("<article")[1:]
    assert [article.count('<form class="scene') for article in articles] == beats[first : first + 4]
    assert f'data-at="{first}"' in articles[0]


def test_moments_of_a_long_match_are_paged(server: AppServer) -> None:
    table = server.table("Anna", "Ben", name="untitled-movement")
    play_randomly(server, table, upto=600)
    anna = server.person("Anna")
    assert moments(anna.get(f"/table/{table}/replay").text)[1] == 600
    assert anna.get(f"/table/{table}/replay/moments?at=596").text.count("<article") == 4


@pytest.mark.parametrize(
    ("address", "more"),
    [(address, f"view={seat}") for address in ("replay", "replay/moments") for seat in ("open", 1, 0)]
    + [("replay", "choices=1&view=2")],
)
def test_an_unfinished_match_is_shown_from_ones_seat(server: AppServer, address: str, more: str, table: str) -> None:
    play_randomly(server, table, upto=1)
    response = server.person("Ben").get(f"/table/{table}/{address}?{more}")
    assert response.status_code == 403
    assert server.person("Ben").get(f"/table/{table}/{address}?view=2&at=0").status_code == 200


def test_an_unfinished_match_reveals_nothing_unseen(server: AppServer, table: str, ben: Client) -> None:
    before = [ben.get(f"/table/{table}/replay{more}").text for more in ("", "/moments?at=0")]
    play_randomly(server, table, upto=1)
    assert [ben.get(f"/table/{table}/replay{more}").text for more in ("", "/moments?at=0")] == before
    assert moments(server.person("Anna").get(f"/table/{table}/replay").text) == (1, 1)


def test_the_replay_of_an_unfinished_match_grows(server: AppServer) -> None:
    table = server.table("Anna", "Ben", name=GAME)
    anna = server.person("Anna")
    for upto in (5, 9):
        play_randomly(server, table, upto=upto)
        at, last = moments(anna.get(f"/table/{table}/replay").text)
        assert at == last == len(table_timeline(server, table).viewer_timeline(1).moments) - 1


def test_undone_choices_are_not_moments(table: str, anna: Client) -> None:
    for _ in range(2):
        anna.choose(table, anna.look(table)["choices"][0]["choice"])
        assert moments(anna.get(f"/table/{table}/replay").text)[1] == 1
        anna.take_back(table)
    assert moments(anna.get(f"/table/{table}/replay").text)[1] == 0


@pytest.mark.parametrize(("at", "shown"), [("-1", 0), ("99999", 4), ("9" * 40, 4)])
def test_moment_numbers_are_clamped(server: AppServer, at: str, shown: int) -> None:
    table, _ = hush(server)
    assert moments(server.stranger().get(f"/table/{table}/replay?at={at}").text) == (shown, 4)
    assert f'data-at="{shown}"' in server.stranger().get(f"/table/{table}/replay/moments?at={at}").text


def test_a_finished_table_links_to_its_replay(server: AppServer) -> None:
    table, _ = hush(server, "Maya", "Ravi")  # the home page only links to a person's newest finished tables
    link = f'href="/table/{table}/replay"'
    assert link in server.person("Maya").page(table)
    assert link in server.person("Maya").get("/").text


@pytest.mark.parametrize(
    ("address", "status"),
    [("/table/nowhere/replay", 404), ("/records/nowhere/replay", 404), ("/table/{}/replay?at=x", 400),
     ("/table/{}/replay?view=9", 403), ("/table/{}/replay?view=elsewhere", 403)],
)  # fmt: skip
def test_a_missing_replay_gets_one_sentence(server: AppServer, address: str, status: int) -> None:
    table, _ = hush(server)
    response = server.stranger().get(address.format(table))
    assert response.status_code == status
    assert 'class="problem"' in response.text


@pytest.mark.parametrize("name", ["five-circles", "mace", "make-your-moves", "untitled-movement", "world-of-fighters"])
def test_the_open_view_shows_hands_and_face_down_cards(name: str) -> None:
    """In every game: each card in a hand is on the open table, under its own key."""
    match, dice = Match.new(name, seed=4), random.Random(4)
    for _ in range(40):
        opened = open_view(match.setup, match.state).scene
        seen = {
            thing.face for seat in (1, 2) for thing in things(match.view(seat).scene.hand) if isinstance(thing, Card)
        }
        lying = [thing for thing in things((opened.seats, opened.middle, opened.hand)) if isinstance(thing, Card)]
        assert seen <= {card.face for card in lying}
        keys = [card.key for card in lying]
        assert len(keys) == len(set(keys))
        assert opened.actions() == []
        if match.over:
            break
        match.choose(dice.choice([each for each in match.legal() if each not in match.game.conceding]))
