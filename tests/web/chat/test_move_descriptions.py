"""Descriptions of moves: made with the move at every table, seen and applauded by all, and kept in records."""

import json
from itertools import pairwise
from typing import Any

import pytest

from pseudo_language import pseudo_language
from sparring.engine.game import game
from sparring.engine.match import Match
from sparring.engine.records import with_checksum
from sparring.scene import NamedMove
from sparring.scene.moves import ExchangeCounter, MoveDescriptions
from sparring.settings import Limits
from web.app_server import AppServer, Client, StartServer, stream_blocks
from web.chat.chat_helpers import (
    GAME,
    act,
    chat_events,
    chat_lines,
    choose_once,
    create_table,
    describable_moves,
    place_attack,
    play_exchange,
    say,
)
from web.replay.replayed_matches import upload

NAMES = "Anna", "Ben", "Cleo", "Dora"
WORDS = "He <b>climbs</b> the ropes & waves"
SHOWN = "He &lt;b&gt;climbs&lt;/b&gt; the ropes &amp; waves"


@pytest.fixture(scope="module")
def fought(server: AppServer) -> tuple[AppServer, str, Client, Client]:
    """Return a table with a decided exchange that the attacker has described; attacker and defender."""
    table = create_table(server, "Anna", "Ben", name=GAME)
    attacker, defender = play_exchange(table, server.person("Anna"), server.person("Ben"))
    act(attacker, table, "caption", text=WORDS).raise_for_status()
    return server, table, attacker, defender


def test_a_move_is_described_when_its_cards_are_placed_and_delays_no_one(server: AppServer) -> None:
    """R35: the defender reads the description before choosing a defence."""
    table = create_table(server, "Anna", "Ben", name=GAME, seed=2)
    anna, ben = server.person("Anna"), server.person("Ben")
    assert act(anna, table, "caption", text="Too soon").status_code == 409
    attacker, defender = place_attack(table, anna, ben)
    before = defender.look(table)
    act(attacker, table, "caption", text=WORDS).raise_for_status()
    page = defender.page(table)
    assert (SHOWN in page, 'class="exchange"' in page) == (True, False)
    assert SHOWN in defender.get(f"/table/{table}/text").text.partition('id="on-table"')[2].partition("<section")[0]
    assert defender.look(table) == before
    assert describable_moves(defender, table) == []
    choose_once(table, anna, ben)
    assert len(describable_moves(defender, table)) == 1


def test_a_move_can_be_described_until_the_next_one_replaces_it(server: AppServer, anna: Client, ben: Client) -> None:
    table = create_table(server, "Anna", "Ben", name=GAME)
    attacker, defender = play_exchange(table, anna, ben)
    assert [len(describable_moves(each, table)) for each in (attacker, defender)] == [1, 1]
    first, _ = place_attack(table, anna, ben)
    other = ben if first is anna else anna
    assert [len(describable_moves(each, table)) for each in (first, other)] == [1, 0]
    act(first, table, "caption", text="The second one").raise_for_status()
    assert [line["exchange"] for line in chat_lines(first, table)] == [2]


def test_a_card_placed_later_joins_the_name_of_a_described_move(server: AppServer) -> None:
    """Also a helper's card."""
    table = create_table(server, *NAMES, name=GAME, seed=2)
    people = [server.person(name) for name in NAMES]
    attacker, _ = place_attack(table, *people)
    act(attacker, table, "caption", text=WORDS).raise_for_status()
    found = server.held(table)
    names = [chat_lines(attacker, table)[0]["move"]]
    while not found.match.position()["help_attacker"]:
        choose_once(table, *people)
    [helper] = found.match.position()["help_attacker"]
    names.append(chat_lines(attacker, table)[0]["move"])
    assert helper not in names[0]
    assert helper in names[1]
    for page in (attacker.page(table), attacker.get(f"/table/{table}/text").text):
        assert f"{names[1]}</b>: <q><bdi>{SHOWN}" in page
    while not found.shown.over:
        choose_once(table, *people)
    [kept] = attacker.get(f"/api/table/{table}/record").json()["table"]["moves"]
    assert helper in kept["move"]
    row = server.run(server.tables.registry.store.load(table))
    assert row is not None
    exported = json.loads(server.run(server.tables.registry.loader.record(row, {})))
    assert exported["table"]["moves"] == [kept]


