"""Add the processes of a server, with who is present at their tables."""

import sqlalchemy as sa
from alembic import op

revision = "0052"
down_revision = "0051"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.create_table(
        "processes",
        sa.Column("id", sa.String(24), primary_key=True),
        sa.Column("beat_at", sa.BigInteger, nullable=False),
        sa.Column("ahead", sa.BigInteger, nullable=False),
        sa.Column("people", sa.Text, nullable=False),
    )


def downgrade() -> None:
    op.drop_table("processes")
