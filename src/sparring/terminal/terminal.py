"""Play a match in the terminal, between bots and people who share a keyboard."""

import re
import sys
from collections.abc import Callable, Sequence
from functools import cached_property
from itertools import groupby
from multiprocessing.process import BaseProcess
from pathlib import Path

import msgspec
from rich.console import Console
from rich.markdown import Markdown
from rich.markup import escape

from sparring import bots
from sparring.bots import Bot, BotFailed
from sparring.engine.errors import SparringError
from sparring.engine.formats.choice_parser import read_command, summarized
from sparring.engine.formats.spelling import normalize
from sparring.engine.game import Box
from sparring.engine.match import Match
from sparring.engine.new_deals import SENTENCE
from sparring.engine.texts import Example, departures, examples, replace_examples, rules_text
from sparring.scene import Area, PrintableScene
from sparring.scene.descriptions import LONGEST, ExchangeCounter, MoveDescriptions
from sparring.scene.glossary_terms import explain_word
from sparring.scene.markup import SeatNames, plain
from sparring.scene.sentences import ResultLine, merge_asides
from sparring.scene.text import WIDTH, excerpt, render, render_area, wrapped

from .seat_specs import SeatSpec, names

HELP = """Type a choice, its first letters or its number. Separate several choices with ;
  ?          show this help         back       undo a choice no one has seen
  ? WORD     explain a word         look       show the table again
  rules      show the rules         save FILE  save the match so far
  hint       show how a bot rates your choices, and what it expects next
  describe TEXT  describe your move, from its first card until the next attack
  forfeit    give up as soon as the game allows it; repeat it to cancel
  redeal     deal everything hidden again, once, if the deal was chosen
  quit       leave the match
If a choice has the same name as a command, type / before the command: /back."""

#: What to say if a person chose the deal.
KNOWN_DEAL = "The seed was chosen: someone may know the hidden cards. Type redeal to deal everything hidden again."

#: What people can type, and the command it stands for.
COMMANDS = {
    "?": "help", "help": "help", "what": "what", "back": "back", "undo": "back", "look": "look", "rules": "rules",
    "save": "save", "quit": "quit", "exit": "quit", "forfeit": "forfeit",
    "hint": "hint", "redeal": "redeal", "describe": "describe",
}  # fmt: skip


class PlayerLeft(Exception):
    """A player has left the match."""


