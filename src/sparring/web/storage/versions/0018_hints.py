"""Add the hints taken at a table."""

import sqlalchemy as sa
from alembic import op

revision = "0018"
down_revision = "0017"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.add_column("tables", sa.Column("hints", sa.Text(), nullable=False, server_default="{}"))


def downgrade() -> None:
    op.drop_column("tables", "hints")
