"""A match in the terminal: people at one keyboard, bots, and text."""

import re
import sys
from collections.abc import Callable, Sequence
from functools import cached_property
from itertools import groupby
from multiprocessing.process import BaseProcess
from pathlib import Path

from rich.console import Console
from rich.markdown import Markdown
from rich.markup import escape

from sparring import bots
from sparring.bots import Bot, BotFailed
from sparring.engine.errors import SparringError
from sparring.engine.examples import Example, examples, replace_examples
from sparring.engine.formats.choice_parser import gathered, read_command
from sparring.engine.formats.spelling import plain
from sparring.engine.game import Game
from sparring.engine.match import Match
from sparring.scene import Area, PrintableScene
from sparring.scene.glossary_terms import meanings
from sparring.scene.markup import SeatNames
from sparring.scene.sentences import ResultLine, together
from sparring.scene.text import WIDTH, excerpt, render, render_area, wrapped

from .seat_specs import Sitter, names

HELP = """Type the words of a choice, the beginning of them, or its number; several at once with ; between them.
  ?          this help              back       take back what nobody has seen yet
  ? WORD     what a word means      look       show the table again
  rules      the rules of the game  save FILE  keep the match so far
  hint       what a bot in your place makes of your choices, and what it expects to follow
  forfeit    give up at the end of the Round, where the game allows it; once more takes that back
  quit       leave the table
Where a choice is called like one of these, write a / before the command: /back."""

#: Commands, and the other words for them.
COMMANDS = {
    "?": "help", "help": "help", "what": "what", "back": "back", "undo": "back", "look": "look", "rules": "rules",
    "save": "save", "quit": "quit", "exit": "quit", "forfeit": "forfeit",
    "hint": "hint",
}  # fmt: skip


class PlayerLeft(Exception):
    """Somebody has left the table."""