class Terminal:
    """A match between people at this keyboard and bots, one entry of `sitters` for each seat.

    `every_choice` asks people even when the public information leaves only one choice; by default it is made for them.
    `known_deal` says that a person chose the deal.
    """

    def __init__(
        self, match: Match, sitters: Sequence[SeatSpec], console: Console,
        read: Callable[[str], str] | None = None, *, every_choice: bool = False,
        known_deal: bool = False,
    ) -> None:  # fmt: skip
        self.match, self.known_deal = match, known_deal
        self.sitters = list(sitters)
        self.names = SeatNames(names(sitters))
        self.console = console
        self.read = read or (lambda prompt: console.input(prompt, markup=False))
        self.people = [seat for seat, sitter in enumerate(sitters, 1) if not isinstance(sitter, Bot)]
        self.every_choice = every_choice
        #: Seats that forfeit when it is next their turn to choose.
        self.forfeits: set[int] = set()
        #: The seat of the person at the screen; 0 for a spectator.
        self.viewer = self.people[0] if self.people else 0
        self.streams = {seat: bots.stream(match.seed, seat) for seat in range(1, match.seats + 1)}
        #: What each person has not been shown yet: sentences, and before each result the cards that decided it.
        self.unseen_events: dict[int, list[str | Area]] = {seat: [] for seat in (self.people or [0])}
        #: The last result that each person was shown; if one set of cards has several, the first.
        self.last_results: dict[int, str] = {}
        self.exchanges, self.descriptions = ExchangeCounter(match), list[MoveDescriptions]()

    def play(self) -> None:
        """Play until the match is over or a player leaves."""
        changes = departures(self.match.box)
        self.say(f"{self.match.box.title}. {f'This match: {changes}. ' if changes else ''}Type ? for help.")
        for name, sitter in zip(self.names.names, self.sitters, strict=True):
            if isinstance(sitter, Bot):
                self.say(f"{name}: {sitter.title_at(self.match.box, self.match.seats)}.")
        if self.known_deal and len(self.people) > 1:
            self.say(KNOWN_DEAL)
        try:
            while seat := self.match.seat:
                bot = self.sitters[seat - 1]
                if isinstance(bot, Bot):
                    self.ask_bot(seat, bot)
                elif (answer := self.automatic_choice(seat)) is not None:
                    self.choose(answer)
                else:
                    self.ask(seat)
            self.end()
        except (PlayerLeft, EOFError, KeyboardInterrupt):
            self.say("\nYou left before the match was over.")

    @cached_property
    def compilation(self) -> BaseProcess | None:
        """Start compiling what the bots need in the background; None if nothing needs compiling."""
        game, thinkers = self.match.game, [sitter.text for sitter in self.sitters if isinstance(sitter, Bot)]
        code = {"search", *map(bots.search_of, thinkers)}
        return None if bots.is_ready(game, code) else bots.start_compiling(game, code)

    @property
    def is_compiling(self) -> bool:
        """Whether compilation still runs, so that bots must play without compiled code."""
        return self.compilation is not None and self.compilation.is_alive()

    def ask_bot(self, seat: int, bot: Bot) -> None:
        """Have a bot choose; if it fails, replace it for the rest of the match."""
        try:
            view = self.match.view(seat, memory=bot.remembers)
            action = bot.choose(view, self.streams[seat], quick=bot.searches and self.is_compiling)
        except BotFailed as failure:
            self.sitters[seat - 1] = bots.replacement_bot(bot.text)
            self.say(f"{self.names.of(seat)}: {failure} A random bot takes over.")
        else:
            self.choose(action)
            self.show_events()

    # People

    def automatic_choice(self, seat: int) -> int | None:
        """Return the choice that is made for a person: the only one, or a forfeit; None if the person has to choose."""
        answer = self.match.forced_action(concede=seat in self.forfeits)
        return answer if not self.every_choice or answer in self.match.game.conceding else None

    def ask(self, seat: int) -> None:
        """Show a person the table and read input until they have chosen."""
        if seat != self.viewer:
            self.hand_over(seat)
        self.show_events()
        self.show_table()
        discard_input()
        moves = len(self.match.history)
        while len(self.match.history) == moves:
            for text in filter(None, map(str.strip, self.read("> ").split(";"))):
                if self.match.seat != seat or not self.handle_input(text, first=len(self.match.history) == moves):
                    break
        self.show_events()

    def hand_over(self, seat: int) -> None:
        """Clear the screen and wait until the next person is in front of it, so that no one sees another's cards."""
        self.console.print("\n" * max(self.console.height, 40))
        self.console.clear()
        self.viewer = seat
        discard_input()
        self.read(f"It's Seat {seat}'s turn. Press Enter when only Seat {seat} can see the screen. ")

    def handle_input(self, text: str, *, first: bool = True) -> bool:
        """Run a command or make a choice; return whether a choice was made, so that the rest of the line can follow.

        Numbers refer to the choices on the screen, so only the `first` choice of a line can be a number.
        """
        choices = {normalize(choice.words) for choice in self.match.choices()}
        try:
            if command := read_command(text, COMMANDS, choices):
                self.run_command(*command)
                return False
            words = self.choice_words()
            if text.isdecimal() and normalize(text) not in choices:
                if not first:
                    raise SparringError(f"Ignored {text}: the choices have new numbers now.")
                text = words[int(text) - 1] if 1 <= int(text) <= len(words) else text
            self.choose(self.match.read(text))
        except SparringError as problem:
            self.say(str(problem))
            return False
        return True

    def run_command(self, command: str, rest: str) -> None:
        """Run a command, by its name in COMMANDS."""
        match command:
            case "help" if not rest:
                self.say(HELP)
            case "help" | "what":
                self.explain(rest)
            case "look":
                self.show_table()
            case "rules":
                self.rules()
            case "save":
                self.save(rest)
            case "back":
                self.match.take_back(1 if self.every_choice else self.match.steps_to_take_back)
                self.say("Choice undone.")
            case "forfeit":
                self.forfeit()
            case "hint":
                self.hint()
            case "describe":
                self.describe(rest)
            case "redeal":
                self.deal_again()
            case "quit":
                raise PlayerLeft

    def forfeit(self) -> None:
        """Let the person at the screen forfeit as soon as the game allows it, or cancel that."""
        when = self.match.view(self.viewer).scene.forfeit
        if not when:
            raise SparringError("This game doesn't let you forfeit.")
        self.forfeits ^= {self.viewer}
        if self.viewer in self.forfeits:
            self.say(f"You will forfeit {when}. Type forfeit again to cancel.")
        else:
            self.say("You won't forfeit.")

    def describe(self, text: str) -> None:
        """Describe a move of the person at the screen for all, once."""
        exchange, moves = self.exchanges.to_describe()
        described = any((each.exchange, each.seat) == (exchange, self.viewer) for each in self.descriptions)
        move = next((move for move in moves if move.seat == self.viewer and not described), None)
        if move is None:
            raise SparringError("You have no move to describe now.")
        words = plain(text)
        if not 0 < len(words) <= LONGEST:
            raise SparringError(f"Type a description of at most {LONGEST} characters after describe.")
        self.descriptions.append(MoveDescriptions(exchange, self.viewer, move.name, words))
        for news in self.unseen_events.values():
            news.append(self.descriptions[-1].sentence)
        self.show_events()

    def deal_again(self) -> None:
        """Deal everything hidden again, once, if a person chose the deal."""
        if not self.known_deal:
            raise SparringError("Only a match with a chosen deal can have a new deal, and only once.")
        self.known_deal = False
        self.match.deal_again(self.match.new_deal())
        for news in self.unseen_events.values():
            news.append(SENTENCE)
        if self.match.seat == self.viewer:
            self.show_events()
            self.show_table()

    def hint(self) -> None:
        """Show a search bot's estimates of the choices, from what the person at the screen knows."""
        for line in self.match.hint(self.viewer, quick=self.is_compiling).lines():
            for row in wrapped(self.names.text(line), WIDTH, after="  "):
                self.say(row)

    def explain(self, word: str) -> None:
        """Explain a word, or all words on the card of that name."""
        for meaning in explain_word(self.match.view(self.viewer).scene, self.match.game.glossary, word):
            for line in wrapped(meaning, WIDTH - 2, after="  "):
                self.say(line)

    def save(self, name: str) -> None:
        """Save the match so far to a new file."""
        if not name:
            raise SparringError("The file name is missing; type a name, such as save evening.json.")
        self.exchanges.to_describe()  # names the moves on the table
        moves = [msgspec.structs.replace(each, move=self.exchanges.names[each.exchange, each.seat])
                 for each in self.descriptions]  # fmt: skip
        try:
            with Path(name).expanduser().open("x", encoding="utf-8") as file:
                file.write(self.match.record({"moves": msgspec.to_builtins(moves)} if moves else None) + "\n")
        except FileExistsError:
            raise SparringError(f"{name} already exists; choose another name.") from None
        except OSError as problem:
            raise SparringError(f"Can't write {name}: {problem.strerror or problem}.") from None
        self.say(f"Saved to {name}. To replay it: sparring replay {name}")

    def rules(self) -> None:
        """Show the rules of the game."""
        show_rules(self.match.box, self.console)

    # Choosing

    def choose(self, action: int) -> None:
        """Make a choice and queue what each person sees of it."""
        self.match.choose(action)
        if self.match.game.has_named_moves and self.match.last_transition:
            self.exchanges.add(self.match.last_transition)
        for seat, news in self.unseen_events.items():
            for beat in self.match.beats(seat):
                exchange = beat.view.scene.exchange if beat.view.beat else None
                news.extend((exchange, *beat.lines) if exchange else beat.lines)

    # Showing

    def say(self, text: str) -> None:
        """Print plain text, wrapped at word boundaries."""
        for line in text.split("\n"):
            for row in wrapped(line, self.console.width) or [""]:
                self.console.print(row, markup=False, highlight=False, soft_wrap=True)

    def show_events(self) -> None:
        """Print what happened since the person at the screen last looked."""
        first = True
        for _, run in groupby(self.unseen_events[self.viewer], lambda part: isinstance(part, str)):
            parts = list(run)
            for area in (part for part in parts if not isinstance(part, str)):
                first = True
                self.show(*render_area(area, colour=True, names=self.names.names, indent="    "))
            for sentence in merge_asides([part for part in parts if isinstance(part, str)]):
                if isinstance(sentence, ResultLine) and first:
                    self.last_results[self.viewer] = self.names.text(sentence)
                    first = False
                print_event(self.console, sentence, self.names)
        self.unseen_events[self.viewer].clear()

    def show_table(self) -> None:
        """Draw the table as the person at the screen sees it, with their choices, to fit on one screen."""
        self.draw(self.match.view(self.viewer).scene, len(numbered(self.choice_words())))
        self.list_choices()

    def list_choices(self) -> None:
        """Print the choices with their numbers."""
        for line in numbered(self.choice_words()):
            self.say(line)

    def draw(self, scene: PrintableScene, below: int = 0) -> None:
        """Draw a table with room for `below` more lines on the screen, and above it the last result if that fits."""
        last = (
            wrapped(f"Last result: {self.last_results[self.viewer]}", WIDTH) if self.viewer in self.last_results else []
        )
        rows = self.console.height - below - 1  # the last row is for input
        drawn = render(scene, colour=True, names=self.names.names, choices=False, rows=rows - len(last) - 1)
        room = rows - drawn.count("\n") - 1
        above = last if len(last) <= room else []
        self.show(*([""] if len(above) < room else []), *map(escape, above), drawn)

    def show(self, *lines: str) -> None:
        """Print lines of markup."""
        for line in lines:
            self.console.print(line, highlight=False, soft_wrap=True)

    def choice_words(self) -> list[str]:
        """Return the words of all choices in table order, without duplicates."""
        view = self.match.view(self.match.seat or 0)
        words = {choice.action: choice.words for choice in view.choices}
        return list(dict.fromkeys(words[action] for action in view.scene.actions()))

    def end(self) -> None:
        """Print the last events, the final table and the outcome."""
        self.show_events()
        viewer = 0 if len(self.people) > 1 else self.viewer
        scene = self.match.view(viewer).scene
        self.show(render(scene, colour=True, names=self.names.names, rows=self.console.height - 2))
        self.say(self.names.text(outcome(self.match)))


