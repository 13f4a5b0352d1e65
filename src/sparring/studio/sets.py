"""A server's sets: create, edit, undo, share and delete them. Changes are stored before they are shown."""

import re
import time
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import msgspec

from sparring.engine.errors import BadContent, Step
from sparring.engine.formats.toml import write_toml
from sparring.engine.game import Game
from sparring.engine.game import game as find_game
from sparring.engine.options import with_name
from sparring.people.rate_limits import RateLimits, Requester, TooMany, check_stored
from sparring.settings import DAY, Settings
from sparring.settings.secrets import new_id, random_id
from sparring.store.database import AlreadyCreated
from sparring.store.person import Person
from sparring.store.schema import SetRow, VersionRow
from sparring.store.studio import NoSet, SetStore

from .edits import Edit, looked_at
from .sandboxes import DraftResult, DraftSandbox, ImageUploads, SetDraft, SheetPreview, SheetRequest

LONGEST_NAME = 40


@dataclass(frozen=True)
class LoadedSet:
    """A set with its current version and that version's faults and preview."""

    row: SetRow
    version: VersionRow
    draft: DraftResult

    @property
    def game(self) -> Game:
        """Return the set's game."""
        return find_game(self.row.game)

    @property
    def options(self) -> dict[str, Any]:
        """Return the options that differ from the defaults."""
        chosen: dict[str, Any] = msgspec.json.decode(self.version.options)
        return chosen

    @property
    def file(self) -> str:
        """Return the set's file with its name, for tables, prints and downloads."""
        return named_file(self.row, self.version.toml)

    def options_at(self, at: Sequence[Step]) -> dict[str, Any]:
        """Return the options, with the item that is looked at."""
        return {**self.options, **looked_at(self.game.options(), self.draft.data, at)}

    def check_playable(self) -> None:
        """Raise BadContent if the set has faults, so that it can't be played, measured or printed."""
        if self.draft.faults:
            raise BadContent(f"This set can't be played, measured or printed yet: {self.draft.faults[0].words}")


