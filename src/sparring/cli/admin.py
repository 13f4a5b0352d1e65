"""For whoever runs a server: what is kept there, putting it aside and back, its keys; `door.py` keeps people out."""

import asyncio
import contextlib
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer
from rich.markup import escape

from sparring.engine.errors import BadOption

from .account_recovery import reset_passkeys, reset_password
from .common import AsJson, ago, aside, find, out, server_settings, use_settings, with_store, write_json
from .moderation import ban, bans, pardon, reports, settle
from .server_settings import show_settings

if TYPE_CHECKING:
    from sparring.web.settings import Settings
    from sparring.web.storage import Database
    from sparring.web.storage.schema import TableRow

app = typer.Typer(callback=use_settings, no_args_is_help=True)

#: Of which rows people are told how many there are.
TOLD = ("tables", "sets", "pictures", "records")

TableId = Annotated[str, typer.Argument(metavar="TABLE", help="A table by the end of its link.")]


@app.command()
def tables(
    game: Annotated[str | None, typer.Option(help="Only of this game.")] = None,
    going_on: Annotated[bool, typer.Option("--going-on", help="Only those that are not over.")] = False,
    limit: Annotated[
        int, typer.Option(min=1, help="How many at most, those first at which something happened last.")
    ] = 50,
    as_json: AsJson = False,
) -> None:
    """Which tables there are, and who sits there."""
    name = find(game).name if game else None
    rows = with_store(lambda _, store: store.tables(limit, game=name, going_on=going_on))
    if as_json:
        write_json([described(row) for row in rows])
        return
    for row in rows:
        facts = described(row)
        state = "closed" if facts["closed"] else "over" if row.over else "going on"
        out.print(f"[bold]{row.id}[/]  {escape(row.game)}, {facts['choices']} choices, {state}, {ago(row.changed)}")
        for seat in facts["seats"]:
            who = seat["bot"] or (f"person {seat['person']}" if seat["person"] else "open")
            out.print(f"  {seat['seat']}  {seat['name'] or '-'}  ({who})", markup=False)
    if not rows:
        out.print("There are no such tables.")


def described(row: "TableRow") -> dict[str, Any]:
    """What is told of a table; never a hidden card, because whoever runs a server may play there too."""
    from sparring.web.tables.clocks.early_endings import EarlyEnding

    return {
        "id": row.id, "game": row.game, "choices": len(row.choices) // 2, "over": row.over, "created": row.created,
        "changed": row.changed, "host": row.host, "closed": EarlyEnding.read(row.ended).how == "closed",
        "seats": [{"seat": seat.seat, "name": seat.name, "person": seat.person, "bot": seat.bot} for seat in row.seats],
    }  # fmt: skip


@app.command()
def export(
    table: TableId,
    to: Annotated[Path | None, typer.Argument(metavar="FILE", help="A new file; usually it is written out.")] = None,
) -> None:
    """Write the record of a table, with all that was said there: of a match that goes on it holds every hidden card."""
    from sparring.web.tables.clocks.clock_record import exported
    from sparring.web.tables.registry import TableRegistry

    async def record(settings: "Settings", store: "Database") -> str:
        shelf = TableRegistry(settings, store)
        try:
            return exported(await shelf.get(table))
        finally:
            await shelf.close()

    text = with_store(record)
    if to is None:
        out.print(text, markup=False)
    elif to.exists():
        raise BadOption(f"There is a file {to} already; name another one.")
    else:
        to.write_text(text, encoding="utf-8")


@app.command()
def close(
    table: TableId,
    why: Annotated[str, typer.Option(help="Those at the table, and whoever reads its record, are told this.")] = "",
) -> None:
    """End the match at a table: nobody has won, and those who are there are told so in a few seconds."""
    from sparring.web.storage import NoticeStore
    from sparring.web.tables.operator_close import close as close_table
    from sparring.web.tables.registry import TableRegistry

    async def closed(settings: "Settings", store: "Database") -> None:
        shelf = TableRegistry(settings, store)
        try:
            await close_table(shelf, NoticeStore(store), table, why)
        finally:
            await shelf.close()

    with_store(closed)
    out.print(f"Table {table} is closed.", markup=False)


