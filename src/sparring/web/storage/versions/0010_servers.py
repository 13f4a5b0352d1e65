"""Add processes with heartbeats, and the process that owns a table."""

import sqlalchemy as sa
from alembic import op

revision = "0010"
down_revision = "0009"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.create_table(
        "servers",
        sa.Column("id", sa.String(24), primary_key=True),
        sa.Column("address", sa.String(120), nullable=False),
        sa.Column("beat", sa.BigInteger(), nullable=False),
    )
    op.add_column("tables", sa.Column("owner", sa.String(24)))


def downgrade() -> None:
    op.drop_column("tables", "owner")
    op.drop_table("servers")
