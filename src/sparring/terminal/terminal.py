"""Play a match in the terminal, between bots and people who share a keyboard; parse seats (`me,search,random`)."""

from collections.abc import Callable, Sequence
from functools import cached_property
from multiprocessing.process import BaseProcess
from pathlib import Path

import msgspec
from rich.console import Console

from sparring import bots
from sparring.bots import Bot, BotFailed
from sparring.engine.errors import BadBot, BadOption, SparringError
from sparring.engine.game import Game
from sparring.engine.match import Match
from sparring.engine.messages import Text, listed, say
from sparring.engine.records import NEW_DEAL
from sparring.engine.texts import departures
from sparring.scene import Area
from sparring.scene.markup import plain, seat_name
from sparring.scene.moves import LONGEST, ExchangeCounter, MoveDescriptions
from sparring.scene.sentences import AnyText, mention, merge_asides
from sparring.scene.text import WIDTH, render
from sparring.text import HELP, QUERIES, Command, CommandSet, TextView

from .screen import INTRO, SCREEN_COMMANDS, PlayerLeft, Screen, discard_input

ME, OPEN = "me", "open"

#: A bot, or ME (a person at this screen) or OPEN (a seat for a friend).
SeatSpec = Bot | str

#: What to say if a person chose the deal.
KNOWN_DEAL = Text(
    "The seed was chosen: someone may know the hidden cards. Type {redeal} to deal everything hidden again.",
    redeal="redeal",
)


def read_seats(game: Game, text: str | None, also_open: bool = False) -> list[SeatSpec]:
    """Return a player for each seat of `text`; by default me against search bots, on as few seats as the game allows.

    Raises:
        BadBot: A seat is neither a person nor a bot.
        BadOption: The number of seats is wrong, or several seats are `me` in the browser (`also_open`).
    """
    words = [word.strip() for word in text.split(",")] if text else [ME] + ["search"] * (game.seats[0] - 1)
    people = (ME, OPEN) if also_open else (ME,)
    sitters = [word if word in people else _bot(seat, word, people) for seat, word in enumerate(words, 1)]
    game.check_seats(len(sitters))
    if also_open and sitters.count(ME) > 1:
        raise BadOption("You can take only one seat in the browser; make the others open or give them to bots.")
    return sitters


def _bot(seat: int, word: str, people: Sequence[str]) -> Bot:
    try:
        return bots.parse(word)
    except BadBot:
        if word.lower().startswith((*bots.SEARCHES, "pipe:")):
            raise
        possible = ", ".join([*people, *bots.kinds()])
        if not word:
            raise BadBot(f"Seat {seat} is empty; it must be one of {possible}.") from None
        raise BadBot(f"Seat {seat} must be one of {possible}, not {word}.") from None


def names(sitters: Sequence[SeatSpec]) -> list[str]:
    """Return a name for each seat: `Seat 1` for people, a name such as Bolt for bots."""
    called = list[str]()
    for seat, sitter in enumerate(sitters, 1):
        called.append(bots.free_name(called) if isinstance(sitter, Bot) else seat_name(seat))
    return called


