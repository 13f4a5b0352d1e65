"""Client of the sandboxed process that edits sets, finds their faults and draws their previews.

Stored sets are as untrusted as uploads, so the same reader reads them within the same limits.
"""

from typing import Any

import msgspec

from sparring.engine.errors import BadContent, Step
from sparring.engine.game import Game
from sparring.engine.schema.columns import CellFault, ItemTable, SheetChange, item_tables
from sparring.tables.workers.uploads import SandboxedProcess

from .edits import Edit


class SheetRequest(msgspec.Struct, frozen=True):
    """A spreadsheet to import into the list `part`: a file's `data` or `text`, and the field of each column.

    Without a `mapping` the headers decide. The set changes only with `apply`.
    """

    part: str
    data: bytes = b""
    text: str = ""
    mapping: list[str] | None = None
    remove: bool = False
    apply: bool = False


class SheetPreview(msgspec.Struct, frozen=True):
    """What an import changes: its cells as CSV text, the field of each column, the changes and the faults by cell."""

    text: str
    header: list[str]
    mapping: list[str]
    changes: list[SheetChange]
    unchanged: int
    faults: list[CellFault]


class DrawnItem(msgspec.Struct, frozen=True):
    """An item of a list as its game draws it, and numbers to sort by, such as its cost."""

    drawing: str
    numbers: dict[str, int] = {}


class SetDraft(msgspec.Struct, frozen=True):
    """A set, the edits to apply and the path to preview. Without a game it is a ping."""

    game: str = ""
    toml: str = ""
    options: dict[str, Any] = {}
    edits: list[Edit] = []
    at: list[str | int] = []
    where: str = "This set"
    #: The list whose items to draw.
    gallery: str = ""
    sheet: SheetRequest | None = None


class FieldFault(msgspec.Struct, frozen=True):
    """A fault: the path of its field and a sentence."""

    at: list[Step]
    words: str


class MisfitValue(msgspec.Struct, frozen=True):
    """A value that no longer fits its field, and why."""

    at: list[Step]
    value: str
    words: str


class DraftResult(msgspec.Struct, frozen=True):
    """The edited set, or the reason why nothing changed."""

    toml: str = ""
    options: dict[str, Any] = {}
    data: Any = None
    faults: list[FieldFault] = []
    preview: str = ""
    misfits: list[MisfitValue] = []
    #: A description of the edits.
    description: str = ""
    problem: str = ""
    gallery: list[DrawnItem] = []
    sheet: SheetPreview | None = None


class DraftSandbox(SandboxedProcess):
    """The process that edits sets."""

    def __init__(self) -> None:
        super().__init__("sparring.studio.set_sandbox", SetDraft())

    async def draft(self, request: SetDraft) -> DraftResult:
        """Return a set after its edits. Raises BadContent if they can't be applied; then nothing has changed."""
        result = await self.ask(request, DraftResult)
        if result is None:
            raise BadContent("Reading this set takes too much time or memory. Nothing was changed.")
        if result.problem:
            raise BadContent(result.problem)
        return result


def table_of(game: Game, part: str) -> ItemTable:
    """Return a list of a game's content as a table, by default the first. Raises BadContent if there is none."""
    tables = item_tables(game.form)
    if not tables or (part and part not in tables):
        raise BadContent(f"{game.title} has no such list to show as a table.")
    return tables[part or next(iter(tables))]
