"""Add rate limits that several processes share."""

import sqlalchemy as sa
from alembic import op

revision = "0017"
down_revision = "0016"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.create_table(
        "allowances",
        sa.Column("key", sa.String(32), primary_key=True),
        sa.Column("full_at", sa.BigInteger(), nullable=False),
        sa.Column("half_at", sa.BigInteger(), nullable=False),
    )
    op.create_index("ix_allowances_half_at", "allowances", ["half_at"])


def downgrade() -> None:
    op.drop_table("allowances")
