"""Single steps of migrations, and rows for the tables that exist between them."""

import importlib
from typing import Any

from alembic.config import Config
from sqlalchemy import Connection, MetaData, insert

from sparring.store.migrations import HERE


def add_rows(connection: Connection, tables: dict[str, list[dict[str, Any]]]) -> None:
    schema = MetaData()
    schema.reflect(connection)
    for table, rows in tables.items():
        connection.execute(insert(schema.tables[table]), rows)


def renamed(tables: dict[str, list[dict[str, Any]]]) -> dict[str, list[dict[str, Any]]]:
    """Return rows of an earlier schema under the names that migrations 0050 and 0055 gave to tables and columns."""
    new = importlib.import_module("sparring.store.versions.0050_names")
    columns = {**new.COLUMNS, **importlib.import_module("sparring.store.versions.0055_channels_and_chat").COLUMNS}
    return {
        name: [{columns.get(name, {}).get(column, column): value for column, value in row.items()} for row in rows]
        for name, rows in ((new.TABLES.get(table, table), rows) for table, rows in tables.items())
    }


def config_of(connection: Connection) -> Config:
    config = Config()
    config.set_main_option("script_location", str(HERE))
    config.attributes["connection"] = connection
    return config
