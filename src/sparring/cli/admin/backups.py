"""Commands that create a server's database, back up all of its data, and restore it."""

import asyncio
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from sparring.cli.common import ago, new_settings, out, progress_bar, with_store

if TYPE_CHECKING:
    from sparring.settings import Settings
    from sparring.store.backup import Foot
    from sparring.store.database import Database


#: The file in the data folder that names the latest backup.
RECORD = "last-backup.txt"


def init() -> None:
    """Create a new server: the data folder, its key and an empty database, as the first `sparring play` does."""
    from sparring.store.database import Database, lock

    settings = new_settings()

    async def created() -> str:
        store = Database(settings.database)
        note = await store.open()
        await store.close()
        return note or f"{store.name} has the database of a server already; nothing was changed."

    with lock(settings.database):
        out.print(asyncio.run(created()), markup=False)


def backup(
    file: Annotated[Path, typer.Argument(metavar="FILE", help="Write the backup to this new file.")],
    check: Annotated[bool, typer.Option("--check", help="Only check that this file is a complete backup.")] = False,
    allow_empty: Annotated[
        bool, typer.Option("--allow-empty", help="Back up a server even if it has no tables, accounts or sets.")
    ] = False,
) -> None:
    """Back up all server data to one file, and read it back. It includes the keys that sign cookies: keep it safe."""
    from sparring.engine.folders import data_folder, match_owner
    from sparring.store.backup import back_up
    from sparring.store.backup import check as read

    if check:
        head, foot = read(file)
        out.print(f"{file} is complete: {summary(foot.counts)}, made {ago(head.made)}.", markup=False)
        return
    source = ""

    async def written(settings: "Settings", store: "Database") -> "Foot":
        nonlocal source
        source = store.name
        return await back_up(store, file, [settings.secret, *settings.older_secrets], progress, allow_empty=allow_empty)

    with progress_bar("Writing") as progress:
        foot = with_store(written)
    record = data_folder() / RECORD
    record.write_text(f"{file.resolve()}\n", encoding="utf-8")
    match_owner(record)
    out.print(f"Backed up {summary(foot.counts)} from {source} to {file}.", markup=False)


def restore(
    of: Annotated[Path, typer.Argument(metavar="FILE", help="A file written by `sparring admin backup`.")],
) -> None:
    """Restore a backup into a new database, even of another type (SQLite or PostgreSQL). Stop the server first."""
    from sparring.engine.folders import data_folder
    from sparring.settings import SECRET, keep_secrets
    from sparring.store.backup import restore as bring_back
    from sparring.store.database import lock

    usual = new_settings()

    def remember(found: list[str]) -> None:
        keep_secrets(data_folder() / SECRET, [*found, usual.secret])

    with lock(usual.database), progress_bar("Reading") as progress:
        foot = asyncio.run(bring_back(usual.database, of, remember, progress))
    out.print(f"Restored {summary(foot.counts)} from {of}.", markup=False)


def summary(counts: dict[str, int]) -> str:
    """Return the counts as text, such as `3 tables, 1 picture`."""
    from sparring.store.backup import COUNTED

    found = [(name, counts[name]) for name in COUNTED if name in counts]
    return (
        ", ".join(f"{count:,} {name.removesuffix('s') if count == 1 else name}" for name, count in found)
        or "an empty server"
    )
