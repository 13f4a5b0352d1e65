"""Store each picture of a person's sets once, with the versions that use it."""

import sqlalchemy as sa
from alembic import op

revision = "0005"
down_revision = "0004"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.create_table(
        "pictures",
        sa.Column("person", sa.String(32), primary_key=True),
        sa.Column("name", sa.String(32), primary_key=True),
        sa.Column("text", sa.Text(), nullable=False),
    )
    op.create_table(
        "drawn",
        sa.Column("set", sa.String(24), primary_key=True),
        sa.Column("number", sa.Integer(), primary_key=True),
        sa.Column("name", sa.String(32), primary_key=True),
        sa.Column("person", sa.String(32), nullable=False),
        sa.ForeignKeyConstraint(["set", "number"], ["versions.set", "versions.number"], ondelete="CASCADE"),
    )
    op.create_index("ix_drawn_person", "drawn", ["person", "name"])


def downgrade() -> None:
    op.drop_table("drawn")
    op.drop_table("pictures")
