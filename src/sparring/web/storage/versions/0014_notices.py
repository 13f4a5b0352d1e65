"""Add notices of changed tables for other processes."""

import sqlalchemy as sa
from alembic import op

revision = "0014"
down_revision = "0013"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.create_table(
        "notices",
        sa.Column("number", sa.Integer(), primary_key=True),
        sa.Column("table", sa.String(16), nullable=False),
    )


def downgrade() -> None:
    op.drop_table("notices")