@pytest.mark.parametrize("chat", ["words", "nothing"])
def test_without_free_chat_a_description_is_composed_of_the_moves_words(server: AppServer, chat: Any) -> None:
    table = create_table(server, "Anna", "Ben", name=GAME, seed=2, chat=chat)
    attacker, defender = place_attack(table, server.person("Anna"), server.person("Ben"))
    [move] = attacker.get(f"/api/table/{table}/chat").json()["describe"]
    cards = [word for word in move["words"] if word in move["move"] and word.istitle()]
    assert len(cards) == 3
    position = server.held(table).match.position()
    held = position["hands"][position["attacker"] - 1]
    for parts in (["I", "own"], [held[0]], ["again"] * 7):
        assert act(attacker, table, "caption", parts=parts).status_code in (400, 422)
    assert act(attacker, table, "caption", text="My own words").status_code == 403
    form = attacker.page(table).partition('id="describe"')[2].partition("</form>")[0]
    assert [f"<option>{word}</option>" in form for word in (*cards, "in slow motion", held[0])] == [True] * 4 + [False]
    answer = attacker.post(f"/table/{table}/caption", data={"part": [cards[0], "in slow motion", ""], "seat": "0"})
    assert answer.status_code in (200, 303)
    for page in (f"/table/{table}", f"/table/{table}/text", f"/table/{table}/replay"):
        assert f"{cards[0]} in slow motion</bdi>" in defender.get(page).text
    assert say(attacker, table, "And more").status_code == 403


def test_a_move_has_its_public_name(server: AppServer, monkeypatch: pytest.MonkeyPatch) -> None:
    """A game that named cards of a hand would find none, because it gets the spectators' view."""

    def named_moves(_: Any, s: Any, beat: str) -> tuple[NamedMove, ...]:
        return (NamedMove(1, f"holds {s.hand[0, 1]}"),)

    monkeypatch.setattr(game(GAME).scene, "named_moves", named_moves)
    table = create_table(server, "Anna", "Ben", name=GAME)
    assert describable_moves(server.person("Anna"), table) == ["holds -1"]


def test_all_viewers_see_the_description_beside_the_move(fought: tuple[AppServer, str, Client, Client]) -> None:
    server, table, attacker, defender = fought
    [line] = chat_lines(defender, table)
    assert (line["kind"], line["text"], line["exchange"]) == ("move", WORDS, 1)
    assert line["move"]
    for client in (attacker, defender, server.stranger()):
        page = client.get(f"/table/{table}?watch=true").text
        beside = page.partition('<div class="described" data-exchange="1">')[2].partition("</div>")[0]
        assert SHOWN in beside
        assert line["move"] in beside
        assert "<b>climbs" not in page


def test_players_describe_only_their_own_moves_and_once(fought: tuple[AppServer, str, Client, Client]) -> None:
    server, table, attacker, defender = fought
    assert act(attacker, table, "caption", text="Again").status_code == 409
    assert act(server.person("Cleo"), table, "caption", text="I was there").status_code == 403
    assert act(defender, table, "caption", text="Mine", seat=9).status_code == 403
    assert "Describe your move" in defender.page(table)
    assert "Describe your move" not in attacker.page(table)
    assert len(chat_lines(defender, table)) == 1


def test_others_applaud_once_and_not_their_own(fought: tuple[AppServer, str, Client, Client]) -> None:
    server, table, attacker, defender = fought
    assert act(attacker, table, "applaud", line=1).status_code == 403
    assert 'aria-label="Applaud ' in defender.page(table)
    with chat_events(attacker, table, "&chat=1") as events:
        assert act(defender, table, "applaud", line=1).is_success
        assert any("1 applauded" in event for event in events)
    assert act(defender, table, "applaud", line=1).status_code == 409
    assert act(server.stranger(), table, "applaud", line=1).status_code == 403
    assert chat_lines(attacker, table)[0]["applause"] == 1
    say(defender, table, "Well")
    assert act(attacker, table, "applaud", line=2).status_code == 403


def test_the_stream_offers_to_describe_once_the_first_card_is_shown(server: AppServer) -> None:
    table = create_table(server, "Anna", "Ben", name=GAME, seed=2)
    anna, ben = server.person("Anna"), server.person("Ben")
    with ben.http.stream("GET", f"/table/{table}/events?version={ben.version(table)}") as response:
        events = stream_blocks(response)
        assert place_attack(table, anna, ben) == (ben, anna)
        before: list[bytes] = []
        for event in events:
            if event.startswith(b"event: chat"):
                break
            before.append(event)
    assert b"Describe your move" in event
    assert b'class="banner' in before[-1]  # the card comes first


def test_players_on_a_shared_screen_describe_in_turn(server: AppServer, anna: Client) -> None:
    table = create_table(server, "Anna", "", name=GAME)
    anna.post(f"/table/{table}/sit", data={"seat": "2", "local_player": "Mia"})
    for _ in range(200):
        if len(describable_moves(anna, table)) == 2:
            break
        asked = server.held(table).shown.turn_seat
        anna.post(f"/api/table/{table}/screen", json={"seat": asked})
        choose_once(table, anna)
    assert act(anna, table, "caption", text="The second one first", seat=2).is_success
    assert act(anna, table, "caption", text="Then the other").is_success
    assert [line["name"] for line in chat_lines(anna, table)] == ["Mia", "Anna"]


