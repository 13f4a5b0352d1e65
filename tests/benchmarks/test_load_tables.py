"""Tables that `make load` stores before a server starts behave like others."""

import asyncio
from pathlib import Path

from benchmarks.load.stored import store_tables
from sparring.store.database import Database
from sparring.store.table_lists import ListStore
from sparring.tables.play.registry import TableRegistry
from web.app_server import settings


def test_stored_tables_are_listed_and_load(tmp_path: Path) -> None:
    wanted = settings(tmp_path)

    async def stored() -> tuple[int, list[int]]:
        await store_tables(wanted, "five-circles", 5)
        store = Database(wanted.database)
        registry = TableRegistry(wanted, store)
        mine = await ListStore(store).of("person 1", 10)
        made = [len((await registry.get(row.id)).match.history) for row in await store.tables(10)]
        await registry.close()
        await store.close()
        return len(mine), made

    listed, made = asyncio.run(stored())
    assert listed == len(made) == 5
    assert made == [made[0]] * 5
    assert made[0] > 0
