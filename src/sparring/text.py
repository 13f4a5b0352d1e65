"""Matches, replays and tutorials in words: lines, and what can be typed about them.

The terminal (`terminal`) and the pages of text mode (`site/text_mode`) are fronts of this module: they share commands,
parser, answers and lessons.
"""

import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import cached_property
from typing import NamedTuple

from sparring.engine.errors import SparringError
from sparring.engine.formats import normalize
from sparring.engine.game import GameSetup
from sparring.engine.glossary import Glossary, GlossaryEntry
from sparring.engine.messages import Text
from sparring.scene import Area, Board, Card, Fact, PrintableScene, things
from sparring.scene.html import last_exchange_title
from sparring.scene.locations import describe_location
from sparring.scene.markup import SeatNames
from sparring.scene.model import Scene, terms
from sparring.scene.screen_reader import ChoiceGroup, SceneSpeaker, SpokenPart, as_sentence
from sparring.scene.sentences import AnyText, listed, merge_asides, say, titled
from sparring.tutorials import EMPHASISED, LessonState


class Command(NamedTuple):
    """A command and what it does. `usage` is what the help shows instead of the name."""

    name: str
    help: Text
    synonyms: tuple[str, ...] = ()
    usage: Text | None = None

    def __str__(self) -> str:
        return titled(str(self.usage or self.name), str(self.help))


HAND = Command("hand", Text("your cards"))
SEATS = Command("seats", Text("the players and their state"))
TABLE = Command("table", Text("the cards and boards on the table"), ("board",))
AT = Command("at", Text("what is on that space"), usage=Text("{at} and a space, as in {at} c3", at="at"))
WHAT = Command("what", Text("what it means"), usage=Text("{what} and a term", what="what"))
#: The queries about a table at which people choose.
QUERIES = (
    Command("question", Text("what you have to choose, or whose turn it is"), ("look",)),
    Command("choices", Text("all your choices, with the words to type")),
    HAND,
    SEATS,
    TABLE,
    AT,
    Command("last", Text("what happened since your last choice, and the last exchange"), ("log",)),
    WHAT,
)
HELP = Command(
    "help",
    Text("list these commands. If a choice has the same name as a command, type / before the command."),
    ("?",),
)


class CommandSet:
    """The commands of one place, and lines of the help between them."""

    def __init__(self, *lines: Text | Command) -> None:
        commands = [line for line in lines if isinstance(line, Command)]
        self.names = {word: each.name for each in commands for word in (each.name, *each.synonyms)}
        self._lines = lines

    @property
    def help(self) -> list[str]:
        """A line for each command, between other lines, in the reader's language."""
        return [*map(str, self._lines)]

    def read(self, text: str, choices: Iterable[str] = ()) -> tuple[str, str]:
        """Return the command that was typed and the rest of the text; for a choice an empty command and the text.

        `choices` are the words of the possible choices: one that is spelt like a command takes precedence, unless the
        text starts with a slash.
        """
        word, _, rest = re.sub(r"^\?(?=[^ ])", "? ", text.removeprefix("/")).partition(" ")
        name = self.names.get(word.lower(), "")
        is_choice = not text.startswith("/") and normalize(text) in map(normalize, choices)
        return (name, rest.strip()) if name and not is_choice else ("", text)


class TypedAnswer(NamedTuple):
    """Typed text and the lines that answer it; `refused` if it couldn't be carried out."""

    typed: str
    said: tuple[str, ...]
    refused: bool = False


class WrittenSpeaker(SceneSpeaker):
    """Puts a table into words for the eye: abbreviations and signs stay as on the cards."""

    def spoken(self, text: AnyText) -> str:
        """Return text with names for seats."""
        return self.names.text(text)


