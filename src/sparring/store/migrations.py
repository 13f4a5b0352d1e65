"""Migrations: the revision of a database's schema, and how to bring it to another one."""

from pathlib import Path

from sqlalchemy import Connection, inspect, text

#: The folder of Alembic's `env.py` and `versions`.
HERE = Path(__file__).parent
#: The schema of the first release. Databases and backups of earlier schemas are brought to it in one step.
INITIAL = "0019"
#: PostgreSQL's lock that lets one process at a time migrate: a number that nothing else uses.
UPGRADE_LOCK = 5_772_156_649


def newest() -> str:
    """Return the newest schema revision."""
    return max(file.name for file in (HERE / "versions").glob("[0-9]*.py")).partition("_")[0]


def revision_of(connection: Connection) -> str | None:
    """Return the schema revision of the database; None if it has none."""
    if not inspect(connection).has_table("alembic_version"):
        return None
    return connection.execute(text("select version_num from alembic_version")).scalar()


def migrate(connection: Connection, revision: str = "head") -> None:
    """Migrate a database to a revision: INITIAL or later, by default the newest."""
    from alembic import command
    from alembic.config import Config

    if connection.dialect.name == "postgresql":  # SQLite's transaction excludes others from its beginning
        connection.execute(text(f"select pg_advisory_xact_lock({UPGRADE_LOCK})"))
    if (revision_of(connection) or INITIAL) < INITIAL:
        connection.execute(text("delete from alembic_version"))  # the initial migration adds what is missing

    config = Config()
    config.set_main_option("script_location", str(HERE).replace("%", "%%"))
    config.attributes["connection"] = connection
    command.upgrade(config, revision)
