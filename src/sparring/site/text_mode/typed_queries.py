"""Answers to typed queries about a table."""

from collections.abc import Iterator, Sequence
from typing import NamedTuple

from sparring.engine.errors import SparringError
from sparring.engine.formats.choice_parser import read_command
from sparring.engine.formats.spelling import normalize
from sparring.engine.glossary import Glossary
from sparring.scene import Board, PrintableScene, things
from sparring.scene.glossary_terms import explain_word
from sparring.scene.screen_reader import SceneSpeaker, SpokenPart
from sparring.scene.sentences import counted, listed
from sparring.tables.state.clock_events import shown_left
from sparring.tables.state.player_feed import PlayerFeed
from sparring.tables.state.table import Table

from .text_sections import current_scene, last_exchange_part, since_last_choice, speaker

#: Queries that every table answers.
QUERY_HELP = (
    "question: what you have to choose, or whose turn it is",
    "choices: all your choices, with the words to type",
    "hand: your cards",
    "seats: the players and their state",
    "table: the cards and boards on the table",
    "at and a space, as in at c3: what is on that space",
    "last: what happened since your last choice, and the last exchange",
    "what and a term: what it means",
)

HELP = (
    "Type a choice, or the start of one, and press Enter. Or type a command:",
    *QUERY_HELP,
    "time: the time left on each clock",
    "hint: a strong bot's advice, at tables with hints; everyone sees that you asked",
    "back: take back your last choice, if no other player has seen it yet",
    "redeal: ask for a new deal, at a table whose host may know hidden cards",
    "help: list these commands. If a choice has the same name as a command, type / before the command.",
)

#: The error for choices in a link: links can only contain queries, because opening one mustn't change anything.
NOT_A_QUERY = "This isn't a query. Type choices on the page itself; type help for a list of queries."

#: Commands that change something, and all commands, by their names and synonyms.
CHANGES = {"hint": "hint", "back": "back", "undo": "back", "redeal": "redeal"}
QUERIES = {
    "?": "help", "help": "help", "question": "question", "look": "question", "choices": "choices", "hand": "hand",
    "seats": "seats", "table": "table", "board": "table", "at": "at", "last": "last", "log": "last", "what": "what",
}  # fmt: skip
COMMANDS = {**QUERIES, **CHANGES, "time": "time", "clock": "time"}


def parse_command(table: Table, feed: PlayerFeed, text: str) -> tuple[str, str] | None:
    """Parse typed text; return a command and its argument, or None for a choice."""
    return read_command(text, COMMANDS, {normalize(choice.words) for choice in feed.view.choices})


def answer_query(table: Table, feed: PlayerFeed, text: str) -> list[str]:
    """Answer a query. Raises a SparringError for anything that would change the table."""
    command = parse_command(table, feed, text)
    if command is None or command[0] in CHANGES.values():
        raise SparringError(NOT_A_QUERY)
    return answer(table, feed, *command)


def answer(table: Table, feed: PlayerFeed, command: str, rest: str) -> list[str]:
    """Answer a command that changes nothing. Raises a SparringError for an unknown space or term."""
    say = speaker(table)
    recent, last = since_last_choice(table, feed), last_exchange_part(feed.latest.decided[-1], say)
    if command == "time":
        return list(time(table, say))
    queries = TypedQueries(current_scene(table, feed), say, table.match.game.glossary, recent, last, HELP)
    return queries.answer(command, rest)


class TypedQueries:
    """Answers to queries about a scene, its recent log and its commands."""

    def __init__(
        self, scene: PrintableScene, say: SceneSpeaker, glossary: Glossary, recent: Sequence[str],
        last: SpokenPart | None, help_: Sequence[str],
    ) -> None:  # fmt: skip
        self.scene, self.speaker, self.glossary = scene, say, glossary
        self.recent, self.last, self.help = recent, last, help_

    def answer(self, command: str, rest: str) -> list[str]:
        """Return the answer as lines. Raises a SparringError for an unknown space or term."""
        return list(self._answer(command, rest))

    def _answer(self, command: str, rest: str) -> Iterator[str]:
        say = self.speaker
        match command:
            case "question":
                yield say.spoken(self.scene.prompt.sentence)
            case "choices":
                yield from self.choices()
            case "hand":
                yield from _sentences(say.hand(self.scene)) or ["No hand is visible to you right now."]
            case "seats":
                for seat in say.seats(self.scene):  # a player with nothing on the table is still listed
                    yield from [*seat.sentences()] or [f"{seat.title}."]
            case "table":
                yield from _sentences(say.table(self.scene))
            case "at":
                yield from self.at(rest)
            case "last":
                recent = [say.spoken(line) for line in self.recent] + _sentences([self.last] if self.last else [])
                yield from recent or ["Nothing has happened yet."]
            case "help" | "what" if rest:
                yield from map(say.spoken, explain_word(self.scene, self.glossary, rest))
            case _:
                yield from self.help

    def choices(self) -> Iterator[str]:
        """Yield all choices by group, with the words to type where they differ from the label."""
        groups = self.speaker.choice_groups(self.scene)
        if not groups:
            yield "You have no choice to make right now."
        for title, group in groups:
            words = [
                each.said
                if normalize(each.said).startswith(normalize(each.words))
                else f"{each.said}, type {each.words}"
                for each in group
            ]
            yield f"{f'{title}: ' if title else ''}{'; '.join(words)}."

    def at(self, place: str) -> Iterator[str]:
        """Yield what is on a space of each board, and how to move there. Raises a SparringError for no space."""
        boards = [thing for thing in things((self.scene.left, self.scene.middle, self.scene.right))
                  if isinstance(thing, Board)]  # fmt: skip
        found = [
            (board, cell)
            for board in boards for cell in board.cells if normalize(place) and normalize(cell.name) == normalize(place)
        ]  # fmt: skip
        names = [cell.name for board in boards for cell in board.cells if cell.name]
        if not found:
            raise SparringError(f"Unknown space{f' {place}' if place else ''}. Type a space like {names[0]}."
                                if names else "This game has no board.")  # fmt: skip
        for board, cell in found:
            yield self.speaker.space_sentence(board, cell)
            tokens = [token for token in board.tokens if token.at == cell.at]
            for shortcut in (shortcut for thing in (cell, *tokens) for shortcut in thing.shortcuts):
                yield f"{self.speaker.spoken(shortcut.text)}: type {shortcut.words}."


def time(table: Table, say: SceneSpeaker) -> Iterator[str]:
    """Yield the players' remaining times in words."""
    left = shown_left(table)
    for seat, milliseconds in left.items():
        turn = ", to move" if seat == table.shown.turn_seat else ""
        yield f"{say.names.of(seat)}{turn}: {duration(milliseconds)}."
    if not left:
        yield "This match is untimed."


def duration(milliseconds: int) -> str:
    """Return a duration in words, in its two largest units."""
    seconds, parts = -(-milliseconds // 1000), list[str]()
    for unit, length in (("day", 86_400), ("hour", 3600), ("minute", 60), ("second", 1)):
        number, seconds = divmod(seconds, length)
        if number:
            parts.append(counted(number, unit))
    return listed(parts[:2]) or "no time"


def _sentences(parts: list[SpokenPart]) -> list[str]:
    return [sentence for part in parts for sentence in part.sentences()]


class TypedAnswer(NamedTuple):
    """Typed text and its answer; `refused` if it couldn't be carried out."""

    typed: str
    said: tuple[str, ...]
    refused: bool = False
