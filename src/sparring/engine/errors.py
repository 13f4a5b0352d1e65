"""Errors for invalid input.

Each message is one sentence that says what is wrong and what would be right. The command line and the web show it
unchanged.
"""


class SparringError(Exception):
    """Base class for invalid input; the message is for the person who gave it."""

    #: The HTTP status of a response that refuses with this error.
    status = 422
    #: Whether part of what was asked for is done all the same, so that it can't be tried again as a whole.
    partly_done = False


class UnknownGame(SparringError):
    """No game of that name is installed."""

    status = 404


class BadOption(SparringError):
    """The game has no such option, option value, preset or number of seats."""


#: A step of a path into a content file: the name of a field, or an index into a list.
Step = str | int


class ContentFault(str):
    """A sentence about an error in a content file, with the path to the field."""

    __slots__ = ("at", "sentence")

    at: tuple[Step, ...]
    sentence: str

    def __new__(cls, sentence: str, at: tuple[Step, ...] = (), bare: str = "") -> "ContentFault":
        """Make a fault: `at` is the path to the field, `bare` the sentence without its location."""
        fault = super().__new__(cls, sentence)
        fault.at, fault.sentence = at, str(bare or sentence)
        return fault


class BadContent(SparringError):
    """A content file is invalid; the message lists up to MAX_FAULTS faults, each cut to MAX_LENGTH characters."""

    MAX_FAULTS = 20
    MAX_LENGTH = 400

    def __init__(self, *faults: str) -> None:
        self.faults = faults
        lines = [
            fault if len(fault) <= self.MAX_LENGTH else f"{fault[: self.MAX_LENGTH]}…"
            for fault in faults[: self.MAX_FAULTS]
        ]
        more = len(faults) - len(lines)
        rest = "There is 1 more error." if more == 1 else f"There are {more} more errors."
        super().__init__("\n".join([*lines, rest] if more else lines))


class BadPosition(SparringError):
    """A position is invalid."""


class BadRecord(SparringError):
    """A saved match is damaged, or this version of the game cannot replay it."""

    status = 410


class BadBot(SparringError):
    """A bot specification is invalid."""


class CannotPrint(SparringError):
    """Something cannot be printed: an impossible paper size, or pieces without drawings."""


class ChoiceError(SparringError):
    """A choice was refused; the match is unchanged."""


class InvalidChoice(ChoiceError):
    """The words name no choice of this game."""


class IllegalChoice(ChoiceError):
    """The choice exists but is not legal now."""


class AmbiguousChoice(ChoiceError):
    """The words match several different legal choices."""


#: What to do with a game that was written for another version of Sparring.
CONVERT = "See “Convert an older game” in docs/authors.md."
