"""Keeping people out of a server, and being done with what was reported of them."""

import time
from collections.abc import Mapping
from ipaddress import ip_address
from typing import TYPE_CHECKING, Annotated, Any

import typer
from rich.markup import escape

from sparring.engine.errors import BadOption

from .common import AsJson, ago, out, with_store, write_json

if TYPE_CHECKING:
    from sparring.web.security.bans import Ban
    from sparring.web.storage.schema import ReportRow

#: How long the reason of a ban may be.
LONGEST_REASON = 200


def ban(
    person: Annotated[str | None, typer.Argument(metavar="PERSON", help="As `tables` tells it.")] = None,
    address: Annotated[
        str | None, typer.Option(metavar="IP", help="An address instead, or the network it is in.")
    ] = None,
    days: Annotated[int | None, typer.Option(min=1, help="For so long; usually for good.")] = None,
    why: Annotated[str, typer.Option(help="They are told this.")] = "",
) -> None:
    """Keep somebody out: within a few seconds they are told so at whatever they ask for next."""
    from sparring.web.security.bans import OFTEN, Ban

    who = banned(person, address)
    if len(why) > LONGEST_REASON:
        raise BadOption(f"A reason has at most {LONGEST_REASON} letters; this one has {len(why)}.")
    put(who, Ban(int(time.time()) + days * 86_400 if days else None, why))
    out.print(f"In {OFTEN:.0f} seconds at the latest {who} is kept out.", markup=False)


def pardon(
    person: Annotated[str | None, typer.Argument(metavar="PERSON", help="As `bans` tells it.")] = None,
    address: Annotated[str | None, typer.Option(metavar="IP", help="An address instead.")] = None,
) -> None:
    """Let somebody in again."""
    who = banned(person, address)
    if who not in all_bans():
        raise BadOption(f"Nobody keeps {who} out.")
    put(who, None)
    out.print(f"Let in again: {who}.", markup=False)


def bans() -> None:
    """Who is kept out, and what they are told."""
    known = all_bans()
    for who, ban in known.items():
        out.print(f"{who}: {ban}", markup=False)
    if not known:
        out.print("Nobody is kept out.")


def banned(person: str | None, address: str | None) -> str:
    """What somebody is called in the list of those who are kept out."""
    from sparring.web.security.bans import key
    from sparring.web.security.networks import network

    if bool(person) == bool(address):
        raise BadOption("Say one of both: a person, or --address.")
    if address:
        try:
            ip_address(address)
        except ValueError:
            raise BadOption(f"{address} is no address; they look like 192.0.2.7 or 2001:db8::7.") from None
    return key(person or "", network(address or ""))


def put(who: str, ban: "Ban | None") -> None:
    """Keep somebody out, or let them in."""
    from sparring.web.storage import BanStore

    with_store(lambda _, store: BanStore(store).put(who, ban))


def all_bans() -> "Mapping[str, Ban]":
    """Whoever is kept out now."""
    from sparring.web.storage import BanStore

    return with_store(lambda _, store: BanStore(store).all())


def reports(
    every: Annotated[bool, typer.Option("--all", help="Those as well that were settled in the last 90 days.")] = False,
    as_json: AsJson = False,
) -> None:
    """What people reported of what others said: the words, who said them, at which table, when."""
    from sparring.web.storage import ChatStore

    rows = with_store(lambda _, store: ChatStore(store).reports(settled=every))
    if as_json:
        write_json([reported(row) for row in rows])
        return
    for row in rows:
        who = f"person {row.person}" if row.person else "somebody who is gone"
        state = "settled" if row.settled else "waits"
        out.print(f"[bold]{row.number}[/]  {state}, table {escape(row.table)}, line {row.line}, said {ago(row.said)}")
        out.print(f"  {row.name} ({who}): {row.words}", markup=False)
        out.print(f"  reported {ago(row.made)} by {row.reporter or 'somebody'}", markup=False)
    if not rows:
        out.print("No report waits.")


def reported(row: "ReportRow") -> dict[str, Any]:
    """What is told of a report."""
    return {
        "number": row.number, "table": row.table, "line": row.line, "person": row.person, "name": row.name,
        "words": row.words, "said": row.said, "reporter": row.reporter, "reported": row.made, "settled": row.settled,
    }  # fmt: skip


def settle(
    number: Annotated[int, typer.Argument(metavar="REPORT", min=1, help="As `reports` tells it.")],
    remove: Annotated[bool, typer.Option("--remove", help="Take the line away, for all who see the table.")] = False,
) -> None:
    """Be done with a report, and with all others of the same line."""
    from sparring.web.storage import ChatStore

    if not with_store(lambda _, store: ChatStore(store).settle(number, remove=remove)):
        raise BadOption(f"There is no report {number}; `sparring admin reports` tells those that wait.")
    out.print(f"Report {number} is settled{', and the line is taken away' if remove else ''}.")
