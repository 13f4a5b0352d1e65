"""`sparring admin doctor`: check a deployment, and say what to do."""

import asyncio
import importlib.util
import os
import shutil
import time
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

import typer

from sparring.cli.common import ago, out, with_store
from sparring.server.monitoring import CLOCKS, DAY, Finding, check_site

from .backups import RECORD

if TYPE_CHECKING:
    from sparring.settings import Settings
    from sparring.store.database import Database

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
