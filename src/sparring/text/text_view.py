"""What a viewer sees at one moment, in words, and the answers to what the viewer types about it."""

from collections.abc import Callable, Iterator, Sequence
from functools import cached_property

from sparring.engine.errors import SparringError
from sparring.engine.formats.spelling import normalize
from sparring.engine.game import Box
from sparring.scene import Area, Board, PrintableScene, things
from sparring.scene.glossary_terms import explain_word
from sparring.scene.markup import SeatNames
from sparring.scene.screen_reader import SceneSpeaker, SpokenPart

from .commands import CommandSet


class WrittenSpeaker(SceneSpeaker):
    """Puts a table into words for the eye: abbreviations and signs stay as on the cards."""

    def spoken(self, text: str) -> str:
        """Return text with names for seats."""
        return self.names.text(text)


class TextView:
    """A scene in words, and what can be typed there.

    `recent` returns the sentences since the viewer's last choice, and `last` is the last exchange: its area and
    sentences. `aloud` phrases everything for screen readers.
    """

    def __init__(
        self, scene: PrintableScene, box: Box, names: SeatNames, commands: CommandSet,
        recent: Callable[[], Sequence[str]] = tuple, last: tuple[Area, Sequence[str]] | None = None, *,
        aloud: bool = True,
    ) -> None:  # fmt: skip
        self.scene, self.box, self.commands, self.recent = scene, box, commands, recent
        self.say = SceneSpeaker(names, box.game.spoken_forms) if aloud else WrittenSpeaker(names)
        self.last: list[SpokenPart] = []
        if last:
            lines, areas = tuple(map(self.say.spoken, last[1])), tuple(self.say.areas((last[0],)))
            self.last.append(SpokenPart("Last exchange", lines, areas))

    @cached_property
    def choices(self) -> list[str]:
        """The words of all choices in reading order, without duplicates."""
        return list(dict.fromkeys(thing.words for thing in self.scene.choosable))

    def read(self, text: str) -> tuple[str, str]:
        """Return the command that was typed and the rest of the text; for a choice an empty command and the text."""
        return self.commands.read(text, self.choices)

    def answer(self, command: str, rest: str = "") -> list[str]:
        """Return the answer to a query as lines. Raises a SparringError for an unknown space or term."""
        return list(self._answer(command, rest))

    def _answer(self, command: str, rest: str) -> Iterator[str]:
        say, scene = self.say, self.scene
        match command:
            case "question":
                yield say.spoken(scene.prompt.sentence)
            case "choices":
                yield from self._choices()
            case "hand":
                yield from _sentences(say.hand(scene)) or ["No hand is visible to you right now."]
            case "seats":
                for seat in say.seats(scene):  # a player with nothing on the table is still listed
                    yield from [*seat.sentences()] or [f"{seat.title}."]
            case "table":
                yield from _sentences(say.table(scene))
            case "at":
                yield from self._at(rest)
            case "last":
                recent = [say.spoken(line) for line in self.recent()] + _sentences(self.last)
                yield from recent or ["Nothing has happened yet."]
            case "help" if not rest:
                yield from self.commands.help
            case _:
                yield from map(say.spoken, explain_word(scene, self.box.game.glossary, rest))

    def _choices(self) -> Iterator[str]:
        """Yield all choices by group, with the words to type where they differ from the label."""
        groups = self.say.choice_groups(self.scene)
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

    def _at(self, place: str) -> Iterator[str]:
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
            yield self.say.space_sentence(board, cell)
            tokens = [token for token in board.tokens if token.at == cell.at]
            for shortcut in (shortcut for thing in (cell, *tokens) for shortcut in thing.shortcuts):
                yield f"{self.say.spoken(shortcut.text)}: type {shortcut.words}."


def _sentences(parts: Sequence[SpokenPart]) -> list[str]:
    return [sentence for part in parts for sentence in part.sentences()]
