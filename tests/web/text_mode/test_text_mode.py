"""Text mode: the same match with headings, lists and typed words, with and without JavaScript."""

import re
from html import unescape
from typing import Any

import pytest

from sparring.engine.game import game
from sparring.site.text_mode.text_sections import COMMANDS, duration
from sparring.tables.state.players import Player
from sparring.tables.state.table_settings import TableSettings
from web.app_server import AppServer, Client
from web.pages.page_text import headings
from wording import says


def page(client: Client, table: str, **more: str) -> str:
    return client.http.get(f"/table/{table}/text", params=more).raise_for_status().text


def say(client: Client, table: str, words: str, version: int | None = None) -> Any:
    """Post like the page's script; return the response."""
    data = {"version": client.version(table) if version is None else version, "words": words}
    return client.post(f"/table/{table}/text/say", data=data, headers={"Accept": "application/json"}).json()


def listed(text: str, name: str) -> list[str]:
    """Return the sentences in the part with this id."""
    inside = re.search(rf'<(ol|div) id="{name}".*?</\1>', text, re.DOTALL)
    assert inside
    return [unescape(line) for line in re.findall(r"<(?:li|p)[^>]*>(.*?)</(?:li|p)>", inside[0])]


def announced(event: bytes) -> list[str]:
    inside = re.search(rb'<div class="told">(.*?)</div>', event, re.DOTALL)
    assert inside
    return [unescape(line.decode()) for line in re.findall(rb"<p[^>]*>(.*?)</p>", inside[1])]


def test_the_page_describes_the_whole_table_under_headings(server: AppServer) -> None:
    table = server.table("Anna", "Ben", name="world-of-fighters")
    anna = server.person("Anna")
    anna.choose(table, "Hai Wu")
    server.person("Ben").choose(table, "Kenji Aoki")
    text = page(anna, table)
    found = headings(text)
    order = ["Question", "What happened", "Your hand", "Your Movement cards", "Players", "Anna, you, choosing",
             "Table", "The ring", "History", "Seats and settings", "This page"]  # fmt: skip
    assert [heading for heading in found if heading in order] == order
    assert listed(text, "told") == ["You pick Hai Wu.", "Ben picks Kenji Aoki.", "Round 1: you move first."]
    assert re.search("<li>Kenji Aoki, Ben, on [a-g][1-5]</li>", text)
    assert text.count("<td>") == 35, "every square of the ring"
    assert "<svg" not in text


def test_every_choice_is_a_button_with_the_words_to_type(server: AppServer) -> None:
    table = server.table("Anna", "Ben", name="mace", seed=3)
    text = page(server.person("Anna"), table)
    assert re.search(r'name="choice" value="\d+">3 of clubs</button> <kbd>3C</kbd>', text)
    assert '<option value="3C">' in text
    assert text.count('name="choice"') == 5


def test_a_typed_choice_is_made_and_an_old_version_refused(server: AppServer) -> None:
    table = server.table("Anna", "Ben", name="mace", seed=3)
    anna = server.person("Anna")
    before = anna.version(table)
    assert say(anna, table, "3c")["version"] == before + 1
    assert any(says(line, "You play 3 of clubs face down", "Momentum") for line in listed(page(anna, table), "told"))
    assert say(anna, table, "5C", before)["reason"].startswith("The table has changed")
    assert say(anna, table, "5C")["reason"].startswith("It isn't your turn")


@pytest.mark.parametrize(
    ("typed", "said"),
    [
        ("hand", "Your hand: 3 of clubs; 5 of clubs; 7 of spades; 4 of diamonds; Ace of hearts."),
        ("SEATS", "Anna, you, choosing: 5 cards in hand, 0 Charges."),
        ("table", "Board: You on minus 3,0; Ben on 3,0."),
        ("question", "Pick your Momentum card: the highest goes first"),
        ("choices", "3 of clubs, type 3C; 5 of clubs, type 5C; 7 of spades, type 7S; 4 of diamonds, type 4D; Ace"),
        ("at 3,0", "hex 3,0: Ben on 3,0."),
        ("at -6,6", "hex minus 6,6."),
        ("last", "Nothing has happened yet."),
        ("time", "This match is untimed."),
        ("what charge", "Charge: A Club or Joker played face down."),
        ("?", COMMANDS.help[0]),
    ],
)  # fmt: skip
def test_queries_are_answered_and_change_nothing(server: AppServer, typed: str, said: str) -> None:
    table = server.table("Anna", "Ben", name="mace", seed=3)
    anna = server.person("Anna")
    response = say(anna, table, typed)
    assert response["accepted"]
    assert response["version"] == 0
    assert any(line.startswith(said) for line in response["said"]), response
    assert anna.version(table) == 1


