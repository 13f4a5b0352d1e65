"""Times of choices that SQLite keeps as text: the empty default of 0011 was text, and text cannot be unpacked."""

import sqlalchemy as sa
from alembic import op

revision = "0022"
down_revision = "0021"
branch_labels = None
depends_on = None


def upgrade() -> None:
    # Only SQLite keeps a text in a column of bytes. Only the default was ever text, so nothing is lost.
    if op.get_bind().dialect.name == "sqlite":
        op.execute(sa.text("update tables set spent = x'' where typeof(spent) = 'text'"))


def downgrade() -> None:
    """Leave the bytes: every version reads them."""
