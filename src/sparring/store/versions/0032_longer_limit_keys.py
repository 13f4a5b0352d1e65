"""Widen the keys of shared rate limits: those of some kinds were longer than the column."""

import sqlalchemy as sa
from alembic import op

revision = "0032"
down_revision = "0031"
branch_labels = None
depends_on = None


def upgrade() -> None:
    with op.batch_alter_table("allowances") as rows:
        rows.alter_column("key", type_=sa.String(64), existing_type=sa.String(32), existing_nullable=False)


def downgrade() -> None:
    op.execute(sa.text("DELETE FROM allowances WHERE length(key) > 32"))
    with op.batch_alter_table("allowances") as rows:
        rows.alter_column("key", type_=sa.String(32), existing_type=sa.String(64), existing_nullable=False)
