"""Moderation commands: bans, and reports of chat messages."""

import time
from collections.abc import Mapping
from ipaddress import ip_address, ip_network
from typing import TYPE_CHECKING, Annotated, Any

import typer
from rich.markup import escape

from sparring.cli.common import AsJson, ago, out, with_store, write_json
from sparring.engine.errors import BadOption

from .people import PERSON, described, find_person

if TYPE_CHECKING:
    from sparring.web.security.bans import Ban
    from sparring.web.settings import Settings
    from sparring.web.storage import Database
    from sparring.web.storage.schema import ReportRow

#: The longest reason for a ban, in characters.
LONGEST_REASON = 200


def ban(
    person: Annotated[str | None, typer.Argument(metavar="PERSON", help=PERSON)] = None,
    address: Annotated[
        str | None,
        typer.Option(
            metavar="IP",
            help="Ban this address instead of a person: an IPv6 address bans its /64; /56 and /48 networks work too.",
        ),
    ] = None,
    days: Annotated[int | None, typer.Option(min=1, help="Ban for this many days (default: permanently).")] = None,
    why: Annotated[str, typer.Option(help="Show this reason to the banned person.")] = "",
) -> None:
    """Ban a person or an address. The ban takes effect within a few seconds."""
    from sparring.web.security.bans import OFTEN, Ban

    if len(why) > LONGEST_REASON:
        raise BadOption(f"--why must have at most {LONGEST_REASON} characters, not {len(why)}.")
    until = int(time.time()) + days * 86_400 if days else None
    who = put_ban(person, address, Ban(until, why))
    out.print(f"Banned: {who}. This takes effect within {OFTEN:.0f} seconds.", markup=False)


def pardon(
    person: Annotated[str | None, typer.Argument(metavar="PERSON", help=PERSON)] = None,
    address: Annotated[str | None, typer.Option(metavar="IP", help="Lift the ban on this address instead.")] = None,
) -> None:
    """Lift a ban."""
    out.print(f"Ban lifted: {put_ban(person, address, None)}.", markup=False)


def bans() -> None:
    """List all bans with the messages that banned people see."""
    from sparring.web.security.bans import key
    from sparring.web.storage import BanStore
    from sparring.web.storage.accounts.people_store import PeopleStore

    async def listed(_: "Settings", store: "Database") -> "tuple[Mapping[str, Ban], dict[str, str]]":
        known = await BanStore(store).all()
        people = await PeopleStore(store).by_id([who.partition(" ")[2] for who in known])
        return known, {key(person.id): described(person) for person in people}

    known, people = with_store(listed)
    for who, ban in known.items():
        out.print(f"{people.get(who, who)}: {ban}", markup=False)
    if not known:
        out.print("No bans.")


def put_ban(person: str | None, address: str | None, ban: "Ban | None") -> str:
    """Store the ban of a person or an address, or delete it if `ban` is None; return whose ban it is.

    Raises:
        BadOption: Neither or both were given, the address is invalid, or the person isn't known or isn't banned.
    """
    from sparring.web.security.bans import key
    from sparring.web.security.networks import SHARES, network
    from sparring.web.storage import BanStore

    if bool(person) == bool(address):
        raise BadOption("Give either a person or --address.")
    if address:
        try:
            if "/" not in address:
                ip_address(address)
            elif (banned := ip_network(address)).version == 4 or banned.prefixlen not in SHARES:
                raise ValueError
        except ValueError:
            raise BadOption(
                "--address must be an IP address such as 192.0.2.7 or 2001:db8::7, or an IPv6 network with /64, /56 or "
                f"/48, not {address}."
            ) from None
        address = str(ip_network(address)) if "/" in address else address

    async def stored(_: "Settings", store: "Database") -> str:
        bans = BanStore(store)
        known = await bans.all()
        who = name = key(person or "", network(address or ""))
        if person and not (ban is None and who in known):  # a banned person may have been deleted since
            found = await find_person(store, person)
            who, name = key(found.id), described(found)
        if ban is None and who not in known:
            raise BadOption(f"Not banned: {name}. `sparring admin bans` lists all bans.")
        await bans.put(who, ban)
        return name

    return with_store(stored)


def reports(
    every: Annotated[bool, typer.Option("--all", help="Include reports settled in the last 90 days.")] = False,
    as_json: AsJson = False,
) -> None:
    """List reported chat messages with their author, table and time."""
    from sparring.web.storage import ChatStore

    rows = with_store(lambda _, store: ChatStore(store).reports(settled=every))
    if as_json:
        write_json([reported(row) for row in rows])
        return
    for row in rows:
        who = f"person {row.person}" if row.person else "deleted account"
        state = "settled" if row.settled else "open"
        out.print(f"[bold]{row.number}[/]  {state}, table {escape(row.table)}, line {row.line}, posted {ago(row.said)}")
        out.print(f"  {row.name} ({who}): {row.words}", markup=False)
        out.print(f"  reported {ago(row.made)} by {row.reporter or 'a deleted account'}", markup=False)
    if not rows:
        out.print("No reports found.")


def reported(row: "ReportRow") -> dict[str, Any]:
    """Return a report as JSON."""
    return {
        "number": row.number, "table": row.table, "line": row.line, "person": row.person, "name": row.name,
        "words": row.words, "said": row.said, "reporter": row.reporter, "reported": row.made, "settled": row.settled,
    }  # fmt: skip


def settle(
    number: Annotated[int, typer.Argument(metavar="REPORT", min=1, help="The report's number from `reports`.")],
    remove: Annotated[bool, typer.Option("--remove", help="Also remove the reported message from the chat.")] = False,
) -> None:
    """Settle a report, and all other reports of the same message."""
    from sparring.web.storage import ChatStore

    if not with_store(lambda _, store: ChatStore(store).settle(number, remove=remove)):
        raise BadOption(f"There is no report {number}; `sparring admin reports --all` lists them.")
    out.print(f"Settled report {number}{' and removed the message' if remove else ''}.")
