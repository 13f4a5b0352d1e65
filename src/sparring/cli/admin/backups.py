"""Commands that back up all data of a server, and restore it."""

import asyncio
from pathlib import Path
from typing import Annotated

import typer

from sparring.cli.common import out, progress_bar, server_settings, with_store

#: Row types that `backup` and `restore` count in their summary.
COUNTED = ("tables", "sets", "pictures", "records")


def backup(to: Annotated[Path, typer.Argument(metavar="FILE", help="Write the backup to this new file.")]) -> None:
    """Back up all server data to one file. It includes the keys that sign cookies, so keep it safe."""
    from sparring.web.storage.backup import back_up

    usual = server_settings()
    with progress_bar("Writing") as progress:
        foot = with_store(lambda _, store: back_up(store, to, [usual.secret, *usual.older_secrets], progress))
    out.print(f"Backed up {summary(foot.counts)} to {to}.", markup=False)


def restore(
    of: Annotated[Path, typer.Argument(metavar="FILE", help="A file written by `sparring admin backup`.")],
) -> None:
    """Restore a backup into a new database, even of another type (SQLite or PostgreSQL). Stop the server first."""
    from sparring.engine.folders import data_folder
    from sparring.web.settings import SECRET, keep_secrets
    from sparring.web.storage.backup import restore as bring_back

    usual = server_settings()

    def remember(found: list[str]) -> None:
        keep_secrets(data_folder() / SECRET, [*found, usual.secret])

    with progress_bar("Reading") as progress:
        foot = asyncio.run(bring_back(usual.database, of, remember, progress))
    out.print(f"Restored {summary(foot.counts)} from {of}.", markup=False)


def summary(counts: dict[str, int]) -> str:
    """Return the counts as text, such as `3 tables, 1 picture`."""
    found = [(name, counts[name]) for name in COUNTED if name in counts]
    return (
        ", ".join(f"{count:,} {name.removesuffix('s') if count == 1 else name}" for name, count in found)
        or "a server without tables"
    )
