"""Create the schema of the first release, or add what an older database lacks.

Before, each change only added tables, columns with a default, and indexes, so no data needs to be converted.
"""

from typing import Any

from alembic import op
from sqlalchemy import (
    BigInteger,
    Boolean,
    Column,
    Float,
    ForeignKey,
    ForeignKeyConstraint,
    Index,
    Integer,
    LargeBinary,
    MetaData,
    String,
    Table,
    Text,
    false,
    inspect,
    text,
    true,
)

revision = "0019"
down_revision = None
branch_labels = None
depends_on = None


def upgrade() -> None:
    connection = op.get_bind()
    database, schema = inspect(connection), _schema(connection.dialect.name)
    existing = database.get_table_names()
    schema.create_all(connection)
    for table in schema.sorted_tables:
        if table.name not in existing:
            continue
        columns = {column["name"] for column in database.get_columns(table.name)}
        for column in table.columns:
            if column.name not in columns:
                op.add_column(table.name, column)
        indexes = {index["name"] for index in database.get_indexes(table.name)}
        for index in table.indexes:
            if index.name not in indexes:
                index.create(connection)
        if "ix_tables_unfinished" in indexes:
            op.drop_index("ix_tables_unfinished", table.name)


def downgrade() -> None:
    """Delete everything."""
    connection = op.get_bind()
    _schema(connection.dialect.name).drop_all(connection)


