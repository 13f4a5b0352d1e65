"""Asks for moments of a match.

They are worked out and drawn in a process of its own, within limits of time and memory: a record may be as hostile as
any other file that people bring, and no page waits for more than its own moments.
"""

from typing import Literal

import msgspec

from sparring.engine.errors import BadRecord
from sparring.web.security.uploads import SandboxedProcess

#: As many moments are drawn at once, for a page that is played.
TOGETHER = 4


class MomentRequest(msgspec.Struct, frozen=True):
    """Moments of a match as a viewer saw it (`opened.OPEN`: all that any seat saw). None of none: is anybody there."""

    record: str = ""
    viewer: int = 0
    names: list[str] = []
    #: Which moment; or after which choice of the match, if the viewer may know how many there were. None: the last.
    at: int | None = None
    choices: int | None = None
    #: How many are drawn from there on; 1 draws it as it rests, without its beats.
    many: int = 1
    #: Whether it is drawn, told in lines of text for programs, or in words for people who listen.
    form: Literal["drawn", "text", "words"] = "drawn"
    #: In words: a question about the moment, and what follows it.
    asked: tuple[str, str] | None = None


class ShownMoment(msgspec.Struct, frozen=True):
    """A moment as it is drawn (or in text): its beats and where the table rests; the log beside it (what was said).

    In words: what was told, and the table at rest; all that was told until then; the answer, or why there is none.
    """

    at: int
    choices: int
    steps: list[str]
    said: str
    answer: list[str] = []
    refused: bool = False


class MomentClient(msgspec.Struct, frozen=True):
    """What was asked for; `last` is the last moment. Or the problem for which there is nothing to see."""

    game: str = ""
    seats: int = 0
    over: bool = False
    played: int = 0
    last: int = 0
    moments: list[ShownMoment] = []
    problem: str = ""


class TimelineSandbox(SandboxedProcess):
    """The process that shows matches."""

    def __init__(self) -> None:
        super().__init__("sparring.web.replay.record_sandbox", MomentRequest())

    async def show(self, wanted: MomentRequest) -> MomentClient:
        """Moments of a match; BadRecord says why there are none."""
        shown = await self.ask(wanted, MomentClient)
        if shown is None:
            raise BadRecord("This match takes too long or too much room to be shown.")
        if shown.problem:
            raise BadRecord(shown.problem)
        return shown