def outcome(match: Match) -> str:
    """Return a sentence that says who won, why the match ended and how many choices it took."""
    winners = [f"Seat {seat}" for seat in match.winners]
    won = f"{' and '.join(winners)} {'win' if len(winners) > 1 else 'wins'}" if winners else "No one wins"
    count = len(match.history)
    return f"{won} ({match.ending}) after {count} choice{'s' * (count != 1)}."


def print_event(console: Console, sentence: str, names: SeatNames, indent: str = "") -> None:
    """Print an event; results are bold and have their own bullet."""
    bullet, style = ("»", "bold") if isinstance(sentence, ResultLine) else ("·", "")
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


def numbered(words: Sequence[str]) -> list[str]:
    """Return numbered choices, wrapped; a long run of board spaces becomes one range."""
    parts, number = [], 1
    for word, many in summarized(words):
        last = f"-{number + many - 1}" if many > 1 else ""
        parts.append(f"{number}{last} {word}".replace(" ", "\0"))
        number += many
    return [f"  {row}".replace("\0", " ") for row in wrapped("   ".join(parts), WIDTH - 2)]


def show_rules(box: Box, console: Console) -> None:
    """Print the rules for the options and the content in force.

    Raises:
        SparringError: The game has no rules to read.
    """
    text = rules_text(box)
    if text is None:
        raise SparringError(f"{box.title} has no document about its rules.")
    text = replace_examples(text, lambda number: example_as_markdown(examples(box)[number]))
    show_markdown(text, console)
    # As plain text: Markdown drops the addresses of links where the terminal can't follow them.
    console.print(f"\n{box.credit.text}", width=min(100, console.width), markup=False, soft_wrap=False)


def show_markdown(text: str, console: Console) -> None:
    """Print a document."""
    console.print(
        Markdown(re.sub(r"<!--.*?-->", "", text, flags=re.DOTALL)), width=min(100, console.width), soft_wrap=False
    )


def example_as_markdown(example: Example | None) -> str:
    """Return an example of the rules as Markdown: the table as text and its caption; empty if it doesn't fit."""
    return f"```text\n{excerpt(example.scene, example.parts)}\n```\n\n*{example.caption}*\n" if example else ""
