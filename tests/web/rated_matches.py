"""People with accounts who play rated matches, on one server for all tests of a file."""

import time
from typing import Any

import pytest
from sqlalchemy import delete, insert, select

from sparring.engine.game import game
from sparring.web.identity import IdentityCookie, Person
from sparring.web.settings import DAY
from sparring.web.storage.schema import AccountRow, OpponentRow, RatingRow, ResultRow, TokenRow
from sparring.web.tables.players import Player
from sparring.web.tables.table_settings import TableSettings
from web.app_server import House, Visitor

RATED = TableSettings(rated=True)


def nobody_rated(house: House) -> House:
    """A server as if nobody had played there."""

    def work(connection: Any) -> None:
        for kind in (ResultRow, RatingRow, OpponentRow, TokenRow, AccountRow):
            connection.execute(delete(kind))

    accounts = [account.person for account in rows(house, AccountRow)]
    house.run(house.tables.store.writer.write(work))
    for person in accounts:
        house.app.state.accounts.sessions.forget(person)
    return house


def known(house: House, *names: str) -> list[Visitor]:
    """People with accounts, whose ids are their names."""

    def work(connection: Any) -> None:
        for name in names:
            connection.execute(insert(AccountRow).values(person=name, name=name, created=0))

    house.run(house.tables.store.writer.write(work))
    for name in names:
        house.app.state.accounts.sessions.forget(name)
    passport, yesterday = IdentityCookie(house.settings.secret), int(time.time()) - DAY
    people = [Person(name, name, epoch=1, since=yesterday, session=name) for name in names]
    return [Visitor(house, passport.write(person).value or "") for person in people]


def sitter(who: str) -> Player:
    if who == "" or who.startswith(("random", "search")):
        return Player(name=who and "Bolt", bot=who)
    return Player(who, who)


def opened(house: House, *who: str, terms: TableSettings = RATED, seed: int = 1, **options: Any) -> str:
    table = house.run(house.tables.create(game("hush"), [*map(sitter, who)], options=options, terms=terms, seed=seed))
    return table.id


def play(house: House, table: str, *people: Visitor) -> None:
    """Everybody lays what they have, as the match asks for them."""
    for _ in range(100):
        looks = [person.look(table) for person in people]
        if looks[0]["over"]:
            return
        for person, look in zip(people, looks, strict=True):
            if look["asked"]:
                person.choose(table, look["choices"][0]["choice"]).raise_for_status()
    pytest.fail(f"Nobody is asked: {looks}")


def rows(house: House, kind: type[Any]) -> list[Any]:
    async def read() -> list[Any]:
        async with house.tables.store.reading() as session:
            return list((await session.scalars(select(kind))).all())

    return house.run(read())


def ratings(house: House) -> dict[str, RatingRow]:
    return {row.player: row for row in rows(house, RatingRow)}