class Terminal(Screen):
    """A match between people at this keyboard and bots, one entry of `sitters` for each seat.

    `every_choice` asks people even when the public information leaves only one choice; by default it is made for them.
    `known_deal` says that a person chose the deal.
    """

    commands = CommandSet(
        INTRO, *QUERIES, *SCREEN_COMMANDS,
        Command("hint", Text("how a bot rates your choices, and what it expects next")),
        Command("back", Text("undo a choice no one has seen"), ("undo",)),
        Command("describe", Text("describe your move, from its first card until the next attack"),
                usage=Text("{describe} TEXT", describe="describe")),
        Command("forfeit", Text("give up as soon as the game allows it; repeat it to cancel")),
        Command("redeal", Text("deal everything hidden again, once, if the deal was chosen")),
        Command("save", Text("save the match so far"), usage=Text("{save} FILE", save="save")),
        HELP,
    )  # fmt: skip

    def __init__(
        self, match: Match, sitters: Sequence[SeatSpec], console: Console, read: Callable[[str], str] | None = None,
        *, every_choice: bool = False, known_deal: bool = False,
    ) -> None:  # fmt: skip
        super().__init__(names(sitters), console, read)
        self.match, self.known_deal = match, known_deal
        self.sitters = list(sitters)
        self.people = [seat for seat, sitter in enumerate(sitters, 1) if not isinstance(sitter, Bot)]
        self.every_choice = every_choice
        #: Seats that forfeit when it is next their turn to choose.
        self.forfeits: set[int] = set()
        self.viewer = self.people[0] if self.people else 0
        self.streams = {seat: bots.stream(match.seed, seat) for seat in range(1, match.seats + 1)}
        #: What each person has not been shown yet: sentences, and before each result the cards that decided it.
        self.unseen_events: dict[int, list[AnyText | Area]] = {seat: [] for seat in (self.people or [0])}
        #: What each person was shown since their last choice.
        self.recent: dict[int, list[AnyText]] = {seat: [] for seat in self.unseen_events}
        self.exchanges, self.descriptions = ExchangeCounter(match), list[MoveDescriptions]()

    def play(self) -> None:
        """Play until the match is over or a player leaves."""
        changes = departures(self.match.setup)
        game = self.match.setup.title
        if changes:
            self.say(say("{game}. This match: {changes}. Type ? for help.", game=game, changes=changes))
        else:
            self.say(say("{game}. Type ? for help.", game=game))
        for name, sitter in zip(self.names.names, self.sitters, strict=True):
            if isinstance(sitter, Bot):
                title = sitter.title_at(self.match.setup, self.match.seats)
                self.say(say("{who}: {bot}.", who=name, bot=title))
        if self.known_deal and len(self.people) > 1:
            self.say(str(KNOWN_DEAL))
        try:
            while seat := self.match.seat:
                bot = self.sitters[seat - 1]
                if isinstance(bot, Bot):
                    self.ask_bot(seat, bot)
                elif (answer := self.automatic_choice(seat)) is not None:
                    self.choose(answer)
                else:
                    self.ask_person(seat)
            self.end()
        except (PlayerLeft, EOFError, KeyboardInterrupt):
            self.say("\n" + say("You left before the match was over."))

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
            who = self.names.of(seat)
            self.say(say("{who}: {failure} A random bot takes over.", who=who, failure=str(failure)))
        else:
            self.choose(action)
            self.show_events()

    # People

    def automatic_choice(self, seat: int) -> int | None:
        """Return the choice that is made for a person: the only one, or a forfeit; None if the person has to choose."""
        answer = self.match.forced_action(concede=seat in self.forfeits)
        return answer if not self.every_choice or answer in self.match.game.conceding else None

    def ask_person(self, seat: int) -> None:
        """Show a person the table and read input until they have chosen."""
        if seat != self.viewer:
            self.hand_over(seat)
        self.show_events()
        self.show_table()
        discard_input()
        moves = len(self.match.history)
        while len(self.match.history) == moves:
            self.ask("> ")
        self.show_events()

    def hand_over(self, seat: int) -> None:
        """Clear the screen and wait until the next person is in front of it, so that no one sees another's cards."""
        self.console.print("\n" * max(self.console.height, 40))
        self.console.clear()
        self.viewer = seat
        discard_input()
        self.read(say("It's {who}'s turn. Press Enter when only {who} can see the screen. ", who=seat_name(seat)))

    def handle_input(self, text: str, *, first: bool = True) -> bool:
        """Run a command or make a choice; return whether the rest of the line can follow: it is still the same turn."""
        return super().handle_input(text, first=first) and self.match.seat == self.viewer

    def run_command(self, command: str, rest: str) -> None:
        """Run a command, or make a choice."""
        match command:
            case "":
                self.choose(self.match.read(rest))
            case "save":
                self.save(rest)
            case "back":
                self.match.take_back(1 if self.every_choice else self.match.steps_to_take_back)
                self.say(say("Choice undone."))
            case "forfeit":
                self.forfeit()
            case "hint":
                self.hint()
            case "describe":
                self.describe(rest)
            case "redeal":
                self.deal_again()
            case _:
                super().run_command(command, rest)

    def forfeit(self) -> None:
        """Let the person at the screen forfeit as soon as the game allows it, or cancel that."""
        when = self.match.view(self.viewer).scene.forfeit
        if not when:
            raise SparringError(say("This game doesn't let you forfeit."))
        self.forfeits ^= {self.viewer}
        if self.viewer in self.forfeits:
            self.say(say("You will forfeit {when}. Type {forfeit} again to cancel.", when=when, forfeit="forfeit"))
        else:
            self.say(say("You won't forfeit."))

    def describe(self, text: str) -> None:
        """Describe a move of the person at the screen for all, once."""
        exchange, moves = self.exchanges.to_describe()
        described = any((each.exchange, each.seat) == (exchange, self.viewer) for each in self.descriptions)
        move = next((move for move in moves if move.seat == self.viewer and not described), None)
        if move is None:
            raise SparringError(say("You have no move to describe now."))
        words = plain(text)
        if not 0 < len(words) <= LONGEST:
            form = "Type a description of at most {most} characters after {describe}."
            raise SparringError(say(form, most=LONGEST, describe="describe"))
        self.descriptions.append(MoveDescriptions(exchange, self.viewer, move.name, words))
        for news in self.unseen_events.values():
            news.append(self.descriptions[-1].sentence)
        self.show_events()

    def deal_again(self) -> None:
        """Deal everything hidden again, once, if a person chose the deal."""
        if not self.known_deal:
            raise SparringError(say("Only a match with a chosen deal can have a new deal, and only once."))
        self.known_deal = False
        self.match.deal_again(self.match.new_deal())
        for news in self.unseen_events.values():
            news.append(NEW_DEAL)
        if self.match.seat == self.viewer:
            self.show_events()
            self.show_table()

    def hint(self) -> None:
        """Show a search bot's estimates of the choices, from what the person at the screen knows."""
        for line in self.match.hint(self.viewer, quick=self.is_compiling).lines():
            self.say(self.names.text(line), WIDTH, indent="  ")

    def save(self, name: str) -> None:
        """Save the match so far to a new file."""
        if not name:
            example = "save evening.json"
            raise SparringError(say("The file name is missing; type a name, such as {example}.", example=example))
        self.exchanges.to_describe()  # names the moves on the table
        moves = [msgspec.structs.replace(each, move=self.exchanges.names[each.exchange, each.seat])
                 for each in self.descriptions]  # fmt: skip
        try:
            with Path(name).expanduser().open("x", encoding="utf-8") as file:
                file.write(self.match.record({"moves": msgspec.to_builtins(moves)} if moves else None) + "\n")
        except FileExistsError:
            raise SparringError(say("{file} already exists; choose another name.", file=name)) from None
        except OSError as problem:
            why = problem.strerror or str(problem)
            raise SparringError(say("Can't write {file}: {problem}.", file=name, problem=why)) from None
        command = f"sparring replay {name}"
        self.say(say("Saved to {file}. To replay it: {command}", file=name, command=command))

    # Choosing

    def choose(self, action: int) -> None:
        """Make a choice and queue what each person sees of it."""
        self.recent[self.match.seat or 0] = []
        self.match.choose(action)
        if self.match.game.has_named_moves and self.match.last_transition:
            self.exchanges.add(self.match.last_transition)
        for seat, news in self.unseen_events.items():
            for beat in self.match.beats(seat):
                exchange = beat.view.scene.exchange if beat.view.beat else None
                news.extend((exchange, *beat.lines) if exchange else beat.lines)

    # Showing

    @property
    def view(self) -> TextView:
        """What the person at the screen sees, and can type."""
        view, recent = self.match.view(self.viewer), self.recent[self.viewer]
        return TextView(
            view.scene, self.match.setup, self.names, self.commands, lambda: merge_asides(recent), aloud=False
        )

    def show_events(self) -> None:
        """Print what happened since the person at the screen last looked."""
        events = self.unseen_events[self.viewer]
        self.tell(events)
        self.recent[self.viewer] += [event for event in events if isinstance(event, AnyText)]
        events.clear()

    def end(self) -> None:
        """Print the last events, the final table and the outcome."""
        self.show_events()
        viewer = 0 if len(self.people) > 1 else self.viewer
        scene = self.match.view(viewer).scene
        self.show(render(scene, colour=True, names=self.names.names, rows=self.console.height - 2))
        self.say(self.names.text(outcome(self.match)))


def outcome(match: Match) -> str:
    """Return a sentence that says who won, why the match ended and how many choices it took."""
    winners = [mention(seat - 1) for seat in match.winners]
    values = {"ending": say(str(match.ending)), "n": len(match.history)}
    if not winners:
        return say("No one wins ({ending}) after {n} choice.", "No one wins ({ending}) after {n} choices.", **values)
    values["who"] = listed(winners)
    if len(winners) == 1:
        return say("{who} wins ({ending}) after {n} choice.", "{who} wins ({ending}) after {n} choices.", **values)
    return say("{who} win ({ending}) after {n} choice.", "{who} win ({ending}) after {n} choices.", **values)
