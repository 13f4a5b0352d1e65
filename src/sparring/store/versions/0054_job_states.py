"""Keep the states of jobs, so that every process finds those of the others."""

import sqlalchemy as sa
from alembic import op

revision = "0054"
down_revision = "0053"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.create_table(
        "job_states",
        sa.Column("id", sa.String(32), primary_key=True),
        sa.Column("kind", sa.String(12), nullable=False, index=True),
        sa.Column("process", sa.String(24), nullable=False),
        sa.Column("at", sa.BigInteger, nullable=False),
        sa.Column("succeeded", sa.Boolean),
        sa.Column("state", sa.LargeBinary, nullable=False),
    )


def downgrade() -> None:
    op.drop_table("job_states")
