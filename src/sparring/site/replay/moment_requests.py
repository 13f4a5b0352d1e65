"""Client of the sandboxed process that replays records and renders their moments.

Records are untrusted uploads, so the process has limits of time and memory.
"""

from typing import Literal

import msgspec

from sparring.engine.errors import BadRecord
from sparring.scene.sentences import say
from sparring.tables.play.match_history import KeptLine
from sparring.tables.workers.uploads import SandboxedProcess

#: The most moments rendered per request, for a page that plays them.
MOST_MOMENTS = 4


class MomentRequest(msgspec.Struct, frozen=True):
    """A request for moments of a match in one viewer's view (`OPEN`: the open-information view). Empty: a ping."""

    record: str = ""
    viewer: int = 0
    names: list[str] = []
    #: The first moment, or the choice it follows if the viewer may know the number of choices. None: the last moment.
    at: int | None = None
    choices: int | None = None
    #: The number of moments; 1 renders only the final state, without beats.
    count: int = 1
    #: The output: HTML, lines of text for programs, or text mode.
    form: Literal["drawn", "text", "words", "picture", "lines"] = "drawn"
    #: In a picture of the position before choice number `choices`: an action to mark besides the one chosen.
    better: int | None = None
    #: In text mode: a typed query about the moment.
    query: str = ""


class ShownMoment(msgspec.Struct, frozen=True):
    """A rendered moment: `steps` are its beats and final state, `log` is the log so far.

    A picture is the only step, as SVG. In text mode `steps` are the new sentences and the table, and `answer` answers
    a query unless `refused`.
    """

    at: int
    choices: int
    steps: list[str]
    log: str
    answer: list[str] = []
    refused: bool = False


class MomentResponse(msgspec.Struct, frozen=True):
    """The requested moments, with the number of the last one; or the lines of the whole match; or the problem."""

    game: str = ""
    seats: int = 0
    over: bool = False
    played: int = 0
    last: int = 0
    moments: list[ShownMoment] = []
    lines: list[KeptLine] = []
    problem: str = ""


class TimelineSandbox(SandboxedProcess):
    """The process that renders moments."""

    def __init__(self) -> None:
        super().__init__("sparring.site.replay.record_sandbox", MomentRequest())

    async def show(self, request: MomentRequest) -> MomentResponse:
        """Render moments of a match. Raises BadRecord if the record can't be replayed."""
        response = await self.ask(request, MomentResponse)
        if response is None:
            raise BadRecord(say("Replaying this match takes too much time or memory."))
        if response.problem:
            raise BadRecord(response.problem)
        return response
