"""Bots of other people at the table in the browser: in the form, replaced when they fail, and no way to a shell."""

import asyncio
import logging
import re
import signal
import socket
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import httpx
import pytest

from sparring.bots import BotFailed
from sparring.bots.external import timed_process
from sparring.engine.game import game
from sparring.web.bots.bot_players import BotQuestion, ProcessBotPlayers
from sparring.web.bots.command_bots import alias_of
from sparring.web.bots.time_slots import SLOTS, slot_of
from sparring.web.tables.players import Player
from web.app_server import Dice, House, settings
from web.bots.test_bot_players import question, run
from web.test_serve import PLAY, environment

pytestmark = pytest.mark.usefixtures("planted")

PIPE_BOT = f"pipe:{sys.executable} {Path(__file__).parents[3] / 'examples' / 'pipe_bot.py'}"


def answered(bot: str, *commands: str) -> int | BotFailed:
    """What a bot in a process chooses, or how it failed."""

    async def ask(processes: ProcessBotPlayers) -> int | BotFailed:
        processes._commands = {alias_of(command): command for command in commands}
        try:
            return await processes.choose(question(bot), "")
        except BotFailed as lost:
            return lost

    return run(ask)


# In the processes


@pytest.mark.parametrize("bot", ["first", "lottery", "chatty"])
def test_a_bot_of_a_package_chooses_in_a_process_of_the_server(bot: str) -> None:
    assert answered(bot) in question(bot).legal


