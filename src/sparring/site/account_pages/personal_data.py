"""Personal data: move a guest's matches and sets into an account, export everything, delete it."""

import re
import time
from collections.abc import AsyncGenerator, AsyncIterator, Iterable
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from typing import Any

import msgspec

from sparring.engine.errors import SparringError
from sparring.people.accounts import Accounts, ProfileVisibility
from sparring.people.api_tokens import Tokens
from sparring.people.emails import EmailAddresses
from sparring.people.notifications import Dispatcher
from sparring.settings.secrets import random_id
from sparring.store.finished_matches import ReplayStore
from sparring.store.friends import FriendStore
from sparring.store.invitations import ChallengeStore
from sparring.store.person import Person
from sparring.store.personal_data import PersonalDataStore
from sparring.store.rating_model import SkillRating
from sparring.store.schema import ChatLineRow, RecordRow, ResultRow, SetRow, TableRow
from sparring.store.studio import NAMED, SetStore
from sparring.tables.play.match_history import OUTCOMES
from sparring.tables.play.match_results import variant_name
from sparring.tables.state.chat_log import ChatLine
from sparring.tables.tables import Tables

#: The version of the export format.
FORMAT = 1


@dataclass(frozen=True)
class DataCounts:
    """How much data a person has. `own` counts tables without other people, `shared` those with."""

    own: int
    shared: int
    sets: int
    records: int
    tokens: int


@dataclass(frozen=True)
class PersonalData:
    """Access to a person's data across all stores."""

    accounts: Accounts
    store: PersonalDataStore
    tables: Tables
    sets: SetStore
    records: ReplayStore
    tokens: Tokens
    addresses: EmailAddresses
    dispatcher: Dispatcher
    friends: FriendStore
    challenges: ChallengeStore

    async def count(self, person: Person) -> DataCounts:
        """Count a person's tables, sets, records and tokens."""
        tables = await self.store.tables(person.id)
        shared = sum(any(seat.person not in (None, person.id) for seat in table.seats) for table in tables)
        sets, records = await self.sets.of(person.id), await self.records.of(person.id)
        tokens = await self.tokens.store.of(person.id)
        return DataCounts(len(tables) - shared, shared, len(sets), len(records), len(tokens))

    async def merge_guest(self, guest: Person, person: Person) -> Person | None:
        """Move a guest's matches and sets to a person, and end what acts as the guest.

        Return the new guest who keeps seats at tables where the person already has one.
        """
        rest = replace(guest, id=random_id(16))
        changed, left = await self.store.move_data(guest.id, person.id, rest.id)
        await self.tokens.refresh()
        for each in (guest.id, person.id):
            self.accounts.sessions.forget(each)
        await self.tables.registry.refresh(changed)
        return rest if left else None

    async def sign_out_everywhere(self, person: Person, *, programs: bool) -> None:
        """Revoke all cookies of an account, including this browser's, and its API tokens if `programs` is set."""
        if programs:
            await self.tokens.revoke_all(person)
        await self.accounts.sign_out_everywhere(person)

    async def delete(self, person: Person) -> None:
        """Delete all of a person's data, and give up their matches. Seats at shared tables stay, without the name."""
        if person.has_account:
            self.accounts.check_fresh(person)
        tokens = await self.tokens.store.of(person.id)
        touched = await self.store.delete_person(person.id)
        for token in tokens:
            self.tokens.forget(token.digest)
        self.accounts.sessions.forget(person.id)
        await self.tables.departures.handle()
        await self.tables.registry.refresh(touched)

    async def export(self, person: Person) -> AsyncGenerator[bytes]:
        """Yield the export of all a person's data as pieces of one JSON file.

        For unfinished matches, it contains only what everyone can see.
        """
        methods = await self.accounts.sign_in_methods(person)
        account = await self.accounts.account(person)
        yield _line("{", "format", FORMAT) + _line(",", "made", _day(time.time()))
        yield _line(",", "name", person.name) + _line(",", "signs in as", methods.login or None)
        yield _line(",", "account since", _day(account.created) if account else None)
        yield _line(",", "passkeys", [
            {"name": key.label, "for": key.site, "made": _day(key.created), "last used": _day(key.used)}
            for key in methods.passkeys
        ])  # fmt: skip
        yield _line(",", "tokens", [
            {"name": token.name, "scopes": token.scopes.split(), "bot": bool(token.bot), "made": _day(token.created)}
            for token in await self.tokens.store.of(person.id)
        ])  # fmt: skip
        for chunk in await self._notifications(person):
            yield chunk
        ratings = await self.tables.registry.loader.ratings.of(person.id)
        yield _line(",", "ratings", [
            {"game": each.variant.game, "variant": variant_name(each.variant), "points": each.rating.points,
             "uncertainty": each.rating.uncertainty, "matches": each.matches, "opponents": each.opponents}
            for each in ratings
        ])  # fmt: skip
        yield _line(",", "longest streaks of puzzles", await self.store.streaks(person.id))
        preferences = await self.accounts.sessions.current(person.id, person.epoch)
        yield _line(",", "tables as pages of words", bool(preferences.words))
        yield _line(",", "visible to others", ProfileVisibility.of(account))
        results = {row.table_id: row for row in await self.tables.results.all_of(person.id)}
        async for chunk in _listed(
            "tables", await self.store.tables(person.id), lambda row: self._table(row, person, results.get(row.id))
        ):
            yield chunk
        async for chunk in _listed("sets", await self.sets.of(person.id), self._set):
            yield chunk
        yield _line(",", "pictures", await self.store.pictures(person.id))
        async for chunk in _listed("records", await self.records.of(person.id), _record):
            yield chunk
        yield _line(",", "invitations to bring a half", [
            {"game": row.game, "as": row.name, "made": _day(row.made), "toml": row.toml}
            for row in await self.tables.halves.store.of(person.id)
        ])  # fmt: skip
        chat_store = self.tables.chat.store
        async for chunk in _listed("said", await chat_store.said_by(person.id), _said):
            yield chunk
        yield _line(",", "muted", [row.name for row in await chat_store.mutes(person.id)])
        yield _line(",", "reported", [
            {"table": row.table, "who": row.name, "words": row.words, "when": _day(row.made)}
            for row in await chat_store.reported_by(person.id)
        ])  # fmt: skip
        yield _line(",", "moderation", [
            {"when": _day(row.at), "what": row.action, "until": _day(row.until) if row.until else None, "why": row.why}
            for row in await self.tables.moderation.store.about(person.id)
        ])  # fmt: skip
        yield _line(",", "friends", [
            {"name": line.name, "state": line.state} for line in await self.friends.of(person.id)
        ])  # fmt: skip
        yield _line(",", "friends don't see that you are online", await self.friends.hides(person.id))
        yield _line(",", "challenges", [
            {"name": line.name, "game": line.game, "sent": sent}
            for sent in (False, True) for line in await self.challenges.of(person.id, sent=sent)
        ])  # fmt: skip
        yield b"}\n"

    async def _notifications(self, person: Person) -> list[bytes]:
        """Return the e-mail address, and which notifications go where."""
        address, choices = await self.addresses.of(person), self.dispatcher.choices
        return [
            _line(",", "e-mail address", address.address if address else None),
            _line(",", "e-mail address to confirm", address.pending if address else None),
            _line(",", "notifications", [
                {"kind": kind, "channel": channel} for kind, channel in sorted(await choices.choices(person.id))
            ]),
            _line(",", "browsers with push notifications", [
                {"name": device.label, "endpoint": device.endpoint, "since": _day(device.created)}
                for device in await choices.devices(person.id)
            ]),
        ]  # fmt: skip

    async def _table(self, row: TableRow, person: Person, result: ResultRow | None) -> dict[str, Any]:
        """Return a table. The record has the seed, which reveals hidden cards, so only finished matches include it."""
        table = {
            "game": row.game, "opened": _day(row.created), "opened by you": row.host == person.id, "over": row.over,
            "options": msgspec.json.decode(row.options),
            "seats": [{"name": seat.name, "bot": seat.bot, "you": seat.person == person.id} for seat in row.seats],
        }  # fmt: skip
        if result:
            table["result"] = _result(result)
        if row.over:
            try:
                table["record"] = msgspec.json.decode(
                    await self.tables.registry.loader.record(row, await self.tables.chat.muted(person))
                )
            except SparringError as problem:
                table["record"], table["why there is no record"] = None, str(problem)
        return table

    async def _set(self, row: SetRow) -> dict[str, Any]:
        """Return a set's current file with its pictures, and older versions with only the pictures' names."""
        current = await self.sets.version(row, row.version)
        return {
            "name": row.name, "game": row.game, "begun": _day(row.created), "toml": current.toml if current else "",
            "versions": [
                {
                    "number": version.number, "made": _day(version.made), "change": version.description,
                    "options": msgspec.json.decode(version.options),
                    "toml": NAMED.sub(lambda match: f"picture {match[1]}", version.toml),
                }
                for version in await self.sets.history(row)
            ],
        }  # fmt: skip


