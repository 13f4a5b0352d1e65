"""Give tables and columns the names of the field."""

import sqlalchemy as sa
from alembic import op

revision = "0050"
down_revision = "0041"
branch_labels = None
depends_on = None

#: Old and new names.
TABLES = {
    "allowances": "rate_limits", "chapters": "checkpoints", "drawn": "picture_uses", "lines": "chat_lines",
    "pulse": "heartbeats", "sightings": "last_seen",
}  # fmt: skip
COLUMNS = {
    "tables": {
        "edition": "row_version", "opener": "creator", "terms": "settings", "spent": "thinking_times",
        "asked": "turn_seat",
    },
    "sets": {"edition": "row_version", "opener": "creator"},
    "versions": {"told": "description"},
    "records": {"opener": "creator"},
    "half_invitations": {"opener": "creator", "terms": "settings"},
    "chat_lines": {"edition": "chat_version"},
}  # fmt: skip
#: Indexes with an old name: the table, the new name, and the columns, by new names.
INDEXES = {
    "ix_allowances_half_at": ("rate_limits", "ix_rate_limits_half_at", ["half_at"]),
    "ix_drawn_person": ("picture_uses", "ix_picture_uses_person", ["person", "name"]),
    "ix_lines_person": ("chat_lines", "ix_chat_lines_person", ["person"]),
    "ix_tables_opener": ("tables", "ix_tables_creator", ["creator", "changed"]),
    "ix_sets_opener": ("sets", "ix_sets_creator", ["creator"]),
    "ix_records_opener": ("records", "ix_records_creator", ["creator"]),
    "ix_half_invitations_opener": ("half_invitations", "ix_half_invitations_creator", ["creator"]),
}


def upgrade() -> None:
    for old, new in TABLES.items():
        op.rename_table(old, new)
    for table, names in COLUMNS.items():
        for old, new in names.items():
            _rename_column(table, old, new)
    for old, (table, new, columns) in INDEXES.items():
        op.drop_index(old, table)
        op.create_index(new, table, columns)


def downgrade() -> None:
    for table, names in COLUMNS.items():
        for old, new in names.items():
            _rename_column(table, new, old)
    for old, (table, new, columns) in INDEXES.items():
        op.drop_index(new, table)
        before = {new: old for old, new in COLUMNS.get(table, {}).items()}
        op.create_index(old, table, [before.get(column, column) for column in columns])
    for old, new in TABLES.items():
        op.rename_table(new, old)


def _rename_column(table: str, old: str, new: str) -> None:
    """Rename a column in place; Alembic would copy SQLite's whole table."""
    quote = op.get_bind().dialect.identifier_preparer.quote
    op.execute(sa.text(f"ALTER TABLE {quote(table)} RENAME COLUMN {quote(old)} TO {quote(new)}"))