@pytest.mark.parametrize(
    ("bot", "said", "why"),
    [
        ("nonsense", "Nonsense bot chose an illegal action.", ""),
        ("exits", "Exits bot exited without an answer.", ""),
        ("raises", "Raises bot stopped with an error.", ""),
        ("no-longer-there", "No longer there bot isn't available here.", "There is no bot called no-longer-there"),
        ("search:level=nonsense", "Search bot isn't available here.", "There is no level nonsense"),
        ("hangs", "Hangs bot did not answer in time.", ""),
    ],
)
def test_a_bot_that_fails_loses_its_clock(
    bot: str, said: str, why: str, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    monkeypatch.setenv(timed_process.SECONDS, "0.1")
    with caplog.at_level(logging.WARNING):
        lost = answered(bot)
    assert isinstance(lost, BotFailed)
    assert str(lost) == said
    assert said in caplog.text
    assert why in caplog.text
    assert "I hold" not in caplog.text + lost.why, "who reads the log may play at this table"


def test_a_command_is_run_for_its_mark_by_the_server_that_was_started_with_it() -> None:
    assert answered(alias_of(PIPE_BOT), PIPE_BOT) in question().legal
    for bot in (alias_of(PIPE_BOT), PIPE_BOT):
        lost = answered(bot)
        assert isinstance(lost, BotFailed)
        assert "available here" in str(lost)
    assert isinstance(answered(PIPE_BOT, PIPE_BOT), BotFailed), "never by the command itself"


def test_a_mark_tells_nothing_of_its_command_and_fits_into_the_store() -> None:
    assert re.fullmatch(r"piped:[0-9a-f]{12}", alias_of(PIPE_BOT))
    assert alias_of("search:level=gentle") == "search:level=gentle"


# At the table


class Failing(Dice):
    """Bots that fail if they are called so."""

    async def choose(self, question: BotQuestion, turn: str = "") -> int:
        if question.bot == "raises":
            self.questions.append(question)
            raise BotFailed("Raises bot stopped with an error.", "KeyError: the ace of spades")
        return await super().choose(question, turn)


@pytest.fixture
def failing(tmp_path: Path) -> Any:
    opened = []

    def opener(**more: Any) -> House:
        opened.append(House(settings(tmp_path, **more), Failing()))
        return opened[-1]

    yield opener
    for house in opened:
        if house._thread.is_alive():
            house.close()


def lay_out(house: House, *names: str) -> str:
    sitters = [Player(bot="raises", name="Bolt") if who == "bot" else Player(who, who) for who in names]
    return house.run(house.tables.create(game("hush"), sitters, seed=1)).id


def wait_for(house: House, what: Callable[[], bool]) -> None:
    for _ in range(500):
        if what():
            return
        house.run(asyncio.sleep(0.01))
    raise AssertionError("it never came to that")


def test_a_stand_in_plays_on_and_everybody_sees_for_whom(failing: Any) -> None:
    house = failing()
    table = lay_out(house, "bot", "Anna")
    anna = house.person("Anna")
    wait_for(house, lambda: anna.look(table)["asked"])
    page = anna.page(table)
    assert "<b>Bolt</b>, Random bot in place of Raises bot" in page
    assert "Bolt ran out of time and now chooses at random." in page
    assert "ace of spades" not in page
    assert [asked.bot for asked in house.players.questions][:2] == ["raises", "stand-in:raises"]
    assert "raises" not in [asked.bot for asked in house.players.questions][1:], "its clock is lost for this match"


def test_the_news_of_it_comes_down_the_wire(failing: Any) -> None:
    house = failing()
    table = lay_out(house, "Anna", "bot")
    anna = house.person("Anna")
    with anna.people(table) as events:
        anna.choose(table, "done")
        assert "Bolt ran out of time and now chooses at random." in next(events).decode()


def test_a_stand_in_stays_after_a_restart(failing: Any) -> None:
    house = failing()
    table = lay_out(house, "bot", "Anna")
    wait_for(house, lambda: house.person("Anna").look(table)["asked"])
    house.close()
    again = failing()
    assert "Random bot in place of Raises bot" in again.person("Anna").page(table)
    assert [sitter.bot for sitter in again.run(again.tables.get(table)).players] == ["stand-in:raises", ""]


def test_in_the_next_match_it_has_a_clock_again(failing: Any) -> None:
    house = failing()
    table = lay_out(house, "bot", "Anna")
    anna = house.person("Anna")
    for _ in range(60):
        wait_for(house, lambda: anna.look(table)["asked"] or anna.look(table)["over"])
        if anna.look(table)["over"]:
            break
        anna.choose(table, anna.look(table)["choices"][-1]["choice"])
    assert anna.look(table)["over"]
    anna.post(f"/table/{table}/again")
    following = house.run(house.tables.get(table)).next
    assert anna.look(following)["asked"], "everybody has moved one seat further"
    anna.choose(following, "done")
    wait_for(house, lambda: [asked.bot for asked in house.players.questions].count("raises") == 2)


def test_when_a_bot_failed_is_seen_at_the_end_of_a_slot_alone(failing: Any) -> None:
    house = failing(slot=1000.0)
    table = house.run(house.tables.get(lay_out(house, "bot", "Ben")))
    wait_for(house, lambda: bool(house.players.questions))
    house.run(asyncio.sleep(0.05))
    ben = house.person("Ben")
    assert (ben.version(table.id), table.players[0].bot) == (1, "raises")
    assert not table.lock.locked()


def test_a_slot_is_longer_than_the_time_for_a_choice(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv(timed_process.SECONDS)
    assert slot_of("careful") == slot_of("piped:0011aabb") == timed_process.DEFAULT_SECONDS + 0.5
    assert slot_of("stand-in:careful") == SLOTS["random"]
    assert slot_of("mix:level=master") == SLOTS["master"]
    assert slot_of("mix") == slot_of("search") == SLOTS["strong"]
    monkeypatch.setenv(timed_process.SECONDS, "7")
    assert slot_of("careful") == 7.5


# In the form


def test_the_form_offers_the_bots_of_packages_and_takes_them(house: House) -> None:
    anna = house.stranger()
    page = anna.get("/games/hush").text
    assert re.search(r'<option value="first"[^>]*>\s*First bot', page)
    answer = anna.post("/games/hush", data={"name": "Anna", "seat1": "me", "seat2": "first"})
    assert answer.status_code == 303
    assert "<b>Bolt</b>, First bot" in anna.get(answer.headers["location"]).text


@pytest.mark.parametrize("bot", [PIPE_BOT, "pipe:sh -c 'echo'", alias_of(PIPE_BOT), "stand-in:first", "PIPE:sh"])
def test_no_command_comes_in_by_the_form(house: House, bot: str) -> None:
    answer = house.stranger().post("/games/hush", data={"name": "Anna", "seat1": "me", "seat2": bot})
    assert answer.status_code == 422
    assert "There is no bot called" in answer.text or "too long" in answer.text


def test_who_starts_the_server_may_name_a_command_and_nobody_reads_it(tmp_path: Path, toy_path: str) -> None:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port = probe.getsockname()[1]
    command = [sys.executable, "-c", PLAY, "play", "hush", "--seats", f"{PIPE_BOT},open"]
    server = subprocess.Popen(
        [*command, "--port", str(port), "--no-browser"], env=environment(tmp_path, toy_path), stdout=subprocess.PIPE,
        stderr=subprocess.PIPE, text=True,
    )  # fmt: skip
    assert server.stdout
    found = re.search(r"The table is open at (http://\S+)", server.stdout.readline())
    assert found
    page = httpx.get(found[1]).raise_for_status().text
    assert "<b>Bolt</b>, Piped bot" in page
    assert "pipe_bot" not in page
    wait = httpx.get(found[1], params={"watch": "true"}).raise_for_status().text
    assert "pipe_bot" not in wait
    server.send_signal(signal.SIGINT)
    _, complaints = server.communicate(timeout=30)
    assert (server.returncode, complaints) == (0, "")
    assert not [file for file in tmp_path.iterdir() if b"pipe_bot" in file.read_bytes()]
