"""Finished matches, and records of matches that people upload."""

import random
from typing import Any

import httpx

from sparring.site.replay.record_sandbox import timeline_of
from sparring.site.replay.timeline import ReplayTimeline
from sparring.tables.state.table import Table
from web.app_server import AppServer, Client, show_choice

GAME = "make-your-moves"


def play_randomly(server: AppServer, table: str, *, upto: int = 10_000, seed: int = 1) -> None:
    """Play a random match, or its first choices, in the server's memory only."""

    async def play() -> None:
        found: Table = await server.tables.registry.get(table)
        dice = random.Random(seed)
        while not found.match.over and len(found.match.history) < upto:
            legal = [each for each in found.match.legal() if each not in found.match.game.conceding]
            show_choice(found, dice.choice(legal))

    server.run(play())


def finished(server: AppServer, *names: str, name: str = "hush", **more: Any) -> str:
    table = server.table(*names, name=name, **more)
    play_randomly(server, table)
    return table


def hush(server: AppServer, *names: str) -> tuple[str, dict[str, str]]:
    """Create a finished match of Hush in which two people each played a card; return their cards too."""
    names = names or ("Anna", "Ben")
    table = server.table(*names)
    held = {}
    for who in names:
        cards = [choice["words"] for choice in server.person(who).look(table)["choices"]][:2]
        server.person(who).choose(table, cards[0])
        server.person(who).choose(table, "done")
        held[who] = cards[0].removeprefix("lay ")
    return table, held


def table_timeline(server: AppServer, table: str) -> ReplayTimeline:
    """Return the timeline of the same match, replayed here."""
    return timeline_of(server.run(server.tables.registry.get(table)).match.record())


def upload(who: Client, text: str | bytes, name: str = "match.json") -> httpx.Response:
    return who.post("/records", files={"record": (name, text, "application/json")})
