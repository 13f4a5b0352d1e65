"""Write changes of tables for other processes, which own no tables any more."""

import sqlalchemy as sa
from alembic import op

revision = "0053"
down_revision = "0052"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.create_table(
        "changes",
        sa.Column("table", sa.String(16), sa.ForeignKey("tables.id", ondelete="CASCADE"), primary_key=True),
        sa.Column("row_version", sa.Integer, primary_key=True, autoincrement=False),
        sa.Column("body", sa.Text, nullable=False),
        sa.Column("at", sa.BigInteger, nullable=False, index=True),
    )
    op.drop_column("tables", "owner")
    op.drop_table("servers")
    op.drop_table("notices")


def downgrade() -> None:
    op.drop_table("changes")
    op.add_column("tables", sa.Column("owner", sa.String(24)))
    op.create_table(
        "servers",
        sa.Column("id", sa.String(24), primary_key=True),
        sa.Column("address", sa.String(120), nullable=False),
        sa.Column("beat", sa.BigInteger, nullable=False),
    )
    op.create_table(
        "notices", sa.Column("number", sa.Integer, primary_key=True), sa.Column("table", sa.String(16), nullable=False)
    )