class TextView:
    """A scene in words, and what can be typed there.

    `recent` returns the sentences since the viewer's last choice, and `last` is the last exchange: its area and
    sentences. `aloud` phrases everything for screen readers.
    """

    def __init__(
        self, scene: PrintableScene, setup: GameSetup, names: SeatNames, commands: CommandSet,
        recent: Callable[[], Sequence[AnyText]] = tuple, last: tuple[Area, Sequence[AnyText]] | None = None, *,
        aloud: bool = True,
    ) -> None:  # fmt: skip
        self.scene, self.setup, self.commands, self.recent = scene, setup, commands, recent
        self.say = SceneSpeaker(names, setup.game.spoken_forms) if aloud else WrittenSpeaker(names)
        self._last = last

    @cached_property
    def last(self) -> list[SpokenPart]:
        """The last exchange in words, if there was one."""
        if self._last is None:
            return []
        area, lines = self._last
        return [SpokenPart(last_exchange_title(), tuple(map(self.say.spoken, lines)), tuple(self.say.areas((area,))))]

    @cached_property
    def choices(self) -> list[str]:
        """The words of all choices in reading order, without duplicates."""
        return list(dict.fromkeys(thing.words for thing in self.scene.choosable))

    def read(self, text: str) -> tuple[str, str]:
        """Return the command that was typed and the rest of the text; for a choice an empty command and the text."""
        return self.commands.read(text, self.choices)

    def reply(self, typed: str) -> TypedAnswer:
        """Return the answer to a typed query, or why there is none."""
        try:
            return TypedAnswer(typed, tuple(self.answer(*self.read(typed))))
        except SparringError as problem:
            return TypedAnswer(typed, (str(problem),), refused=True)

    def answer(self, command: str, rest: str = "") -> list[str]:
        """Return the answer to a query as lines. Raises a SparringError for an unknown space or term."""
        return list(self._answer(command, rest))

    def _answer(self, command: str, rest: str) -> Iterator[str]:
        speaker, scene = self.say, self.scene
        match command:
            case "question":
                yield speaker.spoken(scene.prompt.sentence)
            case "choices":
                yield from self._choices()
            case "hand":
                yield from _sentences(speaker.hand(scene)) or [say("No hand is visible to you right now.")]
            case "seats":
                for seat in speaker.seats(scene):  # a player with nothing on the table is still listed
                    yield from [*seat.sentences()] or [as_sentence(seat.title)]
            case "table":
                yield from _sentences(speaker.table(scene))
            case "at":
                yield from self._at(rest)
            case "last":
                recent = [speaker.spoken(line) for line in self.recent()] + _sentences(self.last)
                yield from recent or [say("Nothing has happened yet.")]
            case "help" if not rest:
                yield from self.commands.help
            case _:
                yield from map(speaker.spoken, explain_word(scene, self.setup.game.glossary, rest))

    def _choices(self) -> Iterator[str]:
        """Yield all choices by group, with the words to type where they differ from the label."""
        groups = self.say.choice_groups(self.scene)
        if not groups:
            yield say("You have no choice to make right now.")
        for title, group in groups:
            words = [
                each.said
                if normalize(each.said).startswith(normalize(each.words))
                else say("{choice}, type {words}", choice=each.said, words=each.words)
                for each in group
            ]
            choices = say("; ").join(words)
            yield as_sentence(titled(title, choices) if title else choices)

    def _at(self, place: str) -> Iterator[str]:
        """Yield what is on a space of each board, and how to move there. Raises a SparringError for no space."""
        boards = [thing for thing in things((self.scene.left, self.scene.middle, self.scene.right))
                  if isinstance(thing, Board)]  # fmt: skip
        found = [
            (board, cell)
            for board in boards for cell in board.cells if normalize(place) and normalize(cell.name) == normalize(place)
        ]  # fmt: skip
        names = [cell.name for board in boards for cell in board.cells if cell.name]
        if not names:
            raise SparringError(say("This game has no board."))
        if not found and place:
            raise SparringError(say("Unknown space {place}. Type a space like {space}.", place=place, space=names[0]))
        if not found:
            raise SparringError(say("Unknown space. Type a space like {space}.", space=names[0]))
        for board, cell in found:
            yield as_sentence(self.say.space_with_tokens(board, cell))
            tokens = [token for token in board.tokens if token.at == cell.at]
            for shortcut in (shortcut for thing in (cell, *tokens) for shortcut in thing.shortcuts):
                yield say("{what}: type {words}.", what=self.say.spoken(shortcut.text), words=shortcut.words)


def _sentences(parts: Sequence[SpokenPart]) -> list[str]:
    return [sentence for part in parts for sentence in part.sentences()]


# Tutorials

