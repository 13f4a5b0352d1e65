"""Messages to and from the studio's job processes."""

import hashlib
import os
import re
from typing import Any, NamedTuple

import msgspec

from sparring.engine.formats.card_pictures import QUOTED
from sparring.lab.experiments.set_balance import Estimate, SetBalance


class MeasuringBot(NamedTuple):
    """A kind of bot that measures sets: the wanted half-width of confidence intervals, and its names.

    `tuning` is the number of matches with which it tries a candidate of a tuning.
    """

    precision: float
    tuning: int
    short: str
    plural: str


#: The bots that measure a set, in this order. More iterations would take some games over a minute.
BOTS = {
    "random": MeasuringBot(0.01, 6000, "random", "random bots"),
    "search:iterations=50": MeasuringBot(0.02, 800, "search", "search bots (50 iterations per choice)"),
}
#: The bots whose matches the report uses.
REPORT_BOT = "random"
#: Cores used for measuring, and the longest time for each kind of bot, in total and per step, in seconds per core.
CORES = min(2, os.cpu_count() or 1)
LONGEST, STEP = 60.0, 0.4


class SetContent(msgspec.Struct, frozen=True):
    """A set's content and options, which is what jobs work on."""

    game: str
    toml: str
    options: dict[str, Any] = {}

    @property
    def digest(self) -> bytes:
        """Return a digest of content and options, without pictures: the same for every owner."""
        played = self.game, QUOTED.sub("''", self.toml), self.options
        return hashlib.blake2b(msgspec.json.encode(played, order="deterministic"), digest_size=16).digest()


class Measure(msgspec.Struct, frozen=True, tag=True):
    """Play more matches with a set, continuing the last step."""

    content: SetContent
    bot: str
    compiled: bool


class Compile(msgspec.Struct, frozen=True, tag=True):
    """Compile a game for a kind of bot."""

    game: str
    bot: str


class Report(msgspec.Struct, frozen=True, tag=True):
    """Write the lab's report of a set."""

    content: SetContent
    name: str
    compiled: bool


class PrintForm(NamedTuple):
    """A form in which a set is printed: its title, the ending of its file, and its media type."""

    title: str
    ending: str
    media_type: str


#: The forms in which a set is printed, by the name that the command line uses.
PRINT_FORMS = {
    "pdf": PrintForm("PDF to cut out", "pdf", "application/pdf"),
    "blanks": PrintForm("Blank cards to fill in", "pdf", "application/pdf"),
    "tts": PrintForm("Tabletop Simulator", "zip", "application/zip"),
    "pcio": PrintForm("playingcards.io", "pcio", "application/zip"),
    "the-game-crafter": PrintForm("The Game Crafter", "zip", "application/zip"),
    "makeplayingcards": PrintForm("MakePlayingCards", "zip", "application/zip"),
    "drivethrucards": PrintForm("DriveThruCards", "zip", "application/zip"),
}


class Print(msgspec.Struct, frozen=True, tag=True):
    """Print a set in one of PRINT_FORMS."""

    content: SetContent
    form: str = "pdf"


class TrainRequest(msgspec.Struct, frozen=True, tag=True):
    """Train a value model for a set and a number of seats, continuing the last step."""

    content: SetContent
    seats: int


class Tune(msgspec.Struct, frozen=True, tag=True):
    """Tune a set for one step, continuing the last one.

    `plan` is a tuning file as `sparring lab --tune` reads it, without the content; `folder` is for its candidates.
    """

    content: SetContent
    plan: str
    folder: str


#: All requests to a process.
JobRequest = Measure | Compile | Report | Print | TrainRequest | Tune


class MeasuringStep(msgspec.Struct, frozen=True):
    """The balance of a set so far, and whether that is enough; or the problem."""

    balance: SetBalance | None = None
    enough: bool = False
    problem: str = ""


class JobFile(msgspec.Struct, frozen=True):
    """A file or the problem."""

    file: bytes = b""
    problem: str = ""


class TrainingProgress(msgspec.Struct, frozen=True):
    """The progress of training from 0 to 1 and its current step; or the problem.

    After training, `loss` and `loss_of_none` are the mean log losses on held-out matches, with the model and
    without it.
    """

    done: float = 0.0
    doing: str = ""
    loss: float = 0.0
    loss_of_none: float = 0.0
    problem: str = ""

    @property
    def is_over(self) -> bool:
        """Return whether training has finished or failed."""
        return bool(self.problem) or self.done >= 1.0


class TuningProposal(msgspec.Struct, frozen=True):
    """Values for a set, by path, with the figure that they were tuned for; no values: the unchanged set."""

    values: dict[str, int]
    wins: Estimate
    #: Whether the figure is within the range of the objective.
    met: bool


class TuningProgress(msgspec.Struct, frozen=True):
    """The progress of a tuning from 0 to 1 and its current step; then the proposals, best first; or the problem."""

    done: float = 0.0
    doing: str = ""
    unchanged: TuningProposal | None = None
    proposals: list[TuningProposal] = []
    matches: int = 0
    rejected: int = 0
    problem: str = ""

    @property
    def is_over(self) -> bool:
        """Return whether the tuning has finished or failed."""
        return bool(self.problem) or self.done >= 1.0


def file_name(name: str) -> str:
    """Return a safe file name for a set."""
    return re.sub(r"[^a-z0-9]+", "-", name.lower()).strip("-") or "set"
