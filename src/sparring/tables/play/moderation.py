"""Moderation: what the operator, and accounts with the role of moderator, do about other people and tables, with a log.

Moderators see no more of matches than spectators do. The role is read from the database for every look and action, so
that losing it counts at once, in every process and on open pages. The operator's commands may run beside a server.

Players who can't come back give up, by whichever door they left (`Departures`): what makes them leave (a deletion, a
ban, a revoked token) only changes the database, where every process looks. Tables without their set close.
"""

import asyncio
import contextlib
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from functools import partial

import msgspec

from sparring.engine.errors import SparringError
from sparring.scene.markup import one_line
from sparring.store.finished_matches import ResultStore
from sparring.store.group_commit import Work
from sparring.store.moderation import (
    BANNED_PERSON,
    MUTED_PERSON,
    Ban,
    BanStore,
    KnownPerson,
    ModerationStore,
    PeopleStore,
    add_entry,
)
from sparring.store.person import Person
from sparring.store.personal_data import DepartureStore
from sparring.store.schema import ModerationRow, ReportRow
from sparring.tables.state.changes import TableChange
from sparring.tables.state.chat_log import ChatLine
from sparring.tables.state.clock_events import closing, leaving
from sparring.tables.state.clock_state import EarlyEnding, Reason
from sparring.tables.state.table import NotAllowed, Table, TableChanged

from .commits import TableCommits
from .loading import TableLoader
from .match_results import result_of, summary_columns

MODERATOR = "moderator"
#: How often to look for departed players (seconds).
OFTEN = 3.0
#: What the log says that someone did.
ACTIONS = {
    "ban": "banned {name}", "pardon": "lifted the ban of {name}", "mute": "muted {name}",
    "unmute": "lifted the mute of {name}", "settle": "settled a report of a message by {name}",
    "remove": "removed a message by {name}", "close": "closed the table {table}",
    "appoint": "made {name} a moderator", "demote": "ended the role of {name} as a moderator",
}  # fmt: skip


async def close(commits: TableCommits, table_id: str, why: str = "", also: Work | None = None) -> None:
    """End a match without a winner; raise TableChanged if it is over.

    The reason `why` is shown to the players and stored in the record. `also` is written in the same transaction.
    """
    why = read_reason(why)
    await commits.commit_to(table_id, lambda table: closing(table, why=why), also)


def read_reason(why: str) -> str:
    """Return the reason for a closing, a ban or a mute as one line without its last full stop."""
    try:
        return msgspec.convert(one_line(why).rstrip(" .!"), Reason)
    except msgspec.ValidationError:
        raise SparringError(f"A reason must have at most 200 characters, not {len(why)}.") from None


@dataclass(frozen=True)
class BackfillResult:
    """How many matches were added to the history, and how many the current rules can't read."""

    kept: int = 0
    unread: int = 0


async def backfill(loader: TableLoader, progress: Callable[[int, int], None] = lambda *_: None) -> BackfillResult:
    """Add the results of matches that finished before results were stored.

    Ratings don't change: they depend on everyone's ratings on the day of the match, which are no longer known.
    `progress` is called with the number of matches done and of all.
    """
    missing, unread = await ResultStore(loader.store).missing(), 0
    for done, table in enumerate(missing):
        progress(done, len(missing))
        try:
            await _add_result(loader, table)
        except SparringError:
            unread += 1
    return BackfillResult(len(missing) - unread, unread)


async def _add_result(loader: TableLoader, table_id: str) -> None:
    table = await loader.load(table_id)
    row = await loader.store.load(table_id)
    if row is None:  # deleted meanwhile
        return
    result = replace(result_of(table, table.match, table.ended, loader.settings.limits), rated=False, ended=row.changed)
    await ResultStore(loader.store).add(result, summary_columns(table.match, table.ended)["standing"])


class NotModerator(SparringError):
    """The person isn't a moderator, and learns no more than at an unknown address."""

    status = 404


class ReportNotFound(SparringError):
    """There is no such report, or it has been settled."""

    status = 404


@dataclass(frozen=True)
class ReportedLine:
    """A reported chat line, all its open reports with the names of the reporters, and the lines around it."""

    reports: Sequence[tuple[ReportRow, str]]
    #: The reported line as it was, among the lines that were there when it was reported.
    lines: Sequence[ChatLine]
    #: Whether the table still exists.
    at_table: bool

    @property
    def report(self) -> ReportRow:
        """Return the first report."""
        return self.reports[0][0]


