"""Operator commands: tables, backups, keys, settings, moderation and account recovery."""

import typer

from sparring.cli.common import use_settings

from .deployment import backup, doctor, init, restore
from .moderation import ban, bans, moderation_log, mute, pardon, reports, role, settle, unmute
from .people import people, reset_passkeys, reset_password
from .server import new_key, show_settings, status, storage, worker_key
from .tables import close, export, fill_history, prune
from .tables import tables as list_tables

__all__ = ["app"]

app = typer.Typer(callback=use_settings, no_args_is_help=True)

for command in (
    status, doctor, list_tables, export, close, prune, fill_history, storage, init, backup, restore, new_key, people,
    role, ban, pardon, mute, unmute, bans, reports, settle, moderation_log, reset_password, reset_passkeys,
):  # fmt: skip
    app.command()(command)
app.command("settings")(show_settings)
app.command(hidden=True)(worker_key)
