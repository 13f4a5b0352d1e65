"""Add e-mail addresses, links in e-mails, and notifications by e-mail and push."""

import sqlalchemy as sa
from alembic import op

revision = "0024"
down_revision = "0023"
branch_labels = None
depends_on = None

TABLES = ("addresses", "mail_tokens", "notification_choices", "push_devices", "push_key", "outbox")


def upgrade() -> None:
    def account() -> sa.ForeignKey:
        return sa.ForeignKey("accounts.person", ondelete="CASCADE")

    op.create_table(
        "addresses",
        sa.Column("person", sa.String(32), account(), primary_key=True),
        sa.Column("address", sa.String(254)),
        sa.Column("folded", sa.String(254), index=True),
        sa.Column("pending", sa.String(254)),
        sa.Column("stop", sa.String(24), nullable=False, index=True),
    )
    op.create_table(
        "mail_tokens",
        sa.Column("digest", sa.String(32), primary_key=True),
        sa.Column("person", sa.String(32), account(), nullable=False, index=True),
        sa.Column("purpose", sa.String(8), nullable=False),
        sa.Column("address", sa.String(254), nullable=False),
        sa.Column("until", sa.BigInteger, nullable=False, index=True),
    )
    op.create_table(
        "notification_choices",
        sa.Column("person", sa.String(32), primary_key=True),
        sa.Column("kind", sa.String(16), primary_key=True),
        sa.Column("way", sa.String(8), primary_key=True),
    )
    op.create_table(
        "push_devices",
        sa.Column("id", sa.String(32), primary_key=True),
        sa.Column("person", sa.String(32), nullable=False, index=True),
        sa.Column("label", sa.String(32), nullable=False),
        sa.Column("endpoint", sa.Text, nullable=False),
        sa.Column("p256dh", sa.String(128), nullable=False),
        sa.Column("auth", sa.String(32), nullable=False),
        sa.Column("created", sa.BigInteger, nullable=False),
    )
    op.create_table(
        "push_key", sa.Column("id", sa.Integer, primary_key=True), sa.Column("key", sa.String(64), nullable=False)
    )
    op.create_table(
        "outbox",
        sa.Column("number", sa.Integer, primary_key=True),
        sa.Column("kind", sa.String(16), nullable=False),
        sa.Column("way", sa.String(8), nullable=False),
        sa.Column("person", sa.String(32), index=True),
        sa.Column("table", sa.String(16)),
        sa.Column("text", sa.String(254), nullable=False),
        sa.Column("due", sa.BigInteger, nullable=False, index=True),
        sa.Column("failures", sa.Integer, nullable=False),
    )


def downgrade() -> None:
    for table in TABLES:
        op.drop_table(table)
