"""Add bans."""

import sqlalchemy as sa
from alembic import op

revision = "0008"
down_revision = "0007"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.create_table(
        "bans",
        sa.Column("who", sa.String(80), primary_key=True),
        sa.Column("until", sa.BigInteger()),
        sa.Column("why", sa.String(200), nullable=False),
    )


def downgrade() -> None:
    op.drop_table("bans")
