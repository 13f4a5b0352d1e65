"""A host who knows or chose the hidden cards of a table opens a seat there: the table says so, and can be dealt again.

Each door is a way to such a table. `predicted` is what the host can tell of the fields that only the victim may know.
"""

import json
import random
import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import sparring
from sparring.engine import match as matches
from sparring.engine.match import Match
from sparring.engine.records import NEW_DEAL
from sparring.serve import FirstTable, _Server, configured
from sparring.tables.play.proposals import RULE, steps_to_ask_for
from sparring.tables.seating import NotRated
from sparring.tables.state import checkpoints
from sparring.tables.state.players import Player
from sparring.tables.state.table import NotAllowed
from sparring.tables.state.table_settings import IS_RANDOM, KNOWN_DEAL, NOT_FOR_STRANGERS, TableSettings
from web.app_server import AppServer, Client, StartServer
from web.studio.sets import create_set

#: The log's sentence about a new deal.
SENTENCE = str(NEW_DEAL)

#: A call that creates a table.
CREATES = re.compile(r"creation\.(create|play_on)\(")

GAMES = ("make-your-moves", "five-circles", "mace", "world-of-fighters", "card-duel")


@pytest.fixture(autouse=True)
def known_seeds(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let new deals have known seeds, so that no test fails by chance."""
    monkeypatch.setattr(matches, "read_seed", lambda _: 20261129)


def finished(server: AppServer, name: str = "hush", seed: int = 1) -> tuple[str, Match]:
    """Return a finished table of Anna and Ben, and its match."""
    match, dice = Match.new(name, seats=2, seed=seed, machine_code=False), random.Random(seed)
    while not match.over:
        legal = [each for each in match.legal() if each not in match.game.conceding]
        match.choose(dice.choice(legal))
    return server.table("Anna", "Ben", name=name, seed=seed, choices=match.history), match


def played_on(server: AppServer, name: str = "hush") -> tuple[str, Match]:
    """Let Anna play on from a finished match, on seat 1, and open seat 2; return the table and the match so far."""
    before, match = finished(server, name)
    turns = [number for number, each in enumerate(match.transitions()) if each.before.player == 0]
    number = turns[len(turns) // 2]
    answer = server.person("Anna").post(f"/table/{before}/review/{number}/play")
    table = answer.headers["location"].removeprefix("/table/")
    return opened(server, table), Match.from_record(match.record(), upto=number)


def opened(server: AppServer, table: str) -> str:
    """Let Anna remove the bot on seat 2."""
    server.person("Anna").post(f"/api/table/{table}/seats", json={"seat": 2}).raise_for_status()
    return table


def sit(server: AppServer, who: str, table: str) -> Client:
    person = server.person(who)
    person.post(f"/api/table/{table}/sit", json={"seat": 2}).raise_for_status()
    return person


def ask(person: Client, table: str) -> tuple[int, str]:
    answer = person.post(f"/api/table/{table}/new-deal")
    return answer.status_code, answer.json().get("reason", "")


# The doors


def by_play_on(server: AppServer) -> str:
    return played_on(server)[0]


def by_the_studio(server: AppServer) -> str:
    anna = server.person("Anna")
    address = create_set(anna, game="make-your-moves")
    answer = anna.post(f"{address}/play", data={"at": '["cards", 3]'})
    return opened(server, answer.headers["location"].rsplit("/", 1)[1])


def by_a_seed(server: AppServer) -> str:
    """`sparring play hush --seed 5 --seats open,open`."""
    first = FirstTable(game="hush", players=[Player(), Player()], options={}, seed=5)
    config = configured(server.app, server.settings)
    return server.run(_Server(config, server.app, first, lambda _: None)._first_page()).removeprefix("/table/")


@pytest.mark.parametrize("door", [by_play_on, by_the_studio, by_a_seed])
def test_a_known_deal_is_marked_before_anyone_sits_down(server: AppServer, door: Callable[[AppServer], str]) -> None:
    table, ben = door(server), server.person("Ben")
    assert KNOWN_DEAL in ben.page(table)
    assert "Take seat" in ben.page(table)
    assert KNOWN_DEAL in ben.page(f"{table}?watch=true")
    assert KNOWN_DEAL in ben.page(f"{table}/text?watch=true")
    assert ben.look(table)["known_deal"]
    assert table not in json.dumps(ben.get("/api/tables").json())


@pytest.mark.parametrize("door", [by_play_on, by_the_studio, by_a_seed])
def test_anyone_seated_gets_a_new_deal_once(server: AppServer, door: Callable[[AppServer], str]) -> None:
    table = door(server)
    if door is by_a_seed:
        server.person("Anna").post(f"/api/table/{table}/sit", json={"seat": 1}).raise_for_status()
    assert ask(server.person("Carla"), table) == (403, "Only players at this table can do that.")
    ben = sit(server, "Ben", table)
    for page in (ben.page(table), ben.page(f"{table}/text")):
        assert f"/table/{table}/new-deal" in page
    assert ask(ben, table)[0] == 200
    assert ask(ben, table) == ask(server.person("Anna"), table) == (403, IS_RANDOM)
    for page in (ben.page(table), ben.page(f"{table}/text")):
        assert KNOWN_DEAL not in page
        assert f"/table/{table}/new-deal" not in page
        assert SENTENCE in page
    assert not ben.look(table)["known_deal"]


def test_a_rematch_is_dealt_at_random(server: AppServer) -> None:
    table, _ = played_on(server)
    ben = sit(server, "Ben", table)
    assert ben.post(f"/api/table/{table}/give-up").status_code == 200
    rematch = ben.post(f"/api/table/{table}/again").json()["table"]
    assert not server.held(rematch).known_deal
    assert server.held(rematch).match.seed != server.held(table).match.seed


@pytest.mark.parametrize("more", [{"seed": 5}, {"choices": [0]}, {"position": {}}, {"known_deal": False},
                                  {"settings": {"known": True}}])  # fmt: skip
def test_the_api_takes_no_deal(server: AppServer, more: dict[str, Any]) -> None:
    answer = server.person("Anna").post("/api/tables", json={"game": "hush", "seats": ["me", "open"], **more})
    assert answer.status_code in (400, 422)


@pytest.mark.parametrize("known", [{"known": True}, {"choices": [0]}, {"begin_with": ["finisher"]}])
def test_a_known_deal_is_never_public_or_rated(server: AppServer, known: dict[str, Any]) -> None:
    for settings, error in ((TableSettings(public=True), NotAllowed), (TableSettings(rated=True), NotRated)):
        with pytest.raises(error) as refused:
            server.table("", "", seed=None, settings=settings, **known)
        assert str(refused.value) == NOT_FOR_STRANGERS


def test_the_seat_of_a_player_who_deleted_their_data_is_not_opened(server: AppServer, anna: Client) -> None:
    """The host could be that player, too, and knows that hand."""
    table = anna.create()
    sit(server, "Mallory", table).post("/me/delete", data={"sure": "yes"})
    answer = anna.post(f"/api/table/{table}/seats", json={"seat": 2})
    assert (answer.status_code, "The match is over." in answer.text) == (403, True)


def test_nothing_else_deals_tables() -> None:
    """A new way to create tables needs a row in docs/security.md, and says whether its deal is known."""
    callers = {
        path.stem for path in Path(sparring.__path__[0]).rglob("*.py")
        if path.stem != "creation" and CREATES.search(path.read_text(encoding="utf-8"))
    }  # fmt: skip
    random_deals = {"lobby", "friends", "halves", "lobby_routes", "table_pages"}
    assert callers - random_deals == {"replay_routes", "studio_routes", "tuning_routes", "serve"}


def test_an_ordinary_table_has_no_new_deal(server: AppServer, table: str) -> None:
    assert not server.person("Ben").look(table)["known_deal"]
    assert KNOWN_DEAL not in server.person("Ben").page(table)
    assert ask(server.person("Ben"), table) == (403, IS_RANDOM)


# What the host knows


def private(match: Match) -> dict[str, Any]:
    """Return the fields of a state that only seat 2 may know."""
    own, public = match.view(2).state, match.view(0).state
    return {name: np.array(own[name]) for name in own.dtype.names if own[name].tobytes() != public[name].tobytes()}


def errors(prediction: dict[str, Any], truth: dict[str, Any]) -> int:
    """Return how many values are predicted wrongly."""
    return sum(int((truth[field] != prediction[field]).sum()) for field in prediction if field in truth)


@pytest.mark.parametrize("name", GAMES)
def test_after_a_new_deal_the_host_predicts_nothing(server: AppServer, name: str) -> None:
    """Chance: what the same prediction gets right in new deals of other seeds. `tests/engine/test_records.py` shows
    that a new deal doesn't depend on anything that isn't public."""
    table, predicted = played_on(server, name)
    ben = sit(server, "Ben", table)
    prediction, truth = private(predicted), private(server.held(table).match)
    assert prediction
    assert truth.keys() == prediction.keys()
    assert all((truth[field] == prediction[field]).all() for field in truth), "the host knows everything before"
    hand = ben.get(f"/api/table/{table}/ask?words=hand").json()["said"]
    log, place = ben.look(table)["log"], predicted.view(0).state

    assert ask(ben, table)[0] == 200
    match = server.held(table).match
    if match.history == predicted.history:
        assert match.view(0).state.tobytes() == place.tobytes(), "everything public stays"
        assert ben.look(table)["log"] == [*log, SENTENCE]
    wrong = errors(prediction, private(match))
    assert wrong
    assert ben.get(f"/api/table/{table}/ask?words=hand").json()["said"] != hand
    chance = []
    for seed in range(40):
        other = Match(match.start._replace(deals=()))
        other.continue_from(list(predicted.transitions())[: match.start.deals[0].after])
        other.deal_again(match.start.deals[0]._replace(seed=seed))
        chance.append(errors(prediction, private(other)))
    assert min(chance) <= wrong <= max(chance)


# The new deal as a change of the table


def test_everyone_sees_it_and_it_outlives_a_restart(start_server: StartServer) -> None:
    server = start_server(friends="http://table.example")
    table, _ = played_on(server, "mace")
    ben = sit(server, "Ben", table)
    watcher = server.stranger()
    with watcher.stream(table, watcher.version(table)) as events:
        next(events)
        assert ask(ben, table)[0] == 200
        assert any(SENTENCE.encode() in next(events) for _ in range(4))

    def seen(server: AppServer) -> list[object]:
        return [server.person(who).look(table) for who in ("Anna", "Ben", "Watcher")]

    before, match = seen(server), server.held(table).match
    server.restart()
    assert seen(server) == before
    assert server.held(table).match.state.tobytes() == match.state.tobytes()
    play(server, table, 6)
    before = seen(server)
    server.restart()
    assert seen(server) == before


def play(server: AppServer, table: str, choices: int) -> None:
    """Make random choices for Anna and Ben."""
    dice = random.Random(choices)
    for _ in range(choices):
        for who in ("Anna", "Ben"):
            seen = server.person(who).look(table)
            if seen["is_turn"]:
                legal = [choice["choice"] for choice in seen["choices"] if not choice["concedes"]]
                server.person(who).choose(table, dice.choice(legal), seen["version"]).raise_for_status()


def test_the_replay_has_a_moment_for_it(server: AppServer) -> None:
    """For every viewer, during the match and after it; the record goes through it."""
    table, _ = played_on(server, "mace")
    ben = sit(server, "Ben", table)
    assert ask(ben, table)[0] == 200

    def told(view: str = "") -> list[list[str]]:
        last = ben.get(f"/api/table/{table}/replay?view={view}").json()["last"]
        at = range(last + 1)
        return [ben.get(f"/api/table/{table}/replay?view={view}&at={n}").json()["moments"][0]["said"] for n in at]

    assert told()[-1] == [SENTENCE]
    play(server, table, 2)
    ben.post(f"/api/table/{table}/give-up").raise_for_status()
    assert [told(view).count([SENTENCE]) for view in ("open", "0", "1", "2")] == [1, 1, 1, 1]
    assert f"{SENTENCE}</li>" in ben.get(f"/table/{table}/replay?at={len(told('open')) - 1}").text
    record = ben.get(f"/table/{table}/record").text
    assert Match.from_record(record).state.tobytes() == server.held(table).match.state.tobytes()


def test_a_match_with_a_new_deal_can_be_played_on(server: AppServer) -> None:
    table, _ = played_on(server, "mace")
    ben = sit(server, "Ben", table)
    assert ask(ben, table)[0] == 200
    play(server, table, 3)
    ben.post(f"/api/table/{table}/give-up").raise_for_status()
    before = server.held(table)
    number = len(before.transitions) - 1
    answer = ben.post(f"/table/{table}/review/{number}/play")
    again = server.held(answer.headers["location"].removeprefix("/table/"))
    assert again.known_deal
    assert again.match.state.tobytes() == before.transitions[number].before.tobytes()


def test_choices_before_it_cannot_be_taken_back_and_later_ones_can(server: AppServer, anna: Client) -> None:
    table, _ = played_on(server)
    sit(server, "Ben", table)
    assert ask(anna, table)[0] == 200
    assert not anna.look(table)["may_take_back"]
    first = anna.look(table)["choices"][0]["choice"]
    before = anna.look(table)
    anna.choose(table, first).raise_for_status()
    assert anna.take_back(table).status_code == 200
    after = anna.look(table)
    assert after == {**before, "version": after["version"]}
    assert anna.take_back(table).status_code == 422


def test_a_take_back_that_everyone_agrees_to_stops_at_it(server: AppServer, anna: Client, ben: Client) -> None:
    """Anna has just chosen, and could ask to take it back; Ben asks for a new deal first."""
    table = server.table("Anna", "Ben", name="make-your-moves", seed=None, known=True)
    while not steps_to_ask_for(server.held(table), 1):
        play(server, table, 1)
    assert ask(ben, table)[0] == 200
    assert not steps_to_ask_for(server.held(table), 1)
    answer = anna.post(f"/api/table/{table}/propose", json={"what": "take-back"})
    assert (answer.status_code, answer.json()["reason"]) == (403, RULE)


@pytest.mark.parametrize("cards", [0, 1, 3])
def test_secret_choices_are_made_again(server: AppServer, anna: Client, ben: Client, cards: int) -> None:
    """Hush: Anna has played cards face down, and Ben is to play. Her cards may be in another hand now.

    It is the same for any number of cards, which is secret, too.
    """
    table = server.table("Anna", "Ben", seed=None, known=True, settings=TableSettings(minutes=5))
    anna.page(table)
    ben.page(table)  # the clocks start
    for _ in range(cards):
        anna.choose_first(table)
    anna.choose(table, "done").raise_for_status()
    assert ben.look(table)["is_turn"]
    version = ben.version(table)
    assert ask(ben, table)[0] == 200
    assert anna.look(table)["is_turn"]
    assert server.held(table).match.history == []
    assert ben.choose(table, "done", version).status_code == 409
    assert "Ben asked for a new deal." in anna.page(table)


def test_a_bot_that_is_thinking_thinks_again(server: AppServer) -> None:
    with server.waiting_bots() as bots:
        table, ben = server.table("bot", "Ben", seed=None, known=True), server.person("Ben")
        ben.look(table)
        assert ask(ben, table)[0] == 200
        bots.questions.clear()
    server.wait_until(lambda: ben.look(table)["is_turn"])
    dealt = Match(server.held(table).match.start)
    assert bots.questions[0].state == dealt.view(1).state.tobytes()


def test_a_hint_from_before_is_gone(server: AppServer, anna: Client) -> None:
    table = server.table("Anna", "Ben", seed=None, known=True, settings=TableSettings(hints=True))
    anna.post(f"/api/table/{table}/hint", json={"version": anna.version(table)}).raise_for_status()
    assert anna.look(table)["hint"]
    assert ask(anna, table)[0] == 200
    assert not anna.look(table)["hint"]


def test_checkpoints_hold_new_deals(start_server: StartServer, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(checkpoints, "LENGTH", 4)
    server = start_server()
    table, _ = played_on(server, "mace")
    sit(server, "Ben", table)
    play(server, table, 5)
    assert ask(server.person("Ben"), table)[0] == 200
    play(server, table, 9)
    transitions = server.held(table).transitions
    server.restart()
    again = server.held(table).transitions
    for one, other in zip(transitions, again, strict=True):
        assert one.action == other.action
        assert (one.before.tobytes(), one.after.tobytes()) == (other.before.tobytes(), other.after.tobytes())