@pytest.mark.parametrize(
    ("typed", "reason"),
    [
        ("nonsense", "“nonsense” isn't a choice here; choose 3C"),
        ("at z9", "Unknown space z9. Type a space like"),
        ("what piffle", "The glossary has no entry for piffle. Entries: Blast, Boost, "),
        ("what", "Name a word to explain. Entries: Blast, Boost, "),
        ("/back", "You can't take this back"),
        ("hint", "Hints are off"),
    ],
)
def test_invalid_input_gets_one_sentence(server: AppServer, typed: str, reason: str) -> None:
    table = server.table("Anna", "Ben", name="mace", seed=3)
    anna = server.person("Anna")
    response = say(anna, table, typed)
    assert not response["accepted"]
    assert response["reason"].startswith(reason), response


def test_a_typed_choice_can_be_undone(table: str, anna: Client) -> None:
    start = page(anna, table)
    first = re.search(r'<option value="(lay \d+)">', start)
    assert first
    say(anna, table, first[1])
    assert f'value="{first[1]}"' not in page(anna, table)
    assert say(anna, table, "back")["said"] == ["Choice taken back."]
    assert f'value="{first[1]}"' in page(anna, table)


def test_the_page_works_without_javascript(server: AppServer) -> None:
    table = server.table("Anna", "Ben", name="mace", seed=3)
    anna = server.person("Anna")
    here = {"Referer": f"{server.url}/table/{table}/text"}
    asked = anna.post(f"/table/{table}/text/say", data={"version": 1, "words": "hand"}, headers=here)
    assert (asked.status_code, asked.headers["location"]) == (303, f"/table/{table}/text?ask=hand")
    assert "Your hand: 3 of clubs" in page(anna, table, ask="hand")
    assert "Type choices on the page itself" in page(anna, table, ask="3C")
    assert "Type choices on the page itself" in page(anna, table, ask="back")
    wrong = anna.post(f"/table/{table}/text/say", data={"version": 1, "words": "nonsense"}, headers=here)
    assert wrong.status_code == 422
    assert 'value="nonsense"' in wrong.text, "the typed words stay in the field"
    assert "a choice here" in wrong.text
    assert f'name="back" value="/table/{table}/text"' in wrong.text, (
        "its forms lead to the page, not to the posted address"
    )
    after = anna.http.get(f"/table/{table}", headers={"Referer": f"{server.url}/table/{table}/text/say"})
    assert after.headers["location"] == f"/table/{table}/text"
    typed = anna.post(f"/table/{table}/text/say", data={"version": 1, "words": "3C"}, headers=here)
    assert typed.headers["location"] == f"/table/{table}/text"
    led = anna.http.get(f"/table/{table}", headers=here)
    assert led.headers["location"] == f"/table/{table}/text", "the address that the page's other forms lead back to"


def test_the_preference_opens_every_table_in_text_mode(server: AppServer, table: str, anna: Client) -> None:
    usual = anna.page(table)
    first = re.search(r"<body.*?(<a.*?</a>)", usual, re.DOTALL)
    assert first
    assert f'href="/table/{table}/text"' in first[1], "the first element that a screen reader reaches"
    back = {"tables": "words", "back": f"/table/{table}/text"}
    response = anna.post("/listening", data=back)
    assert response.headers["location"] == f"/table/{table}/text"
    assert anna.get(f"/table/{table}").headers["location"] == f"/table/{table}/text"
    assert "Open all tables with pictures" in page(anna, table)
    assert 'class="scene' in anna.get(f"/table/{table}?pictures=true").text
    on_it = {"Referer": f"{server.url}/table/{table}?pictures=true"}
    assert anna.http.get(f"/table/{table}", headers=on_it).status_code == 200, "people at the table stay in text mode"
    anna.post("/listening", data={"tables": "pictures", "back": "/me"})
    assert 'class="scene' in anna.page(table)
    assert anna.post("/listening", data={"back": "//evil.example"}).headers["location"] == "/"


