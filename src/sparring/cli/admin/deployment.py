"""Commands that create a server's database, back it up, restore it, and check the deployment."""

import asyncio
import importlib.util
import os
import shutil
import time
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from sparring.cli.common import ago, new_settings, out, progress_bar, with_store
from sparring.server.monitoring import CLOCKS, DAY, Finding, check_site

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


#: Limits: days since a backup, free disk and the journal of SQLite (bytes).
BACKUP, FREE, JOURNAL = 2, 1_000_000_000, 100_000_000


def doctor() -> None:
    """Check the site from outside, disk, clock, backups, mail, push and database; say what to do."""
    from sparring.settings import check_addresses, check_notifications

    async def findings(settings: "Settings", store: "Database") -> list[Finding]:
        check_addresses(settings)
        check_notifications(settings)
        return [
            *_files(store), *await _database(settings, store), *_backups(), await _mail(settings), _push(settings),
            *await asyncio.to_thread(lambda table: list(check_site(settings, *table)), await _any_table(store)),
        ]  # fmt: skip

    found = with_store(findings)
    for finding in found:
        out.print(str(finding), markup=False, highlight=False, soft_wrap=True)
    if any(finding.remedy for finding in found):
        raise typer.Exit(1)


def _files(store: "Database") -> Iterator[Finding]:
    """Check owners, modes and the disk; a database that this user can't use has been refused before."""
    from sparring.engine.folders import access_problem, data_folder
    from sparring.settings import SECRET

    folder, key = data_folder(), data_folder() / SECRET
    denied = next(filter(None, map(access_problem, (key, store.file or key))), "")
    public = [file for file in (folder, key) if os.name == "posix" and file.stat().st_mode & 0o077]
    if denied:
        yield Finding("files", "The server can't use its files.", denied)
    elif public:
        yield Finding("files", f"Others on this machine can read {public[0]}.", f"Run `chmod go-rwx {public[0]}`.")
    else:
        yield Finding("files", f"{folder} can be used, and only by its owner.")
    free = shutil.disk_usage(folder).free
    yield Finding("disk", f"{free / 1e9:,.1f} GB free.", "Make room, or move the data folder." if free < FREE else "")


async def _database(settings: "Settings", store: "Database") -> list[Finding]:
    """Check the limits of the database, and its clock."""
    from sqlalchemy import func, select, text

    from sparring.store.database import CONNECTIONS
    from sparring.store.migrations import newest
    from sparring.store.schema import TableRow

    size, limit = await store.size(), settings.limits.database
    remedy = "Delete old tables (`sparring admin prune`) or raise `limits.database`." if size > 0.8 * limit else ""
    says = f"Version {newest()}, {size / 1e6:,.1f} of {limit / 1e6:,.0f} MB."
    async with store.reading() as session:
        if store.file:
            if (journal := _journal(store.file)) > JOURNAL:
                remedy = f"Restart the server: its journal has {journal / 1e6:,.0f} MB, and a restart empties it."
            apart = max(0, (await session.scalar(select(func.max(TableRow.changed))) or 0) - time.time())
            clock = f"The latest change of a table is {apart:,.0f} s in the future."
        else:
            most = int(await session.scalar(text("SELECT current_setting('max_connections')")) or 0)
            wanted = CONNECTIONS["postgresql"] * (settings.process_count + 1)
            says += f" {wanted} of {most} connections."
            if wanted > 0.9 * most:
                remedy = f"Set `max_connections` of PostgreSQL to {2 * wanted}, or run fewer processes."
            apart = abs(float(await session.scalar(text("SELECT extract(epoch FROM now())")) or 0) - time.time())
            clock = f"This machine and the database are {apart:,.0f} s apart."
    wrong = "Set the clock, and let it be kept (`timedatectl set-ntp true`)."
    return [
        Finding("database", says, remedy),
        Finding("clock", clock, wrong) if apart > CLOCKS else Finding("clock", "It agrees with the database."),
    ]


def _journal(database: Path) -> int:
    """Return the size of the journal of an SQLite database."""
    journal = Path(f"{database}-wal")
    return journal.stat().st_size if journal.exists() else 0


def _backups() -> Iterator[Finding]:
    """Check the latest backup that `sparring admin backup` recorded."""
    from sparring.engine.folders import data_folder

    record, daily = data_folder() / RECORD, "Back up every day: `sparring admin backup FILE`."
    if not record.exists():
        yield Finding("backups", "There was none.", daily)
        return
    file, made = record.read_text(encoding="utf-8").strip(), int(record.stat().st_mtime)
    yield Finding(
        "backups", f"{ago(made).capitalize()}, to {file}.", daily if made < time.time() - BACKUP * DAY else ""
    )


async def _mail(settings: "Settings") -> Finding:
    from sparring.people.emails import MailFailed, MailSender

    if not settings.mail.on:
        return Finding("mail", "It is off.")
    try:
        await MailSender(settings.mail).connect()
    except MailFailed as problem:
        return Finding("mail", str(problem), "Check `mail.server`, and that this machine may reach it.")
    return Finding("mail", "The mail server accepts this one.")


def _push(settings: "Settings") -> Finding:
    if not settings.push.on:
        return Finding("push", "It is off.")
    missing = [name for name in ("pywebpush", "py_vapid", "aiohttp") if importlib.util.find_spec(name) is None]
    remedy = f"Install {', '.join(missing)}." if missing else ""
    return Finding("push", f"Contact {settings.push.contact}; the database keeps the key.", remedy)


async def _any_table(store: "Database") -> tuple[str, int]:
    """Return a table with its version for spectators, to open a stream; an empty id if there is none."""
    for row in await store.tables(1):
        return row.id, int.from_bytes(row.versions[:4], "little")
    return "", 0
