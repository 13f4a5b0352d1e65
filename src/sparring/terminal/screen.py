"""The screen of a terminal: show a table, events and choices, and read what people type."""

import re
import sys
from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable, Sequence
from itertools import groupby

from rich.console import Console
from rich.markdown import Markdown
from rich.markup import escape

from sparring.engine.errors import SparringError
from sparring.engine.formats.choice_parser import summarized
from sparring.engine.game import GameSetup
from sparring.engine.messages import Text, say
from sparring.engine.texts import Example, examples, replace_examples, rules_text
from sparring.scene import Area
from sparring.scene.markup import SeatNames
from sparring.scene.sentences import AnyText, is_result, merge_asides
from sparring.scene.text import WIDTH, excerpt, render, render_area, wrapped
from sparring.text import Command, TextView

#: The first line of the help.
INTRO = Text(
    "Type a choice, its first letters or its number. Separate several choices with a semicolon. Or type a command:"
)
#: The commands of every screen.
SCREEN_COMMANDS = (
    Command("look", Text("show the table again")),
    Command("rules", Text("show the rules")),
    Command("quit", Text("leave"), ("exit",)),
)


class PlayerLeft(Exception):
    """A player has left."""


class Screen(ABC):
    """A terminal in front of one person at a time."""

    def __init__(self, names: Sequence[str], console: Console, read: Callable[[str], str] | None) -> None:
        self.names, self.console = SeatNames(names), console
        self.read = read or (lambda prompt: console.input(prompt, markup=False))
        #: The seat of the person at the screen; 0 for a spectator.
        self.viewer = 0
        #: The last result that each person was shown; if one set of cards has several, the first.
        self.last_results: dict[int, str] = {}

    @property
    @abstractmethod
    def view(self) -> TextView:
        """What the person at the screen sees, and can type."""

    # Input

    def ask(self, prompt: str, empty: str = "") -> None:
        """Read a line, and carry out its parts until the rest can't follow; `empty` stands for an empty line."""
        line = self.read(prompt).strip() or empty
        for number, text in enumerate(filter(None, map(str.strip, line.split(";")))):
            if not self.handle_input(text, first=not number):
                break

    def handle_input(self, text: str, *, first: bool = True) -> bool:
        """Run a command or make a choice; return whether a choice was made, so that the rest of the line can follow.

        Numbers refer to the choices on the screen, so only the `first` choice of a line can be a number.
        """
        view = self.view
        command, rest = view.read(text)
        try:
            if not command and text.isdecimal() and text not in view.choices:
                if not first:
                    raise SparringError(say("Ignored {number}: the choices have new numbers now.", number=text))
                rest = view.choices[int(text) - 1] if 1 <= int(text) <= len(view.choices) else text
            self.run_command(command, rest)
        except SparringError as problem:
            self.say(str(problem))
            return False
        return not command

    def run_command(self, command: str, rest: str) -> None:
        """Run a command; an empty one makes the choice `rest`."""
        match command:
            case "look":
                self.show_table()
            case "rules":
                show_rules(self.view.setup, self.console)
            case "quit":
                raise PlayerLeft
            case _:
                for line in self.view.answer(command, rest):
                    self.say(line, WIDTH, indent="  ")

    # Output

    def say(self, text: str, width: int | None = None, indent: str = "") -> None:
        """Print plain text, wrapped at word boundaries; `indent` precedes continued lines."""
        for line in text.split("\n"):
            for row in wrapped(line, width or self.console.width, after=indent) or [""]:
                self.console.print(row, markup=False, highlight=False, soft_wrap=True)

    def show(self, *lines: str) -> None:
        """Print lines of markup."""
        for line in lines:
            self.console.print(line, highlight=False, soft_wrap=True)

    def tell(self, events: Iterable[AnyText | Area]) -> None:
        """Print events: sentences, and before each result the cards that decided it."""
        first = True
        for is_sentence, run in groupby(events, lambda part: isinstance(part, AnyText)):
            parts = list(run)
            if not is_sentence:
                first = True
            for area in (part for part in parts if not isinstance(part, AnyText)):
                self.show(*render_area(area, colour=True, names=self.names.names, indent="    "))
            for sentence in merge_asides([part for part in parts if isinstance(part, AnyText)]):
                if is_result(sentence) and first:
                    self.last_results[self.viewer] = self.names.text(sentence)
                    first = False
                print_event(self.console, sentence, self.names)

    def show_table(self) -> None:
        """Draw the table as the person at the screen sees it, with their choices, to fit on one screen."""
        view = self.view
        self.draw(view, len(numbered(view.choices)))
        self.list_choices(view)

    def list_choices(self, view: TextView) -> None:
        """Print the choices with their numbers."""
        self.say("\n".join(numbered(view.choices)))

    def draw(self, view: TextView, below: int = 0) -> None:
        """Draw the table with room for `below` more lines on the screen, and above it the last result if that fits."""
        result = self.last_results.get(self.viewer)
        last = wrapped(say("Last result: {result}", result=result), WIDTH) if result else []
        rows = self.console.height - below - 1  # the last row is for input
        names = self.names.names
        drawn = render(view.scene, colour=True, names=names, choices=False, rows=rows - len(last) - 1)
        room = rows - drawn.count("\n") - 1
        above = last if len(last) <= room else []
        self.show(*([""] if len(above) < room else []), *map(escape, above), drawn)