class Terminal:
    """A match between people at this keyboard and bots, one sitter for each seat.

    `every_choice` asks people also where everybody can see that there is only one; usually the table makes that one.
    """

    def __init__(
        self, match: Match, sitters: Sequence[Sitter], console: Console,
        read: Callable[[str], str] | None = None, *, every_choice: bool = False,
    ) -> None:  # fmt: skip
        self.match = match
        self.sitters = list(sitters)
        self.names = SeatNames(names(sitters))
        self.console = console
        self.read = read or (lambda prompt: console.input(prompt, markup=False))
        self.people = [seat for seat, sitter in enumerate(sitters, 1) if not isinstance(sitter, Bot)]
        self.every_choice = every_choice
        #: The seats that have said that they forfeit when they are asked the next time.
        self.forfeits: set[int] = set()
        #: Who looks at the screen; 0: somebody who only watches.
        self.looking = self.people[0] if self.people else 0
        self.streams = {seat: bots.stream(match.seed, seat) for seat in range(1, match.seats + 1)}
        #: What each person has not yet been told: sentences, and before a result the cards that decided it.
        self.news: dict[int, list[str | Area]] = {seat: [] for seat in (self.people or [0])}
        #: The last result that each person was told; of several for the same cards the first.
        self.decided: dict[int, str] = {}

    def play(self) -> None:
        """Play until the match is over or somebody leaves."""
        self.say(f"{self.match.game.title}. Type ? for help.")
        for name, sitter in zip(self.names.names, self.sitters, strict=True):
            if isinstance(sitter, Bot):
                self.say(f"{name} plays too: {sitter.called_at(self.match.box, self.match.seats)}.")
        try:
            while seat := self.match.seat:
                bot = self.sitters[seat - 1]
                if isinstance(bot, Bot):
                    self.ask_bot(seat, bot)
                elif (answer := self.answer(seat)) is not None:
                    self.choose(answer)
                else:
                    self.ask(seat)
            self.end()
        except (PlayerLeft, EOFError, KeyboardInterrupt):
            self.say("\nYou left the table; the match was not finished.")

    @cached_property
    def warming(self) -> BaseProcess | None:
        """Compiles what the bots need while people play already; None if there is nothing to compile."""
        game, thinkers = self.match.game, [sitter.text for sitter in self.sitters if isinstance(sitter, Bot)]
        code = {"search", *map(bots.code_of, thinkers)}
        return None if bots.is_ready(game, code) else bots.start_warming(game, code)

    @property
    def in_a_hurry(self) -> bool:
        """Whether bots must do without compiled code for now."""
        return self.warming is not None and self.warming.is_alive()

    def ask_bot(self, seat: int, bot: Bot) -> None:
        """Have a bot choose; one that loses its clock is replaced for the rest of the match."""
        try:
            view = self.match.view(seat, memory=bot.remembers)
            action = bot.choose(view, self.streams[seat], quick=bot.searches and self.in_a_hurry)
        except BotFailed as lost:
            self.sitters[seat - 1] = bots.stand_in(bot.text)
            self.say(f"{self.names.of(seat)}: {lost} A random bot plays on for it.")
        else:
            self.choose(action)
            self.tell()

    # People

    def answer(self, seat: int) -> int | None:
        """What the table answers for a person; None if the person is asked."""
        answer = self.match.only_choice(concede=seat in self.forfeits)
        return answer if not self.every_choice or answer in self.match.game.conceding else None

    def ask(self, seat: int) -> None:
        """Show the table to a person and let them choose until something was chosen."""
        if seat != self.looking:
            self.hand_over(seat)
        self.tell()
        self.look()
        forget_typing()
        moves = len(self.match.history)
        while len(self.match.history) == moves:
            for text in filter(None, map(str.strip, self.read("> ").split(";"))):
                if self.match.seat != seat or not self.obey(text, first=len(self.match.history) == moves):
                    break
        self.tell()

    def hand_over(self, seat: int) -> None:
        """Another person comes to the screen; nobody's cards lie open meanwhile."""
        self.console.print("\n" * max(self.console.height, 40))
        self.console.clear()
        self.looking = seat
        forget_typing()
        self.read(f"Seat {seat} is to choose. Press Enter when only Seat {seat} sees the screen. ")

    def obey(self, text: str, *, first: bool = True) -> bool:
        """Carry out a command or a choice. Whether a choice was made, so that the rest of the line may follow.

        Numbers are those of the choices that are shown, so only the `first` choice of a line can be a number.
        """
        called = {plain(choice.words) for choice in self.match.choices()}
        try:
            if command := read_command(text, COMMANDS, called):
                self.carry_out(*command)
                return False
            words = self.listed()
            if text.isdecimal() and plain(text) not in called:
                if not first:
                    raise SparringError(f"{text} was not taken: the choices have new numbers now.")
                text = words[int(text) - 1] if 1 <= int(text) <= len(words) else text
            self.choose(self.match.read(text))
        except SparringError as problem:
            self.say(str(problem))
            return False
        return True

    def carry_out(self, command: str, rest: str) -> None:
        """One of COMMANDS."""
        match command:
            case "help" if not rest:
                self.say(HELP)
            case "help" | "what":
                self.explain(rest)
            case "look":
                self.look()
            case "rules":
                self.rules()
            case "save":
                self.save(rest)
            case "back":
                self.match.take_back(1 if self.every_choice else self.match.to_take_back)
                self.say("Taken back.")
            case "forfeit":
                self.forfeit()
            case "hint":
                self.hint()
            case "quit":
                raise PlayerLeft

    def forfeit(self) -> None:
        """Say that the person at the screen gives up when that can be done, or that they stay after all."""
        when = self.match.view(self.looking).scene.forfeit
        if not when:
            raise SparringError("Nobody can forfeit here.")
        self.forfeits ^= {self.looking}
        if self.looking in self.forfeits:
            self.say(f"You forfeit {when}. Type forfeit once more to take that back.")
        else:
            self.say("You do not forfeit.")

    def hint(self) -> None:
        """What a search makes of the choices of the person at the screen, from what they know."""
        for line in self.match.hint(self.looking, quick=self.in_a_hurry).lines():
            for row in wrapped(self.names.text(line), WIDTH, after="  "):
                self.say(row)

    def explain(self, word: str) -> None:
        """What a word of the table means, or all the words of a card that is called so."""
        for meaning in meanings(self.match.view(self.looking).scene, self.match.game.glossary, word):
            for line in wrapped(meaning, WIDTH - 2, after="  "):
                self.say(line)

    def save(self, name: str) -> None:
        """Write the match so far into a new file."""
        if not name:
            raise SparringError("Say where to keep it, as in: save evening.json")
        try:
            with Path(name).expanduser().open("x", encoding="utf-8") as file:
                file.write(self.match.record() + "\n")
        except FileExistsError:
            raise SparringError(f"{name} is there already; choose another name.") from None
        except OSError as problem:
            raise SparringError(f"{name} cannot be written: {problem.strerror or problem}.") from None
        self.say(f"Kept in {name}; sparring replay {name} shows it.")

    def rules(self) -> None:
        """The rules of the game."""
        show_paper(self.match.game, "rules", self.console)

    # Choosing

    def choose(self, action: int) -> None:
        """Carry out a choice, and note what each person saw of it."""
        self.match.choose(action)
        for seat, news in self.news.items():
            for beat in self.match.beats(seat):
                exchange = beat.view.scene.exchange if beat.view.beat else None
                news.extend((exchange, *beat.lines) if exchange else beat.lines)

    # Showing

    def say(self, text: str) -> None:
        """Lines of plain text, in whole words."""
        for line in text.split("\n"):
            for row in wrapped(line, self.console.width) or [""]:
                self.console.print(row, markup=False, highlight=False, soft_wrap=True)

    def tell(self) -> None:
        """What happened since whoever looks at the screen last heard of it."""
        first = True
        for _, run in groupby(self.news[self.looking], lambda part: isinstance(part, str)):
            parts = list(run)
            for area in (part for part in parts if not isinstance(part, str)):
                first = True
                self.show(*render_area(area, colour=True, names=self.names.names, indent="    "))
            for sentence in together([part for part in parts if isinstance(part, str)]):
                if isinstance(sentence, ResultLine) and first:
                    self.decided[self.looking] = self.names.text(sentence)
                    first = False
                tell_one(self.console, sentence, self.names)
        self.news[self.looking].clear()

    def look(self) -> None:
        """The table as the person at the screen sees it, and what they can choose: all of it on one screen."""
        self.draw(self.match.view(self.looking).scene, len(numbered(self.listed())))
        self.list_choices()

    def list_choices(self) -> None:
        """What can be chosen, by numbers and words."""
        for line in numbered(self.listed()):
            self.say(line)

    def draw(self, scene: PrintableScene, below: int = 0) -> None:
        """A table on one screen with so many lines below it, and if there is room the last result above it."""
        last = wrapped(f"Last: {self.decided[self.looking]}", WIDTH) if self.looking in self.decided else []
        rows = self.console.height - below - 1  # the last one is to type in
        drawn = render(scene, colour=True, names=self.names.names, choices=False, rows=rows - len(last) - 1)
        room = rows - drawn.count("\n") - 1
        above = last if len(last) <= room else []
        self.show(*([""] if len(above) < room else []), *map(escape, above), drawn)

    def show(self, *lines: str) -> None:
        """Lines of markup."""
        for line in lines:
            self.console.print(line, highlight=False, soft_wrap=True)

    def listed(self) -> list[str]:
        """The words of all choices, those of equal words once, in the order of the table."""
        view = self.match.view(self.match.seat or 0)
        words = {choice.action: choice.words for choice in view.choices}
        return list(dict.fromkeys(words[action] for action in view.scene.actions()))

    def end(self) -> None:
        """What the table did last, and the last look at it: who won."""
        self.tell()
        viewer = 0 if len(self.people) > 1 else self.looking
        scene = self.match.view(viewer).scene
        self.show(render(scene, colour=True, names=self.names.names, rows=self.console.height - 2))
        self.say(self.names.text(outcome(self.match)))


