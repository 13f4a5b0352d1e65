"""Name the channels of notifications, pending friend requests, and chat in the settings of tables and in scopes."""

import json
from collections.abc import Callable

import sqlalchemy as sa
from alembic import op

revision = "0055"
down_revision = "0054"
branch_labels = None
depends_on = None

#: Old and new names.
COLUMNS = {table: {"way": "channel"} for table in ("notification_choices", "outbox")}
STATES = {"asked": "pending"}
SCOPES = {"talk": "chat"}
SETTINGS = {"talk": "chat", "watchers_talk": "spectators_chat"}


def upgrade() -> None:
    for table, names in COLUMNS.items():
        for old, new in names.items():
            op.execute(sa.text(f"ALTER TABLE {table} RENAME COLUMN {old} TO {new}"))
    _rename_values(STATES, SCOPES, SETTINGS)


def downgrade() -> None:
    _rename_values(*({new: old for old, new in names.items()} for names in (STATES, SCOPES, SETTINGS)))
    for table, names in COLUMNS.items():
        for old, new in names.items():
            op.execute(sa.text(f"ALTER TABLE {table} RENAME COLUMN {new} TO {old}"))


def _rename_values(states: dict[str, str], scopes: dict[str, str], settings: dict[str, str]) -> None:
    _rewrite("friendships", "state", lambda state: states.get(state, state))
    _rewrite("tokens", "scopes", lambda stored: " ".join(scopes.get(scope, scope) for scope in stored.split()))
    for table in ("tables", "half_invitations"):
        _rewrite(table, "settings", lambda stored: renamed_settings(stored, settings))


def renamed_settings(stored: str, names: dict[str, str]) -> str:
    """Return the JSON of table settings with other names."""
    values = {names.get(name, name): value for name, value in json.loads(stored).items()}
    return json.dumps(values, separators=(",", ":"))


def _rewrite(table: str, column: str, change: Callable[[str], str]) -> None:
    """Change the values of a column."""
    values: sa.ColumnClause[str] = sa.column(column)
    for stored in op.get_bind().scalars(sa.select(values).select_from(sa.table(table)).distinct()).all():
        if (changed := change(stored)) != stored:
            op.execute(sa.table(table, values).update().where(values == stored).values({column: changed}))