@app.command()
def prune(
    unused: Annotated[
        int | None,
        typer.Option(
            min=1, metavar="DAYS", help="Where nobody sits or nothing was chosen (default: the setting keep_unused)."
        ),
    ] = None,
    older: Annotated[
        int | None, typer.Option(min=1, metavar="DAYS", help="All others (default: the setting keep_days).")
    ] = None,
) -> None:
    """Delete tables at which nothing has happened for so long."""

    async def expire(settings: "Settings", store: "Database") -> int:
        now, gone = time.time(), 0
        unused_since = now - (unused or settings.keep_unused) * 86_400
        while more := await store.expire(unused_since, now - (older or settings.keep_days) * 86_400):
            gone += more
        return gone

    gone = with_store(expire)
    out.print(f"{gone} table{'s' * (gone != 1)} deleted." if gone else "Nothing was old enough.")


@app.command("fill-history")
def fill_history() -> None:
    """Have matches in people's histories that were over before histories were kept; ratings stay as they are."""
    from sparring.web.tables.history_backfill import remember
    from sparring.web.tables.registry import TableRegistry

    async def filled(settings: "Settings", store: "Database") -> tuple[int, int]:
        shelf = TableRegistry(settings, store)
        try:
            with shown("Reading matches") as progress:
                found = await remember(shelf, progress)
        finally:
            await shelf.close()
        return found.kept, found.unread

    kept, unread = with_store(filled)
    told = f"{kept} match{'es' * (kept != 1)} more in the histories of people" if kept else "No match was missing"
    older = f"; {unread} cannot be read, as the rules of the game have changed since" if unread else ""
    out.print(f"{told}{older}.", markup=False)


@app.command()
def backup(to: Annotated[Path, typer.Argument(metavar="FILE", help="A new file.")]) -> None:
    """Write all that the server keeps into one file, the keys of the cookies too: keep it as you keep those."""
    from sparring.web.storage.backup import back_up

    usual = server_settings()
    with shown("Writing") as progress:
        foot = with_store(lambda _, store: back_up(store, to, [usual.secret, *usual.elder], progress))
    out.print(f"{to} holds {told(foot.counts)}.", markup=False)


@app.command()
def restore(
    of: Annotated[Path, typer.Argument(metavar="FILE", help="What `sparring admin backup` wrote.")],
) -> None:
    """Bring a backup into a new database, which may be one of another kind; stop the server before."""
    from sparring.engine.folders import data_folder
    from sparring.web.settings import SECRET, keep_secrets
    from sparring.web.storage.backup import restore as bring_back

    usual = server_settings()

    def remember(found: list[str]) -> None:
        keep_secrets(data_folder() / SECRET, [*found, usual.secret])

    with shown("Reading") as progress:
        foot = asyncio.run(bring_back(usual.database, of, remember, progress))
    out.print(f"{of} is restored: {told(foot.counts)}.", markup=False)


@app.command("new-key")
def new_key(
    forget: Annotated[
        bool, typer.Option("--forget", help="Believe no older key any more: every guest loses who they were.")
    ] = False,
) -> None:
    """Sign cookies with a new key, when the server starts next; who comes with an older one gets a new cookie."""
    from sparring.engine.folders import data_folder
    from sparring.web.settings import SECRET, rotate_secret

    older = rotate_secret(data_folder() / SECRET, forget=forget)
    beside = f"{older} older one{'s are' if older > 1 else ' is'}" if older else "no older one is"
    out.print(f"There is a new key, and {beside} still believed. Restart the server.")


@app.command("worker-key")
def worker_key() -> None:
    """The key of workers (`sparring work`), to be put into their SPARRING_WORKER_KEY: it is good for jobs alone."""
    from sparring.web.cluster.worker_keys import worker_key as made

    out.print(made(server_settings().secret), markup=False, soft_wrap=True)


app.command("settings")(show_settings)
for command in (ban, pardon, bans, reports, settle, reset_password, reset_passkeys):
    app.command()(command)


@contextlib.contextmanager
def shown(what: str) -> Iterator[Callable[[int, int], None]]:
    """A progress bar while rows come and go."""
    from rich.progress import Progress

    with Progress(console=aside, transient=True, disable=not aside.is_terminal) as bar:
        task = bar.add_task(what, total=None)
        yield lambda done, every: bar.update(task, completed=done, total=every)


def told(counts: dict[str, int]) -> str:
    """How much of what there is."""
    found = [(name, counts[name]) for name in TOLD if name in counts]
    return (
        ", ".join(f"{count:,} {name.removesuffix('s') if count == 1 else name}" for name, count in found) or "nothing"
    )
