"""Add the days on which the server ran, as far as tables show them."""

import sqlalchemy as sa
from alembic import op

revision = "0036"
down_revision = "0035"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.create_table(
        "server_days",
        sa.Column("day", sa.Integer, primary_key=True, autoincrement=False),
        sa.Column("kind", sa.String(32), primary_key=True),
        sa.Column("deleted", sa.Integer, nullable=False),
    )
    days = "select changed / 86400 as day from tables union select created / 86400 from tables"
    op.execute(f"insert into server_days (day, kind, deleted) select day, '', 0 from ({days}) as days")  # nosec B608


def downgrade() -> None:
    op.drop_table("server_days")
