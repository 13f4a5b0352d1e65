"""Two players each bring their own half: no one reads a card of the other half before they have seen it.

Every card has a rare name, so that it is found in any response. What a seat has seen follows from the full state.
"""

import random
import re
from collections.abc import Iterator
from types import SimpleNamespace
from typing import Any

import pytest
from litestar.routes import HTTPRoute

from sparring.engine.errors import SparringError
from sparring.engine.formats.toml import write_toml
from sparring.games.five_circles import GAME
from sparring.games.five_circles.state import RESOURCE, deck_of, discard_of, row_of
from sparring.server.api.table_routes import HIDDEN_CONTENT
from sparring.tables import creation, seating
from sparring.tables.state.table import Table
from sparring.tables.state.table_settings import TableSettings
from web.app_server import AppServer, Client

WORDS = ("Amber", "Birch", "Cedar", "Dune", "Ember", "Fjord", "Glade", "Heath", "Islet", "Jade", "Knoll", "Loam")
ONLY_PEOPLE = "only people and the server's own bots can play"
RARE = re.compile(r"(Quzzle|Vexil) (\w+)")
ABILITIES: tuple[list[str], ...] = (["Fast"], ["Future Vision"], ["Change the Future"], ["Restore"], ["Fireball"], [])
#: After how many choices everything is read again.
LOOKS = 10
#: The addresses of a table that never end, or that change it.
ENDLESS = ("events", "turn")


@pytest.fixture(autouse=True)
def known_deal(monkeypatch: pytest.MonkeyPatch) -> None:
    """Deal every match from the same seed, so that no test fails by chance."""
    monkeypatch.setattr(creation, "find_deal", lambda *_: 5)


def half(rare: str) -> str:
    """Return a file of twelve characters and a drawn resource with rare names."""
    cards = [
        {"name": f"{rare} {word}", "stat": ["Red"], "attack": 2, "health": 1, "abilities": abilities}
        for word, abilities in zip(WORDS, ABILITIES * 2, strict=True)
    ]
    deck = {"characters": [card["name"] for card in cards], "resources": {"Red": 6, "Blue": 5, "Green": 5},
            "drawn": [f"{rare} Gem x6"]}  # fmt: skip
    resources = [{"name": f"{rare} Gem", "colour": "Red", "picture": "drawing [[2,2,0,500,500,300]]"}]
    return write_toml({"cards": cards, "resources": resources, "decks": [deck]})


def bring(person: Client, rare: str) -> str:
    """Create a set of a person, and return its id."""
    made = person.post("/api/sets", json={"game": "five-circles", "name": f"{rare} cards", "toml": half(rare)})
    return str(made.raise_for_status().json()["id"])


def open_invitation(anna: Client, **more: Any) -> str:
    """Let Anna bring her half; return the invitation."""
    asked = {"game": "five-circles", "seats": ["me", "open"], "own": bring(anna, "Quzzle"), "other": "guest", **more}
    return str(anna.post("/api/tables", json=asked).raise_for_status().json()["table"])


def accept(ben: Client, number: str, half: str = "") -> str:
    """Let Ben bring his half; return the table."""
    answer = ben.post(f"/api/halves/{number}", json={"half": half or bring(ben, "Vexil")})
    return str(answer.raise_for_status().json()["table"])


def started(server: AppServer, **more: Any) -> str:
    """Return a table to which Anna and Ben have brought their halves."""
    return accept(server.person("Ben"), open_invitation(server.person("Anna"), **more))


def asked_and_hidden(server: AppServer, table: str) -> tuple[Client, str]:
    """Return the client whose turn it is, and the names that they may not know."""
    return ((server.person("Anna"), "Vexil"), (server.person("Ben"), "Quzzle"))[server.held(table).shown.turn_seat - 1]


class Witness:
    """What a seat has seen of both halves (0: a spectator)."""

    def __init__(self, seat: int) -> None:
        self.seat, self.names = seat, set[str]()

    def look(self, table: Table) -> None:
        """Add the cards in play, in discard piles, in the own hand and known on top of the deck."""
        s, params, setup = table.match.state, table.match.setup.params, table.match.setup
        seen = [card for seat in range(2) for _, card in row_of(s, seat)]
        for owner in range(2):
            discard, deck = discard_of(params, s, owner), deck_of(params, s, owner)
            seen += discard[1 : discard[0] + 1].tolist()
            if self.seat and owner == (self.seat - 1 if setup.options["decks"] == "own" else 0):
                seen += deck[deck[0] + 1 - s.known_top[self.seat - 1] : deck[0] + 1].tolist()
        if self.seat:
            seen += s.hand[self.seat - 1, 1 : s.hand[self.seat - 1, 0] + 1].tolist()
        self.names |= {str(setup.content.cards[params.card_design[card]].title) for card in seen if card < RESOURCE}
        self.names |= {f"{rare} Gem" for seat, rare in enumerate(("Quzzle", "Vexil"))
                       if s.ready[seat, 0] + s.spent[seat, 0] or seat == self.seat - 1}  # fmt: skip


