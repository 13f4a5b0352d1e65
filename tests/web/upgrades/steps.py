"""Single steps of migrations, and rows for the tables that exist between them."""

from typing import Any

from alembic.config import Config
from sqlalchemy import Connection, MetaData, insert

from sparring.store.migrations import HERE


def add_rows(connection: Connection, tables: dict[str, list[dict[str, Any]]]) -> None:
    schema = MetaData()
    schema.reflect(connection)
    for table, rows in tables.items():
        connection.execute(insert(schema.tables[table]), rows)


def config_of(connection: Connection) -> Config:
    config = Config()
    config.set_main_option("script_location", str(HERE))
    config.attributes["connection"] = connection
    return config
