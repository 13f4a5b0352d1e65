"""Add the opener of a table, to limit open tables per network, and an index on the last change, to find old tables."""

import sqlalchemy as sa
from alembic import op

revision = "0002"
down_revision = "0001"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.add_column("tables", sa.Column("opener", sa.String(32)))
    op.drop_index("ix_tables_unfinished", "tables")
    op.create_index("ix_tables_changed", "tables", ["changed"])
    op.create_index("ix_tables_opener", "tables", ["opener", "changed"])


def downgrade() -> None:
    op.drop_index("ix_tables_opener", "tables")
    op.drop_index("ix_tables_changed", "tables")
    op.create_index("ix_tables_unfinished", "tables", ["over", "changed"])
    op.drop_column("tables", "opener")