def addresses(server: AppServer, table: str) -> Iterator[str]:
    """Yield every address below a table that can be read, and others that know of it."""
    for route in server.app.routes:
        reads = isinstance(route, HTTPRoute) and "GET" in route.methods and not route.path.endswith(ENDLESS)
        if reads and "{table_id:str}" in route.path:
            yield re.sub(r"\{\w+:\w+\}", "1", route.path.replace("{table_id:str}", table))
    yield from (f"/table/{table}?watch=true", f"/table/{table}/text?watch=true", f"/table/{table}/text?ask=table")
    yield from (f"/api/table/{table}/ask?words={words}" for words in ("table", "choices", "hand", "last", "seats"))
    yield from (f"/api/table/{table}/replay?many=50", f"/table/{table}/review/0/position?seat=1")
    yield from (f"/halves/{table}", f"/api/halves/{table}", "/", "/api/tables", "/api/me/tables", "/games/five-circles")


def everything(server: AppServer, client: Client, table: str) -> dict[str, str]:
    """Return all that a client is sent about a table, by address."""
    told = {path: client.get(path).text for path in addresses(server, table)}
    version = max(0, client.version(table) - 1)
    with client.stream(table, version) as page, client.api_stream(table, version) as data, \
            client.text_stream(table, version) as words:  # fmt: skip
        told |= {f"stream {number}": next(each).decode() for number, each in enumerate((page, data, words))}
    return told


@pytest.mark.parametrize("decks", ["shared", "own"])
def test_no_address_tells_of_a_card_that_was_not_seen(server: AppServer, decks: str) -> None:
    table = started(server, preset="longer", options={"decks": decks, "life": 30})
    clients = [server.person("Carla"), server.person("Anna"), server.person("Ben"), server.program("Anna", "look")]
    witnesses, dice = [Witness(seat) for seat in (0, 1, 2, 1)], random.Random(3)
    own = ("", "Quzzle", "Vexil", "Quzzle")
    choices = 0
    while not (shown := server.held(table)).shown.over:
        for witness in witnesses:
            witness.look(shown)
        if choices % LOOKS == 0:
            for client, witness, mine in zip(clients, witnesses, own, strict=True):
                for path, text in everything(server, client, table).items():
                    found = {f"{rare} {word}" for rare, word in RARE.findall(text) if rare != mine}
                    assert found <= witness.names, (choices, witness.seat, path)
        legal = [each for each in shown.match.choices() if each.words not in ("done", "none")] or shown.match.choices()
        chooser = clients[shown.shown.turn_seat]
        assert chooser.choose(table, dice.choice(legal).action).is_success
        choices += 1
    assert choices > 2 * LOOKS
    assert witnesses[0].names & {f"Vexil {word}" for word in WORDS}
    for client in clients:
        record = client.get(f"/api/table/{table}/record").raise_for_status().text
        assert {(rare, word) for rare in ("Quzzle", "Vexil") for word in WORDS} <= set(RARE.findall(record))


@pytest.mark.parametrize("words", ["play {}", "{}", "use {}: Fast", "enemy {}", "what {}", "at {}"])
def test_typed_words_are_refused_as_if_the_card_did_not_exist(server: AppServer, words: str) -> None:
    table = started(server, options={"decks": "own"})
    asked, hidden = asked_and_hidden(server, table)
    for address in (f"/api/table/{table}/choose", f"/table/{table}/text/say"):
        answers = []
        for name in (f"{hidden} Amber {'A' if hidden == 'Quzzle' else 'B'}", "Wholly Absent C"):
            said, version = words.format(name), asked.version(table)
            body = {"json": {"version": version, "choice": said}} if "api" in address else {
                "data": {"version": version, "words": said}}  # fmt: skip
            answer = asked.post(address, **body)
            answers.append((answer.status_code, re.sub("version=.*?&|once.*?>", "", answer.text.replace(name, "..."))))
        assert answers[0] == answers[1]


def test_no_number_is_refused_with_the_name_of_a_hidden_card(server: AppServer) -> None:
    table = started(server, options={"decks": "own"})
    asked, hidden = asked_and_hidden(server, table)
    match = server.held(table).match
    numbers = [number for number in match.game.rules.ACTIONS if number not in match.legal()]
    refusals = {asked.choose(table, number, version=asked.version(table)).json()["reason"] for number in numbers[::3]}
    assert len(refusals) > 5
    assert not any(hidden in refusal for refusal in refusals)


def test_an_invitation_tells_nothing_of_the_half(server: AppServer) -> None:
    number = open_invitation(server.person("Anna"))
    for client in (server.person("Ben"), server.stranger(), server.program("Ben", "look")):
        for path in (f"/halves/{number}", f"/api/halves/{number}", f"/table/{number}", f"/api/table/{number}"):
            assert "Quzzle" not in client.get(path).text


# What a table with halves doesn't have


