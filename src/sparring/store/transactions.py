"""The base of all stores, and the decorator that makes a method of theirs a transaction."""

from collections.abc import Callable, Coroutine
from functools import wraps
from typing import Any, Concatenate, ParamSpec, TypeVar

from sqlalchemy import Connection

from .database import Database

P = ParamSpec("P")
T = TypeVar("T")
S = TypeVar("S", bound="Store")


class Store:
    """A subject in the database of a server. It reads with `self._store.reading()` and writes in transactions."""

    def __init__(self, store: Database) -> None:
        self._store = store


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
