"""Moderation commands: bans, mutes, reports of chat messages, moderators and the log of what they do."""

import time
from collections.abc import Callable, Coroutine, Mapping
from ipaddress import ip_address, ip_network
from typing import TYPE_CHECKING, Annotated, Any, TypeVar

import typer
from rich.markup import escape

from sparring.cli.common import AsJson, ago, out, with_store, write_json
from sparring.engine.errors import BadOption

from .people import PERSON, described, find_person

if TYPE_CHECKING:
    from sparring.settings import Settings
    from sparring.store.database import Database
    from sparring.store.moderation import Ban
    from sparring.store.schema import ReportRow
    from sparring.tables.play.moderation import Moderation

T = TypeVar("T")

Why = Annotated[str, typer.Option(help="Show this reason to the person.")]


def with_moderation(work: "Callable[[Moderation, Database], Coroutine[Any, Any, T]]") -> T:
    """Run `work` with the moderation of an existing server."""
    from sparring.people.rate_limits import RateLimits
    from sparring.tables.play.commits import TableCommits
    from sparring.tables.play.moderation import Moderation
    from sparring.tables.play.registry import TableRegistry

    async def done(settings: "Settings", store: "Database") -> T:
        shelf = TableRegistry(settings, store)
        try:
            return await work(Moderation(TableCommits(shelf, RateLimits(settings.limits, settings.secret))), store)
        finally:
            await shelf.close()

    return with_store(done)


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
    why: Why = "",
) -> None:
    """Ban a person or an address. The ban takes effect within a few seconds."""
    from sparring.store.moderation import OFTEN, Ban

    until = int(time.time()) + days * 86_400 if days else None
    who = put_ban(person, address, Ban(until, why))
    out.print(f"Banned: {who}. This takes effect within {OFTEN:.0f} seconds.", markup=False)


def pardon(
    person: Annotated[str | None, typer.Argument(metavar="PERSON", help=PERSON)] = None,
    address: Annotated[str | None, typer.Option(metavar="IP", help="Lift the ban on this address instead.")] = None,
) -> None:
    """Lift a ban."""
    out.print(f"Ban lifted: {put_ban(person, address, None)}.", markup=False)


def mute(
    person: Annotated[str, typer.Argument(metavar="PERSON", help=PERSON)],
    hours: Annotated[int | None, typer.Option(min=1, help="Mute for this many hours (default: permanently).")] = None,
    why: Why = "",
) -> None:
    """Stop a person from chatting at all tables. This takes effect within a few seconds."""
    from sparring.store.moderation import OFTEN, Ban

    who = put_ban(person, None, Ban(int(time.time()) + hours * 3600 if hours else None, why), muted=True)
    out.print(f"Muted: {who}. This takes effect within {OFTEN:.0f} seconds.", markup=False)


def unmute(person: Annotated[str, typer.Argument(metavar="PERSON", help=PERSON)]) -> None:
    """Let a muted person chat again."""
    out.print(f"Mute lifted: {put_ban(person, None, None, muted=True)}.", markup=False)


def bans() -> None:
    """List all bans and mutes with the messages that these people see."""
    from sparring.store.moderation import BanStore, PeopleStore, key, sentence

    async def listed(_: "Settings", store: "Database") -> "tuple[Mapping[str, Ban], dict[str, str]]":
        known = await BanStore(store).all()
        people = await PeopleStore(store).by_id([who.partition(" ")[2] for who in known])
        return known, {key(each.id, muted=muted): described(each) for each in people for muted in (False, True)}

    known, people = with_store(listed)
    for who, ban in known.items():
        out.print(f"{people.get(who, who)}: {sentence(who, ban)}", markup=False)
    if not known:
        out.print("No bans.")


def put_ban(person: str | None, address: str | None, ban: "Ban | None", *, muted: bool = False) -> str:
    """Store the ban or mute of a person or an address, or delete it if `ban` is None; return whose it is.

    Raises:
        BadOption: Neither or both were given, the address is invalid, or the person isn't known or isn't banned.
    """
    from sparring.store.moderation import key
    from sparring.store.networks import SHARES, network

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
        if ban and ip_network(address).is_loopback:
            raise BadOption(f"{address} is this machine, from which a proxy forwards everyone's requests.")

    async def stored(moderation: "Moderation", store: "Database") -> str:
        who = told = key(person or "", network(address or ""), muted=muted)
        name = "an address" if address else "an unknown person"
        if person:
            try:
                found = await find_person(store, person)
                who, told, name = key(found.id, muted=muted), described(found), found.name
            except BadOption:
                if ban or who not in await moderation.bans.all():  # a banned person may be unknown by now
                    raise
        await moderation.put_ban(None, who, name, ban)
        return told

    return with_moderation(stored)


def reports(
    every: Annotated[bool, typer.Option("--all", help="Include reports settled in the last 90 days.")] = False,
    as_json: AsJson = False,
) -> None:
    """List reported chat messages with their author, table and time."""
    from sparring.store.chat_store import ChatStore

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
    with_moderation(lambda moderation, _: moderation.settle(None, number, remove=remove))
    out.print(f"Settled report {number}{' and removed the message' if remove else ''}.")


def role(
    person: Annotated[str, typer.Argument(metavar="PERSON", help=PERSON)],
    role: Annotated[str, typer.Argument(metavar="ROLE", help="`moderator`, or `none` to take the role away.")],
) -> None:
    """Make an account a moderator, who can act on reports and people at /moderation, or take the role away."""
    if role not in ("moderator", "none"):
        raise BadOption(f"ROLE must be moderator or none, not {role}.")

    async def changed(moderation: "Moderation", store: "Database") -> str:
        found = await find_person(store, person, sign_in=True)
        if not found.account:
            raise BadOption(f"{described(found)} has no account. Only accounts can be moderators.")
        await moderation.set_role(found, moderator=role == "moderator")
        return described(found)

    who = with_moderation(changed)
    out.print(f"{'A moderator' if role == 'moderator' else 'No moderator'} from now on: {who}.", markup=False)


def moderation_log(
    limit: Annotated[int, typer.Option(min=1, help="List at most this many entries, newest first.")] = 50,
    as_json: AsJson = False,
) -> None:
    """List what the operator and moderators have done in the last year: to whom, when and why."""
    from sparring.tables.play.moderation import sentence

    rows = with_moderation(lambda moderation, _: moderation.store.log(limit=limit))
    if as_json:
        write_json([
            {
                "at": row.at, "moderator": row.moderator, "moderator_name": row.moderator_name, "action": row.action,
                "person": row.person, "name": row.name, "table": row.table, "until": row.until, "why": row.why,
            }
            for row in rows
        ])  # fmt: skip
        return
    for row in rows:
        out.print(f"{time.strftime('%Y-%m-%d %H:%M', time.gmtime(row.at))} UTC  {sentence(row)}", markup=False)
    if not rows:
        out.print("No entries.")
