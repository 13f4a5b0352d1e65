"""Tables where an exchange has just been decided, for chat tests."""

from typing import Any

import httpx

from sparring.engine.game import game
from sparring.web.identity import Person
from sparring.web.security.rate_limits import Requester
from sparring.web.tables.players import Player
from sparring.web.tables.table_settings import TableSettings
from web.app_server import House, Visitor

GAME = "make-your-moves"


def table_at(house: House, *names: str, name: str = "hush", seed: int = 1, **terms: Any) -> str:
    """Create a table with settings; the first person is the host."""
    sitters = [Player(who, who) for who in names]
    return house.run(
        house.tables.create(
            game(name), sitters, seed=seed, requester=Requester(names[0], ""), terms=TableSettings(**terms)
        )
    ).id


def say(visitor: Visitor, table: str, text: str = "", **more: Any) -> httpx.Response:
    said = {"text": text} if text else {}
    return visitor.post(f"/api/table/{table}/talk", json={**said, **more})


def heard(visitor: Visitor, table: str) -> list[dict[str, Any]]:
    """Return the chat as a person sees it."""
    return visitor.get(f"/api/table/{table}/talk").raise_for_status().json()["lines"]  # type: ignore[no-any-return]


def texts(visitor: Visitor, table: str) -> list[str]:
    return [line["text"] for line in heard(visitor, table)]


def act(visitor: Visitor, table: str, what: str, **body: Any) -> httpx.Response:
    """Mute, report, describe or applaud."""
    return visitor.post(f"/api/table/{table}/{what}", json=body)


def to_describe(visitor: Visitor, table: str) -> list[str]:
    """Return the moves that a person may describe now."""
    told = visitor.get(f"/api/table/{table}/talk").raise_for_status().json()["describe"]
    return [deed["move"] for deed in told]


def choose_once(table: str, *players: Visitor) -> None:
    """Make the first legal choice of the player to move, preferring to play cards."""
    house = players[0].house
    found = house.run(house.tables.get(table))
    seat = found.shown.asked
    asked = found.players[seat - 1]
    view = found.match.view(seat)
    house.run(house.tables.choose(found, Person(asked.person, asked.name), found.feed(seat).version, view.legal[0]))


def fight(table: str, *players: Visitor) -> tuple[Visitor, Visitor]:
    """Play until an exchange is decided in which both played cards; return attacker and defender."""
    house = players[0].house
    found = house.run(house.tables.get(table))
    told = found.exchanges.number
    for _ in range(200):
        choose_once(table, *players)
        last = found.exchanges
        if last.number > told and len(last.deeds) == 2:
            attacker, defender = (players[deed.seat - 1] for deed in last.deeds)
            return attacker, defender
    raise AssertionError("No exchange came about.")


def finish(table: str, *players: Visitor) -> None:
    """Let the first player give up."""
    players[0].post(f"/api/table/{table}/give-up").raise_for_status()
