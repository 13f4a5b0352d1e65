"""The base of all stores, and the decorator that makes a method of theirs a transaction."""

from collections.abc import Callable, Coroutine, Sequence
from functools import wraps
from typing import Any, Concatenate, ParamSpec, TypeVar, TypeVarTuple

from sqlalchemy import ColumnElement, Connection, Row, Select, select

from .database import Database
from .schema import TableRow

P = ParamSpec("P")
T = TypeVar("T")
S = TypeVar("S", bound="Store")
Columns = TypeVarTuple("Columns")


class Store:
    """A subject in the database of a server, which it reads, and writes in transactions."""

    def __init__(self, store: Database) -> None:
        self._store = store

    async def _rows(self, query: Select[*Columns]) -> Sequence[Row[*Columns]]:
        """Return all rows of a query."""
        async with self._store.reading() as session:
            return (await session.execute(query)).all()

    async def _all(self, query: Select[T]) -> Sequence[T]:
        """Return the only column of all rows of a query."""
        async with self._store.reading() as session:
            return (await session.scalars(query)).all()

    async def _first(self, query: Select[T]) -> T | None:
        """Return the only column of the first row of a query, or None."""
        async with self._store.reading() as session:
            return await session.scalar(query)

    async def _get(self, kind: type[T], key: object) -> T | None:
        """Return a row by its primary key."""
        async with self._store.reading() as session:
            return await session.get(kind, key)


def transaction(
    method: Callable[Concatenate[S, Connection, P], T],
) -> Callable[Concatenate[S, P], Coroutine[Any, Any, T]]:
    """Run a method of a store in a transaction of its own. Callers await it, and pass no connection.

    The method reads rows, decides, writes, and returns a value. If it raises, nothing is changed. It isn't a coroutine,
    so it can't wait for anything else while it holds the database, and it is carried out even if its caller is
    cancelled.
    """

    @wraps(method)
    async def run(store: S, /, *args: P.args, **kwargs: P.kwargs) -> T:
        return await store._store.writer.transaction(lambda connection: method(store, connection, *args, **kwargs))

    return run


def lock_tables(connection: Connection, condition: ColumnElement[bool]) -> None:
    """Lock tables in the order in which choices lock them, and before their seats.

    So in PostgreSQL two transactions never wait for each other.
    """
    connection.execute(select(TableRow.id).where(condition).order_by(TableRow.id).with_for_update())
