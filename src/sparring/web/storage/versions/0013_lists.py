"""Add what lists show of a table: visibility, the seat whose turn it is, the summary, and the last presence."""

import sqlalchemy as sa
from alembic import op

revision = "0013"
down_revision = "0012"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.add_column("tables", sa.Column("public", sa.Boolean(), nullable=False, server_default=sa.false()))
    op.add_column("tables", sa.Column("asked", sa.Integer()))
    op.add_column("tables", sa.Column("standing", sa.Text(), nullable=False, server_default="{}"))
    op.add_column("tables", sa.Column("attended", sa.BigInteger(), nullable=False, server_default="0"))
    op.create_index("ix_tables_public", "tables", ["public", "over", "attended"])


def downgrade() -> None:
    op.drop_index("ix_tables_public", "tables")
    for column in ("attended", "standing", "asked", "public"):
        op.drop_column("tables", column)
