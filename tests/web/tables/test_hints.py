"""Hints: who may take one, where it is shown, what others learn, and what the record stores."""

import asyncio
import re
from dataclasses import replace
from typing import Any

import msgspec
import pytest

from sparring.engine.errors import SparringError
from sparring.engine.hints import Hint
from sparring.engine.match import Match
from sparring.engine.messages import StoredText
from sparring.games.mace.components import way
from sparring.people.rate_limits import RateLimits, Requester
from sparring.settings import Limits
from sparring.store.person import Person
from sparring.tables.play.bot_turns import HINT_BOT
from sparring.tables.seating import NotRated
from sparring.tables.state.hint_state import place_of
from sparring.tables.state.players import Player
from sparring.tables.state.table_settings import TableSettings
from sparring.tables.workers.bot_players import BotQuestion
from sparring.tables.workers.bot_worker import _answer
from web.app_server import AppServer, Client, RandomBots
from web.look_alikes import determinized

HINTS = TableSettings(hints=True)
SHOWN_REASON = StoredText("Then probably {who} <b>passes</b>.", values={"who": "Seat 2"})


def take_hint(client: Client, table: str) -> None:
    client.post(f"/api/table/{table}/hint", json={"version": client.version(table)}).raise_for_status()


def test_a_hint_is_shown_beside_the_prompt_until_the_choice(server: AppServer, anna: Client, ben: Client) -> None:
    table = server.table("Anna", "Ben", settings=HINTS)
    assert 'data-post="hint"' in anna.page(table)
    assert 'data-post="hint"' not in ben.page(table)
    take_hint(anna, table)
    look, page = anna.look(table), anna.page(table)
    assert len(look["hint"]) == 3
    best = look["hint"][0]
    assert best["choice"] in [choice["choice"] for choice in look["choices"]]
    for shown in (page, anna.get(f"/table/{table}/text").text):
        assert f"<b>{best['words'].replace('lay', 'Card')}</b> {best['value']:.0%} to win" in shown
    assert 'data-post="hint"' not in page
    assert page.count(f'value="{best["choice"]}" data-hinted') == 1
    assert "data-hinted" not in ben.page(table)
    server.reload(table)  # as after a restart
    assert anna.look(table)["hint"] == look["hint"]
    anna.choose(table, best["choice"])
    assert anna.look(table)["hint"] == []
    anna.take_back(table)
    assert anna.look(table)["hint"] == look["hint"]
    other = next(choice["choice"] for choice in look["choices"] if choice["choice"] != best["choice"])
    anna.choose(table, other)
    assert anna.look(table)["hint"] == []


def test_a_hint_uses_the_words_of_the_table(server: AppServer, monkeypatch: pytest.MonkeyPatch) -> None:
    """Not those of a worker on another machine."""
    anna, table, advise = server.person("Anna"), server.table("Anna", "Ben", settings=HINTS), RandomBots.advise

    async def worded(bots: RandomBots, question: BotQuestion) -> Hint | None:
        hint = await advise(bots, question)
        return hint and replace(hint, unit="gold", choices=tuple(replace(one, words="give up") for one in hint.choices))

    monkeypatch.setattr(RandomBots, "advise", worded)
    take_hint(anna, table)
    look = anna.look(table)
    words = {choice["choice"]: choice["words"] for choice in look["choices"]}
    assert [one["words"] for one in look["hint"]] == [words[one["choice"]] for one in look["hint"]]
    assert "gold" not in anna.page(table)


