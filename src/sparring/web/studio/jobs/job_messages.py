"""What the processes of the workshop are asked, and what they answer."""

import hashlib
import os
import re
from typing import Any, NamedTuple

import msgspec

from sparring.engine.formats.card_pictures import QUOTED
from sparring.lab.experiments.set_balance import SetBalance


class Kind(NamedTuple):
    """A kind of bot by which sets are measured: half the width of the intervals that are wanted; how it is called."""

    precision: float
    short: str
    called: str


#: The bots by which a set is measured, one after the other. With more tries some games are not known in a minute.
BOTS = {
    "random": Kind(0.01, "random", "random bots"),
    "search:iterations=50": Kind(0.02, "search", "bots that search, 50 tries a choice"),
}
#: By these bots the report is made.
FIRST = "random"
#: How many cores it is measured on, and how long by one kind of bot at most, and at a time (seconds on each of them).
CORES = min(2, os.cpu_count() or 1)
LONGEST, STEP = 60.0, 0.4


class Thing(msgspec.Struct, frozen=True):
    """A set as it is at one moment: what is measured, and what a report tells of."""

    game: str
    toml: str
    options: dict[str, Any] = {}

    @property
    def mark(self) -> bytes:
        """The same for the same content and options, whoever has them; pictures play no part in it."""
        played = self.game, QUOTED.sub("''", self.toml), self.options
        return hashlib.blake2b(msgspec.json.encode(played, order="deterministic"), digest_size=16).digest()


class Measure(msgspec.Struct, frozen=True, tag=True):
    """Play a set for a while, from where that ended the last time."""

    thing: Thing
    bot: str
    compiled: bool


class Compile(msgspec.Struct, frozen=True, tag=True):
    """Make the machine code with which a kind of bot plays a game."""

    game: str
    bot: str


class Report(msgspec.Struct, frozen=True, tag=True):
    """The lab's page about a set that was measured."""

    thing: Thing
    name: str
    compiled: bool


class Print(msgspec.Struct, frozen=True, tag=True):
    """A set on paper."""

    thing: Thing


class Learn(msgspec.Struct, frozen=True, tag=True):
    """Learn on for a while how to judge positions of a set, on a table for so many."""

    thing: Thing
    seats: int


#: What a process may be asked.
Order = Measure | Compile | Report | Print | Learn


class Measured(msgspec.Struct, frozen=True):
    """What is known of a set now, and whether it is played no further; or why it cannot be."""

    worth: SetBalance | None = None
    enough: bool = False
    problem: str = ""


class Made(msgspec.Struct, frozen=True):
    """A file, or why there is none."""

    file: bytes = b""
    problem: str = ""


class Taught(msgspec.Struct, frozen=True):
    """How far bots have come in learning a set, from 0 to 1, and what is being done; or why it cannot be learned.

    `loss` and `loss_of_none`, when it is learned: the mean log loss in matches that were held out, with what was
    learned and without.
    """

    done: float = 0.0
    doing: str = ""
    loss: float = 0.0
    loss_of_none: float = 0.0
    problem: str = ""

    @property
    def is_over(self) -> bool:
        """Whether there is nothing more to come."""
        return bool(self.problem) or self.done >= 1.0


def file_name(name: str) -> str:
    """The name of a set as a file may be called."""
    return re.sub(r"[^a-z0-9]+", "-", name.lower()).strip("-") or "set"