def _schema(dialect: str) -> MetaData:
    schema = MetaData()

    def table(name: str, *parts: Any) -> None:
        Table(name, schema, *parts)

    def string(name: str, length: int, *parts: Any, **more: Any) -> Column[str]:
        return Column(name, String(length), *parts, **{"nullable": False, **more})

    def words(name: str, default: str | None = None) -> Column[str]:
        return Column(name, Text(), nullable=False, server_default=default)

    def number(name: str, *parts: Any, **more: Any) -> Column[int]:
        return Column(name, Integer(), *parts, **{"nullable": False, **more})

    def time(name: str, **more: Any) -> Column[int]:
        return Column(name, BigInteger(), **{"nullable": False, **more})

    def yes_no(name: str, **more: Any) -> Column[bool]:
        return Column(name, Boolean(), nullable=False, **more)

    def real(name: str, **more: Any) -> Column[float]:
        return Column(name, Float(53), **{"nullable": False, **more})

    def of_table() -> Column[str]:
        return Column("table", String(16), ForeignKey("tables.id", ondelete="CASCADE"), primary_key=True)

    # SQLite stores '' as text in a binary column (0022 repairs such databases); other databases don't accept x''.
    no_bytes = text("x''" if dialect == "sqlite" else "''")

    table("contents", string("digest", 32, primary_key=True), words("toml"))
    table(
        "tables", string("id", 16, primary_key=True), string("game", 64), number("game_version"), words("options"),
        string("content", 32, ForeignKey("contents.digest"), nullable=True), time("seed"),
        Column("choices", LargeBinary(), nullable=False), Column("versions", LargeBinary(), nullable=False),
        number("edition"), yes_no("over"), time("created"), time("changed"), string("next", 16, nullable=True),
        string("opener", 32, nullable=True), string("host", 32, nullable=True), words("terms", "{}"),
        string("owner", 24, nullable=True), time("since", server_default="0"), time("due", nullable=True),
        words("clocks", "{}"), words("ended", "{}"),
        Column("spent", LargeBinary(), nullable=False, server_default=no_bytes),
        yes_no("public", server_default=false()), number("asked", nullable=True), words("standing", "{}"),
        time("attended", server_default="0"), words("hints", "{}"),
        Index("ix_tables_changed", "changed"), Index("ix_tables_opener", "opener", "changed"),
        Index("ix_tables_due", "due"), Index("ix_tables_public", "public", "over", "attended"),
    )  # fmt: skip
    table(
        "seats", of_table(), number("seat", primary_key=True), string("person", 32, nullable=True), string("name", 32),
        string("bot", 64, nullable=True), string("bot_of", 32, server_default=""), Index("ix_seats_person", "person"),
    )  # fmt: skip
    table("chapters", of_table(), number("number", primary_key=True), Column("courses", LargeBinary(), nullable=False))
    table(
        "sets", string("id", 24, primary_key=True), string("share", 24, unique=True), string("person", 32, index=True),
        string("game", 64), string("name", 40), number("version"), number("newest"), number("edition"),
        time("created"), time("used", index=True), string("opener", 32, nullable=True, index=True),
    )  # fmt: skip
    table(
        "versions", string("set", 24, ForeignKey("sets.id", ondelete="CASCADE"), primary_key=True),
        number("number", primary_key=True), words("toml"), words("options"), string("told", 120), string("mark", 200),
        time("made"),
    )  # fmt: skip
    table("pictures", string("person", 32, primary_key=True), string("name", 32, primary_key=True), words("text"))
    table(
        "drawn", string("set", 24, primary_key=True), number("number", primary_key=True),
        string("name", 32, primary_key=True), string("person", 32),
        ForeignKeyConstraint(["set", "number"], ["versions.set", "versions.number"], ondelete="CASCADE"),
        Index("ix_drawn_person", "person", "name"),
    )  # fmt: skip
    table(
        "records", string("id", 24, primary_key=True), string("person", 32, index=True), string("name", 60),
        words("record"), string("game", 64), number("seats"), number("choices"), yes_no("over"), time("created"),
        time("used", index=True), string("opener", 32, nullable=True, index=True),
    )  # fmt: skip
    table(
        "reviews", string("id", 32, primary_key=True), Column("found", LargeBinary(), nullable=False),
        time("used", index=True),
    )  # fmt: skip
    table("bans", string("who", 80, primary_key=True), time("until", nullable=True), string("why", 200))
    table(
        "tokens", string("id", 16, primary_key=True), string("digest", 32, unique=True),
        string("person", 32, index=True), string("owner", 32), string("name", 32), string("scopes", 120),
        string("bot", 32, nullable=True, unique=True), time("created"), time("expires", nullable=True), number("used"),
    )  # fmt: skip
    table("servers", string("id", 24, primary_key=True), string("address", 120), time("beat"))
    table("pulse", number("id", primary_key=True), time("at"))
    table(
        "accounts", string("person", 32, primary_key=True), string("name", 32), string("login", 32, nullable=True),
        string("folded", 500, nullable=True, unique=True), string("password", 128, nullable=True), number("epoch"),
        time("created"), yes_no("listed", server_default=true()), string("page", 24, nullable=True),
        Index("ix_accounts_page", "page", unique=True),
    )  # fmt: skip
    table(
        "passkeys", string("id", 32, primary_key=True),
        string("person", 32, ForeignKey("accounts.person", ondelete="CASCADE"), index=True),
        Column("credential", LargeBinary(), nullable=False), string("site", 255), string("label", 32), time("signs"),
        time("created"), time("used"),
    )  # fmt: skip
    table("notices", number("number", primary_key=True), string("table", 16))
    table(
        "lines", of_table(), number("number", primary_key=True), number("edition"), string("kind", 8),
        string("person", 32, nullable=True, index=True), number("seat"), string("name", 32), words("words"),
        words("about"), number("exchange"), time("said"),
    )  # fmt: skip
    table(
        "applause", string("table", 16, primary_key=True), number("number", primary_key=True),
        string("person", 32, primary_key=True, index=True),
        ForeignKeyConstraint(["table", "number"], ["lines.table", "lines.number"], ondelete="CASCADE"),
    )  # fmt: skip
    table(
        "mutes", string("id", 16, primary_key=True), string("person", 32), string("muted", 32, index=True),
        string("name", 32), Index("ix_mutes_person", "person", "muted", unique=True),
    )  # fmt: skip
    table(
        "reports", number("number", primary_key=True), string("table", 16), number("line"),
        string("person", 32, nullable=True, index=True), string("name", 32),
        string("reporter", 32, nullable=True, index=True), words("words"), time("said"), time("made"),
        time("settled", nullable=True),
    )  # fmt: skip
    table(
        "variants", string("id", 16, primary_key=True), string("game", 64, index=True), words("options"),
        string("content", 32, nullable=True),
    )  # fmt: skip
    table(
        "ratings", string("variant", 16, ForeignKey("variants.id"), primary_key=True),
        string("player", 80, primary_key=True, index=True), real("mu"), real("sigma"), real("sure"), number("matches"),
        number("won"), time("last"), Index("ix_ratings_sure", "variant", "sure"),
    )  # fmt: skip
    table(
        "results", of_table(), number("seat", primary_key=True), string("player", 80, nullable=True),
        string("game", 64), string("variant", 16, ForeignKey("variants.id")), time("ended"), time("seconds"),
        number("choices"), number("outcome"),
        *(real(name, nullable=True) for name in ("mu_before", "sigma_before", "mu", "sigma")),
        Index("ix_results_player", "player", "ended"), Index("ix_results_game", "player", "game", "ended"),
    )  # fmt: skip
    table("allowances", string("key", 32, primary_key=True), time("full_at"), time("half_at", index=True))
    table("preferences", string("person", 32, primary_key=True), yes_no("words"))
    return schema
