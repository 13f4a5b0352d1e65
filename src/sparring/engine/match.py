"""One match: take actions, take them back, look, save, load, replay."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace
from functools import partial
from typing import Any, ClassVar, NamedTuple, Self

from .beats import collect_beats
from .errors import BadRecord, ChoiceError, IllegalChoice, SparringError
from .formats.choice_parser import read_choice
from .game import Box, Game, winners_of
from .game import game as find_game
from .hints import Hint
from .records import MatchStart, deal, read_content, read_position, read_record, write_position, write_record
from .views import Beat, Choice, Transition, View, beats_of, legal_in, memory_of, view_of

#: The size of the cache of legal actions: the current state, those at the beats, the next one.
REMEMBERED = 8

#: The message for an action after the end.
IS_OVER = "The match is over; nothing more can be chosen."


class _UndoStep(NamedTuple):
    """An action that can be taken back: the state before it, and whether it was forced."""

    before: Any
    only: bool


class Match:
    """One match being played. Seats count from 1."""

    #: Computes hints (`bots.advise`); set by the package `sparring`, because the engine knows no bots.
    adviser: ClassVar[Callable[..., Hint]]

    def __init__(self, start: MatchStart) -> None:
        self.start = start
        self.box, self.seed = start.box, start.seed
        self.state = start.state.copy()
        self.history: list[int] = []
        # The actions of the current moment.
        self._moment: list[_UndoStep] = []
        #: The last action with full states; None before the first one, and after taking back.
        self.last_transition: Transition | None = None
        # Caches, keyed by the state: the same is needed several times for each action.
        self._legal: dict[bytes, tuple[int, ...]] = {}
        self._foreseen: tuple[bytes, Transition] | None = None

    @classmethod
    def new(
        cls, game: str | Game, *, seats: int | None = None, seed: int | None = None,
        options: Mapping[str, Any] | None = None, content: Any = None, preset: str | None = None,
    ) -> Self:  # fmt: skip
        """Deal a match.

        Without a seed it is random; `content` is a file's path, its data, or a result of `read_content`.
        """
        found = find_game(game) if isinstance(game, str) else game
        chosen = {**found.preset(preset), **(options or {})} if preset else options
        return cls.deal(found.box(chosen, read_content(found, content)), found.check_seats(seats), seed)

    @classmethod
    def deal(cls, box: Box, seats: int, seed: int | None = None) -> Self:
        """Deal a match from a box."""
        return cls(deal(box, seats, seed))

    @classmethod
    def from_position(cls, position: Mapping[str, Any], content: Any = None, *, game: Game | None = None) -> Self:
        """Start from a position: game, seats, options, seed, and the fields in the game's positions.md.

        `game` is for a game that is not installed. Raises BadPosition.
        """
        return cls(read_position(position, content, game))

    # Looking

    @property
    def game(self) -> Game:
        """The game being played."""
        return self.box.game

    @property
    def seats(self) -> int:
        """The number of seats."""
        return int(self.state.seats)

    @property
    def seat(self) -> int | None:
        """The seat that must act; None when the match is over."""
        return None if self.over else int(self.state.player) + 1

    @property
    def phase(self) -> str:
        """The name of the current phase."""
        return self.game.rules.PHASES[int(self.state.phase)]

    @property
    def over(self) -> bool:
        """Whether the match has ended."""
        return bool(self.state.over)

    @property
    def ending(self) -> str | None:
        """The name of the ending; None while playing."""
        return self.game.rules.ENDINGS[self.state.ending] if self.over else None

    @property
    def payoffs(self) -> dict[int, float] | None:
        """Each seat's payoff: losers -1, the winners share it, 0 for a draw between all. None while playing."""
        return {seat + 1: float(self.state.payoff[seat]) for seat in range(self.seats)} if self.over else None

    @property
    def winners(self) -> tuple[int, ...]:
        """The seats with the highest payoff; empty while playing, and in a draw between all."""
        won = winners_of(self.state.payoff[: self.seats]) & self.over
        return tuple(seat for seat in range(1, self.seats + 1) if won[seat - 1])

    def legal(self) -> list[int]:
        """Return the numbers of the legal actions, ascending."""
        return list(self.legal_at(self.state))

    def legal_at(self, truth: Any) -> tuple[int, ...]:
        """Return the legal actions in any full state of this match."""
        state = truth.tobytes()
        if state not in self._legal:
            if len(self._legal) == REMEMBERED:
                self._legal.clear()
            self._legal[state] = tuple(legal_in(self.box, truth))
        return self._legal[state]

    def choices(self) -> list[Choice]:
        """Return the legal choices, with their words."""
        return self.view(self.seat).choices if self.seat else []

    def view(self, seat: int = 0, *, memory: bool = False) -> View:
        """Return what a seat knows; seat 0 is a spectator. `memory` adds its observations of all actions so far."""
        if not 0 <= seat <= self.seats:
            raise SparringError(f"There is no seat {seat}; the seats are 1 to {self.seats}, and 0 is a spectator.")
        view = self.view_of(self.state, seat)
        return replace(view, memory=memory_of(self.box, self._played_again(), seat)) if memory else view

    def _played_again(self) -> Iterator[tuple[Any, int]]:
        """Replay the match and yield each action with the state before it."""
        truth = self.start.state.copy()
        for action in self.history:
            yield truth.copy(), action
            self.game.rules.step(self.box.kit, truth, action)

    def view_of(self, truth: Any, seat: int) -> View:
        """Return a seat's view of any full state of this match."""
        return view_of(self.box, truth, seat, legal=self.legal_at)

    def beats(self, seat: int = 0, course: Transition | None = None, seen: View | None = None) -> list[Beat]:
        """Return the last action (or `course`) as a seat saw it: the beats, then the state in which a player must act.

        A beat in which nothing is said or looks different is left out, so a seat that may not know about an action sees
        none. Empty before the first action, and after taking back. `seen` is the seat's view before the action, if it
        is known.
        """
        course = course or self.last_transition
        return beats_of(self.box, course, seat, seen, partial(view_of, legal=self.legal_at)) if course else []

    def hint(self, seat: int, bot: str = "search", *, quick: bool = False) -> Hint:
        """Return a bot's advice for the seat that must act, from its view alone; the same view gives the same hint.

        `quick` asks for it at once, without compiling anything.
        """
        if self.over:
            raise IllegalChoice(IS_OVER)
        look = partial(self.view, seat)
        look()  # raises if there is no such seat
        if seat != self.seat:
            raise IllegalChoice(f"A hint is only for seat {self.seat}, whose turn it is.")
        return Match.adviser(look, bot, quick=quick)

    def sentences(self, seat: int = 0) -> list[str]:
        """Return the sentences that a seat gets for the last action."""
        return [line for beat in self.beats(seat) for line in beat.lines]

    def log(self, seat: int = 0) -> list[str]:
        """Replay the match and return all sentences that a seat got."""
        self.view(seat)
        again = type(self)(self.start)
        lines = list[str]()
        for action in self.history:
            again.choose(action)
            lines += again.sentences(seat)
        return lines

    # Playing

    def forced_action(self, *, concede: bool = False) -> int | None:
        """Return the action that the table may take for the player; None if the player must be asked.

        That is the only action in a phase of OPEN, apart from conceding ones. If the player has announced to `concede`,
        it is the conceding action.
        """
        if self.over or int(self.state.phase) not in self.game.rules.OPEN:
            return None
        legal = self.legal()
        kept = [action for action in legal if action not in self.game.conceding]
        if len(kept) != 1:
            return None
        return next((action for action in legal if action != kept[0]), kept[0]) if concede else kept[0]

    def read(self, words: str | int) -> int:
        """Return the legal action that the words (or the number) name. Raises ChoiceError."""
        if self.over:
            raise IllegalChoice(IS_OVER)
        legal = self.legal()
        if words in legal:
            return int(words)
        view = self.view(self.seat or 0)
        if isinstance(words, str):
            return read_choice(self.box, view.state, legal, words)
        if 0 <= words < len(self.game.rules.ACTIONS):
            raise IllegalChoice(self.game.scene.why_not(self.box, view.state, int(words)))
        raise IllegalChoice(f"There is no choice number {words}; they go from 0 to {len(self.game.rules.ACTIONS) - 1}.")

    def choose(self, words: str | int, *, seat: int | None = None) -> None:
        """Take one action for the seat whose turn it is; with `seat`, only if it is that seat's turn."""
        if seat is not None and seat != self.seat and not self.over:
            raise IllegalChoice(f"It is seat {self.seat}'s turn, not seat {seat}'s.")
        action = self.read(words)
        self.last_transition = course = self.preview(action)
        self.state = course.after.copy()
        self.history.append(action)
        if self.state.moment != course.before.moment:
            self._moment.clear()
        else:
            self._moment.append(_UndoStep(course.before.copy(), bool(course.forced_reason)))

    def adopt(self, courses: Sequence[Transition]) -> None:
        """Adopt actions that were computed before, by the same rules and from the same deal."""
        if not courses:
            return
        self.last_transition = courses[-1]
        self.state = courses[-1].after.copy()
        self.history = [course.action for course in courses]
        self._moment.clear()
        for course in reversed(courses):
            if course.after.moment != course.before.moment:
                break
            self._moment.insert(0, _UndoStep(course.before.copy(), bool(course.forced_reason)))

    def preview(self, action: int) -> Transition:
        """Return what a legal action will do, with full states; the match does not change."""
        now = self.state.tobytes()
        if self._foreseen is None or (self._foreseen[0], self._foreseen[1].action) != (now, action):
            self._foreseen = now, self._carried_out(action)
        return self._foreseen[1]

    def _carried_out(self, action: int) -> Transition:
        before, after = self.state.copy(), self.state.copy()
        only = self.game.scene.ONLY[int(before.phase)] if action == self.forced_action() else ""
        with collect_beats() as marks:
            self.game.rules.step(self.box.kit, after, action)
        return Transition(before, action, only, tuple(marks), after)

    def play(self, words: str) -> None:
        """Take several actions, separated by semicolons."""
        for part in words.split(";"):
            if part.strip():
                self.choose(part)

    @property
    def can_take_back(self) -> bool:
        """Whether the last action can be taken back."""
        return bool(self._moment)

    @property
    def steps_to_take_back(self) -> int:
        """How many actions to take back to undo the last one that was not forced; 0 if there is none in this moment."""
        free = [place for place, step in enumerate(reversed(self._moment), 1) if not step.only]
        return free[0] if free else 0

    def take_back(self, steps: int = 1) -> None:
        """Take back the last `steps` actions of the current moment. Raises ChoiceError."""
        if not 0 < steps <= len(self._moment):
            raise ChoiceError("Nothing can be taken back: the others have seen the last choice, or it is their turn.")
        self.state = self._moment[-steps].before
        self.last_transition = None
        del self._moment[-steps:], self.history[-steps:]

    # Keeping

    def record(self, table: Mapping[str, Any] | None = None) -> str:
        """Return the match as text: game, options, content, seed, actions, and a checksum.

        `table` is additional data about where it was played; it does not affect the match.
        """
        return write_record(self.start, self.history, table)

    @classmethod
    def from_record(cls, record: str | bytes, *, upto: int | None = None, game: Game | None = None) -> Self:
        """Replay a record (its first `upto` actions); `game` is for a game that is not installed. Raises BadRecord."""
        start, choices = read_record(record, upto, game)
        match = cls(start)
        try:
            for action in choices:
                match.choose(action)
        except ChoiceError as problem:
            raise BadRecord(f"This record contains an illegal choice: {problem}") from None
        return match

    def position(self) -> dict[str, Any]:
        """Return the full state in readable form, for `from_position`, tests and bug reports."""
        return write_position(self.start._replace(state=self.state))