@pytest.mark.parametrize(("settings", "reason"), [({"rated": True}, "can't be rated"), ({"hints": True}, "no hints")])
def test_such_a_table_is_neither_rated_nor_has_hints(server: AppServer, settings: Any, reason: str) -> None:
    asked = {"game": "five-circles", "seats": ["me", "open"], "other": "guest", "settings": settings}
    assert reason in server.person("Anna").post("/api/tables", json=asked).json()["reason"]
    toml = GAME.merged(half("Quzzle"), half("Vexil"))
    with pytest.raises(SparringError, match=reason):
        server.table("", "", name="five-circles", toml=toml, settings=TableSettings(**settings))


def test_no_program_sits_there(server: AppServer, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(seating, "installed", lambda: {"stranger": None})
    anna, number = server.person("Anna"), open_invitation(server.person("Anna"))
    own = server.program("Ben", bot="Ben's bot")
    assert ONLY_PEOPLE in own.post(f"/api/halves/{number}", json={"half": "standard"}).json()["reason"]
    opened = {"game": "five-circles", "seats": ["me", "open"], "own": bring(anna, "Quzzle"), "other": "standard"}
    table = anna.post("/api/tables", json=opened).json()["table"]
    assert ONLY_PEOPLE in own.post(f"/api/table/{table}/sit", json={"seat": 2}).json()["reason"]
    monkeypatch.setattr(seating, "check_bot", lambda *_: None)
    monkeypatch.setattr(seating, "parse", lambda name: SimpleNamespace(text=name))
    assert ONLY_PEOPLE in anna.post(f"/api/table/{table}/seats", json={"seat": 2, "bot": "stranger"}).json()["reason"]


def test_there_is_no_view_as_data_before_the_end(server: AppServer) -> None:
    table = started(server)
    assert server.person("Anna").get(f"/api/table/{table}/view").json()["reason"] == HIDDEN_CONTENT
    assert server.person("Ben").post(f"/api/table/{table}/give-up").is_success
    assert "Vexil Amber" in server.person("Anna").get(f"/api/table/{table}/view").raise_for_status().text


def test_the_export_of_a_running_match_has_ones_own_half_only(server: AppServer) -> None:
    dora, emil = server.person("Dora"), server.person("Emil")
    number = open_invitation(dora)
    [waiting] = dora.get("/api/me/data").json()["invitations to bring a half"]
    assert "Quzzle Amber" in waiting["toml"]
    accept(emil, number)
    assert "Quzzle" not in emil.get("/api/me/data").text
    assert "Vexil" not in dora.get("/api/me/data").text


def test_a_rematch_keeps_the_halves_at_their_seats(server: AppServer, anna: Client, ben: Client) -> None:
    table = started(server)
    assert ben.post(f"/api/table/{table}/give-up").is_success
    rematch = anna.post(f"/api/table/{table}/again").json()["table"]
    assert ben.post(f"/api/table/{table}/again").json()["table"] == rematch
    assert [player.name for player in server.held(rematch).players] == ["Anna", "Ben"]
    assert server.held(rematch).match.setup.content == server.held(table).match.setup.content
    assert anna.get(f"/api/table/{rematch}/view").json()["reason"] == HIDDEN_CONTENT


def test_nobody_gives_the_seat_of_a_halfs_maker_away(server: AppServer) -> None:
    table = started(server)
    anna, ben, cat = (server.person(name) for name in ("Anna", "Ben", "Cat"))
    assert ben.post(f"/api/table/{table}/give-up").is_success
    rematch = ben.post(f"/api/table/{table}/again").json()["table"]  # Ben is its host now
    assert not ben.post(f"/api/table/{rematch}/seats", json={"seat": 1, "bot": "random"}).is_success
    assert not ben.post(f"/api/table/{rematch}/sit", json={"seat": 1, "local_player": "Bert"}).is_success
    assert not cat.post(f"/api/table/{rematch}/sit", json={"seat": 1}).is_success
    assert "Add bot" not in ben.page(rematch)
    assert anna.post(f"/api/table/{table}/again").is_success
    assert [player.name for player in server.held(rematch).players] == ["Anna", "Ben"]


def test_a_finished_match_can_be_played_on_with_hints(server: AppServer) -> None:
    table = started(server)
    asked, _ = asked_and_hidden(server, table)
    assert asked.choose(table, "done").is_success
    assert server.person("Ben").post(f"/api/table/{table}/give-up").is_success
    address = asked.post(f"/table/{table}/review/0/play").headers["location"]
    assert server.held(address.rsplit("/", 1)[1]).settings.hints


def test_faults_name_only_ones_own_cards(server: AppServer) -> None:
    number, ben = open_invitation(server.person("Anna"), options={"points": "exact"}), server.person("Ben")
    weak = half("Vexil").replace("attack = 2", "attack = 1")
    own = ben.post("/api/sets", json={"game": "five-circles", "name": "Weak", "toml": weak}).json()["id"]
    answer = ben.post(f"/api/halves/{number}", json={"half": own})
    assert answer.status_code == 422
    assert "Vexil Amber" in answer.text
    assert "Quzzle" not in answer.text
