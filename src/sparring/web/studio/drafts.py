"""Asks for what is done to a set: edits, faults and what is drawn beside it, all of it in a process of its own.

What people keep is as hostile as what they upload, and is read by the same reader within the same limits.
"""

from typing import Any

import msgspec

from sparring.engine.errors import BadContent, Step
from sparring.web.security.uploads import SandboxedProcess

from .edits import Edit


class SetDraft(msgspec.Struct, frozen=True):
    """A set as it stands, what is to be done to it, and which place somebody looks at. Without a game: who is there."""

    game: str = ""
    toml: str = ""
    options: dict[str, Any] = {}
    edits: list[Edit] = []
    at: list[str | int] = []
    where: str = "This set"


class EditSummary(msgspec.Struct, frozen=True):
    """A fault: the steps to its field, and its sentence there."""

    at: list[Step]
    words: str


class DraftSettled(msgspec.Struct, frozen=True):
    """A value that does not fit any more at a place, and why not."""

    at: list[Step]
    value: str
    words: str


class DraftResult(msgspec.Struct, frozen=True):
    """The set afterwards, or the problem for which nothing was done."""

    toml: str = ""
    options: dict[str, Any] = {}
    data: Any = None
    faults: list[EditSummary] = []
    beside: str = ""
    calm: list[DraftSettled] = []
    #: What was done, in words.
    told: str = ""
    problem: str = ""


class DraftSandbox(SandboxedProcess):
    """The process that does it."""

    def __init__(self) -> None:
        super().__init__("sparring.web.studio.set_sandbox", SetDraft())

    async def draft(self, asked: SetDraft) -> DraftResult:
        """A set after its edits; BadContent if they cannot be made, and then nothing was changed."""
        made = await self.ask(asked, DraftResult)
        if made is None:
            raise BadContent("This takes too long or too much room to read; nothing was changed.")
        if made.problem:
            raise BadContent(made.problem)
        return made
