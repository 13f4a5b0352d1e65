"""Add API tokens, and the owners of bots that play over HTTP."""

import sqlalchemy as sa
from alembic import op

revision = "0009"
down_revision = "0008"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.create_table(
        "tokens",
        sa.Column("id", sa.String(16), primary_key=True),
        sa.Column("digest", sa.String(32), nullable=False, unique=True),
        sa.Column("person", sa.String(32), nullable=False, index=True),
        sa.Column("owner", sa.String(32), nullable=False),
        sa.Column("name", sa.String(32), nullable=False),
        sa.Column("scopes", sa.String(120), nullable=False),
        sa.Column("bot", sa.String(32), unique=True),
        sa.Column("created", sa.BigInteger(), nullable=False),
        sa.Column("expires", sa.BigInteger()),
        sa.Column("used", sa.Integer(), nullable=False),
    )
    op.add_column("seats", sa.Column("bot_of", sa.String(32), nullable=False, server_default=""))


def downgrade() -> None:
    op.drop_column("seats", "bot_of")
    op.drop_table("tokens")
