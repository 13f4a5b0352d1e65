"""The commands that people can type besides choices, with their synonyms and help."""

from collections.abc import Iterable
from typing import NamedTuple

from sparring.engine.formats.choice_parser import read_command
from sparring.engine.formats.spelling import normalize


class Command(NamedTuple):
    """A command and what it does (empty: not in the help). `usage` is what the help shows instead of the name."""

    name: str
    help: str
    synonyms: tuple[str, ...] = ()
    usage: str = ""


HAND = Command("hand", "your cards")
SEATS = Command("seats", "the players and their state")
TABLE = Command("table", "the cards and boards on the table", ("board",))
AT = Command("at", "what is on that space", usage="at and a space, as in at c3")
WHAT = Command("what", "what it means", usage="what and a term")
#: The queries about a table at which people choose.
QUERIES = (
    Command("question", "what you have to choose, or whose turn it is", ("look",)),
    Command("choices", "all your choices, with the words to type"),
    HAND,
    SEATS,
    TABLE,
    AT,
    Command("last", "what happened since your last choice, and the last exchange", ("log",)),
    WHAT,
)
HELP = Command(
    "help", "list these commands. If a choice has the same name as a command, type / before the command.", ("?",)
)


class CommandSet:
    """The commands of one place. `help` has a line for each, between other lines."""

    def __init__(self, *lines: str | Command) -> None:
        commands = [line for line in lines if isinstance(line, Command)]
        self.names = {word: each.name for each in commands for word in (each.name, *each.synonyms)}
        self.help = [
            line if isinstance(line, str) else f"{line.usage or line.name}: {line.help}"
            for line in lines
            if isinstance(line, str) or line.help
        ]

    def read(self, text: str, choices: Iterable[str] = ()) -> tuple[str, str]:
        """Return the command that was typed and the rest of the text; for a choice an empty command and the text.

        `choices` are the words of the possible choices: one that is spelt like a command takes precedence.
        """
        return read_command(text, self.names, {normalize(words) for words in choices}) or ("", text)
