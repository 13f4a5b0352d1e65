"""What is answered to somebody who types on a page of words: how the table stands, part by part, without leaving it."""

from collections.abc import Iterator, Sequence
from typing import NamedTuple

from sparring.engine.errors import SparringError
from sparring.engine.formats.choice_parser import read_command
from sparring.engine.formats.spelling import plain
from sparring.engine.glossary import Glossary
from sparring.scene import Board, PrintableScene, things
from sparring.scene.glossary_terms import meanings
from sparring.scene.screen_reader import SceneSpeaker, SpokenPart
from sparring.scene.sentences import counted, listed
from sparring.web.tables.clocks.clock_panel import shown_left
from sparring.web.tables.player_feed import PlayerFeed
from sparring.web.tables.table import Table

from .sections import at_rest, last_time, since_mine, speaker

#: What can be asked of any table.
ASKED = (
    "question: what is asked, or who is waited for",
    "choices: everything you can choose, with the words to type",
    "hand: your cards",
    "seats: everybody who plays, and how they stand",
    "table: what lies on the table",
    "at, and a place, as in at c3: what is there",
    "last: what happened since you chose last, and the last exchange",
    "what, and a word: what it means",
)

HELP = (
    "Type the words of a choice, or the beginning of them, and press Enter. Or type one of these:",
    *ASKED,
    "time: what the clocks show",
    "hint: what a strong bot thinks of your choices, where that was agreed; all are told that you asked",
    "back: take your last choice back, while nobody has seen it",
    "help: these words. Where a choice is called like one of them, type / before the word.",
)

#: What commands there are, and nothing else, can be asked by an address.
ONLY_ASKED = "This asks nothing. Choices are typed on the page itself; help tells what can be asked."

#: What can be typed besides choices, and other words for it. `back` and `hint` change something, the rest only asks.
QUESTIONS = {
    "?": "help", "help": "help", "question": "question", "look": "question", "choices": "choices", "hand": "hand",
    "seats": "seats", "table": "table", "board": "table", "at": "at", "last": "last", "log": "last", "what": "what",
}  # fmt: skip
COMMANDS = {**QUESTIONS, "time": "time", "clock": "time", "hint": "hint", "back": "back", "undo": "back"}


def asked(table: Table, sight: PlayerFeed, text: str) -> tuple[str, str] | None:
    """The command that somebody typed, and what follows it; None if they mean a choice."""
    return read_command(text, COMMANDS, {plain(choice.words) for choice in sight.view.choices})


def only_asked(table: Table, sight: PlayerFeed, text: str) -> list[str]:
    """What is said to a question; refused where it is none."""
    command = asked(table, sight, text)
    if command is None or command[0] in ("back", "hint"):
        raise SparringError(ONLY_ASKED)
    return answer(table, sight, *command)


def answer(table: Table, sight: PlayerFeed, command: str, rest: str) -> list[str]:
    """What is said to a command; refused where there is nothing to say."""
    say = speaker(table)
    told = [*since_mine(table, sight)], last_time(sight.latest.decided[-1], say)
    if command == "time":
        return list(time(table, say))
    return TypedQueries(at_rest(table, sight), say, table.match.game.glossary, *told, HELP).answer(command, rest)


class TypedQueries:
    """What is said to somebody who asks about a table: its things, what was told last, and the words to type."""

    def __init__(
        self, scene: PrintableScene, say: SceneSpeaker, glossary: Glossary, told: Sequence[str],
            last: SpokenPart | None,
        help_: Sequence[str],
    ) -> None:  # fmt: skip
        self.scene, self.speaker, self.glossary = scene, say, glossary
        self.told, self.last, self.help = told, last, help_

    def answer(self, command: str, rest: str) -> list[str]:
        """Line by line; refused where there is nothing to say."""
        return list(self._answer(command, rest))

    def _answer(self, command: str, rest: str) -> Iterator[str]:
        say = self.speaker
        match command:
            case "question":
                yield say.say(self.scene.prompt.sentence)
            case "choices":
                yield from self.choices()
            case "hand":
                yield from _said(say.hand(self.scene)) or ["No hand is shown to you."]
            case "seats":
                for seat in say.seats(self.scene):  # of one with nothing before it is told that somebody sits there
                    yield from [*seat.sentences()] or [f"{seat.title}."]
            case "table":
                yield from _said(say.table(self.scene))
            case "at":
                yield from self.at(rest)
            case "last":
                told = [say.say(line) for line in self.told] + _said([self.last] if self.last else [])
                yield from told or ["Nothing has happened yet."]
            case "help" | "what" if rest:
                yield from map(say.say, meanings(self.scene, self.glossary, rest))
            case _:
                yield from self.help

    def choices(self) -> Iterator[str]:
        """Everything that can be chosen, and how that is typed where it sounds otherwise."""
        offers = self.speaker.offers(self.scene)
        if not offers:
            yield "There is nothing for you to choose now."
        for title, those in offers:
            told = [
                each.said if plain(each.said).startswith(plain(each.words)) else f"{each.said}, type {each.words}"
                for each in those
            ]
            yield f"{f'{title}: ' if title else ''}{'; '.join(told)}."

    def at(self, place: str) -> Iterator[str]:
        """What is at a place of a board."""
        boards = [thing for thing in things((self.scene.left, self.scene.middle, self.scene.right))
                  if isinstance(thing, Board)]  # fmt: skip
        found = [
            self.speaker.on(board, cell)
            for board in boards for cell in board.cells if plain(place) and plain(cell.name) == plain(place)
        ]  # fmt: skip
        names = [cell.name for board in boards for cell in board.cells if cell.name]
        if not found:
            raise SparringError(f"There is no place {place or 'without a name'}. Places are called like {names[0]}."
                                if names else "This table has no board.")  # fmt: skip
        yield from found


def time(table: Table, say: SceneSpeaker) -> Iterator[str]:
    """What the clocks show, in words."""
    left = shown_left(table)
    for seat, milliseconds in left.items():
        asked = ", whose turn it is" if seat == table.shown.asked else ""
        yield f"{say.names.of(seat)}{asked}: {duration(milliseconds)}."
    if not left:
        yield "There are no clocks at this table."


def duration(milliseconds: int) -> str:
    """A time in words, in its two largest units."""
    seconds, found = -(-milliseconds // 1000), list[str]()
    for what, long in (("day", 86_400), ("hour", 3600), ("minute", 60), ("second", 1)):
        number, seconds = divmod(seconds, long)
        if number:
            found.append(counted(number, what))
    return listed(found[:2]) or "no time"


def _said(parts: list[SpokenPart]) -> list[str]:
    return [sentence for part in parts for sentence in part.sentences()]


class TypedAnswer(NamedTuple):
    """What was typed, and what is said to it; `refused` where it could not be carried out."""

    typed: str
    said: tuple[str, ...]
    refused: bool = False
