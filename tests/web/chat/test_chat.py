"""Chat at tables: preset phrases and free text, cleaned and limited, as the table allows; mutes and reports."""

import json
from typing import Any

import pytest
from msgspec.structs import replace

from sparring.engine.game import games
from sparring.engine.match import Match
from sparring.scene.markup import plain
from sparring.settings import Limits
from sparring.store.schema import ChatLineRow
from sparring.tables.play.moderation import ReportNotFound
from sparring.tables.state.chat_log import QUICK, REACTIONS, LineRefused, parse_message
from sparring.tables.state.table_settings import TableSettings
from web.app_server import AppServer, Client, StartServer, delete_all_tables
from web.chat.chat_helpers import act, chat_events, chat_lines, create_table, say, texts

#: Texts with markup and scripts.
HOSTILE = "</q><script>alert(1)</script><img src=x onerror=alert(1)>\"'&lt;"


def test_all_players_see_the_chat(server: AppServer, table: str, anna: Client, ben: Client) -> None:
    assert say(anna, table, word="luck").json() == {"accepted": True}
    assert say(ben, table, "  Have   fun\n all ").json() == {"accepted": True}
    assert [(line["name"], line["kind"], line["text"], line["yours"]) for line in chat_lines(ben, table)] == [
        ("Anna", "word", "Good luck", False), ("Ben", "text", "Have fun all", True)
    ]  # fmt: skip
    page = anna.page(table)
    assert "<bdi>Good luck</bdi>" in page
    assert "<bdi>Have fun all</bdi>" in page
    assert "<bdi>Have fun all</bdi>" in server.stranger().get(f"/table/{table}?watch=true").text


def test_chat_forms_work_without_javascript(table: str, anna: Client, ben: Client) -> None:
    response = anna.post(f"/table/{table}/chat", data={"text": "By hand"})
    assert (response.status_code, response.headers["location"]) == (303, f"/table/{table}/chat")
    assert anna.post(f"/table/{table}/chat", data={"text": "typed", "word": "oops"}).status_code == 303
    page = ben.get(f"/table/{table}/chat").text
    assert "<bdi>By hand</bdi>" in page
    assert "<bdi>Oops</bdi>" in page
    assert ben.post(f"/table/{table}/report", data={"line": "1"}).headers["location"].endswith("?said=reported")
    assert ben.post(f"/table/{table}/mute", data={"line": "1"}).status_code == 303
    page = ben.get(f"/table/{table}/chat").text
    assert "By hand" not in page
    mute = page.partition('name="mute" value="')[2].partition('"')[0]
    assert ben.post(f"/table/{table}/unmute", data={"mute": mute}).status_code == 303
    assert "<bdi>By hand</bdi>" in ben.get(f"/table/{table}/chat").text


def test_chat_is_streamed_and_changes_no_version(table: str, anna: Client, ben: Client) -> None:
    version = ben.version(table)
    with chat_events(ben, table) as events:
        say(anna, table, HOSTILE)
        event = next(events)
    assert "&lt;/q&gt;&lt;script&gt;" in event
    assert "<script" not in event
    assert "<img" not in event
    assert ben.version(table) == version
    with chat_events(ben, table, where="/api/table/{}") as events:
        told = json.loads(next(events).partition("data: ")[2])
    assert [line["text"] for line in told["lines"]] == [HOSTILE]


def test_a_reconnecting_client_gets_new_lines_only(table: str, anna: Client, ben: Client) -> None:
    say(anna, table, "First")
    known = ben.get(f"/api/table/{table}/chat").json()["chat_version"]
    say(anna, table, "Second")
    with chat_events(ben, table, f"&chat={known}") as events:
        event = next(events)
    assert ("First" in event, "Second" in event) == (False, True)
    assert [line["text"] for line in ben.get(f"/api/table/{table}/chat?since={known}").json()["lines"]] == ["Second"]


@pytest.mark.parametrize("path", ["/table/{}", "/table/{}/chat"])
def test_chat_is_escaped(server: AppServer, table: str, anna: Client, path: str) -> None:
    for text in (HOSTILE, "Seat 2 wins", "\x1a2 is not a name"):
        say(anna, table, text).raise_for_status()
    page = server.person("Ben").get(path.format(table)).raise_for_status().text
    assert "<script>alert" not in page
    assert "onerror=alert(1)&gt;" in page
    assert "<bdi>Seat 2 wins</bdi>" in page  # texts contain no names of players
    assert "<bdi>2 is not a name</bdi>" in page


