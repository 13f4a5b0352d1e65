"""Convert thinking times that SQLite stored as text: the default in 0011 was a text, which can't be unpacked."""

import sqlalchemy as sa
from alembic import op

revision = "0022"
down_revision = "0021"
branch_labels = None
depends_on = None


def upgrade() -> None:
    # Only SQLite stores text in a binary column. Only the empty default was text, so nothing is lost.
    if op.get_bind().dialect.name == "sqlite":
        op.execute(sa.text("update tables set spent = x'' where typeof(spent) = 'text'"))


def downgrade() -> None:
    """Leave the bytes: every version reads them."""