#: The commands that lead to another step.
STEPS = (
    Command("on", Text("go to the next step, if there is nothing to choose"), ("go", "next")),
    Command("back", Text("undo your last step"), ("undo",)),
)
#: The first line of the help on pages.
INTRO = Text("Type a choice, or the start of one, and press Enter. Or type a command:")
COMMANDS = CommandSet(INTRO, *STEPS, *QUERIES, HELP)


class TextLesson:
    """One state of a tutorial in words; typed text leads to the next one."""

    def __init__(
        self, state: LessonState, names: Sequence[str], commands: CommandSet = COMMANDS, *, aloud: bool = True
    ) -> None:
        self.state, self.events = state, merge_asides(state.sentences)
        self.view = TextView(
            state.view.scene, state.match.setup, SeatNames(names), commands, lambda: self.events, aloud=aloud
        )

    def words(self, text: str) -> str:
        """Return a lesson's text in words, without emphasis marks."""
        return self.view.say.spoken(EMPHASISED.sub(r"\1", text))

    @property
    def idea(self) -> str:
        """The step's text; empty at the end."""
        return self.words(self.state.step.say) if self.state.step else ""

    @property
    def learned(self) -> list[str]:
        """What the player knows at the end."""
        return [self.words(line) for line in self.state.lesson.learned]

    @property
    def highlighted(self) -> list[str]:
        """The items the step points at, with their locations."""
        described = (describe_location(self.view.scene, target.thing, self.view.say) for target in self.state.targets())
        return list(dict.fromkeys(filter(None, described)))

    def offers(self, *, accepted: bool) -> list[ChoiceGroup]:
        """Return the choices that the step accepts, or all others."""
        accepted_actions = set(self.state.accepted().values())
        divided = [
            (title, tuple(each for each in choices if (each.action in accepted_actions) == accepted))
            for title, choices in self.view.say.choice_groups(self.view.scene)
        ]
        return [(title, choices) for title, choices in divided if choices]

    def after(self, command: str, rest: str) -> LessonState | None:
        """Return the state after a command or, without a command, after choices; None for a query.

        Raises a SparringError, in words, if it is refused.
        """
        state = self.state.fork()
        try:
            match command:
                case "":
                    state.choose_together([each for each in rest.split(";") if each.strip()])
                case "on":
                    state.finish_reading()
                case "back" if not state.actions:
                    raise SparringError(say("This is the first step."))
                case "back":
                    return LessonState.replayed(state.match.game, state.lesson, state.actions[:-1])
                case _:
                    return None
        except SparringError as problem:
            raise SparringError(self.words(str(problem))) from None
        return state

    def typed(self, text: str) -> LessonState | TypedAnswer:
        """Return the state after typed text, or the answer to a query or to a choice that is refused."""
        command, rest = self.view.read(text)
        try:
            return self.after(command, rest) or self.view.reply(text)
        except SparringError as problem:
            return TypedAnswer(text, (str(problem),), refused=True)


def find_entries(scene: Scene, glossary: Glossary, word: str) -> tuple[GlossaryEntry, ...]:
    """Return the entry for a word, or those for the words on the cards and facts of that name."""
    called = [thing for thing in things(scene) if normalize(word) and normalize(word) in map(normalize, _names(thing))]
    return glossary.explain([word]) or glossary.explain([each for thing in called for each in terms(thing)])


def explain_word(scene: Scene, glossary: Glossary, word: str) -> list[str]:
    """Return a line for each entry that explains a word.

    :raises SparringError: There is no entry; the message lists all entries.
    """
    if found := find_entries(scene, glossary, word):
        return [titled(entry.word, entry.text) for entry in found]
    known = listed(sorted((entry.word for entry in glossary.entries), key=str.casefold))
    if not known:
        raise SparringError(say("This game has no glossary."))
    if word:
        raise SparringError(say("The glossary has no entry for {word}. Entries: {known}.", word=word, known=known))
    raise SparringError(say("Name a word to explain. Entries: {known}.", known=known))


def _names(thing: object) -> tuple[str, ...]:
    """Return the names of an object."""
    if isinstance(thing, Card) and thing.face:
        face = thing.face
        return face.name, f"{face.colour.letter if face.colour else ''}{face.value}"
    return (thing.title,) if isinstance(thing, Fact) else ()