@pytest.mark.parametrize(
    ("written", "shown"),
    [
        ("\u202eevil\u202c text", "evil text"), ("a\u2066b\u2069c", "abc"), ("\ufeffa\u200bb\u2060c\u00ad", "abc"),
        ("one\r\ntwo\x00\x1b[31m", "one two[31m"), ("\U000e0041tag", "tag"),
        ("e" + "\u0301" * 20, "\u00e9" + "\u0301" * 3),
        ("\u0301\u0302", ""), ("\u2800 \u3164", ""), ("שלום", "שלום"), ("👏", "👏"),
    ],
)  # fmt: skip
def test_invisible_and_bidi_characters_are_removed(written: str, shown: str) -> None:
    assert plain(written) == shown


def test_a_line_is_neither_empty_nor_too_long() -> None:
    assert parse_message("a" * 200, 200) == "a" * 200
    with pytest.raises(LineRefused, match="at most 200 characters, not 201"):
        parse_message("a" * 201, 200)
    with pytest.raises(LineRefused, match="Write a message"):
        parse_message(" \u200b ", 200)


@pytest.mark.parametrize(
    ("said", "status"),
    [
        ({}, 422), ({"text": "a", "word": "hello"}, 422), ({"word": "nonsense"}, 422), ({"text": "\u202e"}, 422),
        ({"text": "a" * 201}, 422), ({"text": "a" * 5000}, 413), ({"text": "a" * 900}, 400), ({"text": 7}, 400),
        ({"text": "a", "seat": 2}, 403), ({"text": "a", "kind": "move"}, 400),
    ],
)  # fmt: skip
def test_refused_messages_are_not_stored(table: str, anna: Client, said: dict[str, Any], status: int) -> None:
    response = anna.post(f"/api/table/{table}/chat", json=said)
    assert response.status_code == status
    assert response.json()["reason"].endswith(".")
    assert chat_lines(anna, table) == []


def test_chat_is_rate_limited(start_server: StartServer) -> None:
    limits = Limits(chat_lines_at_once=3, chat_lines_each_hour=1, chat_reports_at_once=1, chat_reports_each_hour=1)
    server = start_server(limits=limits)
    table, anna, ben = create_table(server, "Anna", "Ben"), server.person("Anna"), server.person("Ben")
    assert [say(anna, table, word="oops").status_code for _ in range(4)] == [200, 200, 200, 429]
    assert len(chat_lines(anna, table)) == 3
    assert [act(ben, table, "report", line=line).status_code for line in (1, 2)] == [200, 429]
    server.restart(limits=Limits(lines_at_table=4))
    anna = server.person("Anna")
    assert [say(anna, table, "More").status_code for _ in range(2)] == [200, 429]


def test_public_tables_allow_preset_phrases_only(server: AppServer, anna: Client) -> None:
    public = create_table(server, "Anna", "Ben", public=True)
    assert say(anna, public, "Own words").status_code == 403
    assert say(anna, public, word="hello").is_success
    assert 'id="own-words"' not in anna.page(public)
    free = create_table(server, "Anna", "Ben", public=True, chat="free")
    assert say(anna, free, "Own words").is_success
    assert 'id="own-words"' in anna.page(free)
    words = create_table(server, "Anna", "Ben", chat="words")
    assert say(anna, words, "Own words").status_code == 403
    silent = create_table(server, "Anna", "Ben", chat="nothing")
    assert say(anna, silent, word="hello").status_code == 403
    assert 'id="chat-panel"' not in anna.page(silent)


def test_the_form_sets_the_chat_mode(server: AppServer) -> None:
    guest, form = server.stranger(), {"name": "Anna", "seat1": "me", "seat2": "random"}
    table_settings = []
    for more in ({}, {"chat": "words"}, {"chat": "nothing"}, {"chat": "free", "found": "public", "spectators": "chat"}):
        table = guest.create(**form, **more)
        table_settings.append(server.held(table).settings)
    against_bots = TableSettings(hints=True)
    assert table_settings[:3] == [replace(against_bots, chat=chat) for chat in ("usual", "words", "nothing")]
    assert table_settings[3] == replace(against_bots, chat="free", public=True, spectators_chat=True)
    assert "Chat: free text. Spectators can chat." in guest.page(table)
    assert guest.post("/games/hush", data={**form, "chat": "shout"}).status_code == 422