def outcome(match: Match) -> str:
    """Who won, and why the match ended, in a sentence."""
    winners = [f"Seat {seat}" for seat in match.winners]
    won = f"{' and '.join(winners)} {'win' if len(winners) > 1 else 'wins'}" if winners else "Nobody wins"
    return f"{won} ({match.ending}) after {len(match.history)} choices."


def tell_one(console: Console, sentence: str, names: SeatNames, indent: str = "") -> None:
    """A sentence of what happened; one that says what was decided stands out."""
    decided = isinstance(sentence, ResultLine)
    sign, style = ("»", "bold") if decided else ("·", "")
    for line in wrapped(names.text(sentence), WIDTH - 2, f"{indent}{sign} ", f"{indent}  "):
        console.print(line, style=style, markup=False, highlight=False, soft_wrap=True)


def forget_typing() -> None:
    """Forget what was typed before the question stood there; a file or another program is read on."""
    if not sys.stdin.isatty():
        return
    if sys.platform == "win32":
        import msvcrt

        while msvcrt.kbhit():
            msvcrt.getwch()
    else:
        import termios

        termios.tcflush(sys.stdin, termios.TCIFLUSH)


def numbered(words: Sequence[str]) -> list[str]:
    """Choices with their numbers, on as many lines as they need; many places are told as one."""
    parts, number = [], 1
    for word, many in gathered(words):
        last = f"-{number + many - 1}" if many > 1 else ""
        parts.append(f"{number}{last} {word}".replace(" ", "\0"))
        number += many
    return [f"  {row}".replace("\0", " ") for row in wrapped("   ".join(parts), WIDTH - 2)]


def show_paper(game: Game, paper: str, console: Console) -> None:
    """A game's rules or the form of its positions, laid out."""
    text = game.paper(paper)
    if text is None:
        raise SparringError(f"This game comes without {paper} to read.")
    text = re.sub(r"<!--.*?-->", "", text, flags=re.DOTALL)
    if paper == "rules":
        text = replace_examples(text, lambda number: in_text(examples(game)[number]))
    console.print(Markdown(text), width=min(100, console.width), soft_wrap=False)


def in_text(example: Example) -> str:
    """An example of the rules as the terminal shows it: the table in signs, and what is said of it."""
    return f"```text\n{excerpt(example.scene, example.parts)}\n```\n\n*{example.caption}*\n"
