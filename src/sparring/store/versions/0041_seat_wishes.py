"""Store per seat what processes kept in memory: standing forfeits, automatic choices and shared screens."""

import sqlalchemy as sa
from alembic import op

revision = "0041"
down_revision = "0039"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.add_column("seats", sa.Column("forfeits", sa.Boolean, nullable=False, server_default=sa.false()))
    op.add_column("seats", sa.Column("auto_choices", sa.Boolean, nullable=False, server_default=sa.false()))
    op.add_column("seats", sa.Column("screen_asked", sa.Integer))


def downgrade() -> None:
    for column in ("forfeits", "auto_choices", "screen_asked"):
        op.drop_column("seats", column)
