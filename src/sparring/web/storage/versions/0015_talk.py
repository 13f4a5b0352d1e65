"""Add chat: lines, applause, mutes and reports."""

import sqlalchemy as sa
from alembic import op

revision = "0015"
down_revision = "0014"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.create_table(
        "lines",
        sa.Column("table", sa.String(16), sa.ForeignKey("tables.id", ondelete="CASCADE"), primary_key=True),
        sa.Column("number", sa.Integer(), primary_key=True),
        sa.Column("edition", sa.Integer(), nullable=False),
        sa.Column("kind", sa.String(8), nullable=False),
        sa.Column("person", sa.String(32)),
        sa.Column("seat", sa.Integer(), nullable=False),
        sa.Column("name", sa.String(32), nullable=False),
        sa.Column("words", sa.Text(), nullable=False),
        sa.Column("about", sa.Text(), nullable=False),
        sa.Column("exchange", sa.Integer(), nullable=False),
        sa.Column("said", sa.BigInteger(), nullable=False),
    )
    op.create_index("ix_lines_person", "lines", ["person"])
    op.create_table(
        "applause",
        sa.Column("table", sa.String(16), primary_key=True),
        sa.Column("number", sa.Integer(), primary_key=True),
        sa.Column("person", sa.String(32), primary_key=True),
        sa.ForeignKeyConstraint(["table", "number"], ["lines.table", "lines.number"], ondelete="CASCADE"),
    )
    op.create_index("ix_applause_person", "applause", ["person"])
    op.create_table(
        "mutes",
        sa.Column("id", sa.String(16), primary_key=True),
        sa.Column("person", sa.String(32), nullable=False),
        sa.Column("muted", sa.String(32), nullable=False),
        sa.Column("name", sa.String(32), nullable=False),
    )
    op.create_index("ix_mutes_person", "mutes", ["person", "muted"], unique=True)
    op.create_index("ix_mutes_muted", "mutes", ["muted"])
    op.create_table(
        "reports",
        sa.Column("number", sa.Integer(), primary_key=True),
        sa.Column("table", sa.String(16), nullable=False),
        sa.Column("line", sa.Integer(), nullable=False),
        sa.Column("person", sa.String(32)),
        sa.Column("name", sa.String(32), nullable=False),
        sa.Column("reporter", sa.String(32)),
        sa.Column("words", sa.Text(), nullable=False),
        sa.Column("said", sa.BigInteger(), nullable=False),
        sa.Column("made", sa.BigInteger(), nullable=False),
        sa.Column("settled", sa.BigInteger()),
    )
    op.create_index("ix_reports_person", "reports", ["person"])
    op.create_index("ix_reports_reporter", "reports", ["reporter"])


def downgrade() -> None:
    for table in ("reports", "mutes", "applause", "lines"):
        op.drop_table(table)
