"""Add uploaded records and reviews."""

import sqlalchemy as sa
from alembic import op

revision = "0006"
down_revision = "0005"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.create_table(
        "records",
        sa.Column("id", sa.String(24), primary_key=True),
        sa.Column("person", sa.String(32), nullable=False),
        sa.Column("name", sa.String(60), nullable=False),
        sa.Column("record", sa.Text(), nullable=False),
        sa.Column("game", sa.String(64), nullable=False),
        sa.Column("seats", sa.Integer(), nullable=False),
        sa.Column("choices", sa.Integer(), nullable=False),
        sa.Column("over", sa.Boolean(), nullable=False),
        sa.Column("created", sa.BigInteger(), nullable=False),
        sa.Column("used", sa.BigInteger(), nullable=False),
        sa.Column("opener", sa.String(32)),
    )
    for column in ("person", "used", "opener"):
        op.create_index(f"ix_records_{column}", "records", [column])
    op.create_table(
        "reviews",
        sa.Column("id", sa.String(32), primary_key=True),
        sa.Column("found", sa.LargeBinary(), nullable=False),
        sa.Column("used", sa.BigInteger(), nullable=False),
    )
    op.create_index("ix_reviews_used", "reviews", ["used"])


def downgrade() -> None:
    op.drop_table("reviews")
    op.drop_table("records")