def test_the_reason_is_shown_with_names_and_the_numbers_behind_details(
    server: AppServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    anna, ben, advise = server.person("Anna"), server.person("Ben"), RandomBots.advise
    table = server.table("Anna", "Ben", settings=HINTS)

    async def explained(bots: RandomBots, question: BotQuestion) -> Hint | None:
        hint = await advise(bots, question)
        return hint and replace(hint, why=SHOWN_REASON)

    monkeypatch.setattr(RandomBots, "advise", explained)
    take_hint(anna, table)
    page, other = anna.page(table), ben.page(table)
    before, details = page.split("<summary>Details</summary>")
    assert re.search("Then probably <b class=.who s2.>Ben</b> &lt;b&gt;passes", before)
    assert "to win" in details
    assert "to win" not in before
    assert anna.look(table)["hint_reason"] == "Then probably Seat 2 <b>passes</b>."
    assert ben.look(table)["hint_reason"] == ""
    assert "Then probably" not in other
    server.reload(table)  # as after a restart
    assert "Then probably" in anna.page(table)


def test_a_hint_says_where_the_suggested_space_is() -> None:
    match = Match.from_position({"game": "mace", "phase": "move", "player": 1, "steps": 2})
    view = match.view(1)
    moves = [choice for choice in view.choices if choice.words.startswith("to ")]
    assert moves
    for choice in moves:
        here, there = (int(state.at[0]) for state in (match.state, match.preview(choice.action).after))
        assert place_of(view.scene, choice.action).startswith(str(way(here, there))), choice.words
    assert place_of(view.scene, view.choices[-1].action) == ""


def test_a_hint_can_be_requested_in_text_mode(server: AppServer) -> None:
    anna, table = server.person("Anna"), server.table("Anna", "Ben", settings=HINTS)
    typed = {"version": anna.version(table), "words": "hint"}
    assert anna.post(f"/table/{table}/text/say", data=typed).headers["location"] == f"/table/{table}/text"
    assert len(anna.look(table)["hint"]) == 3


def test_taking_a_hint_is_announced_once_a_turn_without_its_content(server: AppServer) -> None:
    anna, ben = server.person("Anna"), server.person("Ben")
    table = server.table("Anna", "Ben", settings=HINTS)
    before = ben.version(table)
    take_hint(anna, table)
    page, look = ben.page(table), ben.look(table)
    assert "Anna uses hints." in page
    assert "asked for a hint" not in page
    assert (look["hints_taken"], look["hint"], look["version"]) == ([1], [], before + 1)
    assert "to win" not in page
    assert "to win" not in server.person("Eve").page(table)
    # A second notice in the same turn would reveal that something was chosen in between.
    anna.choose_first(table)
    take_hint(anna, table)
    assert len(anna.look(table)["hint"]) == 3
    assert ben.version(table) == before + 1


def test_a_hint_is_announced_before_it_is_computed(server: AppServer, anna: Client, ben: Client) -> None:
    table = server.table("Anna", "Ben", settings=HINTS)
    take = server.tables.hints.take(server.held(table), Person("Anna", "Anna"), 1, Requester("Anna"))
    with server.waiting_bots():
        asked = asyncio.run_coroutine_threadsafe(take, server.loop)
        while not ben.look(table)["hints_taken"]:
            assert not asked.done()
        anna.choose_first(table)
    with pytest.raises(SparringError, match="moved on before the hint"):
        asked.result(30)
    assert anna.look(table)["hint"] == []


@pytest.mark.parametrize("script", [True, False])
def test_a_refused_hint_gets_one_sentence(server: AppServer, anna: Client, ben: Client, script: bool) -> None:
    table, without = server.table("Anna", "Ben", settings=HINTS), server.table("Anna", "Ben")

    def refused(who: Client, where: str, version: int, status: int) -> str:
        data: Any = {"json": {"version": version}} if script else {"data": {"version": version}}
        response = who.post(f"{'/api' if script else ''}/table/{where}/hint", **data)
        assert response.status_code == status
        return response.text

    assert "your turn yet" in refused(ben, table, ben.version(table), 403)
    assert "Only players can choose" in refused(server.person("Eve"), table, 1, 403)
    assert "The table has changed" in refused(anna, table, 99, 409)
    assert "Hints are off" in refused(anna, without, 1, 403)
    assert 'data-post="hint"' not in anna.page(without)
    assert anna.look(table)["hints_taken"] == []


def test_hints_are_rate_limited(server: AppServer, anna: Client, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(server.tables.hints, "rate_limits", RateLimits(Limits(hints_at_once=1)))
    table = server.table("Anna", "Ben", settings=HINTS)
    take_hint(anna, table)
    take_hint(anna, table)  # the same hint again isn't a new one
    anna.choose_first(table)
    refused = anna.post(f"/api/table/{table}/hint", json={"version": anna.version(table)})
    assert (refused.status_code, "many hints in a short time" in refused.text) == (429, True)
    assert anna.look(table)["choices"]


def test_without_a_hint_the_prompt_is_unchanged(server: AppServer, monkeypatch: pytest.MonkeyPatch) -> None:
    async def silent(question: BotQuestion) -> None:
        return None

    monkeypatch.setattr(server.bots, "advise", silent)
    anna = server.person("Anna")
    table = server.table("Anna", "Ben", settings=HINTS)
    for _ in range(2):
        refused = anna.post(f"/api/table/{table}/hint", json={"version": anna.version(table)})
        assert (refused.status_code, "Try again, or choose without" in refused.text) == (422, True)
    assert len(server.held(table).hints.taken) == 1
    anna.choose_first(table)


def test_on_a_shared_screen_the_hint_is_for_the_visible_hand(server: AppServer, anna: Client) -> None:
    table = server.table("Anna", Player("Anna", "Friend"), settings=HINTS)
    assert 'data-post="hint"' not in anna.page(table)
    anna.post(f"/api/table/{table}/screen", json={"seat": 1})
    take_hint(anna, table)
    for seat in (1, 0, 1):
        anna.post(f"/api/table/{table}/screen", json={"seat": seat})
        assert ("to win" in anna.page(table)) == (seat == 1)


def test_records_and_replays_list_hints_and_the_form_sets_them(anna: Client, ben: Client) -> None:
    table = anna.create(counting="hints")
    ben.sit(table, 2, "Ben")
    assert "You may ask for hints" in ben.page(table)
    anna.choose_first(table)
    take_hint(anna, table)
    assert "asked for a hint" not in anna.get(f"/table/{table}/replay").text
    anna.choose(table, "give up")
    record = anna.get(f"/table/{table}/record").json()
    assert record["table"]["hints"] == [{"seat": 1, "after": 1}]
    assert "given" not in str(record)
    replay = anna.get(f"/table/{table}/replay").text
    assert re.search(r"choices=1\">Anna asked for a hint</a> after 1 choice\.", replay)
    brought = ben.post("/api/records", json={"name": "a.json", "record": record}).raise_for_status().json()["id"]
    assert "Seat 1 asked for a hint" in ben.get(f"/records/{brought}/replay").text


def test_rated_matches_have_no_hints(server: AppServer) -> None:
    with pytest.raises(NotRated, match="don't allow hints"):
        server.table("Anna", "Ben", settings=TableSettings(hints=True, rated=True))


# Inputs of a hint


def test_hidden_information_does_not_change_a_hint(server: AppServer, monkeypatch: pytest.MonkeyPatch) -> None:
    """The bot gets only the seat's view, and its answer depends on nothing else, not even the time."""
    monkeypatch.setattr("sparring.bots.bot.QUICK_SECONDS", 60.0)
    truth = Match.new("hush", seed=1)
    hints, asked = [], []
    for match in (truth, determinized(truth, 1, seed=5)):
        laid = server.held(server.table("Anna", "Ben", settings=HINTS))
        laid.id = "the same"  # bots draw their random numbers from it
        laid.deal(match)
        asked.append(server.tables.bots.question(laid, HINT_BOT))
        hints.append(_answer(msgspec.structs.replace(asked[-1], advise=True, bot="search:iterations=30")).hint)
    assert asked[0] == asked[1]
    assert hints[0] == hints[1] is not None


def test_others_see_the_same_whatever_the_hint(server: AppServer, anna: Client, ben: Client) -> None:
    truth = Match.new("hush", seed=1)
    seen, said = [], []
    for match in (truth, determinized(truth, 2, seed=5)):
        table = server.table("Anna", "Ben", settings=HINTS)
        server.held(table).deal(match)
        take_hint(anna, table)
        said.append(anna.look(table)["hint"])
        look = ben.look(table)
        seen.append({**look, "table": "", "page": ben.page(table).replace(table, "").partition("<aside")[0]})
    assert said[0] != said[1]
    assert seen[0] == seen[1]
