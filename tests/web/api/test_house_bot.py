"""The example `house_bot`, run as its README says: a separate program that plays whole matches over HTTP."""

import os
import subprocess
import sys
from pathlib import Path

from web.app_server import AppServer

BOT = Path(__file__).parents[3] / "examples" / "house_bot" / "house_bot.py"


def start(server: AppServer, token: str, *words: str) -> subprocess.Popen[str]:
    return subprocess.Popen(
        [sys.executable, "-I", str(BOT), server.url, *words], env={**os.environ, "SPARRING_TOKEN": token},
        stdout=subprocess.PIPE, text=True,
    )  # fmt: skip


def output_of(bot: subprocess.Popen[str]) -> list[str]:
    said, _ = bot.communicate(timeout=120)
    assert bot.returncode == 0
    return said.splitlines()


def test_it_plays_a_seat_given_by_its_owner_to_the_end(server: AppServer) -> None:
    bot = start(server, server.token("Anna", "look", "play", bot="Housebot"), "--matches", "1")
    anna = server.program("Anna")
    opened = anna.post("/api/tables", json={"game": "world-of-fighters", "seats": ["mine:Housebot", "random"]})
    assert opened.status_code == 201
    table = opened.json()["table"]
    (said,) = output_of(bot)
    assert said.startswith(f"Table {table} is over")
    assert anna.look(table)["over"]


def test_it_joins_a_person_who_sees_the_name_of_its_owner(server: AppServer) -> None:
    anna, table = server.person("Anna"), server.table("Anna", "", name="make-your-moves")
    bot = start(server, server.token("Ben", "look", "play", bot="Benbot"), table, "--matches", "1")
    with anna.stream(table, anna.version(table)) as events:
        while not (seen := anna.look(table))["over"]:
            if seen["is_turn"] and anna.choose(table, seen["choices"][-1]["choice"]).status_code == 200:
                continue
            next(events)
    assert output_of(bot)[0].startswith(f"Table {table} is over")
    assert seen["seats"][1] == {"seat": 2, "name": "Benbot", "kind": "program", "bot": "bot of Ben", "you": False}
    assert "<b>Benbot</b>, bot of Ben" in anna.page(table)
    assert "bot of Ben" not in server.person("Carla").page(server.table("Anna", "Ben"))


def test_it_has_about_fifty_lines_and_no_dependencies() -> None:
    lines = BOT.read_text("utf-8").splitlines()
    assert sum(bool(line.strip()) and not line.strip().startswith('"""') for line in lines) < 60
