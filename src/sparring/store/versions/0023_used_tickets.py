"""Add the used tickets of passkey ceremonies, which every process of a server must refuse."""

import sqlalchemy as sa
from alembic import op

revision = "0023"
down_revision = "0022"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.create_table(
        "used_tickets",
        sa.Column("digest", sa.String(32), primary_key=True),
        sa.Column("until", sa.BigInteger, nullable=False),
    )
    op.create_index("ix_used_tickets_until", "used_tickets", ["until"])


def downgrade() -> None:
    op.drop_table("used_tickets")