class Moderation:
    """The actions of moderators, and of the operator, who is None here and may do everything."""

    def __init__(self, commits: TableCommits) -> None:
        self._commits = commits
        self._chat = commits.registry.loader.chat_store
        self.store = ModerationStore(commits.registry.store)
        self.bans = BanStore(commits.registry.store)
        self.people = PeopleStore(commits.registry.store)

    async def require(self, person: Person) -> None:
        """Raise NotModerator unless a person is a moderator right now."""
        if (await self.store.responsible([person.id]))[person.id].role != MODERATOR:
            raise NotModerator("There is nothing at this address.")

    async def put_ban(self, by: Person | None, who: str, name: str, ban: Ban | None) -> None:
        """Ban or mute by a key (`key` in `store/moderation.py`), or lift it if `ban` is None. The log names `name`."""
        muted = who.startswith(MUTED_PERSON)
        person = who.partition(" ")[2] if muted or who.startswith(BANNED_PERSON) else None
        if by:
            await self._check(by, person or "")
            if ban and not muted and await self.store.are_playing(by.id, person or ""):
                raise NotAllowed("You are playing with this person. Ask another moderator or the operator.")
        if ban is None and who not in await self.bans.all():
            raise SparringError(f"Not {'muted' if muted else 'banned'}: {name}.")
        ban = ban and Ban(ban.until, read_reason(ban.why))
        row = ModerationRow(
            action=("mute" if ban else "unmute") if muted else "ban" if ban else "pardon", person=person, name=name,
            until=ban and ban.until, why=ban.why if ban else "",
        )  # fmt: skip
        await self.bans.put(who, ban, _by(by, row))

    async def settle(self, by: Person | None, number: int, *, remove: bool) -> str:
        """Settle all reports of the line that a report is about; return its table.

        `remove` removes the line for everyone.
        """
        report = await self._chat.load_report(number)
        if report is None or (report.settled and not remove):
            raise ReportNotFound(f"There is no open report {number}.")
        if by:
            await self._check(by, *filter(None, [report.person]))
        row = ModerationRow(
            action="remove" if remove else "settle", person=report.person, name=report.name, table=report.table
        )
        await self._chat.settle(report, remove=remove, entry=_by(by, row))
        return report.table

    async def close(self, by: Person | None, table: str, why: str) -> None:
        """End the match at a table without a winner; the people there read why."""
        if by:
            await self._check(by, *await self.store.people_at(table))
        row = ModerationRow(action="close", table=table, why=read_reason(why))
        await close(self._commits, table, why, partial(add_entry, row=_by(by, row)))

    async def set_role(self, person: KnownPerson, *, moderator: bool) -> None:
        """Make an account a moderator, or take the role away, as the operator."""
        row = ModerationRow(action="appoint" if moderator else "demote", person=person.id, name=person.name)
        await self.store.set_role(person.id, MODERATOR if moderator else "", _by(None, row))

    async def reports(self, most: int) -> Sequence[ReportedLine]:
        """Return the oldest reported lines for moderators: without those by moderators, which are the operator's."""
        rows = await self._chat.reports()
        people = await self.store.responsible({row.person for row in rows if row.person})
        lines = dict[tuple[str, int], list[ReportRow]]()
        for row in rows:
            if not (row.person and people[row.person].role):
                lines.setdefault((row.table, row.line), []).append(row)
        found = list(lines.values())[:most]
        near = await self._chat.context([reports[0] for reports in found]) if found else []
        names = {
            person.id: person.name
            for person in await self.people.by_id({row.reporter for rows in found for row in rows if row.reporter})
        }
        return [
            ReportedLine(
                [(row, names.get(row.reporter or "", "unknown")) for row in reports],
                _as_reported(reports[0], [ChatLine.of(line) for line in near if line.table_id == reports[0].table]),
                any(line.table_id == reports[0].table for line in near),
            )
            for reports in found
        ]

    async def _check(self, by: Person, *people: str) -> None:
        """Raise an error unless a moderator may act on some people: no other moderators, and not on themselves."""
        await self.require(by)
        for responsible in (await self.store.responsible(people)).values():
            if responsible.id == by.id:
                raise NotAllowed("This is about yourself. Ask another moderator or the operator.")
            if responsible.role:
                raise NotAllowed("This is about a moderator. Only the operator can do that.")


def sentence(row: ModerationRow) -> str:
    """Return an entry of the log in words."""
    done = ACTIONS[row.action].format(name=row.name, table=row.table)
    terms = Ban(row.until, row.why).terms
    forever = " for good" if row.action in ("ban", "mute") and row.until is None else ""
    return f"{row.moderator_name or 'The operator'} {done}{forever}{terms}"


def _by(by: Person | None, row: ModerationRow) -> ModerationRow:
    """Return an entry of the log with the moderator, or the operator if there is none."""
    row.moderator, row.moderator_name = (by.id, by.name) if by else (None, "")
    return row


def _as_reported(report: ReportRow, lines: Sequence[ChatLine]) -> Sequence[ChatLine]:
    """Return a reported line among those that had been said when it was reported."""
    reported = ChatLine("text", report.person or "", 0, report.name, report.words, said=report.said, number=report.line)
    before = [line for line in lines if line.number < report.line]
    after = [line for line in lines if line.number > report.line and line.said < report.made]
    return [*before, reported, *after]


class Departures:
    """Give up for players who can't come back, and close tables whose studio set is gone."""

    def __init__(self, commits: TableCommits) -> None:
        self.commits = commits
        self.registry = commits.registry
        self.store = DepartureStore(commits.registry.store)

    async def follow(self) -> None:
        """Handle departures until the task is cancelled."""
        while True:
            await asyncio.sleep(OFTEN)
            await self.handle()

    async def handle(self) -> None:
        """Give up at every table where a departed player is still playing, then close tables without their set."""
        for table, seat, ended in await self.store.departed(self.registry.now() // 1000):
            if seat not in EarlyEnding.read(ended).seats:
                await self._commit(table, partial(_giving_up, seat))
        for table in await self.store.without_set():
            await self._commit(table, partial(closing, set_deleted=True))

    async def _commit(self, table: str, describe: Callable[[Table], TableChange]) -> None:
        # Another process may have been faster, or this server can't read the table.
        with contextlib.suppress(SparringError):
            await self.commits.commit_to(table, describe)
            await self.registry.refresh([table])


def _giving_up(seat: int, table: Table) -> TableChange:
    if table.shown.over or seat in table.ended.seats:
        raise TableChanged("This player has already lost.")
    return leaving(table, seat, "gave up")
