"""What must be true of the schema on every database."""

from alembic.autogenerate import compare_metadata
from alembic.migration import MigrationContext
from alembic.script import ScriptDirectory
from sqlalchemy import Connection

from sparring.store.migrations import HERE, newest
from sparring.store.schema import Base
from web.app_server import StartServer


def check_migrations_produce_the_current_schema(start_server: StartServer) -> None:
    def differences(connection: Connection) -> list[object]:
        return list(compare_metadata(MigrationContext.configure(connection), Base.metadata))

    async def compare() -> list[object]:
        async with server.tables.store.engine.connect() as connection:
            return await connection.run_sync(differences)

    server = start_server()
    assert server.run(compare()) == []
    assert ScriptDirectory(str(HERE)).get_current_head() == newest()
