"""Tables of a database in which SQLite keeps the times of choices as text: an upgrade turns them into bytes."""

from alembic import command
from alembic.config import Config
from sqlalchemy import create_engine, text

from sparring.web.storage.store import HERE, migrate

TABLE = """
    insert into tables (id, game, game_version, options, seed, choices, versions, edition, over, created, changed)
    values ('t', 'hush', 1, '{}', 1, x'', x'', 1, false, 5, 5)
"""


def test_times_that_sqlite_keeps_as_text_are_bytes_after_an_upgrade() -> None:
    engine = create_engine("sqlite://")
    with engine.begin() as connection:
        config = Config()
        config.set_main_option("script_location", str(HERE))
        config.attributes["connection"] = connection
        command.upgrade(config, "0010")
        connection.execute(text(TABLE))
        command.upgrade(config, "0021")
        # The default of 0011 was text in the servers of then.
        connection.execute(text("update tables set spent = ''"))
        migrate(connection)
        assert connection.execute(text("select spent from tables")).scalar() == b""
    engine.dispose()
