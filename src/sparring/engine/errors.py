"""Everything that can be said to somebody who asked for something that cannot be.

Each message is one sentence that names what was wrong and what is possible; the command line and the web
table show it as it stands.
"""


class SparringError(Exception):
    """Bad input of any kind; the message is meant for the person who gave it."""


class UnknownGame(SparringError):
    """No game of that name is installed."""


class BadOption(SparringError):
    """An option, option value, preset or number of seats that the game does not have."""


#: A step into the data of a content file: the name of a field, or the place in a list, from 0.
Step = str | int


class ContentFault(str):
    """A sentence about something wrong in a content file that knows where it arose, and how it is said there."""

    __slots__ = ("at", "bare")

    at: tuple[Step, ...]
    bare: str

    def __new__(cls, sentence: str, at: tuple[Step, ...] = (), bare: str = "") -> "ContentFault":
        """`at` are the steps to the field, `bare` the sentence without the words that say where that is."""
        fault = super().__new__(cls, sentence)
        fault.at, fault.bare = at, str(bare or sentence)
        return fault


class BadContent(SparringError):
    """A content file (cards, boards, fighters) that cannot be played with: its faults, as many as one can read."""

    MOST = 20
    LONGEST = 400

    def __init__(self, *faults: str) -> None:
        self.faults = faults
        told = [fault if len(fault) <= self.LONGEST else f"{fault[: self.LONGEST]}…" for fault in faults[: self.MOST]]
        more = len(faults) - len(told)
        super().__init__("\n".join([*told, f"There is more that is wrong: {more} faults."] if more else told))


class BadPosition(SparringError):
    """A position that cannot stand on the table."""


class BadRecord(SparringError):
    """A saved match that is damaged, or that this version of the game cannot replay."""


class BadBot(SparringError):
    """A bot that cannot be made from the words given."""


class CannotPrint(SparringError):
    """Something that cannot be put on paper: a size that fits nowhere, pieces that nobody has drawn."""


class ChoiceError(SparringError):
    """A choice that was refused; the match is as it was before."""


class InvalidChoice(ChoiceError):
    """The words name no choice of this game."""


class IllegalChoice(ChoiceError):
    """The choice exists but may not be made now."""


class AmbiguousChoice(ChoiceError):
    """The words fit several legal choices that differ."""
