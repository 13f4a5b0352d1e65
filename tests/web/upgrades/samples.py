"""Samples: databases that earlier servers made while people played, what they showed, and records of finished matches.

Each folder `schema-NUMBER` has the database as an SQLite file and as a dump of PostgreSQL, what the server showed of
each table (`seen.json`), and records. They are evidence and are never made again. The program that played at the
servers of other commits is in the history (`tests/web/upgrades/make.py`); it doesn't understand today's server.
"""

import gzip
from pathlib import Path
from typing import Any

from sqlalchemy.ext.asyncio import create_async_engine

HERE = Path(__file__).parent
GAMES = ("five-circles", "mace", "make-your-moves", "untitled-movement", "world-of-fighters")
#: Of all accounts.
PASSWORD = "the password of the samples"


def unpacked(stage: str, kind: str) -> bytes:
    """Return the database of a stage: an SQLite file, or a dump of PostgreSQL."""
    return gzip.decompress((HERE / stage / f"{kind}.gz").read_bytes())


async def load(database: str, dump: str) -> None:
    """Load a dump into an empty PostgreSQL database."""
    engine = create_async_engine(database)
    async with engine.connect() as connection:
        driver: Any = (await connection.get_raw_connection()).driver_connection
        await driver.execute(dump)
    await engine.dispose()
