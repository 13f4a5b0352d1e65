"""Add the role of accounts, and the moderation log."""

import sqlalchemy as sa
from alembic import op

revision = "0035"
down_revision = "0034"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.add_column("accounts", sa.Column("role", sa.String(16), nullable=False, server_default=""))
    op.create_table(
        "moderation_log",
        sa.Column("number", sa.Integer, primary_key=True),
        sa.Column("at", sa.BigInteger, nullable=False, index=True),
        sa.Column("moderator", sa.String(32)),
        sa.Column("moderator_name", sa.String(32), nullable=False),
        sa.Column("action", sa.String(16), nullable=False),
        sa.Column("person", sa.String(32)),
        sa.Column("name", sa.String(32), nullable=False),
        sa.Column("table", sa.String(16)),
        sa.Column("until", sa.BigInteger),
        sa.Column("why", sa.String(200), nullable=False),
    )


def downgrade() -> None:
    op.drop_table("moderation_log")
    op.drop_column("accounts", "role")
