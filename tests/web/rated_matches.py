"""Clients with accounts that play rated matches, on one server for all tests of a file."""

import time
from typing import Any

import pytest
from sqlalchemy import delete, insert, select

from sparring.people.identity import IdentityCookie
from sparring.settings import DAY
from sparring.store.person import Person
from sparring.store.schema import AccountRow, OpponentRow, RatingRow, ResultRow, TokenRow
from sparring.tables.state.players import Player
from sparring.tables.state.table_settings import TableSettings
from web.app_server import AppServer, Client

RATED = TableSettings(rated=True)


def without_ratings(server: AppServer) -> AppServer:
    """Delete all results, ratings, tokens and accounts of a server; return it."""
    accounts = [account.person for account in rows(server, AccountRow)]
    for kind in (ResultRow, RatingRow, OpponentRow, TokenRow, AccountRow):
        server.run(server.tables.store.execute(delete(kind)))
    for person in accounts:
        server.app.state.accounts.sessions.forget(person)
    return server


def with_accounts(server: AppServer, *names: str) -> list[Client]:
    """Create accounts whose ids are their names; return their clients."""
    for name in names:
        server.run(server.tables.store.execute(insert(AccountRow).values(person=name, name=name, created=0)))
        server.app.state.accounts.sessions.forget(name)
    identity_cookie, yesterday = IdentityCookie(server.settings.secret), int(time.time()) - DAY
    people = [Person(name, name, epoch=1, since=yesterday, session=name) for name in names]
    return [Client(server, identity_cookie.write(person).value or "") for person in people]


def create_table(server: AppServer, *who: str, table_settings: TableSettings = RATED, **more: Any) -> str:
    return server.table(*map(player_of, who), settings=table_settings, **more)


def player_of(who: str) -> Player | str:
    return Player(name="Bolt", bot=who) if who.startswith(("random", "search")) else who


def play(server: AppServer, table: str, *people: Client) -> None:
    """Play a match to its end with everyone's first choice."""
    for _ in range(1000):
        looks = [person.look(table) for person in people]
        if looks[0]["over"]:
            return
        for person, look in zip(people, looks, strict=True):
            if look["is_turn"]:
                person.choose(table, look["choices"][0]["choice"]).raise_for_status()
        if not any(look["is_turn"] for look in looks):
            time.sleep(0.01)  # a bot is choosing
    pytest.fail(f"No player is to move: {looks}")


def rows(server: AppServer, kind: type[Any]) -> list[Any]:
    async def read() -> list[Any]:
        async with server.tables.store.reading() as session:
            return list((await session.scalars(select(kind))).all())

    return server.run(read())


def ratings(server: AppServer) -> dict[str, RatingRow]:
    return {row.player: row for row in rows(server, RatingRow)}
