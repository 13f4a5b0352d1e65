"""Add tables, seats and uploaded content."""

import sqlalchemy as sa
from alembic import op

revision = "0001"
down_revision = None
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Create the tables of the first version."""
    op.create_table(
        "contents",
        sa.Column("digest", sa.String(32), primary_key=True),
        sa.Column("toml", sa.Text(), nullable=False),
    )
    op.create_table(
        "tables",
        sa.Column("id", sa.String(16), primary_key=True),
        sa.Column("game", sa.String(64), nullable=False),
        sa.Column("game_version", sa.Integer(), nullable=False),
        sa.Column("options", sa.Text(), nullable=False),
        sa.Column("content", sa.String(32), sa.ForeignKey("contents.digest")),
        sa.Column("seed", sa.BigInteger(), nullable=False),
        sa.Column("choices", sa.LargeBinary(), nullable=False),
        sa.Column("versions", sa.LargeBinary(), nullable=False),
        sa.Column("edition", sa.Integer(), nullable=False),
        sa.Column("over", sa.Boolean(), nullable=False),
        sa.Column("created", sa.BigInteger(), nullable=False),
        sa.Column("changed", sa.BigInteger(), nullable=False),
        sa.Column("next", sa.String(16)),
    )
    op.create_index("ix_tables_unfinished", "tables", ["over", "changed"])
    op.create_table(
        "seats",
        sa.Column("table", sa.String(16), sa.ForeignKey("tables.id", ondelete="CASCADE"), primary_key=True),
        sa.Column("seat", sa.Integer(), primary_key=True),
        sa.Column("person", sa.String(32)),
        sa.Column("name", sa.String(32), nullable=False),
        sa.Column("bot", sa.String(64)),
    )
    op.create_index("ix_seats_person", "seats", ["person"])


def downgrade() -> None:
    """Drop all tables."""
    op.drop_table("seats")
    op.drop_table("tables")
    op.drop_table("contents")
