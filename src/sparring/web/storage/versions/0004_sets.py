"""Add studio sets and their versions."""

import sqlalchemy as sa
from alembic import op

revision = "0004"
down_revision = "0003"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.create_table(
        "sets",
        sa.Column("id", sa.String(24), primary_key=True),
        sa.Column("share", sa.String(24), nullable=False, unique=True),
        sa.Column("person", sa.String(32), nullable=False),
        sa.Column("game", sa.String(64), nullable=False),
        sa.Column("name", sa.String(40), nullable=False),
        sa.Column("version", sa.Integer(), nullable=False),
        sa.Column("newest", sa.Integer(), nullable=False),
        sa.Column("edition", sa.Integer(), nullable=False),
        sa.Column("created", sa.BigInteger(), nullable=False),
        sa.Column("used", sa.BigInteger(), nullable=False),
        sa.Column("opener", sa.String(32)),
    )
    for column in ("person", "used", "opener"):
        op.create_index(f"ix_sets_{column}", "sets", [column])
    op.create_table(
        "versions",
        sa.Column("set", sa.String(24), sa.ForeignKey("sets.id", ondelete="CASCADE"), primary_key=True),
        sa.Column("number", sa.Integer(), primary_key=True),
        sa.Column("toml", sa.Text(), nullable=False),
        sa.Column("options", sa.Text(), nullable=False),
        sa.Column("told", sa.String(120), nullable=False),
        sa.Column("mark", sa.String(200), nullable=False),
        sa.Column("made", sa.BigInteger(), nullable=False),
    )


def downgrade() -> None:
    op.drop_table("versions")
    op.drop_table("sets")
