"""Commands on tables: list, export, close and delete them, and add old matches to the history."""

from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer
from rich.markup import escape

from sparring.cli.common import AsJson, ago, find, out, progress_bar, with_store, write_json
from sparring.engine.errors import BadOption

from .moderation import with_moderation

if TYPE_CHECKING:
    from sparring.settings import Settings
    from sparring.store.database import Database
    from sparring.store.schema import TableRow

TableId = Annotated[str, typer.Argument(metavar="TABLE", help="The table's id: the last part of its link.")]


def tables(
    game: Annotated[str | None, typer.Option(help="List only this game's tables.")] = None,
    going_on: Annotated[bool, typer.Option("--going-on", help="List only unfinished matches.")] = False,
    limit: Annotated[int, typer.Option(min=1, help="List at most this many tables, most recently active first.")] = 50,
    expire: Annotated[
        bool, typer.Option("--expire", help="Delete at once what is older than it is kept, if the clock is right.")
    ] = False,
    as_json: AsJson = False,
) -> None:
    """List tables and their players, or confirm the deletion of what is old."""
    if expire:
        _expire()
        return
    name = find(game).name if game else None
    rows = with_store(lambda _, store: store.tables(limit, game=name, going_on=going_on))
    if as_json:
        write_json([described(row) for row in rows])
        return
    for row in rows:
        facts = described(row)
        made = f"{facts['choices']} choice{'s' * (facts['choices'] != 1)}"
        state = "closed" if facts["closed"] else "over" if row.over else "in progress"
        out.print(f"[bold]{row.id}[/]  {escape(row.game)}, {made}, {state}, {ago(row.changed)}")
        for seat in facts["seats"]:
            who = seat["bot"] or (f"person {seat['person']}" if seat["person"] else "open")
            out.print(f"  {seat['seat']}  {seat['name'] or '-'}  ({who})", markup=False)
    if not rows:
        out.print("No tables found.")


def _expire() -> None:
    from sparring.scene.sentences import counted, listed
    from sparring.store.retention import Retention

    deleted = with_store(lambda settings, store: Retention(settings, store).expire_now())
    what = listed([counted(number, kind) for kind, number in deleted.items()])
    out.print(f"Deleted {what}." if what else "Nothing is old enough to delete.")


def described(row: "TableRow") -> dict[str, Any]:
    """Return the public facts of a table as JSON: no hidden cards, because operators may play on their own server."""
    from sparring.tables.state.clock_state import EarlyEnding

    return {
        "id": row.id, "game": row.game, "choices": len(row.choices) // 2, "over": row.over, "created": row.created,
        "changed": row.changed, "host": row.host, "closed": EarlyEnding.read(row.ended).how == "closed",
        "seats": [{"seat": seat.seat, "name": seat.name, "person": seat.person, "bot": seat.bot} for seat in row.seats],
    }  # fmt: skip


def export(
    table: TableId,
    to: Annotated[Path | None, typer.Argument(metavar="FILE", help="Write to this new file (default: print).")] = None,
) -> None:
    """Print or save a table's match record and chat. If the match is unfinished, this reveals every hidden card."""
    from sparring.engine.folders import no_permission
    from sparring.tables.play.loading import TableLoader
    from sparring.tables.state.clock_record import export

    async def record(settings: "Settings", store: "Database") -> str:
        loader = TableLoader(settings, store)
        try:
            return export(await loader.load(table))
        finally:
            await loader.close()

    text = with_store(record)
    if to is None:
        out.print(text, markup=False)
    else:
        try:
            with to.open("x", encoding="utf-8") as file:
                file.write(text)
        except FileExistsError:
            raise BadOption(f"{to} already exists; choose another file.") from None
        except PermissionError:
            raise BadOption(no_permission(to)) from None
        except OSError as problem:
            raise BadOption(f"Can't write to {to}: {problem.strerror}.") from None


def close(
    table: TableId,
    why: Annotated[str, typer.Option(help="Show this reason at the table and in its record.")] = "",
) -> None:
    """End a table's match without a winner. Players see it within a few seconds."""
    with_moderation(lambda moderation, _: moderation.close(None, table, why))
    out.print(f"Table {table} is closed.", markup=False)


def prune(
    unused: Annotated[
        int | None,
        typer.Option(
            min=1,
            metavar="DAYS",
            help="Delete tables in which no person has a seat or no choice was made after this many days (default: the "
            "setting keep_unused).",
        ),
    ] = None,
    older: Annotated[
        int | None,
        typer.Option(
            min=1,
            metavar="DAYS",
            help="Delete all other tables after this many days (default: the setting keep_days).",
        ),
    ] = None,
) -> None:
    """Delete tables that have been inactive for some days, and give their space back to the disk (SQLite)."""

    async def expire(settings: "Settings", store: "Database") -> int:
        from sparring.store.retention import Retention
        from sparring.store.schema import TableRow

        days = replace(settings, keep_unused=unused or settings.keep_unused, keep_days=older or settings.keep_days)
        gone = await Retention(days, store).expire_now(TableRow)
        await store.shrink()
        return gone.total()

    gone = with_store(expire)
    out.print(f"{gone} table{'s' * (gone != 1)} deleted." if gone else "No table is old enough to delete.")


def fill_history() -> None:
    """Add matches from before the history feature to players' histories. Ratings don't change."""
    from sparring.tables.play.loading import TableLoader
    from sparring.tables.play.moderation import backfill

    async def filled(settings: "Settings", store: "Database") -> tuple[int, int]:
        loader = TableLoader(settings, store)
        try:
            with progress_bar("Reading matches") as progress:
                found = await backfill(loader, progress)
        finally:
            await loader.close()
        return found.kept, found.unread

    kept, unread = with_store(filled)
    added = f"Added {kept} match{'es' * (kept != 1)} to players' histories" if kept else "No matches were missing"
    older = f"; {unread} can't be read because their game's rules have changed" if unread else ""
    out.print(f"{added}{older}.", markup=False)
