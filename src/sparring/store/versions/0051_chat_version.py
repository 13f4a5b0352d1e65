"""Store the version of a table's chat with the table: several processes number its lines."""

import sqlalchemy as sa
from alembic import op

revision = "0051"
down_revision = "0050"
branch_labels = None
depends_on = None

#: What the process that had the table in memory continued from.
NEWEST = """
UPDATE tables
SET chat_version = (SELECT max(chat_version) FROM chat_lines WHERE chat_lines."table" = tables.id)
WHERE id IN (SELECT "table" FROM chat_lines)
"""


def upgrade() -> None:
    op.add_column("tables", sa.Column("chat_version", sa.Integer, nullable=False, server_default="0"))
    op.execute(sa.text(NEWEST))


def downgrade() -> None:
    op.drop_column("tables", "chat_version")
