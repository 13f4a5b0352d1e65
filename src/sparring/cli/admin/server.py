"""Commands on a server: its key, its settings with their origins, and what it does and stores."""

import json
import time
from typing import TYPE_CHECKING, Annotated, Any

import typer

from sparring.cli.common import AsJson, ago, err, out, settings_file, with_store, write_json

if TYPE_CHECKING:
    from collections.abc import Sequence

    from sparring.settings import FoundSetting, Settings
    from sparring.store.database import Database
    from sparring.store.schema import TableRow


def new_key(
    forget: Annotated[
        bool,
        typer.Option(
            "--forget", help="Reject cookies signed with older keys; guests without an account lose their tables."
        ),
    ] = False,
) -> None:
    """Create a new key for signing cookies. The server uses it from its next start and renews older cookies."""
    from sparring.engine.folders import data_folder
    from sparring.settings import SECRET, rotate_secret

    older = rotate_secret(data_folder() / SECRET, forget=forget)
    accepted = (
        f"{older} older key{'s are' if older > 1 else ' is'} still accepted" if older else "older keys are rejected"
    )
    out.print(f"Created a new key; {accepted}. Restart the server.")


def worker_key() -> None:
    """Say that workers need no key any more."""
    err.print("`worker-key` is deprecated: workers need no key, only the address of the database `jobs`.")


def show_settings(as_json: AsJson = False) -> None:
    """Print every setting with its value, origin, default and meaning; passwords are hidden.

    The output is a valid settings file, in which settings with their default value are comments.
    """
    from sparring.settings import find_settings

    found = find_settings(file=settings_file.get())
    if as_json:
        write_json([described(each) for each in found.values()])
        return
    section = ""
    for each in found.values():
        if (now := each.setting.name.rpartition(".")[0]) != section:
            section = now
            out.print(f"\n[{section}]", markup=False)
        out.print(line(each), markup=False)


def line(found: "FoundSetting") -> str:
    """Return a setting as a line of a settings file."""
    setting, comment = found.setting, found.setting.meaning
    if found.origin != "default":
        usual = "" if setting.varies else f", default {shown(setting.default)}"
        comment = f"{found.origin}{usual}: {comment}"
    begin = "# " if found.origin == "default" else ""
    return f"{begin}{setting.name.rpartition('.')[2]} = {shown(found.value)}  # {comment}"


def shown(value: Any) -> str:
    """Return a value as it is written in the file, without passwords."""
    from sparring.settings.sources import hide_passwords, written

    return hide_passwords(written(value))


def described(found: "FoundSetting") -> dict[str, Any]:
    """Return a setting as JSON."""
    setting = found.setting
    return {
        "name": setting.name, "value": json.loads(shown(found.value)), "origin": found.origin,
        "default": None if setting.varies else setting.default, "variable": setting.variable,
        "allowed": setting.allowed, "meaning": setting.meaning,
    }  # fmt: skip


#: After how long without a change a match counts as interrupted (seconds), and the most tables to list.
LATELY, MOST = 900, 50


def status() -> None:
    """Show what the server does: its processes, who plays, what failed lately, and which limits it comes near."""
    import msgspec

    from sparring.monitoring import ProcessReport, added_up
    from sparring.server.database_watch import bounds
    from sparring.store.processes import ProcessReportStore

    async def read(settings: "Settings", store: "Database") -> "tuple[list[str], Sequence[TableRow], dict[str, str]]":
        reports, near = await ProcessReportStore(store).read(), await bounds(store, settings.limits.database)
        return list(reports.values()), await store.tables(MOST, going_on=True), near

    texts, tables, near = with_store(read)
    reports = [msgspec.json.decode(text, type=ProcessReport) for text in texts]
    figures = added_up(report.figures for report in reports)
    if not reports:
        out.print("No server has written to this database in the last half minute.")
    else:
        out.print(
            f"Processes: {figures['sparring_processes']:.0f}, {figures['sparring_memory_bytes'] / 1e6:,.0f} MB, "
            f"{figures['sparring_streams']:.0f} open pages, {figures['sparring_tables']:.0f} tables in memory, "
            f"{figures.get('sparring_disk_free_bytes', 0) / 1e9:,.1f} GB of disk left"
        )
    active = [row for row in tables if row.changed > time.time() - LATELY]
    out.print(f"Matches in the last {LATELY // 60} minutes: {len(active)}{'+' * (len(active) == MOST)}")
    for row in active:
        names = ", ".join(seat.name or "open" for seat in row.seats)
        out.print(f"  {row.id}  {row.game}: {names}, {ago(row.changed)}", markup=False)
    for sentence in near.values():
        out.print(sentence)
    if refusing := figures.get("sparring_overloaded"):
        out.print(f"Overloaded: {refusing:.0f} of these processes refuse newcomers.")
    faults = [fault for report in reports for fault in report.faults]
    out.print("In the last two minutes:" if faults else "Nothing failed in the last two minutes.")
    for fault in faults:
        out.print(f"  {fault}", markup=False)


def storage(as_json: AsJson = False) -> None:
    """Show the size of the database and its limit, what it contains, and how many clients are near their limit."""
    from sparring.people.rate_limits import NEARLY
    from sparring.store.processes import RateLimitStore
    from sparring.store.schema import RecordRow, SetRow, TableRow

    async def facts(settings: "Settings", store: "Database") -> dict[str, int]:
        limits, now = settings.limits, time.time()
        whole = limits.stored_at_once * 3600 / limits.stored_each_hour
        full_at = await RateLimitStore(store).nearly_exhausted(int(1000 * now))
        heavy = [full for key, full in full_at.items() if key.startswith("stored ")]
        return {
            "bytes": await store.size(), "limit": limits.database,
            **{kind.__tablename__: await store.count(kind) for kind in (TableRow, SetRow, RecordRow)},
            "near_their_limit": sum(full / 1000 - now > NEARLY * whole for full in heavy),
        }  # fmt: skip

    found = with_store(facts)
    if as_json:
        write_json(found)
        return
    size, limit = found["bytes"], found["limit"]
    out.print(f"Database: {size / 1e6:,.1f} of {limit / 1e6:,.0f} MB ({size / limit:.0%})")
    out.print(f"Tables: {found['tables']:,}, studio sets: {found['sets']:,}, saved matches: {found['records']:,}")
    out.print(f"People and networks near their limit for 30 days: {found['near_their_limit']:,}")
