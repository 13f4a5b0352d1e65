"""Hints on request: who may take one, what stands beside the question, who is told what, what the record keeps."""

import asyncio
import re
from collections.abc import Iterator
from dataclasses import replace
from typing import Any

import msgspec
import numpy as np
import pytest

from sparring.engine.errors import SparringError
from sparring.engine.game import game
from sparring.engine.hints import Hint
from sparring.engine.match import Match
from sparring.engine.records import MatchStart
from sparring.web.bots.bot_players import BotQuestion
from sparring.web.bots.bot_worker import _answer
from sparring.web.identity import Person
from sparring.web.security.rate_limits import RateLimits, Requester
from sparring.web.settings import Limits
from sparring.web.tables.hint_panel import HINT_BOT
from sparring.web.tables.players import Player
from sparring.web.tables.seating import NotRated
from sparring.web.tables.table_settings import TableSettings
from web.app_server import Dice, House, Visitor, settings

HINTS = TableSettings(hints=True)


@pytest.fixture(scope="module")
def house(tmp_path_factory: pytest.TempPathFactory) -> Iterator[House]:
    one = House(settings(tmp_path_factory.mktemp("hints")))
    yield one
    one.close()


def opened(house: House, *names: str, terms: TableSettings = HINTS, seed: int = 1) -> str:
    sitters = [Player(name, name) for name in names]
    return house.run(house.tables.create(game("hush"), sitters, terms=terms, seed=seed)).id


def take(visitor: Visitor, table: str) -> None:
    visitor.post(f"/api/table/{table}/hint", json={"version": visitor.version(table)}).raise_for_status()


def test_a_hint_stands_beside_the_question_until_the_choice(house: House) -> None:
    anna, ben = house.person("Anna"), house.person("Ben")
    table = opened(house, "Anna", "Ben")
    assert 'data-post="hint"' in anna.page(table)
    assert 'data-post="hint"' not in ben.page(table)
    take(anna, table)
    look, page = anna.look(table), anna.page(table)
    assert len(look["hint"]) == 3
    best = look["hint"][0]
    assert best["choice"] in [choice["choice"] for choice in look["choices"]]
    assert f"<b>{best['words']}</b> {best['value']:.0%} to win" in page
    assert f"<b>{best['words']}</b> {best['value']:.0%} to win" in anna.get(f"/table/{table}/text").text
    assert 'data-post="hint"' not in page
    house.run(house.tables.reload([table]))  # as after a restart
    assert anna.look(table)["hint"] == look["hint"]
    anna.choose(table, best["choice"])
    assert anna.look(table)["hint"] == []
    anna.take_back(table)
    assert anna.look(table)["hint"] == look["hint"]
    other = next(choice["choice"] for choice in look["choices"] if choice["choice"] != best["choice"])
    anna.choose(table, other)
    assert anna.look(table)["hint"] == []


def test_a_hint_tells_choices_in_the_words_of_the_table(house: House, monkeypatch: pytest.MonkeyPatch) -> None:
    """Whatever words a worker on another machine may have for them."""
    anna, table, advise = house.person("Anna"), opened(house, "Anna", "Ben"), Dice.advise

    async def worded(dice: Dice, question: BotQuestion, turn: str = "") -> Hint | None:
        hint = await advise(dice, question, turn)
        return hint and replace(hint, unit="gold", choices=tuple(replace(one, words="give up") for one in hint.choices))

    monkeypatch.setattr(Dice, "advise", worded)
    take(anna, table)
    look = anna.look(table)
    words = {choice["choice"]: choice["words"] for choice in look["choices"]}
    assert [one["words"] for one in look["hint"]] == [words[one["choice"]] for one in look["hint"]]
    assert "gold" not in anna.page(table)


def test_a_hint_can_be_typed_on_the_page_of_words(house: House) -> None:
    anna, table = house.person("Anna"), opened(house, "Anna", "Ben")
    typed = {"version": anna.version(table), "words": "hint"}
    assert anna.post(f"/table/{table}/text/say", data=typed).headers["location"] == f"/table/{table}/text"
    assert len(anna.look(table)["hint"]) == 3


