"""Add the host and the settings of a table."""

import sqlalchemy as sa
from alembic import op

revision = "0007"
down_revision = "0006"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.add_column("tables", sa.Column("host", sa.String(32)))
    op.add_column("tables", sa.Column("terms", sa.Text(), nullable=False, server_default="{}"))


def downgrade() -> None:
    op.drop_column("tables", "terms")
    op.drop_column("tables", "host")
