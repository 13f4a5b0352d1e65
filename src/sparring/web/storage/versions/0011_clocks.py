"""Add clocks, due times, early endings and thinking times."""

import sqlalchemy as sa
from alembic import op

revision = "0011"
down_revision = "0010"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.add_column("tables", sa.Column("since", sa.BigInteger(), nullable=False, server_default="0"))
    op.add_column("tables", sa.Column("due", sa.BigInteger()))
    op.add_column("tables", sa.Column("clocks", sa.Text(), nullable=False, server_default="{}"))
    op.add_column("tables", sa.Column("ended", sa.Text(), nullable=False, server_default="{}"))
    # SQLite stores '' as text in a binary column (0022 repairs such databases); other databases don't accept x''.
    empty = sa.text("x''" if op.get_bind().dialect.name == "sqlite" else "''")
    op.add_column("tables", sa.Column("spent", sa.LargeBinary(), nullable=False, server_default=empty))
    op.create_index("ix_tables_due", "tables", ["due"])
    op.create_table(
        "pulse", sa.Column("id", sa.Integer(), primary_key=True), sa.Column("at", sa.BigInteger(), nullable=False)
    )


def downgrade() -> None:
    op.drop_table("pulse")
    op.drop_index("ix_tables_due", "tables")
    for name in ("spent", "ended", "clocks", "due", "since"):
        op.drop_column("tables", name)