def test_each_beat_is_announced_once_in_order(server: AppServer) -> None:
    table = server.table("Anna", "Ben", name="world-of-fighters")
    anna, ben = server.person("Anna"), server.person("Ben")
    anna.choose(table, "Hai Wu")
    ben.choose(table, "Kenji Aoki")
    heard: list[str] = []
    for typed in ("move 1", "punch", "move 1", "punch"):
        who = anna if anna.look(table)["choices"] else ben
        before = anna.version(table)
        who.choose(table, typed)
        for version in range(before, anna.version(table)):
            with anna.text_stream(table, version) as events:
                heard += announced(next(events))
    assert heard == listed(page(anna, table), "log")[-len(heard) :]
    assert says(heard[0], "You", "Move 1", "face down")
    assert len(set(heard)) == len(heard)


def test_only_the_last_of_several_versions_describes_the_table(server: AppServer) -> None:
    table = server.table("Anna", "Ben", name="world-of-fighters")
    anna = server.person("Anna")
    anna.choose(table, "Hai Wu")
    server.person("Ben").choose(table, "Kenji Aoki")
    with anna.text_stream(table, 1) as events:
        first, last = next(events), next(events)
    assert b'id="question"' not in first
    assert b'id="question"' in last


def test_a_shared_screen_shows_no_hand_until_a_name_is_tapped(server: AppServer) -> None:
    players = [Player("Anna", "Anna"), Player("Anna", "Bea")]
    table = server.run(server.tables.creation.create(game("hush"), players, seed=1)).id
    anna = server.person("Anna")
    covered = page(anna, table)
    assert "Give the screen to Anna." in covered
    assert 'name="choice"' not in covered
    assert re.search(r'<section id="hand"[^>]* hidden', covered)
    assert say(anna, table, "hand", 1)["said"] == ["No hand is visible to you right now."]
    anna.post(f"/table/{table}/screen", data={"seat": 1})
    shown = page(anna, table)
    assert 'name="choice"' in shown
    assert not re.search(r'<section id="hand"[^>]* hidden', shown)


def test_spectators_get_public_information(server: AppServer) -> None:
    table = server.table("Anna", "Ben", name="mace", seed=3)
    server.person("Anna").choose(table, "3C")
    watching = page(server.stranger(), table)
    assert "3 of clubs" not in watching
    assert listed(watching, "told")[-1] == "Anna has picked a Momentum card."
    assert 'name="choice"' not in watching


def test_an_invitation_to_join_comes_first(server: AppServer) -> None:
    table = server.table("Anna", "")
    guest = server.stranger()
    assert guest.get(f"/table/{table}/text").headers["location"] == f"/table/{table}"
    assert "Question" in page(guest, table, watch="true")


def test_clocks_draws_pauses_and_rematches_are_included(server: AppServer) -> None:
    players = [Player("Anna", "Anna"), Player("Ben", "Ben")]
    table = server.run(
        server.tables.creation.create(game("hush"), players, seed=1, settings=TableSettings(minutes=5))
    ).id
    anna, ben = server.person("Anna"), server.person("Ben")
    assert "Clock: <span" in page(anna, table)
    assert say(anna, table, "time")["said"] == ["Anna, to move: 5 minutes.", "Ben: 5 minutes."]
    for button in ("Offer draw", "Propose pause", "Give up now"):
        assert button in page(anna, table)
    ben.post(f"/table/{table}/propose", data={"what": "draw"})
    assert "Ben offers a draw." in page(anna, table)
    anna.post(f"/table/{table}/answer", data={"agree": "yes", "proposal": anna.look(table)["time"]["proposal"]})
    ended = page(anna, table)
    assert "Play again" in ended
    assert 'name="choice"' not in ended


@pytest.mark.parametrize(
    ("milliseconds", "words"),
    [(0, "no time"), (900, "1 second"), (61_000, "1 minute and 1 second"), (3_600_000, "1 hour"),
     (2 * 86_400_000 + 5_000, "2 days and 5 seconds"), (90_061_000, "1 day and 1 hour")],
)  # fmt: skip
def test_time_is_given_in_its_two_largest_units(milliseconds: int, words: str) -> None:
    assert duration(milliseconds) == words