def test_all_are_told_that_a_hint_was_taken_once_a_turn_and_nobody_what_it_said(house: House) -> None:
    anna, ben = house.person("Anna"), house.person("Ben")
    table = opened(house, "Anna", "Ben")
    before = ben.version(table)
    take(anna, table)
    page, look = ben.page(table), ben.look(table)
    assert "Anna uses hints." in page
    assert (look["hints_taken"], look["hint"], look["version"]) == ([1], [], before + 1)
    assert "to win" not in page
    assert "to win" not in house.person("Somebody").page(table)
    # A second one in the same turn would tell that something was chosen meanwhile.
    anna.choose(table, anna.look(table)["choices"][0]["choice"])
    take(anna, table)
    assert len(anna.look(table)["hint"]) == 3
    assert ben.version(table) == before + 1


def test_the_others_hear_of_it_before_the_bot_has_thought_and_a_choice_meanwhile_counts(house: House) -> None:
    anna, ben = house.person("Anna"), house.person("Ben")
    table, players = opened(house, "Anna", "Ben"), house.players
    assert isinstance(players, Dice)
    laid = house.run(house.tables.get(table))
    house.loop.call_soon_threadsafe(players.may_choose.clear)
    asked = asyncio.run_coroutine_threadsafe(
        house.tables.hint(laid, Person("Anna", "Anna"), 1, Requester("Anna")), house.loop
    )
    while not ben.look(table)["hints_taken"]:
        assert not asked.done()
    anna.choose(table, anna.look(table)["choices"][0]["choice"]).raise_for_status()
    house.loop.call_soon_threadsafe(players.may_choose.set)
    with pytest.raises(SparringError, match="moved on before the hint"):
        asked.result(30)
    assert anna.look(table)["hint"] == []


@pytest.mark.parametrize("script", [True, False])
def test_who_may_not_take_a_hint_is_told_why_in_a_sentence(house: House, script: bool) -> None:
    anna, ben = house.person("Anna"), house.person("Ben")
    table, without = opened(house, "Anna", "Ben"), opened(house, "Anna", "Ben", terms=TableSettings())

    def refused(who: Visitor, where: str, version: int) -> str:
        data: Any = {"json": {"version": version}} if script else {"data": {"version": version}}
        answer = who.post(f"{'/api' if script else ''}/table/{where}/hint", **data)
        assert answer.status_code in (403, 409)
        return answer.text

    assert "your turn yet" in refused(ben, table, ben.version(table))
    assert "Only players can choose" in refused(house.person("Somebody"), table, 1)
    assert "The table has changed" in refused(anna, table, 99)
    assert "Hints are off" in refused(anna, without, 1)
    assert 'data-post="hint"' not in anna.page(without)
    assert anna.look(table)["hints_taken"] == []