def numbered(words: Sequence[str]) -> list[str]:
    """Return numbered choices, wrapped; a long run of board spaces becomes one range."""
    parts, number = [], 1
    for word, many in summarized(words):
        last = f"-{number + many - 1}" if many > 1 else ""
        parts.append(f"{number}{last} {word}".replace(" ", "\0"))
        number += many
    return [f"  {row}".replace("\0", " ") for row in wrapped("   ".join(parts), WIDTH - 2)]


def print_event(console: Console, sentence: AnyText, names: SeatNames, indent: str = "") -> None:
    """Print an event; results are bold and have their own bullet."""
    bullet, style = ("»", "bold") if is_result(sentence) else ("·", "")
    for line in wrapped(names.text(sentence), WIDTH - 2, f"{indent}{bullet} ", f"{indent}  "):
        console.print(line, style=style, markup=False, highlight=False, soft_wrap=True)


def discard_input() -> None:
    """Discard what was typed before the prompt appeared; piped input is kept."""
    if not sys.stdin.isatty():
        return
    if sys.platform == "win32":
        import msvcrt

        while msvcrt.kbhit():
            msvcrt.getwch()
    else:
        import termios

        termios.tcflush(sys.stdin, termios.TCIFLUSH)


def show_rules(setup: GameSetup, console: Console) -> None:
    """Print the rules for the options and the content in force.

    Raises:
        SparringError: The game has no rules to read.
    """
    text = rules_text(setup)
    if text is None:
        raise SparringError(say("{game} has no document about its rules.", game=setup.title))
    text = replace_examples(text, lambda number: example_as_markdown(examples(setup)[number]))
    show_markdown(text, console)
    # As plain text: Markdown drops the addresses of links where the terminal can't follow them.
    console.print(f"\n{setup.credit.text}", width=min(100, console.width), markup=False, soft_wrap=False)


def show_markdown(text: str, console: Console) -> None:
    """Print a document."""
    console.print(
        Markdown(re.sub(r"<!--.*?-->", "", text, flags=re.DOTALL)), width=min(100, console.width), soft_wrap=False
    )


def example_as_markdown(example: Example | None) -> str:
    """Return an example of the rules as Markdown: the table as text and its caption; empty if it doesn't fit."""
    return f"```text\n{excerpt(example.scene, example.parts)}\n```\n\n*{example.caption}*\n" if example else ""