def test_spectators_chat_only_if_allowed(server: AppServer) -> None:
    table, cleo = create_table(server, "Anna", "Ben"), server.person("Cleo")
    assert say(cleo, table, word="hello").status_code == 403
    assert say(server.stranger(), table, word="hello").status_code == 403
    table = create_table(server, "Anna", "Ben", spectators_chat=True)
    assert say(cleo, table, word="hello").is_success
    assert (chat_lines(cleo, table)[0]["seat"], chat_lines(cleo, table)[0]["name"]) == (0, "Cleo")
    assert "(spectator)" in server.person("Anna").page(table)
    stranger = server.stranger()
    assert "name first" in say(stranger, table, word="hello").json()["reason"]
    assert stranger.post(f"/table/{table}/chat", data={"word": "wow", "name": "Dora"}).status_code == 303
    assert [line["name"] for line in chat_lines(stranger, table)] == ["Cleo", "Dora"]


@pytest.mark.parametrize("name", [name for name, game in games().items() if game.hidden])
def test_spectators_see_no_secrets_to_tell(name: str) -> None:
    """Otherwise a spectator could tell one player what another one holds."""
    match = Match.new(name, seed=2)
    for _ in range(12):
        if match.over:
            break
        match.choose(match.view(match.seat or 1).legal[0])
    watched = match.view(0).state
    for seat in range(1, match.seats + 1):
        redacted = match.view(seat).state.copy()
        match.setup.game.rules.redact(match.setup.params, redacted, -1)
        assert redacted.tobytes() == watched.tobytes()  # a seat's knowledge includes all that spectators see


def test_people_on_a_shared_screen_choose_the_speaker(server: AppServer, anna: Client) -> None:
    table = create_table(server, "Anna", "Ben", "")
    anna.post(f"/table/{table}/sit", data={"seat": "3", "local_player": "Mia"})
    say(anna, table, "I am Mia", seat=3).raise_for_status()
    say(anna, table, "Anna again", seat=1).raise_for_status()
    say(anna, table, word="hello").raise_for_status()
    assert [line["name"] for line in chat_lines(anna, table)] == ["Mia", "Anna", "Anna"]
    assert '<select id="speaker" name="seat">' in anna.page(table)


def test_mutes_of_an_address_are_limited(start_server: StartServer) -> None:
    server = start_server(limits=Limits(preferences_at_once=2))
    table = create_table(server, "Anna", "Ben", "Cleo")
    say(server.person("Ben"), table, "Hello")
    statuses = [act(server.person(name), table, "mute", line=1).status_code for name in ("Anna", "Cleo", "Dora")]
    assert statuses == [200, 200, 429]


def test_muted_people_are_hidden_everywhere(server: AppServer) -> None:
    first, second = (create_table(server, "Anna", "Ben", "Cleo") for _ in range(2))
    anna, ben, cleo = server.person("Anna"), server.person("Ben"), server.person("Cleo")
    say(ben, first, "Before")
    with chat_events(anna, first, "&chat=1") as events:
        assert act(anna, first, "mute", line=1).is_success
        event = next(events)
        assert ("data-whole" in event, "Before" in event) == (True, False)
        say(ben, first, "Noise")
        say(cleo, first, "Music")
        event = next(events)
        assert ("Noise" in event, "Music" in event) == (False, True)
    say(ben, second, "Noise")
    for table in (first, second):
        for path in ("/table/{}", "/table/{}/chat", "/api/table/{}/chat"):
            assert "Noise" not in anna.get(path.format(table)).text
    assert texts(cleo, first) == ["Before", "Noise", "Music"]
    assert "already muted" not in ben.page(first)  # muted people aren't notified


def test_unmuting(server: AppServer) -> None:
    table = create_table(server, "Hanna", "Ben")
    hanna, ben = server.person("Hanna"), server.person("Ben")
    say(ben, table, "Sorry")
    act(hanna, table, "mute", line=1)
    [mute] = hanna.get("/api/me/muted").json()
    assert mute["name"] == "Ben"
    assert 'aria-label="Unmute Ben"' in hanna.get("/me").text
    assert ben.post(f"/me/muted/{mute['mute']}/remove").status_code == 303
    assert texts(hanna, table) == []  # mutes of others are unchanged
    assert hanna.post(f"/me/muted/{mute['mute']}/remove").headers["location"] == "/me?said=heard"
    assert texts(hanna, table) == ["Sorry"]
    assert hanna.get("/api/me/muted").json() == []


def test_a_stranger_who_mutes_is_remembered_by_a_cookie(server: AppServer) -> None:
    table, stranger = create_table(server, "Anna", "Ben"), server.stranger()
    say(server.person("Anna"), table, "Hm")
    assert stranger.post(f"/table/{table}/mute", data={"line": "1"}).status_code == 303
    assert texts(stranger, table) == []


