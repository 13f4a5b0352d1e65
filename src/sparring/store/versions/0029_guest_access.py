"""End API tokens and push notifications that guests made before they had an account, which acted as that account.

A token that a guest made later, and moved to the account by signing in, carries the guest's name instead of the
account's. Also add the random id of the server, which is part of the names of its cookies.
"""

import time

import sqlalchemy as sa
from alembic import op

revision = "0029"
down_revision = "0028"
branch_labels = None
depends_on = None

#: Which rows of each table a guest made.
OF_GUESTS = {
    "tokens": "tokens.person = accounts.person"
    " and (tokens.created <= accounts.created or tokens.owner <> accounts.name)",
    "push_devices": "push_devices.person = accounts.person and push_devices.created <= accounts.created",
}


def upgrade() -> None:
    op.add_column("accounts", sa.Column("guest_access_ended", sa.BigInteger))
    # The statements are made of the constants above.
    ended = " or ".join(f"exists (select 1 from {table} where {made})" for table, made in OF_GUESTS.items())  # nosec B608
    op.execute(f"update accounts set guest_access_ended = {int(time.time())} where {ended}")  # nosec B608
    for table, made in OF_GUESTS.items():
        op.execute(f"delete from {table} where exists (select 1 from accounts where {made})")  # nosec B608
    op.create_table(
        "server_id", sa.Column("id", sa.Integer, primary_key=True), sa.Column("value", sa.String(32), nullable=False)
    )


def downgrade() -> None:
    op.drop_table("server_id")
    op.drop_column("accounts", "guest_access_ended")
