"""Add preferences of people, guests included."""

import sqlalchemy as sa
from alembic import op

revision = "0019"
down_revision = "0018"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.create_table(
        "preferences",
        sa.Column("person", sa.String(32), primary_key=True),
        sa.Column("words", sa.Boolean(), nullable=False),
    )


def downgrade() -> None:
    op.drop_table("preferences")
