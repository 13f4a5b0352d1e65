"""Plugin and command bots at tables: in the form, replaced when they fail, and without access to a shell."""

import asyncio
import logging
import re
import signal
import socket
import subprocess
import sys
from collections.abc import Iterator, Sequence
from pathlib import Path

import httpx
import pytest

from sparring.bots import BotFailed, external_bot
from sparring.tables.state.players import Player
from sparring.tables.workers.bot_players import SLOTS, BotQuestion, ProcessBotPlayers, alias_of, slot_of
from web.app_server import AppServer, RandomBots, settings
from web.bots.questions import question, run
from web.play_command import PLAY, environment

pytestmark = [pytest.mark.usefixtures("plugin_bots"), pytest.mark.server]

PIPE_BOT = f"pipe:{sys.executable} {Path(__file__).parents[3] / 'examples' / 'pipe_bot.py'}"


def choice_or_failure(bot: str, *commands: str) -> int | BotFailed:
    """Return what a bot in a process chooses, or its failure."""

    async def ask(processes: ProcessBotPlayers) -> int | BotFailed:
        processes._commands = {alias_of(command): command for command in commands}
        try:
            return await processes.choose(question(bot), "")
        except BotFailed as lost:
            return lost

    return run(ask)


# Processes


@pytest.mark.parametrize("bot", ["first", "lottery", "chatty"])
def test_a_plugin_bot_runs_in_a_server_process(bot: str) -> None:
    assert choice_or_failure(bot) in question(bot).legal


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
    monkeypatch.setenv(external_bot.SECONDS, "0.1")
    with caplog.at_level(logging.WARNING):
        lost = choice_or_failure(bot)
    assert isinstance(lost, BotFailed)
    assert str(lost) == said
    assert said in caplog.text
    assert why in caplog.text
    assert "I hold" not in caplog.text + lost.why, "readers of the log may play at this table"


def test_an_alias_runs_only_a_command_given_at_the_start() -> None:
    assert choice_or_failure(alias_of(PIPE_BOT), PIPE_BOT) in question().legal
    for bot in (alias_of(PIPE_BOT), PIPE_BOT):
        lost = choice_or_failure(bot)
        assert isinstance(lost, BotFailed)
        assert "available here" in str(lost)
    assert isinstance(choice_or_failure(PIPE_BOT, PIPE_BOT), BotFailed), "never by the command itself"


def test_an_alias_is_short_and_reveals_nothing_of_its_command() -> None:
    assert re.fullmatch(r"piped:[0-9a-f]{12}", alias_of(PIPE_BOT))
    assert alias_of("search:level=gentle") == "search:level=gentle"


# Tables


class FailingBots(RandomBots):
    """Bots that fail if they have a certain name."""

    async def choose(self, question: BotQuestion, turn: Sequence[str] = "") -> int:
        if question.bot == "raises":
            self.questions.append(question)
            raise BotFailed("Raises bot stopped with an error.", "KeyError: the ace of spades")
        return await super().choose(question, turn)


@pytest.fixture
def failing(tmp_path: Path) -> Iterator[AppServer]:
    server = AppServer(settings(tmp_path), FailingBots)
    yield server
    server.close()


RAISES = Player(bot="raises", name="Bolt")


def test_a_stand_in_is_visible_with_the_bot_that_it_replaces(failing: AppServer) -> None:
    table, anna = failing.table(RAISES, "Anna"), failing.person("Anna")
    failing.wait_until(lambda: anna.look(table)["is_turn"])
    page = anna.page(table)
    assert "<b>Bolt</b>, Raises bot, plays at random: its program failed" in page
    assert "Bolt plays at random: its program failed." in page
    assert "ace of spades" not in page
    asked = [question.bot for question in failing.bots.questions]
    assert asked[:2] == ["raises", "stand-in:raises"]
    assert "raises" not in asked[1:], "it is out for this match"


def test_a_failure_is_streamed(failing: AppServer) -> None:
    table, anna = failing.table("Anna", RAISES), failing.person("Anna")
    with anna.presence_stream(table) as events:
        anna.choose(table, "done")
        assert "Bolt plays at random: its program failed." in next(events).decode()


