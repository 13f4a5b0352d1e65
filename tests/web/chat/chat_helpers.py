"""Tables where an exchange has just been decided, for chat tests."""

from typing import Any

import httpx

from sparring.engine.game import game
from sparring.people.rate_limits import Requester
from sparring.store.person import Person
from sparring.tables.state.players import Player
from sparring.tables.state.table_settings import TableSettings
from web.app_server import AppServer, Client

GAME = "make-your-moves"


def create_table(server: AppServer, *names: str, name: str = "hush", seed: int = 1, **table_settings: Any) -> str:
    """Create a table with settings; the first person is the host."""
    players = [Player(who, who) for who in names]
    return server.run(
        server.tables.creation.create(
            game(name), players, seed=seed, requester=Requester(names[0], ""), settings=TableSettings(**table_settings)
        )
    ).id


def say(client: Client, table: str, text: str = "", **more: Any) -> httpx.Response:
    said = {"text": text} if text else {}
    return client.post(f"/api/table/{table}/chat", json={**said, **more})


def chat_lines(client: Client, table: str) -> list[dict[str, Any]]:
    """Return the chat as a person sees it."""
    return client.get(f"/api/table/{table}/chat").raise_for_status().json()["lines"]  # type: ignore[no-any-return]


def texts(client: Client, table: str) -> list[str]:
    return [line["text"] for line in chat_lines(client, table)]


def act(client: Client, table: str, what: str, **body: Any) -> httpx.Response:
    """Mute, report, describe or applaud."""
    return client.post(f"/api/table/{table}/{what}", json=body)


def describable_moves(client: Client, table: str) -> list[str]:
    """Return the moves that a person may describe now."""
    told = client.get(f"/api/table/{table}/chat").raise_for_status().json()["describe"]
    return [deed["move"] for deed in told]


def choose_once(table: str, *players: Client) -> None:
    """Make the first legal choice of the player to move, preferring to play cards."""
    server = players[0].server
    found = server.run(server.tables.registry.get(table))
    seat = found.shown.turn_seat
    asked = found.players[seat - 1]
    view = found.match.view(seat)
    server.run(
        server.tables.choices.choose(found, Person(asked.person, asked.name), found.feed(seat).version, view.legal[0])
    )


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
    server = players[0].server
    found = server.run(server.tables.registry.get(table))
    told = found.exchanges.number
    for _ in range(200):
        choose_once(table, *players)
        last = found.exchanges
        if last.number > told and len(last.deeds) == 2:
            attacker, defender = (players[deed.seat - 1] for deed in last.deeds)
            return attacker, defender
    raise AssertionError("No exchange was decided.")


def resign(table: str, *players: Client) -> None:
    """Let the first player give up."""
    players[0].post(f"/api/table/{table}/give-up").raise_for_status()