def _result(row: ResultRow) -> dict[str, Any]:
    """Return how a match ended for the player, with the new rating if it was rated."""
    rating = SkillRating(row.mu, row.sigma) if row.mu is not None and row.sigma is not None else None
    return {"ended": _day(row.ended), "outcome": OUTCOMES[row.outcome], "rating": str(rating) if rating else None}


async def _record(row: RecordRow) -> dict[str, Any]:
    return {"name": row.name, "brought": _day(row.created), "record": msgspec.json.decode(row.record)}


async def _said(row: ChatLineRow) -> dict[str, Any]:
    line = ChatLine.of(row)
    about = {"move": line.about} if line.about else {}
    return {"table": row.table_id, "as": line.name, "when": _day(line.said), **about, "words": line.text}


async def _listed(name: str, rows: Iterable[Any], encode: Any) -> AsyncIterator[bytes]:
    """Yield a list row by row, because all rows together may not fit in memory."""
    yield _line(",", name, [])[:-1]
    separator = b"\n  "
    for row in rows:
        yield separator + msgspec.json.encode(await encode(row))
        separator = b",\n  "
    yield b"]"


def _line(before: str, name: str, value: Any) -> bytes:
    return f"{before}\n".encode() + msgspec.json.encode(name) + b": " + msgspec.json.encode(value)


def _day(seconds: float) -> str:
    return datetime.fromtimestamp(seconds, UTC).isoformat(timespec="seconds")


def file_name(person: Person) -> str:
    """Return the export's file name."""
    return f"sparring-{re.sub(r'[^A-Za-z0-9]+', '-', person.name).strip('-').lower() or 'guest'}.json"