def test_replay_and_record_keep_descriptions(server: AppServer, anna: Client, ben: Client) -> None:
    table = create_table(server, "Anna", "Ben", name=GAME)
    attacker, defender = play_exchange(table, anna, ben)
    act(attacker, table, "caption", text=WORDS).raise_for_status()
    assert SHOWN in defender.get(f"/table/{table}/replay").text  # during the match
    act(play_exchange(table, anna, ben)[0], table, "caption", text="Second").raise_for_status()
    anna.post(f"/api/table/{table}/give-up").raise_for_status()
    moments = [anna.get(f"/table/{table}/replay?at={at}").text for at in range(0, 56, 8)]
    seen = [(SHOWN in moment, "Second" in moment) for moment in moments]
    changes = [after for before, after in pairwise(seen) if after != before]
    assert (seen[0], changes) == ((False, False), [(True, False), (True, True), (False, True)])
    record = anna.get(f"/table/{table}/record").text
    assert [move["words"] for move in json.loads(record)["table"]["moves"]] == [WORDS, "Second"]
    assert Match.from_record(record).seed == 1
    number = upload(server.person("Cleo"), record).headers["location"].split("/")[2]
    at = 8 * seen.index((True, False))
    assert SHOWN in server.stranger().get(f"/records/{number}/replay?at={at}").text
    told = server.stranger().get(f"/api/records/{number}/replay").json()["described"]
    assert [move["words"] for move in told] == [WORDS, "Second"]


def test_muted_descriptions_are_left_out_of_replays_and_records(server: AppServer) -> None:
    table = create_table(server, "Mona", "Nora", name=GAME)
    attacker, defender = play_exchange(table, server.person("Mona"), server.person("Nora"))
    act(attacker, table, "caption", text=WORDS).raise_for_status()
    act(defender, table, "mute", line=1).raise_for_status()
    assert SHOWN not in defender.page(table)
    assert SHOWN not in defender.get(f"/table/{table}/replay").text
    attacker.post(f"/api/table/{table}/give-up").raise_for_status()
    assert "moves" not in defender.get(f"/table/{table}/record").json()["table"]
    assert "moves" not in defender.get(f"/api/table/{table}/record").json()["table"]
    assert attacker.get(f"/api/table/{table}/record").json()["table"]["moves"]


def test_descriptions_survive_a_restart_and_lose_a_deleted_name(start_server: StartServer) -> None:
    server = start_server()
    table = create_table(server, "Anna", "Ben", name=GAME)
    attacker, defender = play_exchange(table, server.person("Anna"), server.person("Ben"))
    act(attacker, table, "caption", text=WORDS).raise_for_status()
    act(defender, table, "applaud", line=1).raise_for_status()
    before = chat_lines(defender, table)
    names = [line["name"] for line in before] + [name for name in ("Anna", "Ben") if name != before[0]["name"]]
    server.restart()
    attacker, defender = map(server.person, names)
    assert chat_lines(defender, table) == before
    assert SHOWN in defender.page(table)
    assert len(describable_moves(defender, table)) == 1  # the exchange continues
    attacker.post("/me/delete", data={"sure": "yes"})
    [line] = chat_lines(defender, table)
    assert (line["text"], line["name"], line["applause"]) == (WORDS, "Deleted player", 1)
    defender.post("/me/delete", data={"sure": "yes"})
    assert server.stranger().get(f"/table/{table}").status_code == 404  # the seat is empty now


@pytest.mark.parametrize("wrong", [{"words": "a" * 201}, {"seat": 99}, {"exchange": "1"}, {"move": "x" * 401}])
def test_a_record_with_hostile_descriptions_is_refused(server: AppServer, wrong: dict[str, Any]) -> None:
    body = json.loads(Match.new(GAME, seats=2, seed=1).record())
    del body["check"]
    move = {"exchange": 1, "seat": 1, "move": "x", "words": "a", **wrong}
    response = upload(server.person("Anna"), with_checksum({**body, "table": {"moves": [move]}}))
    assert (response.status_code, "malformed" in response.text) == (422, True)


def test_descriptions_in_a_record_are_shown_as_plain_text() -> None:
    told = MoveDescriptions(1, 1, "Chop\u202e", "\u2066<b>\x00" + "e" + "\u0301" * 30)
    assert told.clean.move == "Chop"
    assert told.clean.words == "<b>\u00e9" + "\u0301" * 3
    assert len(told.clean.words) <= Limits.longest_line


def test_names_of_moves_are_stored_without_a_language() -> None:
    hands = ["Piledriver, Elbow, Towel, Jab, Chop", "Suplex, Wrist, Belt, Ear, Toe"]
    match = Match.from_position({"game": GAME, "seats": 2, "control": 1, "hands": hands})
    match.play("target 2; Towel; Elbow")
    with pseudo_language():
        _, (move,) = ExchangeCounter(match).to_describe()
        assert match.view(0).named_moves[0].name != move.name
    assert move.name == "Elbow with the Towel"