class StudioSets:
    """All people's sets."""

    def __init__(self, settings: Settings, store: SetStore, rate_limits: RateLimits) -> None:
        self.settings, self.store, self.rate_limits = settings, store, rate_limits
        self.drafts = DraftSandbox()
        self.images = ImageUploads()

    async def create(
        self, game: Game, person: Person, name: str, toml: str | None, requester: Requester, *,
        options: str = "{}", description: str = "Created",
    ) -> SetRow:  # fmt: skip
        """Create a set from a TOML file, or empty if `toml` is None. The file may break the game's rules.

        Options in the file replace `options`. A repeated request gets the set of the first.
        """
        set_id = new_id(12, requester.once, "set", toml or "")
        if requester.once and (known := await self.store.load(id=set_id)):
            if known.person == person.id:
                return known
            set_id = random_id(12)
        self.rate_limits.take("sets", requester)
        limits, creator = self.settings.limits, requester.creator(self.settings.secret)
        if len(await self.store.of(person.id)) >= limits.sets_each:
            raise TooMany(f"You have {limits.sets_each} sets, the maximum. Delete one first.")
        if creator:
            refusal = f"Your network already has {limits.sets_from} sets, the maximum."
            await check_stored(self.store.count, creator, limits.sets_from, refusal)
        if not game.has_content:
            raise BadContent(f"{game.title} has no cards or boards to design.")
        toml = write_toml(game.form.blank()) if toml is None else toml
        draft = await self.drafts.draft(SetDraft(game.name, toml, msgspec.json.decode(options), where="Your file"))
        row = SetRow(
            id=set_id, share=random_id(12), person=person.id, game=game.name,
            name=set_name(name), version=1, newest=1, row_version=0, creator=creator,
        )  # fmt: skip
        version = VersionRow(
            set_id=row.id, number=1, toml=draft.toml, options=msgspec.json.encode(draft.options).decode(),
            description=description, mark="",
        )  # fmt: skip
        try:
            added = await self.store.add(row, version)
        except AlreadyCreated:  # by the first click, meanwhile
            return await self.own(person, set_id)
        self.rate_limits.add_stored(added, creator, requester.person, always=True)
        return row

    async def own(self, person: Person, set_id: str) -> SetRow:
        """Return the person's own set. Raises the same NoSet for other people's sets as for missing ones."""
        row = await self.store.load(id=set_id)
        if row is None or not person.id or row.person != person.id:
            raise NoSet(
                "You have no such set. If a friend sent you this address, ask for the set's share link: only its owner "
                "can open its own page. If the set is yours, it may have been deleted, or you are not signed in here."
            )
        return row

    async def shared(self, share: str) -> SetRow:
        """Return a shared set. Raises NoSet if there is none."""
        row = await self.store.load(share=share)
        if row is None:
            raise NoSet("This set doesn't exist. Its owner may have deleted it, or the link is incomplete.")
        return row

    async def own_or_shared(self, person: Person, set_id: str, share: str) -> SetRow:
        """Return the person's own set by `set_id`, or a shared one by `share`."""
        return await self.own(person, set_id) if set_id else await self.shared(share)

    async def load(self, row: SetRow, at: Sequence[str | int] = (), gallery: str = "") -> LoadedSet:
        """Return a set's current version, with a preview of the item at the path `at`, or with a drawn list."""
        if time.time() - row.used > DAY:
            await self.store.use(row)
        version = await self.version(row)
        return LoadedSet(row, version, await self.drafts.draft(_draft(row, version, at=list(at), gallery=gallery)))

    async def playable(self, person: Person, name: str, game: Game) -> LoadedSet:
        """Return a playable set for a game: the person's own by id, or a shared one by its share key."""
        row = await self.store.load(id=name)
        loaded = await self.load(row if row and row.person == person.id else await self.shared(name))
        if loaded.game is not game:
            raise BadContent(f"This set is for {loaded.game.title}, not {game.title}.")
        loaded.check_playable()
        return loaded

    async def version(self, row: SetRow, number: int = 0) -> VersionRow:
        """Return a version of a set, the current one by default. Raises NoSet if there is none."""
        possible = 0 <= number <= row.newest
        version = await self.store.version(row, number or row.version) if possible else None
        if version is None:
            raise NoSet("This version of the set is no longer stored.")
        return version

    async def edit(
        self, row: SetRow, edits: Sequence[Edit], at: Sequence[str | int], requester: Requester, name: str = ""
    ) -> LoadedSet:
        """Edit a set. Raises StaleWrite if it has changed since `row` was read."""
        self.rate_limits.take("set_edits", requester)
        version = await self.version(row)
        draft = await self.drafts.draft(_draft(row, version, list(edits), list(at)))
        renamed = {"name": set_name(name)} if name and set_name(name) != row.name else {}
        if edits:
            await self._change(row, requester, VersionRow(
                set_id=row.id, toml=draft.toml, options=msgspec.json.encode(draft.options).decode(),
                description=draft.description[:120], mark=_mark(edits),
            ), **renamed)  # fmt: skip
        elif renamed:
            await self.store.write(row, **renamed)
        fresh = await self.store.load(id=row.id)
        if fresh is None:
            raise NoSet("This set was deleted in another window.")
        return LoadedSet(fresh, await self.version(fresh), draft)

    async def import_sheet(self, row: SetRow, sheet: SheetRequest, requester: Requester) -> SheetPreview:
        """Preview an import, or store it with `sheet.apply`. Raises StaleWrite if the set has changed since `row`."""
        self.rate_limits.take("set_edits", requester)
        version = await self.version(row)
        draft = await self.drafts.draft(_draft(row, version, sheet=sheet))
        if draft.sheet is None:
            raise BadContent("This spreadsheet can't be read.")
        if sheet.apply:
            await self._change(row, requester, VersionRow(
                set_id=row.id, toml=draft.toml, options=version.options, description=draft.description[:120], mark="",
            ))  # fmt: skip
        return draft.sheet

    async def copy(self, row: SetRow, person: Person, requester: Requester) -> SetRow:
        """Copy a set for a person."""
        version, game = await self.version(row), find_game(row.game)
        name = f"Copy of {row.name}"[:LONGEST_NAME]
        return await self.create(
            game, person, name, version.toml, requester, options=version.options, description="Copied"
        )

    async def replace(
        self, row: SetRow, toml: str, options: dict[str, Any] | None, requester: Requester, name: str = ""
    ) -> LoadedSet:
        """Replace a set's file, options and name. Raises StaleWrite like `edit`."""
        self.rate_limits.take("set_edits", requester)
        draft = await self.drafts.draft(SetDraft(row.game, toml, {} if options is None else options))
        renamed = {"name": set_name(name)} if name else {}
        await self._change(row, requester, VersionRow(
            set_id=row.id, toml=draft.toml, options=msgspec.json.encode(draft.options).decode(),
            description="File replaced",
            mark="",
        ), **renamed)  # fmt: skip
        return await self.load(await self.shared(row.share))

    async def move_in_history(
        self, row: SetRow, direction: str, requester: Requester, number: int = 0, at: Sequence[str | int] = ()
    ) -> LoadedSet:
        """Undo, redo, or restore a version as a new one. Raises StaleWrite like `edit`."""
        if direction == "version":
            self.rate_limits.take("set_edits", requester)
            old = await self.version(row, number)
            description = f"Version {number} restored"
            version = VersionRow(set_id=row.id, toml=old.toml, options=old.options, description=description, mark="")
            await self._change(row, requester, version)
        else:
            target = row.version + (1 if direction == "redo" else -1)
            if target > row.newest or await self.store.version(row, target) is None:
                raise NoSet(f"There is nothing to {direction}.")
            await self.store.write(row, version=target)
        fresh = await self.store.load(id=row.id)
        return await self.load(fresh or row, at)

    async def _change(self, row: SetRow, requester: Requester, version: VersionRow, **values: Any) -> None:
        added = await self.store.change(row, version, **values)
        self.rate_limits.add_stored(added, requester.creator(self.settings.secret), requester.person, always=True)

    async def close(self) -> None:
        """Stop the sandboxed processes."""
        await self.drafts.close()
        await self.images.close()


def _draft(
    row: SetRow, version: VersionRow, edits: Sequence[Edit] = (), at: Sequence[str | int] = (), **more: Any
) -> SetDraft:
    return SetDraft(row.game, version.toml, msgspec.json.decode(version.options), list(edits), list(at), **more)


def _mark(edits: Sequence[Edit]) -> str:
    """Return a mark that joins consecutive typing in the same fields into one version; empty for other edits."""
    places = sorted({msgspec.json.encode(edit.at).decode() for edit in edits})
    typing = all(edit.do == "set" and isinstance(edit.value, str) for edit in edits)
    return " ".join(places)[:200] if typing else ""


def named_file(row: SetRow, toml: str) -> str:
    """Return a version of a set as a file with its name, if the game is then called so (`GameSetup.title`)."""
    return with_name(toml, row.name) if "name" in find_game(row.game).form.fields else toml


def set_name(text: str) -> str:
    """Normalize a set's name to one line. Raises BadContent if it is empty or too long."""
    name = re.sub(r"\s+", " ", "".join(char for char in text if char.isprintable() or char.isspace())).strip()
    if not name or len(name) > LONGEST_NAME:
        raise BadContent(f"A set's name must have 1 to {LONGEST_NAME} characters, not {len(name)}.")
    return name
