"""Add friends: requests, friendships and blocks; challenges; and when people were last seen."""

import sqlalchemy as sa
from alembic import op

revision = "0026"
down_revision = "0024"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.create_table(
        "friendships",
        sa.Column("id", sa.String(16), primary_key=True),
        sa.Column("person", sa.String(32), nullable=False),
        sa.Column("other", sa.String(32)),
        sa.Column("name", sa.String(32), nullable=False),
        sa.Column("state", sa.String(8), nullable=False),
        sa.Column("made", sa.BigInteger, nullable=False),
    )
    op.create_index("ix_friendships_other", "friendships", ["other"])
    op.create_index("ix_friendships_person", "friendships", ["person", "other"], unique=True)
    op.create_table(
        "challenges",
        sa.Column("id", sa.String(16), primary_key=True),
        sa.Column("person", sa.String(32), nullable=False),
        sa.Column("other", sa.String(32), nullable=False),
        sa.Column("table", sa.String(16), sa.ForeignKey("tables.id", ondelete="CASCADE"), nullable=False),
        sa.Column("declined", sa.Boolean, nullable=False),
        sa.Column("made", sa.BigInteger, nullable=False),
    )
    for column in ("person", "other", "table"):
        op.create_index(f"ix_challenges_{column}", "challenges", [column])
    op.create_table(
        "sightings",
        sa.Column("person", sa.String(32), primary_key=True),
        sa.Column("seen", sa.BigInteger, nullable=False),
        sa.Column("hidden", sa.Boolean, nullable=False),
    )


def downgrade() -> None:
    for table in ("sightings", "challenges", "friendships"):
        op.drop_table(table)
