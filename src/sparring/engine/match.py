"""One game being played: choose, take back, look, save, load, replay."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace
from functools import partial
from typing import Any, ClassVar, NamedTuple, Self

from .beats import watched
from .errors import BadRecord, ChoiceError, IllegalChoice, SparringError
from .formats.choice_parser import read_choice
from .game import Box, Game, winners_of
from .game import game as find_game
from .hints import Hint
from .records import MatchStart, dealt, read_content, read_position, read_record, write_position, write_record
from .views import Beat, Choice, Transition, View, beats_of, legal_in, memory_of, view_of

#: Of how many states a match remembers the legal choices: this one, those at the beats, the one that is foreseen.
REMEMBERED = 8

#: What somebody is told who wants to choose something all the same.
IS_OVER = "The match is over; nothing more can be chosen."


class _UndoStep(NamedTuple):
    """A choice that can be taken back: the state before it, and whether it was the only one."""

    before: Any
    only: bool


class Match:
    """One game being played. Seats are counted from 1, as at a table."""

    #: Who is asked for a hint, with a way to look and the words of a bot; the engine knows none: `sparring` names it.
    adviser: ClassVar[Callable[..., Hint]]

    def __init__(self, start: MatchStart) -> None:
        self.start = start
        self.box, self.seed = start.box, start.seed
        self.state = start.state.copy()
        self.history: list[int] = []
        # The choices of the current moment.
        self._moment: list[_UndoStep] = []
        #: What the last choice did, in truth; None before the first one, and when it was taken back.
        self.course: Transition | None = None
        # What was worked out last, beside the state it is true of: the same is asked several times for each choice.
        self._legal: dict[bytes, tuple[int, ...]] = {}
        self._foreseen: tuple[bytes, Transition] | None = None

    @classmethod
    def new(
        cls, game: str | Game, *, seats: int | None = None, seed: int | None = None,
        options: Mapping[str, Any] | None = None, content: Any = None, preset: str | None = None,
    ) -> Self:  # fmt: skip
        """Deal a match. Without a seed chance decides; `content` is a file's path, its data, or what was read."""
        found = find_game(game) if isinstance(game, str) else game
        chosen = {**found.preset(preset), **(options or {})} if preset else options
        return cls.deal(found.box(chosen, read_content(found, content)), found.check_seats(seats), seed)

    @classmethod
    def deal(cls, box: Box, seats: int, seed: int | None = None) -> Self:
        """Deal a match from an opened box."""
        return cls(dealt(box, seats, seed))

    @classmethod
    def from_position(cls, position: Mapping[str, Any], content: Any = None, *, game: Game | None = None) -> Self:
        """Start from a position written by hand: game, seats, options, seed, and what the game's positions.md says.

        `game` is for a game that is not installed.
        """
        return cls(read_position(position, content, game))

    # Looking

    @property
    def game(self) -> Game:
        """The game that is played."""
        return self.box.game

    @property
    def seats(self) -> int:
        """How many seats play."""
        return int(self.state.seats)

    @property
    def seat(self) -> int | None:
        """The seat that is to choose; None when the match is over."""
        return None if self.over else int(self.state.player) + 1

    @property
    def phase(self) -> str:
        """The phase the match is in, by name."""
        return self.game.rules.PHASES[int(self.state.phase)]

    @property
    def over(self) -> bool:
        """Whether the match has ended."""
        return bool(self.state.over)

    @property
    def ending(self) -> str | None:
        """Which of the game's endings ended it."""
        return self.game.rules.ENDINGS[self.state.ending] if self.over else None

    @property
    def payoffs(self) -> dict[int, float] | None:
        """What each seat won or lost: losers -1, the winners share it, 0 for a draw between all. None while playing."""
        return {seat + 1: float(self.state.payoff[seat]) for seat in range(self.seats)} if self.over else None

    @property
    def winners(self) -> tuple[int, ...]:
        """The seats with the highest payoff; nobody while playing, and in a draw between all."""
        won = winners_of(self.state.payoff[: self.seats]) & self.over
        return tuple(seat for seat in range(1, self.seats + 1) if won[seat - 1])

    def legal(self) -> list[int]:
        """The numbers of the choices that can be made now, ascending."""
        return list(self.legal_at(self.state))

    def legal_at(self, truth: Any) -> tuple[int, ...]:
        """The same in any state of this match, in truth."""
        state = truth.tobytes()
        if state not in self._legal:
            if len(self._legal) == REMEMBERED:
                self._legal.clear()
            self._legal[state] = tuple(legal_in(self.box, truth))
        return self._legal[state]

    def choices(self) -> list[Choice]:
        """What can be chosen now."""
        return self.view(self.seat).choices if self.seat else []

    def view(self, seat: int = 0, *, memory: bool = False) -> View:
        """What a seat knows; seat 0 is somebody who only watches. With its `memory`: of all choices so far."""
        if not 0 <= seat <= self.seats:
            raise SparringError(f"There is no seat {seat}; the seats are 1 to {self.seats}, and 0 only watches.")
        view = self.view_of(self.state, seat)
        return replace(view, memory=memory_of(self.box, self._played_again(), seat)) if memory else view

    def _played_again(self) -> Iterator[tuple[Any, int]]:
        """Each choice with the state it was made in: the match is played again for that."""
        truth = self.start.state.copy()
        for action in self.history:
            yield truth.copy(), action
            self.game.rules.step(self.box.kit, truth, action)

    def view_of(self, truth: Any, seat: int) -> View:
        """What a seat knows of any state of this match, in truth."""
        return view_of(self.box, truth, seat, legal=self.legal_at)

    def beats(self, seat: int = 0, course: Transition | None = None, seen: View | None = None) -> list[Beat]:
        """The last choice (or an earlier one) as a seat saw it: what was to be seen in between, then the table at rest.

        Where nothing is told and nothing looks different there is no beat; so somebody who may not know that there was
        a choice has none. Empty before the first choice, and when the last one was taken back. `seen` is what the seat
        saw before it, if that is known.
        """
        course = course or self.course
        return beats_of(self.box, course, seat, seen, partial(view_of, legal=self.legal_at)) if course else []

    def hint(self, seat: int, bot: str = "search", *, quick: bool = False) -> Hint:
        """What a bot that thinks advises the seat that is to choose, from its view alone: the same view, the same hint.

        `quick` asks for one at once, without waiting for anything to be compiled.
        """
        if self.over:
            raise IllegalChoice(IS_OVER)
        look = partial(self.view, seat)
        look()  # which says if there is no such seat
        if seat != self.seat:
            raise IllegalChoice(f"It is seat {self.seat} that chooses now; a hint is for who is asked.")
        return Match.adviser(look, bot, quick=quick)

    def told(self, seat: int = 0) -> list[str]:
        """All sentences that a seat is told of the last choice."""
        return [line for beat in self.beats(seat) for line in beat.lines]

    def log(self, seat: int = 0) -> list[str]:
        """All that a seat was told since the match began: it is played again for that."""
        self.view(seat)
        again = type(self)(self.start)
        lines = list[str]()
        for action in self.history:
            again.choose(action)
            lines += again.told(seat)
        return lines

    # Playing

    def only_choice(self, *, concede: bool = False) -> int | None:
        """What the table may answer for the seat that is asked; None if the seat is to be asked.

        Everybody can see that there is one choice only (OPEN), but for those that concede. Where the seat has said
        that it will `concede`, the answer is the one that does.
        """
        if self.over or int(self.state.phase) not in self.game.rules.OPEN:
            return None
        legal = self.legal()
        kept = [action for action in legal if action not in self.game.conceding]
        if len(kept) != 1:
            return None
        return next((action for action in legal if action != kept[0]), kept[0]) if concede else kept[0]

    def read(self, words: str | int) -> int:
        """The legal choice that the words (or the number) name; a ChoiceError if there is none."""
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
        """Make one choice, for the seat whose choice it is; with a `seat`, only if it is that one's."""
        if seat is not None and seat != self.seat and not self.over:
            raise IllegalChoice(f"It is seat {self.seat} that chooses now, not seat {seat}.")
        action = self.read(words)
        self.course = course = self.foreseen(action)
        self.state = course.after.copy()
        self.history.append(action)
        if self.state.moment != course.before.moment:
            self._moment.clear()
        else:
            self._moment.append(_UndoStep(course.before.copy(), bool(course.only)))

    def go_on_from(self, courses: Sequence[Transition]) -> None:
        """Take over choices that were carried out before, by these rules and from this very deal."""
        if not courses:
            return
        self.course = courses[-1]
        self.state = courses[-1].after.copy()
        self.history = [course.action for course in courses]
        self._moment.clear()
        for course in reversed(courses):
            if course.after.moment != course.before.moment:
                break
            self._moment.insert(0, _UndoStep(course.before.copy(), bool(course.only)))

    def foreseen(self, action: int) -> Transition:
        """What a legal choice will do, in truth; nothing is changed yet."""
        now = self.state.tobytes()
        if self._foreseen is None or (self._foreseen[0], self._foreseen[1].action) != (now, action):
            self._foreseen = now, self._carried_out(action)
        return self._foreseen[1]

    def _carried_out(self, action: int) -> Transition:
        before, after = self.state.copy(), self.state.copy()
        only = self.game.scene.ONLY[int(before.phase)] if action == self.only_choice() else ""
        with watched() as marks:
            self.game.rules.step(self.box.kit, after, action)
        return Transition(before, action, only, tuple(marks), after)

    def play(self, words: str) -> None:
        """Make several choices, separated by semicolons."""
        for part in words.split(";"):
            if part.strip():
                self.choose(part)

    @property
    def can_take_back(self) -> bool:
        """Whether the last choice belongs to this moment still."""
        return bool(self._moment)

    @property
    def to_take_back(self) -> int:
        """How many choices lie between now and the last one of this moment that was not the only one; 0: none does."""
        free = [place for place, step in enumerate(reversed(self._moment), 1) if not step.only]
        return free[0] if free else 0

    def take_back(self, steps: int = 1) -> None:
        """Undo the last choice, or the last `steps` ones, as long as nobody has learned anything from them."""
        if not 0 < steps <= len(self._moment):
            raise ChoiceError("Nothing can be taken back: the last choice has been seen, or another seat is to choose.")
        self.state = self._moment[-steps].before
        self.course = None
        del self._moment[-steps:], self.history[-steps:]

    # Keeping

    def record(self, table: Mapping[str, Any] | None = None) -> str:
        """The match as a text: what it is played with, the seed, the choices, and a checksum over all of it.

        `table` is what else is to be kept of where it was played; the match does not hang on it.
        """
        return write_record(self.start, self.history, table)

    @classmethod
    def from_record(cls, record: str | bytes, *, upto: int | None = None, game: Game | None = None) -> Self:
        """Replay a record (the first `upto` choices of it); `game` is for a game that is not installed."""
        start, choices = read_record(record, upto, game)
        match = cls(start)
        try:
            for action in choices:
                match.choose(action)
        except ChoiceError as problem:
            raise BadRecord(f"This record holds a choice that is not legal: {problem}") from None
        return match

    def position(self) -> dict[str, Any]:
        """The whole true state in readable form, for `from_position`, tests and bug reports."""
        return write_position(self.start._replace(state=self.state))
