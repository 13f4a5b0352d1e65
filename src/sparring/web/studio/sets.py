"""The sets of a server: begun, changed, undone, shared and let go. Whatever changes is stored first, then shown."""

import asyncio
import contextlib
import re
import secrets
import time
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import msgspec

from sparring.engine.errors import BadContent
from sparring.engine.formats.toml_writer import write_toml
from sparring.engine.game import Game
from sparring.engine.game import game as find_game
from sparring.web.identity import Person
from sparring.web.security.rate_limits import RateLimits, Requester, TooMany
from sparring.web.settings import DAY, Settings
from sparring.web.storage import NoSet, SetStore, StoreError
from sparring.web.storage.schema import SetRow, VersionRow

from .drafts import DraftResult, DraftSandbox, SetDraft
from .edits import Edit
from .image_uploads import ImageUploads

LONGEST_NAME = 40


@dataclass(frozen=True)
class HeldSet:
    """A set, the version it is at, and what can be seen of that."""

    row: SetRow
    version: VersionRow
    draft: DraftResult

    @property
    def game(self) -> Game:
        """What it is for."""
        return find_game(self.row.game)

    @property
    def options(self) -> dict[str, Any]:
        """The options that differ from the defaults."""
        chosen: dict[str, Any] = msgspec.json.decode(self.version.options)
        return chosen

    def check(self) -> None:
        """BadContent if one cannot play with it yet, nor have it measured or printed."""
        if self.draft.faults:
            raise BadContent(f"This set cannot be played with, measured or printed yet: {self.draft.faults[0].words}")