def test_nobody_has_bots_think_of_hints_without_end(house: House, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(house.tables, "rate_limits", RateLimits(Limits(hints_at_once=1)))
    anna = house.person("Anna")
    table = opened(house, "Anna", "Ben")
    take(anna, table)
    take(anna, table)  # the same once more is no new one
    anna.choose(table, anna.look(table)["choices"][0]["choice"])
    refused = anna.post(f"/api/table/{table}/hint", json={"version": anna.version(table)})
    assert (refused.status_code, "many hints in a short time" in refused.text) == (429, True)
    assert anna.look(table)["choices"]


def test_a_bot_that_cannot_say_anything_leaves_the_question_as_it_is(
    house: House, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def silent(question: BotQuestion, turn: str) -> None:
        return None

    monkeypatch.setattr(house.players, "advise", silent)
    anna = house.person("Anna")
    table = opened(house, "Anna", "Ben")
    for _ in range(2):
        refused = anna.post(f"/api/table/{table}/hint", json={"version": anna.version(table)})
        assert (refused.status_code, "Try again, or choose without" in refused.text) == (422, True)
    assert len(house.run(house.tables.get(table)).hints.taken) == 1
    anna.choose(table, anna.look(table)["choices"][0]["choice"]).raise_for_status()


def test_of_several_at_one_screen_the_hint_is_for_whose_hand_is_shown(house: House) -> None:
    anna = house.person("Anna")
    sitters = [Player("Anna", "Anna"), Player("Anna", "Friend")]
    table = house.run(house.tables.create(game("hush"), sitters, terms=HINTS, seed=1)).id
    assert 'data-post="hint"' not in anna.page(table)
    anna.post(f"/api/table/{table}/screen", json={"seat": 1})
    take(anna, table)
    assert "to win" in anna.page(table)
    anna.post(f"/api/table/{table}/screen", json={"seat": 0})
    assert "to win" not in anna.page(table)
    anna.post(f"/api/table/{table}/screen", json={"seat": 1})
    assert "to win" in anna.page(table)


def test_record_and_replay_keep_who_took_hints_and_the_form_says_whether_there_are_any(house: House) -> None:
    anna, ben = house.person("Anna"), house.person("Ben")
    form = {"name": "Anna", "seat1": "me", "seat2": "open", "counting": "hints"}
    table = anna.post("/games/hush", data=form).headers["location"].removeprefix("/table/")
    ben.post(f"/table/{table}/sit", data={"seat": "2", "name": "Ben"})
    assert "You may ask for hints" in ben.page(table)
    anna.choose(table, anna.look(table)["choices"][0]["choice"])
    take(anna, table)
    assert "asked for a hint" not in anna.get(f"/table/{table}/replay").text
    anna.choose(table, "give up")
    record = anna.get(f"/table/{table}/record").json()
    assert record["table"]["hints"] == [{"seat": 1, "after": 1}]
    assert "given" not in str(record)
    replay = anna.get(f"/table/{table}/replay").text
    assert re.search(r"choices=1\">Anna asked for a hint</a> after 1 choice\.", replay)
    brought = ben.post("/api/records", json={"name": "a.json", "record": record}).raise_for_status().json()["id"]
    assert "Seat 1 asked for a hint" in ben.get(f"/records/{brought}/replay").text


def test_there_are_no_hints_in_a_rated_match(house: House) -> None:
    with pytest.raises(NotRated, match="don't allow hints"):
        opened(house, "Anna", "Ben", terms=TableSettings(hints=True, rated=True))


# What a hint is made from


def test_a_hint_is_the_same_in_two_truths_that_the_seat_cannot_tell_apart(
    house: House, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The bot is asked with the seat's view alone, and what it says hangs on that alone, and not on the clock."""
    monkeypatch.setattr("sparring.bots.bot.QUICK_SECONDS", 60.0)
    truth = Match.new("hush", seed=1)
    other = imagined(truth, 1)
    hints, asked = [], []
    for match in (truth, other):
        laid = house.run(house.tables.get(opened(house, "Anna", "Ben")))
        laid.id = "the same"  # bots draw their chance from it
        laid.deal(match)
        asked.append(house.tables._bot_question(laid, HINT_BOT))
        hints.append(_answer(msgspec.structs.replace(asked[-1], advise=True, bot="search:iterations=30")).hint)
    assert asked[0] == asked[1]
    assert hints[0] == hints[1] is not None


def test_the_others_see_the_same_of_a_hint_whatever_it_says(house: House) -> None:
    anna, ben = house.person("Anna"), house.person("Ben")
    truth = Match.new("hush", seed=1)
    seen, said = [], []
    for match in (truth, imagined(truth, 2)):
        table = opened(house, "Anna", "Ben")
        house.run(house.tables.get(table)).deal(match)
        take(anna, table)
        said.append(anna.look(table)["hint"])
        look = ben.look(table)
        seen.append({**look, "table": "", "page": ben.page(table).replace(table, "").partition("<aside")[0]})
    assert said[0] != said[1]
    assert seen[0] == seen[1]


def imagined(match: Match, seat: int) -> Match:
    """Another truth that a seat cannot tell from a match."""
    state = match.view(seat).state.copy()
    match.game.rules.determinize(match.box.kit, state, seat - 1, np.array([5, 6, 7, 8]))
    other = Match(MatchStart(match.box, state, match.seed))
    assert other.state.tobytes() != match.state.tobytes()
    assert other.view(seat).state.tobytes() == match.view(seat).state.tobytes()
    return other