def test_muting_and_reporting_need_another_person(table: str, anna: Client) -> None:
    say(anna, table, "Mine")
    for what in ("mute", "report"):
        assert (act(anna, table, what, line=1).status_code, act(anna, table, what, line=2).status_code) == (403, 404)


def test_reports_wait_for_the_operator(server: AppServer) -> None:
    table = create_table(server, "Anna", "Rude")
    anna, rude = server.person("Anna"), server.person("Rude")
    say(rude, table, "Something [bold]rude[/]")
    for _ in range(2):
        assert act(anna, table, "report", line=1).is_success
    assert act(server.stranger(), table, "report", line=1).is_success
    mine, other = [row for row in server.run(server.tables.chat.store.reports()) if row.table == table]
    assert (mine.words, mine.name, mine.person) == ("Something [bold]rude[/]", "Rude", "Rude")
    assert (mine.reporter, other.reporter) == ("Anna", None)
    server.run(server.tables.moderation.settle(None, mine.number, remove=True))
    server.learn()
    [gone] = chat_lines(anna, table)
    assert (gone["kind"], gone["text"]) == ("gone", "")
    assert "rude" not in anna.page(table)
    assert not [row for row in server.run(server.tables.chat.store.reports()) if row.table == table]
    with pytest.raises(ReportNotFound):
        server.run(server.tables.moderation.settle(None, 99_999, remove=True))


def test_chat_survives_a_restart_and_is_deleted_with_its_table(start_server: StartServer) -> None:
    server = start_server()
    table, anna = create_table(server, "Anna", "Ben"), server.person("Anna")
    say(anna, table, "Still here?")
    say(anna, table, word="smile")
    act(server.person("Ben"), table, "mute", line=1)
    chat_version = anna.get(f"/api/table/{table}/chat").json()["chat_version"]
    server.restart()
    anna, ben = server.person("Anna"), server.person("Ben")
    assert (texts(anna, table), texts(ben, table)) == (["Still here?", "Smile"], [])
    say(anna, table, "Yes")
    told = anna.get(f"/api/table/{table}/chat?since={chat_version}").json()
    assert [line["line"] for line in told["lines"]] == [3]
    delete_all_tables(server)
    assert server.run(server.tables.store.count(ChatLineRow)) == 0


def test_a_token_needs_the_chat_scope(server: AppServer, table: str) -> None:
    quiet, talks = server.program("Anna", "look", "play"), server.program("Anna", "look", "chat")
    assert "the scope chat" in say(quiet, table, word="hello").json()["reason"]
    assert say(talks, table, word="hello").is_success
    assert act(quiet, table, "report", line=1).status_code == 403
    assert texts(quiet, table) == ["Hello"]


def test_every_phrase_has_a_button(server: AppServer) -> None:
    page = server.person("Anna").page(create_table(server, "Anna", "Ben"))
    for key in (*QUICK, *REACTIONS):
        assert f'name="word" value="{key}"' in page


def test_signing_in_moves_a_guests_chat_and_mutes(server: AppServer) -> None:
    table = create_table(server, "Guest", "Ben", "Known")
    guest, ben, known = server.person("Guest"), server.person("Ben"), server.person("Known")
    say(guest, table, "Mine")
    say(ben, table, "Ben's")
    say(known, table, "Known's")
    for who in (guest, known):
        act(who, table, "mute", line=2)
    act(guest, table, "mute", line=3)
    server.run(server.app.state.personal_data.store.move_data("Guest", "Known", "Rest"))
    server.reload(table)
    assert [(line["text"], line["yours"]) for line in chat_lines(known, table)] == [("Mine", True), ("Known's", True)]
    assert [mute["name"] for mute in known.get("/api/me/muted").json()] == ["Ben"]


def test_text_mode_has_the_chat_too(server: AppServer) -> None:
    table, anna, ben = create_table(server, "Ada", "Bela"), server.person("Ada"), server.person("Bela")
    say(ben, table, HOSTILE)
    page = anna.get(f"/table/{table}/text").text
    assert "&lt;/q&gt;&lt;script&gt;" in page
    assert 'name="word" value="smile">Smile</button>' in page
    with chat_events(anna, table, "&chat=1", "/table/{}/text") as events:
        say(ben, table, "Again")
        event = next(events)
    assert ("Again" in event, "script" in event) == (True, False)


def test_the_old_address_of_the_chat_page_leads_to_the_new_one(server: AppServer, table: str) -> None:
    response = server.person("Anna").get(f"/table/{table}/talk")
    assert (response.status_code, response.headers["location"]) == (301, f"/table/{table}/chat")
