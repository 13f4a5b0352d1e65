"""Add the person for whom a rematch keeps a seat, and the studio set that a table was created with."""

import sqlalchemy as sa
from alembic import op

revision = "0030"
down_revision = "0029"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.add_column("seats", sa.Column("offered", sa.String(32)))
    op.add_column("tables", sa.Column("set", sa.String(24)))


def downgrade() -> None:
    op.drop_column("tables", "set")
    op.drop_column("seats", "offered")
