"""Clients of the studio's sandboxed processes.

One (`set_sandbox.py`) edits sets, finds their faults and draws their previews; the other (`image_sandbox.py`) decodes
uploaded images. Stored sets are as untrusted as uploads, so the same reader reads them within the same limits.
"""

from math import ceil
from typing import Any

import msgspec

from sparring.engine.errors import BadContent, Step
from sparring.engine.game import Game
from sparring.engine.schema.columns import CellFault, ItemTable, SheetChange, item_tables
from sparring.tables.workers.uploads import SandboxedProcess

from .edits import Edit

#: The largest file of an image in bytes, and the largest width and height in pixels.
LARGEST = 5 * 1024 * 1024
SIDE = 4096


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


class UploadedImage(msgspec.Struct, frozen=True):
    """An uploaded image. Without data it is a ping."""

    data: bytes = b""


class DecodedImage(msgspec.Struct, frozen=True):
    """The picture as a content file stores it, or the problem with the image."""

    picture: str = ""
    problem: str = ""


class ImageUploads(SandboxedProcess):
    """The process that decodes and re-encodes images."""

    patience = 20.0

    def __init__(self) -> None:
        super().__init__("sparring.studio.image_sandbox", UploadedImage())

    async def convert(self, data: bytes) -> str:
        """Convert an image to a picture. Raises BadContent if it is invalid or too large."""
        if not data:
            raise BadContent("This file is empty. Choose a PNG, JPEG or WebP image.")
        if len(data) > LARGEST:
            megabytes = ceil(10 * len(data) / 2**20) / 10
            raise BadContent(f"This image is {megabytes} MB; the maximum is 5 MB.")
        result = await self.ask(UploadedImage(data), DecodedImage)
        if result is None:
            raise BadContent("Reading this image takes too much time or memory. Nothing was changed.")
        if result.problem:
            raise BadContent(result.problem)
        return result.picture
