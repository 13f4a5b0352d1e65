"""Add accounts and passkeys."""

import sqlalchemy as sa
from alembic import op

revision = "0012"
down_revision = "0011"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.create_table(
        "accounts",
        sa.Column("person", sa.String(32), primary_key=True),
        sa.Column("name", sa.String(32), nullable=False),
        sa.Column("login", sa.String(32)),
        sa.Column("folded", sa.String(500), unique=True),
        sa.Column("password", sa.String(128)),
        sa.Column("epoch", sa.Integer, nullable=False),
        sa.Column("created", sa.BigInteger, nullable=False),
    )
    op.create_table(
        "passkeys",
        sa.Column("id", sa.String(32), primary_key=True),
        sa.Column("person", sa.String(32), sa.ForeignKey("accounts.person", ondelete="CASCADE"), nullable=False),
        sa.Column("credential", sa.LargeBinary, nullable=False),
        sa.Column("site", sa.String(255), nullable=False),
        sa.Column("label", sa.String(32), nullable=False),
        sa.Column("signs", sa.BigInteger, nullable=False),
        sa.Column("created", sa.BigInteger, nullable=False),
        sa.Column("used", sa.BigInteger, nullable=False),
    )
    op.create_index("ix_passkeys_person", "passkeys", ["person"])


def downgrade() -> None:
    op.drop_table("passkeys")
    op.drop_table("accounts")
