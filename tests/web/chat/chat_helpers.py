"""Tables where an exchange has just been decided, for chat tests."""

import contextlib
from collections.abc import Iterator
from itertools import chain
from typing import Any

import httpx

from sparring.store.person import Person
from sparring.tables.state.table_settings import TableSettings
from web.app_server import AppServer, Client, stream_blocks

GAME = "make-your-moves"


def create_table(server: AppServer, *names: str, name: str = "hush", seed: int = 1, **table_settings: Any) -> str:
    """Create a table with settings; the first person is the host."""
    return server.table(*names, name=name, seed=seed, host=names[0], settings=TableSettings(**table_settings))


def say(client: Client, table: str, text: str = "", **more: Any) -> httpx.Response:
    said = {"text": text} if text else {}
    return client.post(f"/api/table/{table}/chat", json={**said, **more})


def chat_lines(client: Client, table: str) -> list[dict[str, Any]]:
    """Return the chat as a person sees it."""
    return client.get(f"/api/table/{table}/chat").raise_for_status().json()["lines"]  # type: ignore[no-any-return]


@contextlib.contextmanager
def chat_events(client: Client, table: str, query: str = "", where: str = "/table/{}") -> Iterator[Iterator[str]]:
    """Stream the events about the chat, once it is connected."""
    path = f"{where.format(table)}/events?version={client.version(table)}{query}"
    with client.http.stream("GET", path) as response:
        blocks = stream_blocks(response)
        yield (block.decode() for block in chain([next(blocks)], blocks) if block.startswith(b"event: chat"))


def texts(client: Client, table: str) -> list[str]:
    return [line["text"] for line in chat_lines(client, table)]


def act(client: Client, table: str, what: str, **body: Any) -> httpx.Response:
    """Mute, report, describe or applaud."""
    return client.post(f"/api/table/{table}/{what}", json=body)


def describable_moves(client: Client, table: str) -> list[str]:
    """Return the moves that a person may describe now."""
    told = client.get(f"/api/table/{table}/chat").raise_for_status().json()["describe"]
    return [move["move"] for move in told]


def choose_once(table: str, *players: Client) -> None:
    """Make the first legal choice of the player to move, preferring to play cards."""
    server = players[0].server
    found = server.held(table)
    seat = found.shown.turn_seat
    asked, version = found.players[seat - 1], found.feed(seat).version
    choice = found.match.view(seat).legal[0]
    server.run(server.tables.choices.choose(found, Person(asked.person, asked.name), version, choice))


def place_attack(table: str, *players: Client) -> tuple[Client, Client]:
    """Play until an attack is placed; return attacker and defender."""
    found = players[0].server.run(players[0].server.tables.registry.get(table))
    while found.match.phase == "respond":
        choose_once(table, *players)
    while found.match.phase != "respond":
        choose_once(table, *players)
    return players[int(found.match.state.attacker)], players[int(found.match.state.defender)]


def play_exchange(table: str, *players: Client) -> tuple[Client, Client]:
    """Play until an exchange is decided in which both played cards; return attacker and defender."""
    found = players[0].server.held(table)
    told = found.exchanges.number
    for _ in range(200):
        choose_once(table, *players)
        last = found.exchanges
        if last.number > told and len(last.named_moves) == 2:
            attacker, defender = (players[move.seat - 1] for move in last.named_moves)
            return attacker, defender
    raise AssertionError("No exchange was decided.")
