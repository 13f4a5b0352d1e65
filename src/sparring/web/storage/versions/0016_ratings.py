"""Add results, ratings per variant, and the visibility of players."""

import sqlalchemy as sa
from alembic import op

revision = "0016"
down_revision = "0015"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.add_column("accounts", sa.Column("listed", sa.Boolean(), nullable=False, server_default=sa.true()))
    op.add_column("accounts", sa.Column("page", sa.String(24)))
    op.create_index("ix_accounts_page", "accounts", ["page"], unique=True)
    op.create_table(
        "variants",
        sa.Column("id", sa.String(16), primary_key=True),
        sa.Column("game", sa.String(64), nullable=False, index=True),
        sa.Column("options", sa.Text, nullable=False),
        sa.Column("content", sa.String(32)),
    )
    op.create_table(
        "ratings",
        sa.Column("variant", sa.String(16), sa.ForeignKey("variants.id"), primary_key=True),
        sa.Column("player", sa.String(80), primary_key=True, index=True),
        sa.Column("mu", sa.Float(53), nullable=False),
        sa.Column("sigma", sa.Float(53), nullable=False),
        sa.Column("sure", sa.Float(53), nullable=False),
        sa.Column("matches", sa.Integer, nullable=False),
        sa.Column("won", sa.Integer, nullable=False),
        sa.Column("last", sa.BigInteger, nullable=False),
    )
    op.create_index("ix_ratings_sure", "ratings", ["variant", "sure"])
    op.create_table(
        "results",
        sa.Column("table", sa.String(16), sa.ForeignKey("tables.id", ondelete="CASCADE"), primary_key=True),
        sa.Column("seat", sa.Integer, primary_key=True),
        sa.Column("player", sa.String(80)),
        sa.Column("game", sa.String(64), nullable=False),
        sa.Column("variant", sa.String(16), sa.ForeignKey("variants.id"), nullable=False),
        sa.Column("ended", sa.BigInteger, nullable=False),
        sa.Column("seconds", sa.BigInteger, nullable=False),
        sa.Column("choices", sa.Integer, nullable=False),
        sa.Column("outcome", sa.Integer, nullable=False),
        sa.Column("mu_before", sa.Float(53)),
        sa.Column("sigma_before", sa.Float(53)),
        sa.Column("mu", sa.Float(53)),
        sa.Column("sigma", sa.Float(53)),
    )
    op.create_index("ix_results_player", "results", ["player", "ended"])
    op.create_index("ix_results_game", "results", ["player", "game", "ended"])


def downgrade() -> None:
    for table in ("results", "ratings", "variants"):
        op.drop_table(table)
    op.drop_index("ix_accounts_page", "accounts")
    op.drop_column("accounts", "page")
    op.drop_column("accounts", "listed")