def test_a_stand_in_stays_after_a_restart(failing: AppServer) -> None:
    table = failing.table(RAISES, "Anna")
    failing.wait_until(lambda: failing.person("Anna").look(table)["is_turn"])
    failing.restart()
    assert "Raises bot, plays at random: its program failed" in failing.person("Anna").page(table)
    assert [player.bot for player in failing.held(table).players] == ["stand-in:raises", ""]


def test_the_failed_bot_is_back_in_the_next_match(failing: AppServer) -> None:
    table, anna = failing.table(RAISES, "Anna"), failing.person("Anna")
    failing.wait_until(lambda: anna.look(table)["is_turn"])
    anna.choose(table, "give up").raise_for_status()
    anna.post(f"/table/{table}/again")
    following = failing.held(table).next or ""
    assert anna.look(following)["is_turn"], "seats have rotated"
    anna.choose(following, "done")
    failing.wait_until(lambda: [asked.bot for asked in failing.bots.questions].count("raises") == 2)


def test_a_failure_becomes_visible_at_the_end_of_a_slot(failing: AppServer) -> None:
    failing.restart(slot=1000.0)
    table = failing.held(failing.table(RAISES, "Ben"))
    failing.wait_until(lambda: failing.bots.questions)
    failing.run(asyncio.sleep(0.05))
    ben = failing.person("Ben")
    assert (ben.version(table.id), table.players[0].bot) == (1, "raises")
    assert not table.lock.locked()


def test_a_slot_is_longer_than_the_time_limit(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv(external_bot.SECONDS)
    assert slot_of("careful") == slot_of("piped:0011aabb") == external_bot.DEFAULT_SECONDS + 0.5
    assert slot_of("stand-in:careful") == SLOTS["random"]
    assert slot_of("mix:level=master") == SLOTS["master"]
    assert slot_of("mix") == slot_of("search") == SLOTS["strong"]
    monkeypatch.setenv(external_bot.SECONDS, "7")
    assert slot_of("careful") == 7.5


# The form


def test_the_form_accepts_plugin_bots(server: AppServer) -> None:
    anna = server.stranger()
    page = anna.get("/games/hush").text
    assert re.search(r'<option value="first"[^>]*>\s*First bot', page)
    answer = anna.post("/games/hush", data={"name": "Anna", "seat1": "me", "seat2": "first"})
    assert answer.status_code == 303
    assert "<b>Bolt</b>, First bot" in anna.get(answer.headers["location"]).text


@pytest.mark.parametrize("bot", [PIPE_BOT, "pipe:sh -c 'echo'", alias_of(PIPE_BOT), "stand-in:first", "PIPE:sh"])
def test_the_form_refuses_commands(server: AppServer, bot: str) -> None:
    answer = server.stranger().post("/games/hush", data={"name": "Anna", "seat1": "me", "seat2": bot})
    assert answer.status_code == 422
    assert "There is no bot called" in answer.text


def test_a_command_given_at_the_start_plays_and_stays_private(tmp_path: Path, toy_path: str) -> None:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port = probe.getsockname()[1]
    command = [sys.executable, "-c", PLAY, "play", "hush", "--seats", f"{PIPE_BOT},open"]
    process = subprocess.Popen(
        [*command, "--port", str(port), "--no-browser"], env=environment(tmp_path, toy_path), stdout=subprocess.PIPE,
        stderr=subprocess.PIPE, text=True,
    )  # fmt: skip
    assert process.stdout
    found = re.search(r"The table is open at (http://\S+)", process.stdout.readline())
    assert found
    page = httpx.get(found[1]).raise_for_status().text
    assert "<b>Bolt</b>, Piped bot" in page
    assert "pipe_bot" not in page
    wait = httpx.get(found[1], params={"watch": "true"}).raise_for_status().text
    assert "pipe_bot" not in wait
    process.send_signal(signal.SIGINT)
    _, complaints = process.communicate(timeout=30)
    assert (process.returncode, complaints) == (0, "")
    assert not [file for file in tmp_path.iterdir() if b"pipe_bot" in file.read_bytes()]