class StudioSets:
    """Everybody's sets."""

    def __init__(self, settings: Settings, store: SetStore, quotas: RateLimits) -> None:
        self.settings, self.store, self.quotas = settings, store, quotas
        self.drafts = DraftSandbox()
        self.images = ImageUploads()

    async def begin(
        self, game: Game, person: Person, name: str, toml: str | None, asking: Requester, *,
        options: str = "{}", told: str = "Begun",
    ) -> SetRow:  # fmt: skip
        """A new set from a file, or from nothing; what it holds need not be legal, but it has to be TOML."""
        self.quotas.begin_set(asking)
        limits, opener = self.settings.limits, asking.opener(self.settings.secret)
        if len(await self.store.of(person.id)) >= limits.sets_each:
            raise TooMany(f"You keep {limits.sets_each} sets, which is as many as there is room for; let one go first.")
        if opener and await self.store.count(opener) >= limits.sets_from:
            raise TooMany("Very many sets were begun from where you are; there is no room for more.")
        if not game.has_content:
            raise BadContent(f"{game.title} has no cards of its own that could be changed.")
        toml = write_toml(game.form.blank()) if toml is None else toml
        await self.drafts.draft(SetDraft(game.name, toml, where="Your file"))
        row = SetRow(
            id=secrets.token_urlsafe(12), share=secrets.token_urlsafe(12), person=person.id, game=game.name,
            name=set_name(name), version=1, newest=1, edition=0, opener=opener,
        )  # fmt: skip
        await self.store.add(row, VersionRow(set_id=row.id, number=1, toml=toml, options=options, told=told, mark=""))
        return row

    async def mine(self, person: Person, set_id: str) -> SetRow:
        """A set of one's own; whose it is else is told to nobody."""
        row = await self.store.load(id=set_id)
        if row is None or not person.id or row.person != person.id:
            raise NoSet("There is no such set here; perhaps it was let go, or the link was cut off.")
        return row

    async def shared(self, share: str) -> SetRow:
        """A set that somebody lets others look at."""
        row = await self.store.load(share=share)
        if row is None:
            raise NoSet("There is no such set; whoever shared it has let it go, or the link was cut off.")
        return row

    async def either(self, person: Person, set_id: str, share: str) -> SetRow:
        """A set of one's own, or one that somebody shares."""
        return await self.mine(person, set_id) if set_id else await self.shared(share)

    async def look(self, row: SetRow, at: Sequence[str | int] = ()) -> HeldSet:
        """A set as it stands, and as it is seen by whoever looks at one place of it."""
        if time.time() - row.used > DAY:
            await self.store.use(row)
        version = await self.version(row)
        return HeldSet(row, version, await self.drafts.draft(_draft(row, version, at=list(at))))

    async def playable(self, person: Person, name: str, game: Game) -> HeldSet:
        """A set of one's own by its id, or of somebody else by what it is shared by, with which one can play a game."""
        row = await self.store.load(id=name)
        held = await self.look(row if row and row.person == person.id else await self.shared(name))
        if held.game is not game:
            raise BadContent(f"This set is for {held.game.title}, and not for {game.title}.")
        held.check()
        return held

    async def version(self, row: SetRow, number: int = 0) -> VersionRow:
        """A version of a set, that where it is if no other is named."""
        known = 0 <= number <= row.newest
        version = await self.store.version(row, number or row.version) if known else None
        if version is None:
            raise NoSet("This version of the set is not remembered any more.")
        return version

    async def edit(
        self, row: SetRow, edits: Sequence[Edit], at: Sequence[str | int], asking: Requester, name: str = ""
    ) -> HeldSet:
        """Change a set, whose edition is the one that somebody saw; Stale if it was changed meanwhile."""
        self.quotas.edit_set(asking)
        version = await self.version(row)
        draft = await self.drafts.draft(_draft(row, version, list(edits), list(at)))
        called = {"name": set_name(name)} if name and set_name(name) != row.name else {}
        if edits:
            await self.store.change(row, VersionRow(
                set_id=row.id, toml=draft.toml, options=msgspec.json.encode(draft.options).decode(),
                told=draft.told[:120], mark=_mark(edits),
            ), **called)  # fmt: skip
        elif called:
            await self.store.write(row, **called)
        fresh = await self.store.load(id=row.id)
        if fresh is None:
            raise NoSet("This set was let go in another window.")
        return HeldSet(fresh, await self.version(fresh), draft)

    async def copy(self, row: SetRow, person: Person, asking: Requester) -> SetRow:
        """A set of somebody's own that begins as another one is."""
        kept, game = await self.version(row), find_game(row.game)
        name = f"Copy of {row.name}"[:LONGEST_NAME]
        return await self.begin(game, person, name, kept.toml, asking, options=kept.options, told="Copied")

    async def write(
        self, row: SetRow, toml: str, options: dict[str, Any] | None, asking: Requester, name: str = ""
    ) -> HeldSet:
        """Put another file, other options, another name in place of what a set has; Stale as with `edit`."""
        self.quotas.edit_set(asking)
        draft = await self.drafts.draft(SetDraft(row.game, toml, {} if options is None else options))
        called = {"name": set_name(name)} if name else {}
        await self.store.change(row, VersionRow(
            set_id=row.id, toml=draft.toml, options=msgspec.json.encode(draft.options).decode(), told="Written anew",
            mark="",
        ), **called)  # fmt: skip
        return await self.look(await self.shared(row.share))

    async def go(self, row: SetRow, way: str, number: int = 0, at: Sequence[str | int] = ()) -> HeldSet:
        """Undo, redo, or restore an older version, which can be undone too; Stale as with `edit`."""
        if way == "version":
            old = await self.version(row, number)
            told = f"Back to what it was at version {number}"
            await self.store.change(
                row, VersionRow(set_id=row.id, toml=old.toml, options=old.options, told=told, mark="")
            )
        else:
            to = row.version + (1 if way == "redo" else -1)
            if to > row.newest or await self.store.version(row, to) is None:
                raise NoSet(f"There is nothing more to {way}.")
            await self.store.write(row, version=to)
        fresh = await self.store.load(id=row.id)
        return await self.look(fresh or row, at)

    async def expire(self) -> None:
        """Now and then let go of sets at which nobody has looked for long."""
        while True:
            with contextlib.suppress(StoreError):
                await self.store.expire(time.time() - DAY * self.settings.keep_days)
            await asyncio.sleep(3600.0)

    async def close(self) -> None:
        """End the processes that read."""
        await self.drafts.close()
        await self.images.close()


def _draft(row: SetRow, version: VersionRow, edits: Sequence[Edit] = (), at: Sequence[str | int] = ()) -> SetDraft:
    return SetDraft(row.game, version.toml, msgspec.json.decode(version.options), list(edits), list(at))


def _mark(edits: Sequence[Edit]) -> str:
    """Where somebody types; what is no typing has no mark."""
    places = sorted({msgspec.json.encode(edit.at).decode() for edit in edits})
    typing = all(edit.do == "set" and isinstance(edit.value, str) for edit in edits)
    return " ".join(places)[:200] if typing else ""


def set_name(text: str) -> str:
    """A name as it is shown: one line, not too long."""
    name = re.sub(r"\s+", " ", "".join(sign for sign in text if sign.isprintable() or sign.isspace())).strip()
    if not name or len(name) > LONGEST_NAME:
        raise BadContent(f"The name of a set has 1 to {LONGEST_NAME} letters.")
    return name
