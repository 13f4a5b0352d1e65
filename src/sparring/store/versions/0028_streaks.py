"""Add the longest streaks of puzzles."""

import sqlalchemy as sa
from alembic import op

revision = "0028"
down_revision = "0026"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.create_table(
        "streaks",
        sa.Column("person", sa.String(32), primary_key=True),
        sa.Column("game", sa.String(64), primary_key=True),
        sa.Column("longest", sa.Integer, nullable=False),
    )


def downgrade() -> None:
    op.drop_table("streaks")
